"""One way to start every child process: spawned, long-lived, dying with its parent, replaceable after a crash."""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from typing import Any

from engine.core.cancel import CancelToken
from engine.core.errors import BugError, Cancelled, KnownError, SheafError
from engine.core.memory import keep_together

Handler = Callable[[Any, Callable[[Any], None], Callable[[], bool]], Any]
"""handle(request, report, cancelled) -> result. `report` sends a partial result, `cancelled` polls for cancel."""
_POLL = 0.05
_PR_SET_PDEATHSIG = 1


class ChildGone(KnownError):
    """The child died (crash, memory limit, kill) while a request was running."""


class Child:
    """A worker process that serves one request at a time.

    `factory` is a top-level function that runs in the child and returns the request handler; heavy imports belong
    there. `memory_bytes` caps the child's address space where the system can. Not for use from two threads at once
    except `cancel` through the token.
    """

    def __init__(
        self, name: str, factory: Callable[..., Handler], args: tuple[Any, ...] = (), *, memory_bytes: int = 0
    ) -> None:
        self._name = name
        self._factory = factory
        self._args = args
        self._memory = memory_bytes
        self._process: multiprocessing.process.BaseProcess | None = None
        self._keeper: threading.Thread | None = None
        self._pipe: Connection | None = None
        self._lock = threading.Lock()

    @property
    def alive(self) -> bool:
        return self._process is not None and self._process.is_alive()

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    def request(
        self,
        payload: Any,
        *,
        cancel: CancelToken | None = None,
        timeout: float | None = None,
        on_report: Callable[[Any], None] | None = None,
        grace: float = 2.0,
    ) -> Any:
        """Run one request and return its result.

        Raises what the handler raised (KnownError, BugError, Cancelled), ChildGone if the process died, KnownError
        with code "timeout" when no result *and no report* came for `timeout` seconds (the child is killed), and
        Cancelled when the token is set (the child gets `grace` seconds to notice, then is killed).
        """
        with self._lock:
            pipe = self._ensure_started()
            try:
                pipe.send(("request", payload))
            except (BrokenPipeError, OSError):
                self._kill()
                pipe = self._ensure_started()
                pipe.send(("request", payload))
            return self._await_result(pipe, cancel, timeout, on_report, grace)

    def _await_result(
        self,
        pipe: Connection,
        cancel: CancelToken | None,
        timeout: float | None,
        on_report: Callable[[Any], None] | None,
        grace: float,
    ) -> Any:
        last_sign = time.monotonic()
        cancelled_at: float | None = None
        while True:
            if pipe.poll(_POLL):
                try:
                    kind, value = pipe.recv()
                except (EOFError, OSError) as error:
                    raise self._gone() from error
                last_sign = time.monotonic()
                if kind == "report":
                    if on_report is not None and cancelled_at is None:
                        on_report(value)
                elif kind == "result":
                    return value
                else:
                    raise value
            now = time.monotonic()
            if cancel is not None and cancel.cancelled:
                if cancelled_at is None:
                    cancelled_at = now
                    with contextlib.suppress(OSError):
                        pipe.send(("cancel", None))
                elif now - cancelled_at > grace:
                    self._kill()
                    raise Cancelled
            if timeout is not None and now - last_sign > timeout:
                self._kill()
                raise KnownError(f"No sign of life for {timeout:g} s.", code="timeout")
            if not self.alive and not pipe.poll(0):
                raise self._gone()

    def close(self) -> None:
        """Ask the child to leave, then make it; leaves no zombie."""
        if self._pipe is not None:
            with contextlib.suppress(OSError):
                self._pipe.send(("stop", None))
        if self._process is not None:
            self._process.join(1.0)
        self._kill()

    def _ensure_started(self) -> Connection:
        if self._pipe is not None and self.alive:
            return self._pipe
        self._kill()
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        self._process = context.Process(
            target=_serve,
            args=(theirs, self._factory, self._args, self._memory, os.getpid()),
            name=f"sheaf-{self._name}",
            daemon=True,
        )
        started = threading.Event()
        # The kernel's parent-death signal follows the *thread* that started the child, so one thread stays with it.
        watched = (self._process, started)
        self._keeper = threading.Thread(target=_keep, args=watched, name=f"keep-{self._name}", daemon=True)
        self._keeper.start()
        started.wait()
        theirs.close()
        if self._process.pid is None:
            self._process = None
            ours.close()
            raise KnownError(f"The {self._name} process could not be started.", help="Free some memory and try again.")
        self._pipe = ours
        return ours

    def _gone(self) -> ChildGone:
        code = None
        if self._process is not None:
            self._process.join(1.0)
            code = self._process.exitcode
        self._kill()
        return ChildGone(f"The {self._name} process ended unexpectedly (exit code {code}).", code="child-gone")

    def _kill(self) -> None:
        if self._process is not None:
            if self._process.is_alive():
                self._process.kill()
            self._process.join()
            if self._keeper is not None:
                # It watches a descriptor that close() gives back: first let it see the end.
                self._keeper.join()
                self._keeper = None
            self._process.close()
            self._process = None
        if self._pipe is not None:
            self._pipe.close()
            self._pipe = None


def _keep(process: multiprocessing.process.BaseProcess, started: threading.Event) -> None:
    try:
        process.start()
        sentinel = process.sentinel
    finally:
        started.set()
    wait([sentinel])


class _Inbox:
    """Reads the pipe in a thread so that a cancel, or the parent's death, is seen during a request."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self.cancelled = threading.Event()
        self._requests: list[Any] = []
        self._ready = threading.Condition()
        self._closed = False
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        while True:
            try:
                kind, payload = self._pipe.recv()
            except (EOFError, OSError):
                os._exit(0)  # the parent is gone; nothing here is worth finishing
            if kind == "cancel":
                self.cancelled.set()
                continue
            with self._ready:
                if kind == "stop":
                    self._closed = True
                else:
                    self._requests.append(payload)
                self._ready.notify()
            if kind == "stop":
                self.cancelled.set()

    def next(self) -> Any:
        with self._ready:
            while not self._requests and not self._closed:
                self._ready.wait()
            if not self._requests:
                raise EOFError
            self.cancelled.clear()
            return self._requests.pop(0)


def _serve(pipe: Connection, factory: Callable[..., Handler], args: tuple[Any, ...], memory: int, parent: int) -> None:
    _die_with(parent)
    _limit_memory(memory)
    keep_together()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    inbox = _Inbox(pipe)
    handler: Handler | None = None
    while True:
        try:
            request = inbox.next()
        except EOFError:
            return
        try:
            if handler is None:
                handler = factory(*args)
            result = handler(request, lambda part: pipe.send(("report", part)), inbox.cancelled.is_set)
            answer = ("result", result)
        except SheafError as error:
            answer = ("error", error)
        except MemoryError:
            answer = ("error", KnownError("It needs more memory than it may use.", code="memory"))
        except Exception as error:  # the worker boundary: whatever happens here must reach the parent as a value
            answer = ("error", BugError(f"{type(error).__name__}: {error}"))
        _send(pipe, answer)


def _send(pipe: Connection, answer: tuple[str, Any]) -> None:
    try:
        pipe.send(answer)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        pipe.send(("error", BugError(f"The result cannot cross the pipe: {error}")))
    except (BrokenPipeError, OSError):
        os._exit(0)


def _die_with(parent: int) -> None:
    """Ask the kernel to end this process with its parent (Linux); elsewhere the closed pipe does it."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(0)


def _limit_memory(memory: int) -> None:
    if memory and sys.platform != "win32":
        import resource

        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

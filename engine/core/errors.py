"""The two roots of every failure, and cancellation, which is neither."""

from __future__ import annotations


class SheafError(Exception):
    """Common parent; never raised itself."""


class KnownError(SheafError):
    """The world's fault: a file, a disk, a lock, a network.

    ``str(error)`` is one sentence saying what happened; ``help`` is one sentence saying what to do next.
    ``code`` is a stable machine-readable name, ``retryable`` says whether the same call may succeed later.
    """

    def __init__(self, message: str, *, help: str = "", code: str = "known", retryable: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.help = help
        self.code = code
        self.retryable = retryable

    def __reduce__(self) -> tuple[object, ...]:
        # Keyword-only fields must survive the pipe from a child process.
        return (_rebuild_known, (type(self), self.message, self.help, self.code, self.retryable))


class UsageError(KnownError):
    """The caller asked for something that does not exist or makes no sense (exit code 2)."""


class BugError(SheafError):
    """Our fault: an invariant did not hold."""


class Cancelled(SheafError):
    """The user, or a newer request, withdrew the work. Neither a success nor a failure."""


def _rebuild_known(cls: type[KnownError], message: str, help: str, code: str, retryable: bool) -> KnownError:
    return cls(message, help=help, code=code, retryable=retryable)

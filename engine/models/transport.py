"""Opening a URL: certificates, proxies, credentials, byte ranges, and one plain sentence for every way it can fail."""

from __future__ import annotations

import base64
import contextlib
import functools
import http.client
import importlib.util
import netrc
import socket
import ssl
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled, KnownError
from engine.models.pipconfig import IndexSettings

_CANCEL_POLL = 0.1


class Broken(KnownError):
    """The connection broke or stalled; the same request may go through when repeated."""


class Refused(KnownError):
    """The server answered, and the answer is no. `code` tells which: "not-found", "access", "server", "range"."""


class Response:
    """An open answer. `start` is the offset of its first byte in the whole file, `total` the whole size or None."""

    def __init__(self, answer: Any, url: str) -> None:
        self._answer = answer
        self._url = url
        self.content_type = str(answer.headers.get("Content-Type") or "")
        self.url = str(answer.geturl())
        self.start, self.total = _extent(answer)

    def read(self, size: int) -> bytes:
        """What has arrived, at most `size` bytes; b"" at the end. Raises Broken."""
        try:
            return bytes(self._answer.read1(size))
        except (OSError, http.client.HTTPException) as error:
            raise _broken(self._url) from error


class Transport:
    """Opens URLs as pip is configured to. Holds no connection between calls; usable from several threads."""

    def __init__(self, settings: IndexSettings) -> None:
        self._settings = settings

    @contextlib.contextmanager
    def open(
        self, url: str, *, offset: int = 0, accept: str = "*/*", cancel: CancelToken | None = None
    ) -> Iterator[Response]:
        """Send one GET, from `offset` on where the server can.

        Raises Broken (no network, time-out, reset), Refused (404, 401, 5xx ...), KnownError "certificate", Cancelled.
        A set token also ends a read that is waiting for bytes.
        """
        watch = _Watch(cancel)
        try:
            with watch:
                try:
                    answer = self._opener(url, watch).open(self._request(url, offset, accept), timeout=self._timeout)
                except (OSError, http.client.HTTPException, ValueError) as error:
                    raise _explain(error, url) from error
                with answer:
                    yield Response(answer, url)
        except Broken:
            if cancel is not None and cancel.cancelled:
                raise Cancelled from None
            raise

    @property
    def _timeout(self) -> float:
        return self._settings.timeout

    def _request(self, url: str, offset: int, accept: str) -> urllib.request.Request:
        bare, authorization = _credentials(url)
        request = urllib.request.Request(bare, headers={"Accept": accept, "User-Agent": "sheaf"})
        request.add_header("Accept-Encoding", "identity")
        if offset:
            request.add_header("Range", f"bytes={offset}-")
        if authorization:
            # Unredirected: another host must never see the credentials.
            request.add_unredirected_header("Authorization", authorization)
        return request

    def _opener(self, url: str, watch: _Watch) -> urllib.request.OpenerDirector:
        proxy = self._settings.proxy
        proxies = urllib.request.ProxyHandler({"http": proxy, "https": proxy} if proxy else None)
        handlers: list[urllib.request.BaseHandler] = [proxies, _HttpHandler(watch)]
        if url.lower().startswith("https") or proxy.lower().startswith("https"):
            handlers.append(_HttpsHandler(watch, self._context(url)))
        return urllib.request.build_opener(*handlers)

    def _context(self, url: str) -> ssl.SSLContext:
        settings = self._settings
        try:
            context = ssl.create_default_context(cafile=settings.cert if Path(settings.cert).is_file() else None)
            if settings.cert and Path(settings.cert).is_dir():
                context.load_verify_locations(capath=settings.cert)
            elif settings.cert and not Path(settings.cert).is_file():
                raise FileNotFoundError(settings.cert)
            if settings.client_cert:
                context.load_cert_chain(settings.client_cert)
        except OSError as error:
            raise KnownError(
                f"The certificate file configured for pip cannot be used: {settings.cert or settings.client_cert}.",
                help='Correct "cert" in the pip configuration.',
                code="certificate",
            ) from error
        if not settings.cert and not context.cert_store_stats()["x509_ca"]:
            _add_bundled_authorities(context)
        host = urllib.parse.urlsplit(url)
        if host.hostname in settings.trusted_hosts or host.netloc.rpartition("@")[2] in settings.trusted_hosts:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context


class _Watch:
    """Shuts the sockets of one request when the token is set, so that a waiting read returns."""

    def __init__(self, cancel: CancelToken | None) -> None:
        self._cancel = cancel
        self._sockets: list[socket.socket] = []
        self._done = threading.Event()
        self._thread: threading.Thread | None = None

    def add(self, sock: socket.socket) -> None:
        self._sockets.append(sock)

    def __enter__(self) -> None:
        if self._cancel is not None:
            self._cancel.raise_if_cancelled()
            self._thread = threading.Thread(target=self._run, name="watch-fetch", daemon=True)
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._done.set()
        if self._thread is not None:
            self._thread.join()
        for sock in self._sockets:
            sock.close()

    def _run(self) -> None:
        assert self._cancel is not None
        while not self._done.wait(_CANCEL_POLL):
            if self._cancel.cancelled:
                for sock in self._sockets:
                    with contextlib.suppress(OSError):
                        sock.shutdown(socket.SHUT_RDWR)


class _HttpConnection(http.client.HTTPConnection):
    def __init__(self, *args: Any, watch: _Watch, **options: Any) -> None:
        super().__init__(*args, **options)
        self._watch = watch

    def connect(self) -> None:
        super().connect()
        self._watch.add(self.sock)


class _HttpsConnection(http.client.HTTPSConnection):
    def __init__(self, *args: Any, watch: _Watch, **options: Any) -> None:
        super().__init__(*args, **options)
        self._watch = watch

    def connect(self) -> None:
        super().connect()
        self._watch.add(self.sock)


class _HttpHandler(urllib.request.HTTPHandler):
    def __init__(self, watch: _Watch) -> None:
        super().__init__()
        self._connection = functools.partial(_HttpConnection, watch=watch)

    def http_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._connection, req)


class _HttpsHandler(urllib.request.HTTPSHandler):
    def __init__(self, watch: _Watch, context: ssl.SSLContext) -> None:
        super().__init__(context=context)
        self._connection = functools.partial(_HttpsConnection, watch=watch, context=context)

    def https_open(self, req: urllib.request.Request) -> http.client.HTTPResponse:
        return self.do_open(self._connection, req)


def without_credentials(url: str) -> str:
    """The URL as it may be shown or logged."""
    parts = urllib.parse.urlsplit(url)
    return urllib.parse.urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def host_of(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    return parts.netloc.rpartition("@")[2] or parts.path


def _credentials(url: str) -> tuple[str, str]:
    """The URL without user and password, and the Authorization header they (or ~/.netrc) make, or ""."""
    parts = urllib.parse.urlsplit(url)
    user, password = urllib.parse.unquote(parts.username or ""), urllib.parse.unquote(parts.password or "")
    if not user and parts.hostname:
        with contextlib.suppress(OSError, netrc.NetrcParseError, KeyError):
            if found := netrc.netrc().authenticators(parts.hostname):
                user, password = found[0], found[2]
    if not user:
        return without_credentials(url), ""
    token = base64.b64encode(f"{user}:{password}".encode()).decode("ascii")
    return without_credentials(url), f"Basic {token}"


def _add_bundled_authorities(context: ssl.SSLContext) -> None:
    """Some Pythons find no certificate authorities of the system; the environment usually has a bundle of them."""
    paths = ssl.get_default_verify_paths()
    if paths.cafile is None and paths.capath is None and (spec := importlib.util.find_spec("certifi")) and spec.origin:
        context.load_verify_locations(cafile=str(Path(spec.origin).with_name("cacert.pem")))


def _extent(answer: Any) -> tuple[int, int | None]:
    if answer.status == 206:
        unit, _, rest = str(answer.headers.get("Content-Range") or "").partition(" ")
        span, _, whole = rest.partition("/")
        first = span.partition("-")[0]
        if unit == "bytes" and first.isdigit():
            return int(first), int(whole) if whole.isdigit() else None
    length = str(answer.headers.get("Content-Length") or "")
    return 0, int(length) if length.isdigit() else None


def _explain(error: Exception, url: str) -> KnownError:
    if isinstance(error, urllib.error.HTTPError):
        error.close()
        return _refusal(error.code, url)
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, ssl.SSLCertVerificationError):
        return KnownError(
            f"The certificate of {host_of(url)} is not trusted here.",
            help='If your network has its own authority, set "cert" in the pip configuration to its certificate.',
            code="certificate",
        )
    if isinstance(cause, ValueError) and not isinstance(cause, OSError):
        return KnownError(
            f"This is not an address Sheaf can open: {without_credentials(url)}.",
            help="Correct the index address in the pip configuration.",
            code="bad-address",
        )
    return _broken(url)


def _refusal(status: int, url: str) -> KnownError:
    host = host_of(url)
    if status in (404, 410):
        return Refused(f"{host} does not have {without_credentials(url)}.", code="not-found")
    if status in (401, 403, 407):
        return Refused(
            f"{host} refused access (HTTP {status}).",
            help="Check the user name and password in the index address or proxy configured for pip.",
            code="access",
        )
    if status == 416:
        return Refused(f"{host} cannot continue this download.", code="range", retryable=True)
    if status == 429 or status >= 500:
        return Broken(
            f"{host} has a problem of its own (HTTP {status}).",
            help="Try again later; the download continues where it stopped.",
            code="server",
            retryable=True,
        )
    return Refused(f"{host} refused the request (HTTP {status}).", code="refused")


def _broken(url: str) -> Broken:
    return Broken(
        f"The connection to {host_of(url)} could not be made or broke off.",
        help="Check the network and the proxy, then run the same again: the download continues where it stopped.",
        code="network",
        retryable=True,
    )

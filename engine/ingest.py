"""From watched folders to visible documents: the one place that knows the order of the stages.

scan -> parse (child processes) -> segments -> what the extensions make -> embed -> vectors and keyword index under a
new generation -> one SQLite transaction that makes the generation visible. Killed anywhere, the next run ends with the
same index: what was not committed is swept and made again, what was embedded is in the cache.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from engine import __version__
from engine.core.cancel import CancelToken
from engine.core.errors import BugError, Cancelled, KnownError
from engine.core.events import DocumentFailed, DocumentIndexed, Emit, ignore
from engine.core.memory import give_back
from engine.core.model import ParsedDocument, Segment
from engine.core.ports import DocumentBundle, Embedder, IngestStage, KeywordWrites, Matrix, Parser
from engine.core.results import DocumentStatus, IndexReport, Library
from engine.library.attention import Attention, Waiting
from engine.library.identity import identify, is_unmounted
from engine.library.pace import Pace
from engine.library.progress import Progress
from engine.library.scan import Found, ScanOptions, scan_folder
from engine.parse.corrections import apply_outline
from engine.segments import split
from engine.sightings import scan_outcome
from engine.store.catalog import Catalog
from engine.store.commit import Committer
from engine.store.health import Repair
from engine.store.ledger import TRIED, Ledger, outcome_of
from engine.store.lock import WriterLock
from engine.store.outlines import OutlineStore
from engine.store.places import PlaceRow, Places, Root
from engine.store.reembed import follow_model
from engine.store.vectors import VectorStore, table_name

_BATCH_SEGMENTS = 512
_BATCH_SECONDS = 4.0
_LONGEST_BATCH = 10.0
_BATCH_SHARE = 1 / 60
"""A finished document waits at most this long for others to be committed with; longer in a run that has taken long,
by a share of its time: every commit is a version of the vectors, and leaves some memory in pieces."""
_EMBED_SLICE = 64
_ROUND_SECONDS = 0.5
_ROUNDS = 3
"""How often a run looks again for files that moved under its hands."""
_CONCERNS_ALL = frozenset(("model-missing", "model-damaged", "disk-full", "storage", "read-only", "locked", "damaged"))
"""Failures that no other document would escape: they end the run."""
_OUR_FAULTS = (ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RuntimeError)
"""What a fault of a stage looks like: it fails one document, not the queue."""


@dataclass(slots=True)
class _Tally:
    """Files of this run."""

    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    moved: int = 0
    warnings: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Run:
    """State of one run."""

    progress: Progress
    cancel: CancelToken
    tally: _Tally
    committer: Committer
    started: float
    held: list[tuple[PlaceRow, DocumentBundle]] = field(default_factory=list)
    """Finished documents that wait to be committed together."""
    held_since: float = 0.0

    def hold(self, place: PlaceRow, bundle: DocumentBundle) -> None:
        if not self.held:
            self.held_since = time.monotonic()
        self.held.append((place, bundle))

    def due(self, *, hurry: bool) -> bool:
        """Whether a batch is worth a commit: big, old, wanted, or nothing else to do."""
        now = time.monotonic()
        patience = max(_BATCH_SECONDS, min(_LONGEST_BATCH, _BATCH_SHARE * (now - self.started)))
        return bool(self.held) and (
            hurry
            or now - self.held_since >= patience
            or sum(len(one.segments) for _, one in self.held) >= _BATCH_SEGMENTS
        )


class Ingest:
    """Brings one library up to date. One run at a time; every run takes the library's writer lock.

    `workers` documents are parsed side by side (the parser must serve as many). `parser_version` names the parser's
    code and settings: a change parses everything again. `retry_key` names settings that only decide whether a document
    fails: a change of it, or of the program, tries failed documents again. `pace` holds the work up, `attention` says
    what is wanted first.
    """

    def __init__(
        self,
        library: Library,
        catalog: Catalog,
        vectors: VectorStore,
        keyword: KeywordWrites,
        parser: Parser,
        embedder: Embedder,
        *,
        extensions: Sequence[IngestStage] = (),
        options: ScanOptions | None = None,
        workers: int | None = None,
        parser_version: str = "1",
        retry_key: str = "",
        pace: Pace | None = None,
        lock_seconds: float = 0.0,
        outlines: OutlineStore | None = None,
        attention: Attention | None = None,
    ) -> None:
        self._library = library
        self._catalog = catalog
        forget = [one.forget for one in extensions]
        self._ledger = Ledger(catalog, forget)
        self._places = Places(catalog, forget)
        self._vectors = vectors
        self._keyword = keyword
        self._parser = parser
        self._embedder = embedder
        self._extensions = tuple(extensions)
        self._options = options or ScanOptions()
        self._workers = max(1, workers or os.cpu_count() or 1)
        self._parser_version = parser_version
        self.attempt = f"{__version__} {retry_key}".strip()
        self._pace = pace or Pace()
        self._lock_seconds = lock_seconds
        self._outlines = outlines
        self._attention = attention or Attention()

    def run(self, emit: Emit = ignore, cancel: CancelToken | None = None) -> IndexReport:
        """Scan and bring everything up to date. Raises Cancelled (finished documents stay), KnownError for what
        concerns the whole run: a lock, a full disk, a missing model."""
        started = time.monotonic()
        with WriterLock(self._library.home, seconds=self._lock_seconds):
            tally = _Tally()
            cancel = cancel or CancelToken()
            job = self._ledger.start_job("index")
            outcome = "failed"
            try:
                repair = self._repair(tally, cancel)
                repair.run()
                committer = self._committer(repair)
                run = _Run(Progress(emit), cancel, tally, committer, started)
                self._follow_model(run)
                self._rounds(run)
                tally.warnings += committer.tidy()
                if committer.swept:
                    repair.finished()
                outcome = "done"
            except Cancelled:
                outcome = "cancelled"
                raise
            finally:
                self._ledger.finish_job(job, outcome, {"added": tally.added, "removed": tally.removed})
        return self._report(run)

    def _committer(self, repair: Repair) -> Committer:
        return Committer(self._catalog, self._vectors, self._keyword, self._extensions, repair.leftovers)

    def _repair(self, tally: _Tally, cancel: CancelToken) -> Repair:
        note = tally.warnings.append
        return Repair(self._catalog, self._vectors, self._keyword, self._embedder, note=note, cancel=cancel)

    def _rounds(self, run: _Run) -> None:
        """Scan and ingest, again while files change under our hands."""
        for attempt in range(_ROUNDS):
            unstable = self._scan(run, first=attempt == 0) + self._ingest(run)
            run.cancel.raise_if_cancelled()
            if not unstable or run.cancel.wait(_ROUND_SECONDS):
                return

    @property
    def stages(self) -> dict[str, str]:
        """Stage -> version of all that is made of a document now."""
        return {
            "parsed": self._parser_version,
            "segmented": split.VERSION,
            "embedded": self._embedder.model_key,
            **{one.name: one.version for one in self._extensions},
        }

    def _scan(self, run: _Run, *, first: bool) -> int:
        """Look at the folders and record what changed. Returns how many files would not hold still."""
        scans: list[Found] = []
        roots = self._places.roots()
        for folder in self._library.folders:
            run.progress.at("scan", str(folder))
            scan = scan_folder(folder, self._options, run.cancel)
            if is_unmounted(scan, roots.get(scan.folder, Root("present")).device):
                scan.missing = "its drive does not seem to be connected"
            scans.append(scan)
        known = self._places.known()
        seen = identify(
            scans, known, cancel=run.cancel, on_file=lambda file, _done, _total: run.progress.at("scan", file.file)
        )
        self._places.forget_folders([str(folder) for folder in self._library.folders])
        self._places.apply(scan_outcome(scans, seen, known, roots))
        tally = run.tally
        tally.added += seen.added
        tally.changed += seen.changed
        tally.moved += seen.moved
        tally.removed += max(0, len(seen.removed) - seen.moved)
        if first:
            tally.unchanged = seen.unchanged
        for scan in scans:
            if scan.missing and not any(said.startswith(f"{scan.folder} cannot be read") for said in tally.warnings):
                tally.warnings.append(f"{scan.folder} cannot be read ({scan.missing}); what is indexed of it stays.")
        return len(seen.unstable)

    def _ingest(self, run: _Run) -> int:
        """Work off what is pending. Returns how many files changed under the parser's hands."""
        waiting = Waiting(self._ledger.pending(self.stages, self.attempt), self._attention)
        run.progress.expect(len(waiting))
        stop = CancelToken()
        running: dict[Future[ParsedDocument | None], PlaceRow] = {}
        unstable = 0
        with ThreadPoolExecutor(self._workers, thread_name_prefix="parse") as pool:
            try:
                while waiting or running:
                    while waiting and len(running) <= self._workers:
                        place = waiting.take()
                        running[pool.submit(self._parse, place, run.progress, stop)] = place
                    done, _ = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
                    for future in done:
                        unstable += self._one(running.pop(future), future, run)
                    run.cancel.raise_if_cancelled()
                    wanted = any(self._attention.is_on(place) for place, _ in run.held)
                    if run.due(hurry=wanted or not (waiting or running)):
                        self._flush(run)
            except Cancelled:
                self._flush(run)
                raise
            finally:
                stop.cancel()
        return unstable

    def _parse(self, place: PlaceRow, progress: Progress, stop: CancelToken) -> ParsedDocument | None:
        """Runs in a worker thread. None where the file is no longer the one that was hashed."""
        self._pace.breathe(stop)
        path = Path(place.folder) / place.file
        before = _stamp(path)
        if before is None or before[0] != place.size or (place.mtime_ns >= 0 and before[1] != place.mtime_ns):
            return None
        progress.at("parse", place.file)
        try:
            parsed = self._parser.parse(
                path, cancel=stop, on_page=lambda page, _pages: progress.page_done(place.file, page)
            )
        except KnownError:
            if _stamp(path) == before:
                raise
            return None  # its drive was pulled, or somebody is writing it: no fault of the file
        return parsed if _stamp(path) == before else None

    def _one(self, place: PlaceRow, future: Future[ParsedDocument | None], run: _Run) -> int:
        """Take one parsed document to the batch, or note why not. Returns 1 if its file has changed meanwhile."""
        try:
            parsed = future.result()
            if parsed is None:
                run.progress.finished()
                return 1
            bundle = self._bundle(place, parsed, run)
        except KnownError as error:
            if error.code in _CONCERNS_ALL:
                raise
            self._fail(place, error.message, run)
            return 0
        except (BugError, *_OUR_FAULTS) as error:
            self._fail(place, f"it could not be processed ({type(error).__name__}: {error})", run)
            return 0
        status, reason, _ = outcome_of(parsed, len(bundle.segments))
        if status is DocumentStatus.FAILED:
            self._fail(place, reason, run)
        else:
            run.hold(place, bundle)
        return 0

    def _bundle(self, place: PlaceRow, parsed: ParsedDocument, run: _Run) -> DocumentBundle:
        """Everything that will be written of a document."""
        run.progress.at("segment", place.file)
        entries = self._outlines.get(place.document) if self._outlines is not None else None
        if entries is not None:
            parsed = apply_outline(parsed, entries)
        segments = split.make_segments(place.document, parsed)
        bundle = DocumentBundle(place.document, parsed, segments, _no_vectors(self._embedder))
        for stage in self._extensions:
            run.progress.at(stage.name, place.file)
            bundle = stage.make(bundle)
        return replace(bundle, vectors=self._embed(segments, place.file, run))

    def _embed(self, segments: Sequence[Segment], file: str, run: _Run) -> Matrix:
        slices = [_no_vectors(self._embedder)]
        for start in range(0, len(segments), _EMBED_SLICE):
            part = segments[start : start + _EMBED_SLICE]
            self._pace.breathe(run.cancel)
            run.progress.at("embed", file, part[0].page)
            slices.append(self._embedder.embed_passages([segment.embed_text for segment in part], run.cancel))
        return np.concatenate(slices)

    def _fail(self, place: PlaceRow, reason: str, run: _Run) -> None:
        self._ledger.fail(place.document, reason, {**self.stages, TRIED: self.attempt})
        run.progress.finished(DocumentFailed(place.file, reason))

    def _flush(self, run: _Run) -> None:
        """Make what is finished visible, and say so."""
        if not run.held:
            return
        held, run.held = run.held, []
        table = table_name(self._embedder.model_key)
        run.committer.commit(table, [bundle for _, bundle in held], self.stages)
        for place, bundle in held:
            run.progress.finished(DocumentIndexed(place.file, len(bundle.segments)))
        give_back()

    def _follow_model(self, run: _Run) -> None:
        expected = False

        def on_document(total: int, file: str) -> None:
            nonlocal expected
            if not expected:
                run.progress.expect(total)
                expected = True
            else:
                run.progress.finished()
            run.progress.at("embed", file)

        follow_model(
            self._catalog,
            self._vectors,
            self._embedder,
            lambda segments, file: self._embed(segments, file, run),
            on_document,
        )
        if expected:
            run.progress.finished()

    def _report(self, run: _Run) -> IndexReport:
        documents, pages, segments = self._catalog.totals()
        needs_ocr, failed = self._catalog.problems()
        tally = run.tally
        return IndexReport(
            documents=documents,
            pages=pages,
            segments=segments,
            added=tally.added,
            changed=tally.changed,
            removed=tally.removed,
            unchanged=tally.unchanged,
            needs_ocr=needs_ocr,
            skipped=tuple(self._catalog.skipped()),
            failed=failed,
            seconds=round(time.monotonic() - run.started, 3),
            moved=tally.moved,
            warnings=tuple(tally.warnings),
            pages_read=run.progress.pages,
        )


def _no_vectors(embedder: Embedder) -> Matrix:
    return np.empty((0, embedder.dimension), dtype=np.float32)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_size, info.st_mtime_ns

"""The ingest as a whole, over fakes of parser and embedder and the real stores."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled, KnownError
from engine.core.events import DocumentFailed, DocumentIndexed, IndexProgress
from engine.core.model import ParsedDocument
from engine.core.ports import Matrix
from engine.core.results import DocumentStatus
from engine.store.ledger import Ledger
from engine.store.lock import WriterLock
from tests.engine.ingest_fakes import HashEmbedder, TextParser
from tests.engine.library_case import LibraryCase
from tests.torture.streams import check_stream

ALPHA = "# Alpha amplifier\n\nThe quiescent current is 42 uA.\n\n## Ratings\n\nSupply voltage up to 18 V."
BETA = "# Beta regulator\n\nThe dropout voltage of the BET317-N is 1.2 V."


@pytest.fixture
def case(tmp_path: Path) -> Iterator[LibraryCase]:
    with LibraryCase(tmp_path) as one:
        yield one


def test_new_files_are_found_by_both_routes(case: LibraryCase) -> None:
    case.write("alpha.txt", ALPHA)
    case.write("sub/beta.txt", BETA)
    report = case.index()
    assert (report.documents, report.added, report.removed, report.failed) == (2, 2, 0, ())
    assert case.words("BET317-N")[0] == "sub/beta.txt"
    assert case.dense("quiescent current")[0] == "alpha.txt"
    assert {event.file for event in case.events if isinstance(event, DocumentIndexed)} == {"alpha.txt", "sub/beta.txt"}


def test_second_run_parses_and_embeds_nothing(case: LibraryCase) -> None:
    case.write("alpha.txt", ALPHA)
    case.index()
    before = case.base.embedded
    report = case.index()
    assert (report.unchanged, report.added, report.changed) == (1, 0, 0)
    assert case.parser.parsed == ["alpha.txt"]
    assert case.base.embedded == before


def test_rename_and_copy_embed_nothing_and_are_found_by_their_new_name(case: LibraryCase) -> None:
    path = case.write("alpha.txt", ALPHA)
    case.index()
    embedded, state = case.base.embedded, case.catalog.meta("vector_version")
    path.rename(case.docs / "renamed-widget.txt")
    case.write("copies/alpha again.txt", ALPHA)
    report = case.index()
    assert (report.documents, report.moved, report.removed) == (1, 2, 0)
    assert case.base.embedded == embedded
    assert case.parser.parsed == ["alpha.txt"]
    assert case.catalog.meta("vector_version") == state
    assert case.words("widget") == case.words("widget")
    document = case.catalog.documents()[0]
    assert [place.file for place in document.places] == ["copies/alpha again.txt", "renamed-widget.txt"]
    assert len(case.keyword.search("widget", 5)) > 0


def test_changed_file_replaces_its_text_everywhere(case: LibraryCase) -> None:
    case.write("alpha.txt", ALPHA)
    case.index()
    case.write("alpha.txt", ALPHA.replace("quiescent", "standby"))
    report = case.index()
    assert (report.changed, report.documents) == (1, 1)
    assert case.words("quiescent") == []
    assert case.words("standby") == ["alpha.txt"]
    assert len(case.vectors.held(case.catalog.meta("vectors"))) == 1


def test_deleted_file_stops_answering(case: LibraryCase) -> None:
    path = case.write("alpha.txt", ALPHA)
    case.write("beta.txt", BETA)
    case.index()
    path.unlink()
    report = case.index()
    assert (report.documents, report.removed) == (1, 1)
    assert case.words("quiescent") == []
    assert "alpha.txt" not in case.dense("quiescent current", 10)
    assert len(case.keyword.held()) == len(case.vectors.held(case.catalog.meta("vectors"))) == 1


def test_a_tree_that_is_copied_in_is_found_in_one_look_and_a_renamed_part_embeds_nothing(case: LibraryCase) -> None:
    for number in range(500):
        case.write(f"tree/{number % 20}/{number}.txt", f"# Part {number}\n\nThe token{number} is here.")
    assert case.index().added == 500
    assert case.words("token499")[0] == "tree/19/499.txt"
    (case.docs / "tree").rename(case.docs / "renamed")
    parsed, texts = len(case.parser.parsed), case.base.embedded
    report = case.index()
    assert (report.moved, report.added, report.removed, report.documents) == (500, 0, 0, 500)
    assert (len(case.parser.parsed), case.base.embedded) == (parsed, texts)
    assert case.words("token499")[0] == "renamed/19/499.txt"


def test_a_deleted_folder_and_a_folder_watched_no_more_stop_answering(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "beta.txt").write_text(BETA)
    with LibraryCase(tmp_path, folders=(tmp_path / "docs", tmp_path / "other")) as case:
        case.write("old/alpha.txt", ALPHA)
        case.write("old/copy/alpha2.txt", ALPHA + " Again.")
        assert case.index().documents == 3
        shutil.rmtree(case.docs / "old")
        assert case.index().removed == 2
        assert case.words("quiescent") == []
    with LibraryCase(tmp_path) as case:
        assert case.index().documents == 0
        assert (case.words("dropout"), case.dense("dropout voltage")) == ([], [])
        assert case.keyword.held() == case.vectors.held(case.catalog.meta("vectors")) == {}
    assert (tmp_path / "other" / "beta.txt").is_file()


def test_of_fifty_documents_three_fail_each_in_its_own_way(tmp_path: Path) -> None:
    class Picky(HashEmbedder):
        def embed_passages(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Matrix:
            if any("choke" in text for text in texts):
                raise KnownError("The embedder gave no vector.", code="embedder")
            return super().embed_passages(texts, cancel)

    with LibraryCase(tmp_path, embedder=Picky()) as case:
        for number in range(47):
            case.write(f"{number:02d}.txt", f"# Part {number}\n\nThe token{number} is here.")
        case.write("embed.txt", "# Choke\n\nIt makes the embedder choke.")
        case.write("parse.txt", "!fail the file is damaged")
        case.write("bug.txt", "!bug")
        report = case.index()
        assert report.documents == 47
        assert sorted(one.file for one in report.failed) == ["bug.txt", "embed.txt", "parse.txt"]
        assert all(one.reason for one in report.failed)
        assert len(case.vectors.held(case.catalog.meta("vectors"))) == len(case.keyword.held()) == 47


def test_files_that_come_during_a_run_are_found_and_progress_stays_honest(tmp_path: Path) -> None:
    class Adding(TextParser):
        def parse(
            self, path: Path, *, cancel: CancelToken, on_page: Callable[[int, int], None] | None = None
        ) -> ParsedDocument:
            if path.name < "10.txt":
                case.write(f"later {path.name}", f"# Later\n\nIt came with {path.name}.")
                path.write_text(path.read_text() + " Changed meanwhile.")
            return super().parse(path, cancel=cancel, on_page=on_page)

    with LibraryCase(tmp_path, parser=Adding()) as case:
        for number in range(30):
            case.write(f"{number:02d}.txt", f"# Part {number}\n\nThe token{number} is here.")
        case.index()
        check_stream(case.events)
    with LibraryCase(tmp_path) as case:
        case.index()
        check_stream(case.events)
        assert case.catalog.totals()[0] == 40


def test_one_bad_document_does_not_stop_the_rest(case: LibraryCase) -> None:
    case.write("bad.txt", "!fail the file is damaged")
    case.write("bug.txt", "!bug")
    case.write("empty.txt", "")
    case.write("good.txt", BETA)
    report = case.index()
    assert report.documents == 1
    assert {problem.file: problem.reason for problem in report.failed}.keys() == {"bad.txt", "bug.txt", "empty.txt"}
    assert {event.file for event in case.events if isinstance(event, DocumentFailed)} == {
        "bad.txt",
        "bug.txt",
        "empty.txt",
    }
    parsed = list(case.parser.parsed)
    assert case.index().failed == report.failed
    assert case.parser.parsed == parsed, "a failure is not tried again until something changes"


def test_failed_document_is_tried_again_with_a_new_parser(tmp_path: Path) -> None:
    with LibraryCase(tmp_path) as case:
        case.write("bad.txt", "!fail the file is damaged")
        case.index()
    with LibraryCase(tmp_path, parser_version="2") as case:
        case.index()
        assert case.parser.parsed == ["bad.txt"]


def test_failed_document_is_tried_again_when_a_setting_says_so_or_the_user(tmp_path: Path) -> None:
    with LibraryCase(tmp_path, retry_key="30 s") as case:
        case.write("bad.txt", "!fail the file is damaged")
        case.write("good.txt", ALPHA)
        case.index()
        case.index()
        assert case.parser.parsed.count("bad.txt") == 1
    with LibraryCase(tmp_path, retry_key="60 s") as case:
        case.index()
        assert case.parser.parsed == ["bad.txt"]
        assert Ledger(case.catalog).retry() == 1
        case.index()
        assert case.parser.parsed == ["bad.txt", "bad.txt"]


def test_pages_without_text_are_listed_for_ocr(case: LibraryCase) -> None:
    case.write("scan.txt", "# Scanned\n\nCover text.\n---\n!ocr\n---\n!ocr")
    report = case.index()
    assert [(one.file, one.reason) for one in report.needs_ocr] == [("scan.txt", "needs OCR: pages 2–3")]
    assert case.catalog.documents()[0].status is DocumentStatus.NEEDS_OCR
    assert case.words("cover") == ["scan.txt"]


def test_progress_never_falls(case: LibraryCase) -> None:
    for n in range(12):
        case.write(f"{n}.txt", f"# Part {n}\n\nText {n}.\n---\nMore {n}.")
    case.index()
    done = [event.done for event in case.events if isinstance(event, IndexProgress)]
    assert done == sorted(done)
    assert done[-1] == 12


def test_cancel_keeps_what_is_finished_and_the_next_run_completes(tmp_path: Path) -> None:
    token = CancelToken()

    class Stopping(TextParser):
        def parse(self, path, **more):  # type: ignore[no-untyped-def]
            if len(self.parsed) == 5:
                token.cancel()
            return super().parse(path, **more)

    with LibraryCase(tmp_path, parser=Stopping()) as case:
        for n in range(20):
            case.write(f"{n:02}.txt", f"# Part {n}\n\nText {n}.")
        with pytest.raises(Cancelled):
            case.index(token)
    with LibraryCase(tmp_path) as case:
        report = case.index()
        assert report.documents == 20
        assert case.parser.parsed.count("00.txt") <= 1
        assert len(case.keyword.held()) == len(case.vectors.held(case.catalog.meta("vectors"))) == 20


def test_missing_folder_keeps_its_index(case: LibraryCase) -> None:
    case.write("alpha.txt", ALPHA)
    case.index()
    case.docs.rename(case.docs.with_name("away"))
    report = case.index()
    assert (report.documents, report.removed) == (1, 0)
    assert "stays" in report.warnings[0]
    assert case.words("quiescent") == ["alpha.txt"]
    case.docs.with_name("away").rename(case.docs)
    assert case.index().unchanged == 1


def test_a_drive_pulled_while_its_file_is_read_is_no_fault_of_the_file(tmp_path: Path) -> None:
    class Pulled(TextParser):
        def parse(
            self, path: Path, *, cancel: CancelToken, on_page: Callable[[int, int], None] | None = None
        ) -> ParsedDocument:
            if path.name == "beta.txt":
                path.parent.rename(path.parent.with_name("away"))
                raise KnownError("The file cannot be read: input/output error.")
            return super().parse(path, cancel=cancel, on_page=on_page)

    with LibraryCase(tmp_path, parser=Pulled()) as case:
        case.write("alpha.txt", ALPHA)
        case.index()
        case.write("beta.txt", BETA)
        report = case.index()
        assert (report.failed, report.removed, report.documents) == ((), 0, 1)
        assert "stays" in report.warnings[0]
    (tmp_path / "away").rename(tmp_path / "docs")
    with LibraryCase(tmp_path) as case:
        assert (case.index().documents, case.words("dropout")) == (2, ["beta.txt"])


def test_empty_mount_point_is_not_a_deletion(case: LibraryCase) -> None:
    path = case.write("alpha.txt", ALPHA)
    case.index()
    path.unlink()
    with case.catalog.connections.transaction() as database:
        database.execute("UPDATE roots SET device = device + 1")  # files were last seen on another file system
    report = case.index()
    assert (report.documents, report.removed) == (1, 0)
    assert "connected" in report.warnings[0]
    case.write("alpha.txt", ALPHA)
    assert case.index().warnings == ()
    path.unlink()
    assert case.index().removed == 1


def test_changed_file_serves_its_former_text_until_the_new_is_indexed(tmp_path: Path) -> None:
    with LibraryCase(tmp_path) as case:
        case.write("alpha.txt", ALPHA)
        case.index()
    token = CancelToken()

    class Stopping(TextParser):
        def parse(self, path, **more):  # type: ignore[no-untyped-def]
            token.cancel()
            return super().parse(path, **more)

    for text in ("first change", "second change"):
        with LibraryCase(tmp_path, parser=Stopping()) as case:
            case.write("alpha.txt", f"# Alpha amplifier\n\nThe {text}.")
            with pytest.raises(Cancelled):
                case.index(token)
            assert case.words("quiescent") == ["alpha.txt"]
    with LibraryCase(tmp_path) as case:
        assert case.index().documents == 1
        assert case.words("quiescent") == []
        assert case.words("second change") == ["alpha.txt"]
        case.write("alpha.txt", "!fail it is damaged now")
        assert case.index().documents == 0
        assert case.words("second change") == []


def test_file_that_becomes_a_copy_of_a_known_failure_stops_answering(case: LibraryCase) -> None:
    case.write("bad.txt", "!fail it is damaged")
    case.write("alpha.txt", ALPHA)
    case.index()
    case.write("alpha.txt", "!fail it is damaged")
    assert case.index().documents == 0
    assert case.words("quiescent") == []


def test_second_writer_is_told_who_holds_the_library(case: LibraryCase) -> None:
    case.write("alpha.txt", ALPHA)
    with WriterLock(case.home), pytest.raises(KnownError, match=f"process {os.getpid()}") as caught:
        case.index()
    assert caught.value.retryable


def test_another_model_serves_only_when_complete(tmp_path: Path) -> None:
    with LibraryCase(tmp_path) as case:
        for n in range(6):
            case.write(f"{n}.txt", f"# Part {n}\n\nVoltage {n} of the part.")
        case.index()
        old = case.catalog.visible().vectors
        state = case.state()
    token = CancelToken()

    class Stopping(HashEmbedder):
        def embed_passages(self, texts, cancel=None):  # type: ignore[no-untyped-def]
            if self.embedded >= 3:
                token.cancel()
            return super().embed_passages(texts, cancel)

    with LibraryCase(tmp_path, embedder=Stopping("fake:2", 64)) as case:
        with pytest.raises(Cancelled):
            case.index(token)
        assert case.catalog.visible().vectors == old
    with LibraryCase(tmp_path) as case:
        assert case.dense("Voltage 3")
    with LibraryCase(tmp_path, embedder=HashEmbedder("fake:2", 64)) as case:
        case.index()
        assert case.base.embedded <= 6
        assert case.catalog.visible().vectors != old
        assert case.vectors.tables() == [case.catalog.visible().vectors]
        assert case.parser.parsed == []
        assert case.state() == state
        assert case.dense("Voltage 3")

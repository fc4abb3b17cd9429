"""What the user looks at is read first, also when that changes while a run is under way."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from engine.core.cancel import CancelToken
from engine.core.events import DocumentIndexed, Event
from engine.core.ids import DocumentId, document_id
from engine.core.model import ParsedDocument
from engine.library.attention import Attention, Waiting
from tests.engine.ingest_fakes import TextParser
from tests.engine.library_case import LibraryCase


@dataclass(frozen=True)
class Place:
    document: DocumentId
    former: str = ""


def taken(waiting: Waiting[Place]) -> list[str]:
    return [str(waiting.take().document) for _ in range(len(waiting))]


def test_latest_first_then_what_is_listed_then_the_rest_in_order() -> None:
    attention = Attention()
    attention.browse([DocumentId("d"), DocumentId("c")])
    attention.look_at([DocumentId("e")])
    attention.look_at([DocumentId("g"), DocumentId("f")])
    assert taken(Waiting([Place(DocumentId(one)) for one in "abcdefg"], attention)) == list("gfecdab")
    attention.browse([])
    assert taken(Waiting([Place(DocumentId(one)) for one in "abcd"], attention)) == list("abcd")


def test_a_changed_file_is_wanted_for_what_it_was() -> None:
    attention = Attention()
    attention.look_at([DocumentId("old")])
    places = [Place(DocumentId("a")), Place(DocumentId("new"), former="old")]
    assert taken(Waiting(places, attention)) == ["new", "a"]
    assert attention.is_on(places[1])


def test_what_is_looked_at_meanwhile_is_taken_next() -> None:
    attention = Attention()
    waiting = Waiting([Place(DocumentId(one)) for one in "abcd"], attention)
    assert waiting.take().document == "a"
    attention.look_at([DocumentId("d")])
    assert taken(waiting) == ["d", "b", "c"]


def test_a_document_looked_at_while_others_are_indexed_can_be_searched_before_them(tmp_path: Path) -> None:
    """The user finds the last of 40 waiting documents in the list when the third has been read."""

    class Watched(TextParser):
        read = 0

        def parse(self, path: Path, *, cancel: CancelToken, on_page: object = None) -> ParsedDocument:
            self.read += 1
            if self.read == 3:
                case.attention.look_at([document_id(case.docs / "file39.txt")])
            return super().parse(path, cancel=cancel)

    told: list[str] = []

    def follow(event: Event) -> None:
        if isinstance(event, DocumentIndexed):
            told.append(event.file)
            if event.file == "file39.txt":
                assert case.words("wanted39")[0] == "file39.txt"

    with LibraryCase(tmp_path, parser=Watched()) as case:
        for number in range(40):
            case.write(f"file{number:02d}.txt", f"# File {number}\n\nIt is wanted{number} here.")
        case.ingest.run(follow)
    assert len(told) == 40
    assert told.index("file39.txt") < 10

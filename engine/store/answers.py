"""Answers that were given, with their threads: kept so that an export or a follow-up can find them again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.errors import UsageError
from engine.core.ids import DocumentId, SegmentId
from engine.core.model import Box, PageBox
from engine.core.results import Answer, AnswerStatus, Citation, Place, Sentence, Step
from engine.store.database import Connections, plain_errors

_TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    id TEXT PRIMARY KEY, library TEXT NOT NULL, thread TEXT NOT NULL, created TEXT NOT NULL, body TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS answers_library ON answers (library, created);
CREATE INDEX IF NOT EXISTS answers_thread ON answers (thread, created);
"""


class AnswerStore:
    """Answers by id, library and thread. Thread-safe; several processes may share the file."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        connections.create(_TABLE)

    def keep(self, answer: Answer, thread: str = "") -> None:
        """Store an answer; without a `thread` it opens one of its own."""
        body = json.dumps(_to_object(answer), ensure_ascii=False)
        with self._connections.transaction() as database:
            database.execute(
                "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)",
                (answer.id, answer.library, thread or answer.id, answer.created, body),
            )

    def answer(self, answer_id: str) -> Answer:
        """Raise UsageError for an id that was never given."""
        found = self._select("id = ?", answer_id)
        if not found:
            raise UsageError(
                f"There is no answer {answer_id}.", help="Use the id that `sheaf ask` printed.", code="no-answer"
            )
        return found[0]

    def of_library(self, library: str) -> list[Answer]:
        """All answers of a library, newest first."""
        return self._select("library = ? ORDER BY created DESC", library)

    def thread(self, answer_id: str) -> list[Answer]:
        """The answers of the thread that `answer_id` belongs to, oldest first."""
        return self._select("thread = (SELECT thread FROM answers WHERE id = ?) ORDER BY created", answer_id)

    def forget(self, library: str) -> None:
        with self._connections.transaction() as database:
            database.execute("DELETE FROM answers WHERE library = ?", (library,))

    def of_export(self, library: str) -> list[dict[str, str]]:
        """A library's answers with their threads, as an export keeps them."""
        with plain_errors(self._connections.path):
            rows = self._connections.get().execute(
                "SELECT id, thread, created, body FROM answers WHERE library = ? ORDER BY created", (library,)
            )
            return [dict(zip(("id", "thread", "created", "body"), row, strict=True)) for row in rows]

    def take_in(self, library: str, exported: Sequence[Mapping[str, str]], folders: Mapping[str, str]) -> int:
        """Take answers of an export to `library`, whose watched folders lie elsewhere here (`folders`: before -> now).
        Those that are here already stay as they are. Returns how many came."""
        with self._connections.transaction() as database:
            before = database.execute("SELECT count(*) FROM answers").fetchone()[0]
            for one in exported:
                body = json.loads(one["body"])
                body["library"] = library
                for citation in body["citations"]:
                    folder, file = citation["place"]
                    citation["place"] = [folders.get(folder, folder), file]
                text = json.dumps(body, ensure_ascii=False)
                row = (one["id"], library, one["thread"], one["created"], text)
                database.execute("INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?)", row)
            return int(database.execute("SELECT count(*) FROM answers").fetchone()[0]) - int(before)

    def _select(self, where: str, value: str) -> list[Answer]:
        with plain_errors(self._connections.path):
            rows = self._connections.get().execute(f"SELECT body FROM answers WHERE {where}", (value,)).fetchall()
        return [_of_object(json.loads(row[0])) for row in rows]


def _to_object(answer: Answer) -> dict[str, Any]:
    return {
        "id": answer.id,
        "library": answer.library,
        "question": answer.question,
        "text": answer.text,
        "short": answer.short,
        "status": answer.status.value,
        "sentences": [[one.text, one.verified, list(one.citations)] for one in answer.sentences],
        "citations": [_citation_to_object(one) for one in answer.citations],
        "steps": [[one.action, one.query, list(one.segments), one.note] for one in answer.steps],
        "coverage": answer.coverage,
        "warnings": list(answer.warnings),
        "model": answer.model,
        "seconds": answer.seconds,
        "created": answer.created,
    }


def _of_object(fields: dict[str, Any]) -> Answer:
    return Answer(
        id=fields["id"],
        library=fields["library"],
        question=fields["question"],
        text=fields["text"],
        short=fields["short"],
        status=AnswerStatus(fields["status"]),
        sentences=tuple(Sentence(text, verified, tuple(marks)) for text, verified, marks in fields["sentences"]),
        citations=tuple(_citation_of_object(one) for one in fields["citations"]),
        steps=tuple(
            Step(action, query, tuple(SegmentId(one) for one in segments), note)
            for action, query, segments, note in fields["steps"]
        ),
        coverage=fields["coverage"],
        warnings=tuple(fields["warnings"]),
        model=fields["model"],
        seconds=fields["seconds"],
        created=fields["created"],
    )


def _citation_to_object(one: Citation) -> dict[str, Any]:
    return {
        "n": one.n,
        "document": one.document,
        "segment": one.segment,
        "place": [one.place.folder, one.place.file],
        "page": one.page,
        "label": one.page_label,
        "path": list(one.path),
        "quote": one.quote,
        "title": one.title,
        "boxes": [[each.page, each.box.x0, each.box.y0, each.box.x1, each.box.y1] for each in one.boxes],
    }


def _citation_of_object(fields: dict[str, Any]) -> Citation:
    return Citation(
        n=fields["n"],
        document=DocumentId(fields["document"]),
        segment=None if fields["segment"] is None else SegmentId(fields["segment"]),
        place=Place(*fields["place"]),
        page=fields["page"],
        page_label=fields["label"],
        path=tuple(fields["path"]),
        quote=fields["quote"],
        title=fields["title"],
        boxes=tuple(PageBox(int(page), Box(*edges)) for page, *edges in fields["boxes"]),
    )

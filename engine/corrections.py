"""What a user corrects in the parameter records of a library."""

from __future__ import annotations

from engine.core.errors import UsageError
from engine.core.ids import DocumentId
from engine.core.model import Amendment, ParameterRecord
from engine.core.results import DocumentInfo, Library
from engine.parameters.corrections import changes_of
from engine.store.catalog import Catalog
from engine.store.corrections import Correction
from engine.store.ledger import Ledger
from engine.store.lock import WriterLock
from engine.store.records import RecordStore


class Corrections:
    """Corrections hang on (document hash, page, box): they are made again at every indexing, whatever the parser reads
    there. Writing methods raise KnownError while another process writes the library."""

    def __init__(self, library: Library, catalog: Catalog, records: RecordStore) -> None:
        self._library = library
        self._catalog = catalog
        self._records = records

    def record(self, identity: str) -> ParameterRecord:
        """Raises UsageError where there is no such record (any more)."""
        found = self._records.record(identity)
        if found is None:
            raise UsageError(
                f"The library {self._library.name} has no value {identity}.",
                help="`sheaf find` and `sheaf compare` with --json name the record of each value.",
                code="no-record",
            )
        return found

    def correct(self, identity: str, amended: Amendment) -> ParameterRecord:
        """Keep what a user says of a value. Returns the record as it is now; raises UsageError for what cannot be
        read."""
        record = self.record(identity)
        changes = changes_of(record, amended)
        if record.box is None:
            raise UsageError("This value stands nowhere on its page.", help="Only printed values can be corrected.")
        with WriterLock(self._library.home, purpose="keeping your correction"):
            self._records.correct(record, changes)
        return self.record(identity)

    def withdraw(self, identity: str) -> int:
        """Forget the corrections of a value; the next `index` reads its document's records afresh. Returns how many."""
        record = self.record(identity)
        with WriterLock(self._library.home, purpose="dropping your correction"):
            dropped = self._records.withdraw(record)
            if dropped:
                Ledger(self._catalog).forget_stages([record.document], ["recorded"])
        return dropped

    def kept(self) -> list[tuple[DocumentInfo, Correction]]:
        """Every correction with its document; those of documents that went are kept too but not listed."""
        return [
            (document, one)
            for document in self._catalog.documents()
            for one in self._records.corrections(DocumentId(document.id))
        ]

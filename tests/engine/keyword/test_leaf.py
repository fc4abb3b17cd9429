"""What `engine/keyword/leaf.py` reads out of Whoosh's own files must be what Whoosh's public interface says.

Whoosh keeps columns and posting lists to itself; reading them there is a hundred times faster. These tests fail when a
new version of Whoosh writes them otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from engine.keyword.index import BLOCK
from engine.keyword.leaf import FIELDS, NOTHING, read_postings, read_rows
from tests.engine.keyword.indexed import Indexed

_ROWS = 700


@pytest.fixture(scope="module", params=[128, BLOCK])
def leaf(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Lists in blocks of the size of Whoosh itself, more than five of them, and in ours."""
    texts = {f"n{n}": f"{'volt ' * (n % 5)}{'amp ' * (n % 3 == 0)}LM{n:03d} common" for n in range(_ROWS)}
    folder = tmp_path_factory.mktemp("leaf") / "keyword"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("engine.keyword.index.BLOCK", request.param)
        made = Indexed(folder, texts)
    with made as held:
        held.store.write([], {}, [(held.segments["n7"].document, 1)])
        index = held.store._open()
        reader = index.reader()
        (found,) = (one for one, _ in reader.leaf_readers())
        yield found
        reader.close()


@pytest.mark.parametrize("field", FIELDS)
def test_posting_lists_are_those_whoosh_iterates_over(leaf: Any, field: str) -> None:
    terms = list(leaf.lexicon(field)) if field in leaf.indexed_field_names() else []
    assert terms or field in ("title", "path")
    longest = 0
    for term in (one.decode() if isinstance(one, bytes) else one for one in terms):
        matcher = leaf.postings(field, term)
        expected = []
        while matcher.is_active():
            expected.append((matcher.id(), matcher.weight()))
            matcher.next()
        rows, weights = read_postings(leaf, field, term)
        # A row that is only marked as deleted is still in the list; the view leaves it out.
        read = [pair for pair in zip(rows.tolist(), weights.tolist(), strict=True) if not leaf.is_deleted(pair[0])]
        assert read == expected, f"{field}:{term}: Whoosh's posting lists are written otherwise than leaf.py reads them"
        longest = max(longest, len(rows))
    assert longest == (_ROWS if field == "body" else longest)


def test_a_term_that_is_nowhere_has_no_rows(leaf: Any) -> None:
    assert read_postings(leaf, "body", "nowhere") is NOTHING
    assert read_postings(leaf, "title", "volt") is NOTHING


def test_columns_and_lengths_are_those_whoosh_tells(leaf: Any) -> None:
    rows = read_rows(leaf)
    count = leaf.doc_count_all()
    assert count == _ROWS
    for name, read in (("segment", rows.segments), ("document", rows.documents)):
        column = leaf.column_reader(name, translate=False)
        assert read == [bytes(column[row]).hex() for row in range(count)], f"the column {name} is written otherwise"
    generations = leaf.column_reader("generation", translate=False)
    assert rows.generations == [generations[row] for row in range(count)]
    for field in FIELDS:
        lengths = [leaf.doc_field_length(row, field, 0) for row in range(count)]
        assert np.array_equal(rows.lengths[field], np.array(lengths, dtype=np.float32)), f"the lengths of {field}"


def test_a_damaged_list_is_an_error_and_no_list(leaf: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaf._terms._postfile, "get", lambda offset, size: b"W4Bl" + bytes(size))
    with pytest.raises(ValueError, match="another version of Whoosh"):
        read_postings(leaf, "body", "common")

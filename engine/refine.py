"""The composer of model abstracts: words the tree's nodes while nobody asks anything (Psi-RAG section 3.1, C.2).

Most used and highest nodes first; each is written as soon as it is worded, so the work can stop and go on anywhere. A
node the model fails on keeps its counted abstract and is marked failed.
"""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from engine import prompts
from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled, KnownError
from engine.core.events import AbstractsWorded, Emit, ignore
from engine.core.ids import SegmentId
from engine.core.model import AbstractKind, AbstractNode, AbstractState
from engine.core.ports import Embedder, LanguageModel, Message
from engine.core.text import fold_case
from engine.store.catalog import Catalog
from engine.store.nodes import NodeStore

_LOOK = 0.2
_EDGES = " .,;:()[]\"'*|"
_EXCERPTS = 8
_EXCERPT_CHARACTERS = 260
_KEYWORD_TOKENS, _SUMMARY_TOKENS = 160, 140
_PROMPTS = {AbstractKind.KEYWORD: "abstract_keyword", AbstractKind.SUMMATIVE: "abstract_summary"}
# Phrases of whole words: a limit on their letters alone would cut words in two.
_PHRASE = 'phrase ::= word (" " word){0,2}\nword ::= [^ ,;\\n]{1,24}\n'
_KEYWORD_GRAMMAR = (
    'root ::= "Information: " list "\\nThemes: " list "\\nDifferences: " list "\\n"\n'
    'list ::= phrase (", " phrase){0,5}\n' + _PHRASE
)
_SUMMARY_GRAMMAR = 'root ::= sentence (" " sentence){0,2}\nsentence ::= [A-Z] [^.\\n]{10,220} "."\n'


@dataclass(frozen=True, slots=True)
class RefineReport:
    """What one stretch of idle time did: nodes worded, nodes failed, nodes still to be worded."""

    worded: int
    failed: int
    left: int
    seconds: float


class Spare(Protocol):
    """Says whether there is time for work that nobody waits for."""

    @property
    def spare(self) -> bool: ...


class _Yielding(CancelToken):
    """Set when the user stops the work, or as soon as there is no spare time any more."""

    def __init__(self, outer: CancelToken, spare: Spare | None) -> None:
        super().__init__()
        self._outer = outer
        self._spare = spare

    @property
    def held(self) -> bool:
        return self._spare is not None and not self._spare.spare

    @property
    def cancelled(self) -> bool:
        return self._outer.cancelled or self.held


class Refiner:
    """Words abstracts of one library with a local model. `writing` holds the library while a node is written."""

    def __init__(
        self,
        catalog: Catalog,
        nodes: NodeStore,
        embedder: Embedder,
        model: LanguageModel,
        *,
        spare: Spare | None = None,
        writing: Callable[[], AbstractContextManager[object]] = contextlib.nullcontext,
    ) -> None:
        self._catalog = catalog
        self._nodes = nodes
        self._embedder = embedder
        self._model = model
        self._spare = spare
        self._writing = writing

    def run(
        self,
        cancel: CancelToken,
        *,
        seconds: float,
        kind: AbstractKind = AbstractKind.KEYWORD,
        emit: Emit = ignore,
    ) -> RefineReport:
        """Work for at most `seconds`, or until the token is set (what is worded by then stays).

        Without spare time it waits, which is not counted; a node that was being worded is begun again. Raises
        KnownError (retryable) while another program writes to the library.
        """
        token = _Yielding(cancel, self._spare)
        queue = self._queue()
        worded = failed = 0
        spent = 0.0
        while queue and not cancel.cancelled and spent < seconds:
            if token.held:
                emit(AbstractsWorded(worded, failed, len(queue), spent, seconds, waiting=True))
                self._wait(token, cancel)
                continue
            began = time.monotonic()
            try:
                fresh = self._word(queue[0], kind, token)
            except Cancelled:
                continue
            except KnownError:
                fresh = replace(queue[0], state=AbstractState.FAILED)
            queue.pop(0)
            if self._keep(fresh):
                worded += fresh.state is AbstractState.MODEL
                failed += fresh.state is AbstractState.FAILED
            spent += time.monotonic() - began
            emit(AbstractsWorded(worded, failed, len(queue), spent, seconds))
        return RefineReport(worded, failed, len(queue), spent)

    def _wait(self, token: _Yielding, cancel: CancelToken) -> None:
        while token.held and not cancel.wait(_LOOK):
            pass

    def _keep(self, fresh: AbstractNode) -> bool:
        """Write a node, unless it has gone or gone stale meanwhile.

        A worded node is searched by the mean of its former vector (the centroid) and its abstract's.
        """
        with self._writing():
            grove = self._nodes.grove()
            row = grove.row_of.get(fresh.id)
            if row is None or grove.state != self._catalog.visible().state:
                return False
            vectors = grove.vectors[row : row + 1]
            if fresh.state is AbstractState.MODEL:
                mean = vectors + self._embedder.embed_passages([fresh.abstract])
                vectors = (mean / np.linalg.norm(mean, axis=1, keepdims=True)).astype(np.float32)
            self._nodes.rewrite([replace(fresh, parent=grove.nodes[row].parent)], vectors)
            return True

    def _queue(self) -> list[AbstractNode]:
        uses = self._nodes.uses()
        grove = self._nodes.grove()
        if grove.state != self._catalog.visible().state:
            return []  # it lags behind: what is stale is grown again first
        waiting = [node for node in grove.nodes if node.state is AbstractState.STATISTICAL]
        return sorted(waiting, key=lambda node: (-uses.get(node.id, 0), -node.height, -node.leaves, node.id))

    def _word(self, node: AbstractNode, kind: AbstractKind, cancel: CancelToken) -> AbstractNode:
        excerpts = self._excerpts(node)
        filled = {"count": str(node.leaves), "excerpts": "\n".join(f"- {excerpt}" for excerpt in excerpts)}
        messages = [Message(one.role, one.content.format(**filled)) for one in prompts.load(_PROMPTS[kind])]
        keyword = kind is AbstractKind.KEYWORD
        completion = self._model.complete(
            messages,
            grammar=_KEYWORD_GRAMMAR if keyword else _SUMMARY_GRAMMAR,
            max_tokens=_KEYWORD_TOKENS if keyword else _SUMMARY_TOKENS,
            cancel=cancel,
        )
        written = completion.text.strip()
        if not completion.finished:
            # The budget cut the last phrase or sentence short; what stands before it is whole.
            written = written.rpartition("," if keyword else ". ")[0]
        text = _supported(written, excerpts) if keyword else written
        if not text:
            return replace(node, state=AbstractState.FAILED)
        return replace(node, abstract=text, kind=kind, state=AbstractState.MODEL)

    def _excerpts(self, node: AbstractNode) -> list[str]:
        """Beginnings of leaves, or abstracts of the children higher up, spread over the node."""
        if node.height == 1:
            step = max(1, len(node.children) // _EXCERPTS)
            leaves = [SegmentId(child) for child in node.children[::step][:_EXCERPTS]]
            texts = [" ".join((*one.path, one.text)) for one in self._catalog.segments(leaves)]
        else:
            known = {one.id: one for one in self._nodes.grove().nodes}
            below = sorted((known[child] for child in node.children), key=lambda one: (-one.leaves, one.id))
            texts = [one.abstract for one in below[:_EXCERPTS]]
        return [" ".join(text.split())[:_EXCERPT_CHARACTERS] for text in texts]


def _supported(text: str, excerpts: Sequence[str]) -> str:
    """The keyword lines with only those phrases whose words stand in the excerpts, each once: the model may choose, not
    invent."""
    said = set(_bare(" ".join(excerpts)))
    seen: set[str] = set()
    lines = []
    for line in text.strip().splitlines():
        name, _, phrases = line.partition(": ")
        kept = []
        for phrase in re.split(r"[,;]\s*", phrases):
            words = _bare(phrase)
            key = " ".join(words)
            if words and key not in seen and said.issuperset(words):
                seen.add(key)
                kept.append(phrase.strip(_EDGES))
        if kept:
            lines.append(f"{name}: {'; '.join(kept)}")
    return "\n".join(lines)


def _bare(text: str) -> list[str]:
    """Words without the punctuation around them."""
    return [word for part in fold_case(text).split() if (word := part.strip(_EDGES))]

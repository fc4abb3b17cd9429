"""The composer of model abstracts: words the tree's nodes while nobody asks anything (Psi-RAG section 3.1, C.2).

Most used and highest nodes first; each is written as soon as it is worded, so the work can stop and go on anywhere. A
node the model fails on keeps its counted abstract and is marked failed.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from engine import prompts
from engine.core.cancel import CancelToken
from engine.core.errors import Cancelled, KnownError
from engine.core.events import AbstractsWorded, Emit, ignore
from engine.core.model import AbstractKind, AbstractNode, AbstractState
from engine.core.ports import Embedder, LanguageModel, Message
from engine.store.catalog import Catalog
from engine.store.nodes import NodeStore
from engine.tree.wording import SENTENCE_GRAMMAR, choice_grammar, keywords, material, shown_leaves, summary

_LOOK = 0.2
_MOST_TOKENS = 100
_PROMPTS = {AbstractKind.KEYWORD: "abstract_keyword", AbstractKind.SUMMATIVE: "abstract_summary"}


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
        """The node with its model abstract, or failed where nothing of the answer can be kept."""
        by_id = {one.id: one for one in self._nodes.grove().nodes}
        shown = material(self._catalog.segments(shown_leaves(node, by_id)))
        keyword = kind is AbstractKind.KEYWORD
        text = ""
        if shown.lines and (shown.phrases or not keyword):
            filled = {"titles": "; ".join(shown.titles), "lines": "\n".join(f"- {line}" for line in shown.lines)}
            completion = self._model.complete(
                [Message(one.role, one.content.format(**filled)) for one in prompts.load(_PROMPTS[kind])],
                grammar=choice_grammar(shown.phrases) if keyword else SENTENCE_GRAMMAR,
                max_tokens=_MOST_TOKENS,
                cancel=cancel,
            )
            # A sentence that the budget has cut short says something else; of phrases, the whole ones remain.
            if keyword or completion.finished:
                text = (keywords if keyword else summary)(completion.text, shown)
        if not text:
            return replace(node, state=AbstractState.FAILED)
        return replace(node, abstract=text, kind=kind, state=AbstractState.MODEL)

"""Follow-up questions made whole from the thread they stand in, and what changed since an answer was given.

"And its quiescent current?" after a question about the TPX12 is "What is the TPX12's quiescent current?"; "and the
TPX14?" is the last question put for the TPX14; "and at 3 V?" is the last question under another condition. A question
that names its own part and its own matter is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.agent.question import Question, understand
from engine.agent.terms import content_terms
from engine.core.results import Answer, AnswerStatus
from engine.core.text import fold

RESOLVED = "resolve"
"""Action of the step that holds a follow-up as it was understood."""

_LEAD = re.compile(r"^(?:(?:and|or|but|so|then|also|ok(?:ay)?|now),? )+(?=\S)", re.I)
_ABOUT = re.compile(r"^(?:what|how) about (?:the |for |at |in )?|^(?:for|at|in|with) (?=\S)|^the (?=\S)", re.I)
_ITS = re.compile(r"\b(?:its|their)\b(?! own)", re.I)
_PRONOUN = re.compile(
    r"\b(?:it|they|them|the same (?:part|device|chip|one)|"
    r"(?:that|this|the) (?:part|device|chip|one|sensor|amplifier|regulator|controller|transistor|converter|document|"
    r"note))\b",
    re.I,
)
_PERSON = re.compile(r"\b(?:he|she|his|her|him|who)\b", re.I)
_LED = re.compile(r"^(?:in|over|with|under|during|without) (?:[\w/.-]+ ?){1,6}$", re.I)
"""A condition that holds no quantity: "in the SO-8 package", "over temperature"."""
_TEMPERATURE = re.compile(r"^over (?:the )?(?:full |whole |entire )?(?:operating )?temperature(?: range)?$", re.I)
_LIMIT = re.compile(r"\b(?:maximum|minimum|typical|max|min|typ)\b\.?", re.I)
_QUESTION_WORD = re.compile(r"^(?:what|which|how|when|where|who|why|is|are|does|do|can|may|must|should)\b", re.I)


def in_thread(question: str, earlier: Sequence[Answer]) -> str:
    """The question made whole from the newest earlier question that names parts; itself where it needs nothing."""
    text = fold(question)
    asked = understand(text)
    previous = next((one for one in map(_whole, reversed(earlier)) if understand(one).parts), "")
    if not previous or not text.strip():
        return question
    bare = _LEAD.sub("", text).strip()
    if asked.parts:
        return _other_part(bare, asked, previous) or question
    short = _ABOUT.sub("", bare).rstrip(" ?.!")
    elliptic = bare != text or short != bare.rstrip(" ?.!")
    changed = _led(bare.rstrip(" ?.!"), previous) or (_other_condition(short, previous) if elliptic else "")
    return changed or _of_subject(bare, short, elliptic, understand(previous).parts) or question


def continued(question: str, before: str) -> str:
    """A bare question of the parts that another question names ("how fast does it sample?"); "" where it is no such."""
    asked = _of_subject(question, question, True, understand(before).parts)
    return "" if _PERSON.search(asked) else asked


def _whole(answer: Answer) -> str:
    """An earlier question as it was understood."""
    return next((step.query for step in answer.steps if step.action == RESOLVED), fold(answer.question))


def _other_part(bare: str, asked: Question, previous: str) -> str:
    """ "and the TPX14?": the last question with its last part exchanged."""
    rest = _ABOUT.sub("", bare)
    for part in asked.parts:
        rest = re.sub(re.escape(part), " ", rest, flags=re.I)
    if content_terms(rest) or asked.given:
        return ""
    last = understand(previous).parts[-1]
    return re.sub(re.escape(last), " and the ".join(asked.parts), previous, flags=re.I)


def _led(text: str, previous: str) -> str:
    """ "what about over temperature?", "and in the SO-8 package?": the last question, bound further."""
    phrase = re.sub(r"^(?:what|how) about ", "", text, flags=re.I)
    if not _LED.match(phrase) or re.search(r"\b(?:what|which|whose|how)\b", phrase, re.I) or understand(phrase).given:
        return ""
    if _TEMPERATURE.match(phrase):
        for one in understand(previous).given:
            if one.dimension == "temperature":
                previous = re.sub(rf" (?:at|of) {re.escape(one.text)}", "", previous)
    return f"{previous.rstrip(' ?.')} {phrase}?"


def _other_condition(short: str, previous: str) -> str:
    """ "and at 3 V?", "and the minimum?": the last question under another condition or for another limit."""
    limit = _LIMIT.fullmatch(re.sub(r"^the ", "", short, flags=re.I))
    if limit is not None and _LIMIT.search(previous):
        return _LIMIT.sub(limit.group(), previous, count=1)
    new = understand(short)
    if len(new.given) != 1 or content_terms(short.replace(new.given[0].text, " ")):
        return ""
    old = [one for one in understand(previous).given if one.dimension == new.given[0].dimension]
    if old:
        return previous.replace(old[0].text, new.given[0].text, 1)
    return f"{previous.rstrip(' ?.')} at {new.given[0].text}?"


def _of_subject(bare: str, short: str, elliptic: bool, parts: Sequence[str]) -> str:
    """A question about "it", or a bare matter ("and the quiescent current?"), asked of the parts of the last one."""
    subject = " and the ".join(parts)
    named = _ITS.sub(f"the {subject}'s", bare)
    if named == bare:
        named = _PRONOUN.sub(f"the {subject}", bare, count=1)
    if named != bare:
        return named if _QUESTION_WORD.match(named) else f"What is {named.rstrip(' ?.')}?"
    if not elliptic or not short:
        return ""
    if _QUESTION_WORD.match(short) and (short != bare.rstrip(" ?.!") or not _ABOUT.match(bare)):
        return f"{bare.rstrip(' ?.')} for the {subject}?"
    return f"What is the {short} of the {subject}?"


def resolved_question(answer: Answer) -> str:
    """The question of an answer as it can be asked again by itself."""
    return next((step.query for step in answer.steps if step.action == RESOLVED), answer.question)


def changes(before: Answer, after: Answer) -> str:
    """In one sentence, what differs between two answers to one question."""
    when = before.created[:10]
    if before.short != after.short:
        return f"Changed since {when}: the answer was {before.short}, now it is {after.short}."
    old = {(one.document, one.page) for one in before.citations}
    new = {(one.document, one.page) for one in after.citations}
    if after.status is not AnswerStatus.NOT_MENTIONED and not old & new and old:
        return f"The answer is as on {when}, but other pages say so."
    return f"The answer is as on {when}."

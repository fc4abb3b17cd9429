"""Answers about pins from a sheet's own tables and drawings: number, name and what it is for, by package."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from engine.agent.cite import Citations
from engine.agent.draft import Draft, Notes, not_mentioned, status_of
from engine.agent.homes import homes_of
from engine.agent.parts import names_same
from engine.agent.pin_questions import Asks, PinQuestion, pin_question
from engine.agent.pins import Pin, drawing_page, near_name, pins_of, same_name
from engine.agent.question import Question
from engine.agent.sources import Sources
from engine.agent.targets import resolve
from engine.agent.terms import content_terms, word_forms
from engine.agent.units import split_sentences
from engine.agent.verify import check_sentence
from engine.core.model import Segment
from engine.core.results import AnswerStatus, DocumentInfo, Sentence, Step
from engine.core.text import identifiers

_SHORT, _LONG = 110, 420
"""Characters of a pin's function in a list, and where it alone is asked for."""
_GLANCE = 500
"""Characters of the pins of one package."""
_LISTED = 28
"""Pins told with their functions; of more only the names, which still fit a short answer."""
_SAME = 0.8
_WITHOUT_PART = 3
"""Documents answered for where the question names no part."""


@dataclass(frozen=True)
class _Said:
    """A sentence about one pin, and the pin it is read from."""

    text: str
    pin: Pin


def answer_about_pins(question: Question, sources: Sources, notes: Notes, model: str) -> Draft | None:
    """None where the question is not about a pin itself, or names none that a table or drawing shows."""
    asked = pin_question(question)
    if asked is None:
        return None
    documents = sources.documents()
    targets = resolve(question, documents)
    if targets.unknown:
        return None
    homes = homes_of(targets, documents)
    if homes:
        name, home = homes[0]
        return _of_part(asked, name, home, sources, notes, model)
    return _of_any(question, asked, sources, notes, model)


def _of_part(
    asked: PinQuestion, name: str, home: DocumentInfo, sources: Sources, notes: Notes, model: str
) -> Draft | None:
    segments = sources.segments_of(home.id)
    pins = _of_package(_of_this(pins_of(segments, home.parts), name, home.parts), asked.package)
    said = _sentences(asked, name, pins)
    if said:
        return _draft(said, sources, notes, model)
    if asked.asks is Asks.FUNCTION or (asked.asks is Asks.NUMBER and any(pin.numbers for pin in pins)):
        return None
    drawn = drawing_page(segments)
    if drawn is not None and not any(pin.numbers for pin in pins):
        return _pointed(name, *drawn, sources, notes, model)
    if asked.asks is Asks.NUMBER:
        return None
    numbers = [number for pin in pins for number in pin.numbers]
    told = f"The pins that the document of the {name} numbers are {min(numbers)} to {max(numbers)}." if numbers else ""
    notes.step(Step("not mentioned", "pins", ()))
    return not_mentioned(told if asked.number > max(numbers, default=0) else "", model)


def _pointed(part: str, segment: Segment, heading: str, sources: Sources, notes: Notes, model: str) -> Draft:
    """Where the pins are drawn, as a picture that no text can be read from."""
    citations = Citations(sources)
    number = citations.cite_page(segment, segment.page, heading)
    notes.step(Step("retrieve", "pins", (segment.id,), f"drawn on page {segment.page}"))
    text = f"The pins of the {part} are shown in the drawing on page {segment.page}."
    sentence = notes.sentence(Sentence(text, True, (number,)), citations.pick)
    return Draft(AnswerStatus.PARTIAL, f"see page {segment.page}", (sentence,), citations.all, model)


def _of_any(question: Question, asked: PinQuestion, sources: Sources, notes: Notes, model: str) -> Draft | None:
    """Without a part: for the documents that retrieval finds, where they have a pin of the name."""
    if not asked.name:
        return None
    found: list[_Said] = []
    infos = {info.id: info for info in sources.documents()}
    for document in list(dict.fromkeys(hit.segment.document for hit in sources.search(question.text, 10).hits)):
        info = infos.get(document)
        if info is None or not info.parts or len({said.pin.segment.document for said in found}) == _WITHOUT_PART:
            continue
        pins = _of_package(pins_of(sources.segments_of(document), info.parts), asked.package)
        found += _sentences(asked, info.parts[0], pins)
    return _draft(found, sources, notes, model) if found else None


# --- which pins -------------------------------------------------------------------------------------------------------


def _of_this(pins: Sequence[Pin], name: str, parts: Sequence[str]) -> list[Pin]:
    """Pins of packages that are not another part's of the sheet: "SHC3208 DIP" says nothing of the SHC3204."""
    others = [part for part in parts if names_same(name, part) < _SAME]
    return [pin for pin in pins if not any(_is_of(part, pin.package) for part in others)]


def _is_of(part: str, package: str) -> bool:
    return any(names_same(part, one) >= _SAME for one in identifiers(package))


def _of_package(pins: list[Pin], package: str) -> list[Pin]:
    asked = re.sub(r"[^A-Z]", "", package.upper())
    fitting = [pin for pin in pins if asked and asked in re.sub(r"[^A-Z]", "", pin.package.upper())]
    return fitting or pins


def _named(asked: PinQuestion, pins: Sequence[Pin]) -> list[Pin]:
    """Pins of a name; else those whose function begins with what was asked: "ground", "reset", "battery input"."""
    exact = [pin for pin in pins if same_name(asked.name, pin.name)]
    near = exact or [pin for pin in pins if near_name(asked.name, pin.name)]
    if near and len({pin.name for pin in near}) <= _WITHOUT_PART:
        return near
    wanted = set(content_terms(asked.name))
    if not wanted:
        return []
    told = [pin for pin in pins if wanted <= word_forms(" ".join(split_sentences(pin.function)[:1]))]
    return told if len({pin.name for pin in told}) <= _WITHOUT_PART else []


# --- wording ----------------------------------------------------------------------------------------------------------


def _sentences(asked: PinQuestion, part: str, pins: Sequence[Pin]) -> list[_Said]:
    if asked.asks is Asks.ALL:
        return _all(part, [pin for pin in pins if pin.numbers])
    if asked.asks is Asks.NAME:
        chosen = [pin for pin in pins if asked.number in pin.numbers]
        return [_Said(_named_text(f"Pin {asked.number} of the {part}", group), group[0]) for group in _alike(chosen)]
    chosen = [pin for pin in _named(asked, pins) if pin.numbers or asked.asks is Asks.FUNCTION]
    if asked.asks is Asks.FUNCTION:
        by_name: dict[str, list[Pin]] = {}
        for pin in chosen:
            by_name.setdefault(pin.name, []).append(pin)
        return [_Said(_function_text(part, group), group[0]) for group in by_name.values() if group[0].function]
    return [_Said(_number_text(part, group), group[0]) for group in _alike(chosen)]


def _alike(pins: Sequence[Pin]) -> list[list[Pin]]:
    """Pins of one name with the same numbers, over packages and over the rows of their functions."""
    groups: dict[tuple[str, tuple[int, ...]], list[Pin]] = {}
    for pin in pins:
        groups.setdefault((pin.name, pin.numbers), []).append(pin)
    return list(groups.values())


def _packages(group: Sequence[Pin]) -> str:
    packages = list(dict.fromkeys(pin.package for pin in group if pin.package))
    return f" ({', '.join(packages)})" if packages else ""


def _functions(group: Sequence[Pin], length: int) -> str:
    told = list(dict.fromkeys(pin.function for pin in group if pin.function))
    if len(told) > 1:
        return cut("; ".join(one.rstrip(".") for one in told), length)
    return cut(told[0], length) if told else ""


def cut(text: str, length: int) -> str:
    """Whole sentences up to a length; of one that is longer, the words up to it."""
    kept = ""
    for sentence in split_sentences(text):
        if kept and len(kept) + len(sentence) > length:
            break
        kept = f"{kept} {sentence}".strip()
    return kept if len(kept) <= length else f"{kept[: kept.rfind(' ', 0, length)]} ..."


def _named_text(head: str, group: Sequence[Pin]) -> str:
    function = _functions(group, _LONG)
    return f"{head}{_packages(group)} is {group[0].name}{f': {function}' if function else ''}"


def _number_text(part: str, group: Sequence[Pin]) -> str:
    function = _functions(group, _SHORT)
    many = len(group[0].numbers) > 1
    pins = f"{'pins' if many else 'pin'} {group[0].shown}"
    return f"{group[0].name} is {pins} of the {part}{_packages(group)}{f': {function}' if function else ''}"


def _function_text(part: str, group: Sequence[Pin]) -> str:
    places = [f"pin {same[0].shown}{_packages(same)}" for same in _alike(group) if same[0].numbers]
    place = f", {', '.join(places)}" if places else ""
    return f"{group[0].name}{place} of the {part}: {_functions(group, _LONG)}"


def _all(part: str, pins: Sequence[Pin]) -> list[_Said]:
    """A line a pin; of a part with many only numbers and names, a line a package."""
    groups = sorted(_alike(pins), key=lambda group: group[0].numbers)
    packages = list(dict.fromkeys(pin.package for pin in pins))
    if len(groups) <= _LISTED and len(packages) <= 1:
        return [_Said(_line(group), group[0]) for group in groups]
    said = []
    for package in packages:
        these = sorted(_alike([pin for pin in pins if pin.package == package]), key=lambda group: group[0].numbers)
        said.append(_Said(f"{part}{f' ({package})' if package else ''}: {_names(these)}", these[0][0]))
    return said


def _names(groups: Sequence[Sequence[Pin]]) -> str:
    """Numbers and names as far as a glance takes them in, then where the others are."""
    names = [f"{group[0].shown} {group[0].name}" for group in groups]
    kept = [name for n, name in enumerate(names) if len(", ".join(names[: n + 1])) <= _GLANCE]
    if len(kept) == len(names):
        return ", ".join(names)
    pages = sorted({pin.segment.page for group in groups for pin in group})
    where = f"page {pages[0]}" if len(pages) == 1 else f"pages {pages[0]} to {pages[-1]}"
    return f"{', '.join(kept)} and {len(names) - len(kept)} more on {where}"


def _line(group: Sequence[Pin]) -> str:
    function = _functions(group, _SHORT)
    return f"Pin {group[0].shown}: {group[0].name}{f', {function}' if function else ''}"


def _draft(said: Sequence[_Said], sources: Sources, notes: Notes, model: str) -> Draft:
    citations = Citations(sources)
    sentences = []
    for one in said:
        number = citations.cite_text(one.pin.segment, one.pin.quote)
        # The question's part and the package are ours to say; number, name and function must stand on the page.
        checked = [one.pin.name, one.pin.function, *(str(pin) for pin in one.pin.numbers[:1])]
        page = [citations.page_text(number)]
        verified = all(check_sentence(text, page, cells=checked).verified for text in checked if text)
        text = one.text if one.text.endswith((".", "...")) else f"{one.text}."
        sentences.append(notes.sentence(Sentence(text, verified, (number,)), citations.pick))
    used = tuple(dict.fromkeys(one.pin.segment.id for one in said))
    notes.step(Step("retrieve", "pins", used, f"{len(said)} found"))
    notes.step(Step("answer", "pins", used, "from the pin table or drawing"))
    status = status_of(sentences)
    first = said[0].pin
    short = first.name if len(said) == 1 and said[0].text.startswith("Pin ") else sentences[0].text
    return Draft(status, short, tuple(sentences), citations.all, model, separator="\n" if len(said) > 1 else " ")

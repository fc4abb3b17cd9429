"""A comparison put for one of its sides alone: "which has the longer hold time, A?" asks "What hold time does A have?".

The wording of a comparison is a small grammar: what orders ("longer", "most sensitive", "by how much", "the same") is
taken out, what is compared stays word for word. A question that is none of these is left as it is.
"""

from __future__ import annotations

import re

from engine.agent.question import understand

_ADJECTIVES = {
    "higher": "high", "highest": "high", "lower": "low", "lowest": "low", "larger": "large", "largest": "large",
    "bigger": "big", "biggest": "big", "smaller": "small", "smallest": "small", "greater": "great", "greatest": "great",
    "longer": "long", "longest": "long", "shorter": "short", "shortest": "short", "faster": "fast", "fastest": "fast",
    "quicker": "quick", "quickest": "quick", "slower": "slow", "slowest": "slow", "wider": "wide", "widest": "wide",
    "narrower": "narrow", "narrowest": "narrow", "heavier": "heavy", "heaviest": "heavy", "lighter": "light",
    "lightest": "light", "tighter": "tight", "tightest": "tight", "later": "late", "latest": "late",
    "earlier": "early", "earliest": "early", "thicker": "thick", "thickest": "thick", "deeper": "deep",
    "deepest": "deep", "older": "old", "oldest": "old", "newer": "new", "newest": "new", "hotter": "hot",
    "hottest": "hot", "colder": "cold", "coldest": "cold", "taller": "tall", "tallest": "tall", "cheaper": "cheap",
    "cheapest": "cheap", "stronger": "strong", "strongest": "strong", "weaker": "weak", "weakest": "weak",
}  # fmt: skip
_ORDER = "|".join(sorted(_ADJECTIVES, key=len, reverse=True))
_COUNT = "more|most|fewer|fewest|less|least"
_MARGINS = re.compile(
    r",? (?:and )?(?:by (?:how (?:much|many)|what (?:margin|factor|amount|ratio))(?: [a-z]+)?"
    r"|(?:and )?what are (?:the|its|their) (?:two|three|four|both|respective)? ?(?:\w+ ){0,2}?"
    r"(?:values?|figures?|counts?|maxima|minima|limits?|numbers?)"
    r"|(?:and )?how (?:much|many)(?: \w+| do(?:es)? each \w+)?"
    r"|(?:and )?up to what|in each case|respectively|of each)(?=\s*[?.]|$)"
    r"|[.?] give (?:both|each|all|the value)\b[^?.]*(?=[.?]|$)",
    re.I,
)
_AUXILIARY = r"(?:do|does|did|is|are|was|were|can|may|must|will|should)"
_LEAD = (
    r"^(?P<lead>(?:[^:?]{1,60}: |[^,?]{1,40}, (?=what)"
    r"|(?:at|on|for|in|by|with|under|running|according) [^,?]{1,60}, )?)"
)
_WHICH = r"(?:which|whose|what)(?: one(?:'s)?| of (?:them|these|those|the two)| data ?sheet)?"
_NO_VERB = r"(?:of|is|are|the|with|from|in|on|at|by|for|and|to)\b"
_HAS = re.compile(
    rf"{_LEAD}{_WHICH}(?P<noun>(?: [\w'-]+)*?) (?P<verb>(?!{_NO_VERB})[a-z]+?)s?"
    r"(?: (?:from|at|on|up to|down to))? (?:the |a |an )?"
    rf"(?P<order>{_ORDER}|{_COUNT})(?: \(in magnitude\))? (?P<what>[^?]+)\??$",
    re.I,
)
_IS = re.compile(
    rf"{_LEAD}{_WHICH}(?P<noun>(?: [\w'-]+)*?) (?P<verb>is|are|was|were|[a-z]+?)s? (?:generally |the )?"
    rf"(?:(?:{_COUNT}) (?P<adjective>[a-z]+)|(?P<order>{_ORDER}))\b(?P<what>[^?]*)\??$",
    re.I,
)
_WITH = re.compile(
    rf"{_LEAD}{_WHICH}\b[^?]*? (?:with|at|from|to|by|of) (?:the |a |an )?(?:{_ORDER}|{_COUNT}) (?P<what>[^?]+)\??$",
    re.I,
)
_EACH = re.compile(r"\b(?:what|which|how)\b[^?]*\b(?P<each>each(?: one| of them)?|both|they)\b[^?]*\??$", re.I)
_SAME = re.compile(
    rf"{_LEAD}{_AUXILIARY} (?P<whose>[^?]*?) (?P<verb>[a-z]+) (?:an? |the )?(?:same|identical|equal) "
    r"(?P<what>[^?]+)\??(?P<more>.*)$",
    re.I,
)
_APART = re.compile(
    rf"{_LEAD}(?P<open>rank|compare|what(?:'s| is) the difference (?:in|of|between)|how far apart (?:is|are)"
    r"|how (?:do|does|did)) (?P<what>[^?]+?)"
    r"(?: (?:differ|compare|vary)[a-z]*(?: (?:between|in|on|with|for))?(?P<more>[^?]*))?"
    r"[?.]?$",
    re.I,
)
_OPEN_END = re.compile(rf"{_LEAD}how (?:do|does|did) (?:the )?(?P<what>[^?]+ of [^?]+?)\??$", re.I)
_MUCH = re.compile(rf"\b(how (?:much|many)(?: (?!more\b|less\b)[a-z]+)?) (?:{_COUNT}|{_ORDER})\b", re.I)
_BY_WHICH = re.compile(r"^(?P<whose>.+?) (?:by|in) (?P<what>.+)$", re.I)


def plainly(text: str) -> str:
    """A question without the clause that asks for the margin or for the values beside the answer."""
    return _MARGINS.sub("", re.sub(r"\bvs\.", "vs", text))


def alone(text: str, name: str) -> str:
    """The question about `name` alone, as one would ask it."""
    text = re.sub(r"\bboth (?=the\b|an?\b|[^ ]*[A-Z0-9])", "", text)
    each = _EACH.search(re.split(r"(?<=[?.]) ", text)[-1])
    if each is not None and name not in each.group():
        return each.string[: each.start("each")] + f"the {name}" + each.string[each.end("each") :]
    bare = _without_name(text, name)
    if bare:
        match = _HAS.match(bare)
        held = _WITH.match(bare) if match is None else None
        if held is not None:
            return f"{held['lead']}What is the {held['what'].strip(' .,')} of the {name}?"
        match = match or _IS.match(bare)
        if match is not None:
            return match["lead"] + _asked(match, name)
    same = _SAME.match(text)
    if same is not None and name in same["whose"]:
        return f"{same['lead']}What {same['what'].strip(' .?')} does {same['whose']} {same['verb']}?"
    apart = _APART.match(text)
    if apart is not None and (apart["more"] is not None or not re.match(r"how do|how did", apart["open"], re.I)):
        return apart["lead"] + _of(apart, name)
    open_end = _OPEN_END.match(text)
    if open_end is not None and name in open_end["what"]:
        return f"{open_end['lead']}What is the {open_end['what']}?"
    return _MUCH.sub(lambda m: m.group(1), text)


def _without_name(text: str, name: str) -> str:
    """ "Of the A, which ...", "A: which ...", "which ..., A?", "which of A ..." -> "which ..."; "" for others."""
    mark = re.escape(name)
    for pattern, put in (
        (rf"^(?:(?:of|between|among|out of) )?(?:the )?{mark}[^,:?]*?(?:[,:]| -) ?(?=\S)", ""),
        (rf",[^,?]* {mark}(?: [\w-]+)?(?=\?|$)", ""),
        (rf"(?<=which) of (?:the )?{mark}", ""),
    ):
        cut = re.sub(pattern, put, text, count=1, flags=re.I)
        if cut != text and re.search(r"\b(?:which|whose|what)\b", cut, re.I) and mark not in cut:
            return re.sub(r"\s+([?,])", r"\1", cut).strip(" -")
    return ""


def _asked(match: re.Match[str], name: str) -> str:
    groups = match.groupdict()
    what, verb, order = groups["what"].strip(" ,"), groups["verb"].casefold(), (groups["order"] or "").casefold()
    verb = {"ha": "have", "doe": "do"}.get(verb, verb)
    adjective = groups.get("adjective") or ""
    if match.re is _HAS and order in _COUNT.split("|") and not understand(f"What is the {what}?").dimensions:
        return f"How many {what} does {name} {verb}?"
    if match.re is _HAS:
        return f"What {what} does {name} {verb}?"
    asked = adjective or _ADJECTIVES.get(order, order)
    what = re.sub(r",.*$", "", what)
    if verb in ("is", "are", "i", "wa", "was", "were"):
        return f"How {asked} is {name} {what}".rstrip() + "?"
    return f"How {asked} does {groups['noun'].strip()} {name} {verb} {what}".replace("  ", " ").rstrip() + "?"


def _of(match: re.Match[str], name: str) -> str:
    """ "What is the difference in X?", "rank A by X", "how do the X of A differ" -> "What is the X of A?"."""
    what = match["what"].strip(" .,?")
    further = (match["more"] or "").strip(" ,")
    by = _BY_WHICH.match(what)
    if by is not None and name in by["whose"] and name not in by["what"]:
        return f"What is the {_bare(by['what'])} of the {_bare(by['whose'])}?"
    of = "" if name in what else f" of the {_bare(further)}" if name in further else f" of the {name}"
    return f"What is the {_bare(what)}{of}?"


def _bare(text: str) -> str:
    return re.sub(r"^(?:the|a|an) ", "", text.strip(), flags=re.I)

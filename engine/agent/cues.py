"""What kind of quantity a question asks for, by the words it asks with."""

from __future__ import annotations

import re

from engine.agent.quantities import find_quantities
from engine.agent.terms import tokens

# cue in the question -> dimensions of the answer; the first that matches decides
_DIMENSION_CUES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (r"\bppm\b", ("parts",)),
    (r"\bhow fast\b.{0,40}\b(?:clock|bus|scl|sck|run|toggle|switch)\b|\bclock (?:rate|speed)\b", ("frequency",)),
    (r"\b(?:share|fraction|portion|proportion)\b", ("ratio",)),
    (r"\binterval\b|\bhow often\b|\b(?:pulse|strobe|low|high)[- ]width\b", ("time",)),
    (r"\bhow far (?:below|above|under|over)\b|\bpercent(?:age)?\b|%", ("ratio",)),
    (r"\bduty cycle\b|\btolerance\b|\bhumidity\b", ("ratio",)),
    (r"\bendurance\b|\b(?:write|erase|write/erase|erase/write) cycles\b", ("cycles",)),
    (r"\b(?:baud|bit|data|transfer) rates?\b|\bbaud\b", ("bit rate", "frequency")),
    (r"\bsampl\w* rate|\bthroughput\b|\bsamples per second\b", ("sample rate", "frequency")),
    (r"\bslew rate\b", ("voltage per us", "voltage per s", "voltage per ms")),
    (r"\brpm\b|\b(?:rotational|motor|maximum|max|top|theoretical) (?:\w+ )?speed\b", ("rotation", "frequency")),
    (r"\bnoise figure\b", ("gain",)),
    (r"\b(?:linearity|nonlinearity|gain|full-scale) error\b|\binl\b|\bdnl\b", ("ratio", "code", "gain")),
    (r"\bgain[- ]bandwidth(?: product)?\b|\bgbw?p?\b", ("frequency",)),
    (r"\bthermal (?:resistance|impedance)\b", ("temperature per W",)),
    (r"\b(?:frequency|frequencies|freq|clocked? (?:speed|rate)|bandwidth|fosc|oscillat\w+ at)\b", ("frequency",)),
    (r"\b(?:how (?:long|soon|quickly|fast|often)|time|delay|period|duration|latency|timeout)\b", ("time",)),
    (r"\b(?:pull-?ups?|pull-?downs?|resistors?|resistance|impedance|ohms?)\b", ("resistance",)),
    (r"\b(?:capacitors?|capacitance|caps?|decoupling)\b", ("capacitance",)),
    (r"\b(?:inductors?|inductance|coil)\b", ("inductance",)),
    (r"\b(?:voltage|volt|vcc|vdd|supply range|dropout|threshold|vref|vin|vout|volts?)\b", ("voltage",)),
    (r"\b(?:current|curr|consumption|draws?|drawn|ibat|icc|idd|sinks?|sources?|amps?|milliamps)\b", ("current",)),
    (r"\b(?:temperature|temp|hot|cold|degrees)\b", ("temperature",)),
    (r"\b(?:power|dissipation|watts?|wattage)\b", ("power", "power level")),
    (r"\b(?:gain|attenuation|rejection|cmrr|psrr|snr)\b", ("gain",)),
    (r"\b(?:weight|mass)\b", ("mass",)),
    (r"\b(?:internal|system|master|external|crystal|oscillator) clock\b", ("frequency",)),
    (r"\b(?:wide|width|tall|height|pitch|thick\w*|distance|far apart)\b", ("length",)),
    (r"\blengths?\b", ("length", "bytes", "bits")),
    (r"\b(?:resolution|how many bits|word length)\b", ("bits",)),
    (r"\b(?:memory|ram|sram|flash|eeprom|rom|storage|bytes?|buffer)\b", ("bytes", "bits")),
    (r"\b(?:how (?:large|big)|size)\b", ("bytes", "bits", "length")),
)  # fmt: skip
_TOLERANCE = re.compile(r"\b(\w+) tolerance\b")
_LASTS = re.compile(r"\b(?:pulse|reset|delay|strobe|burst|time-?out|conversion|start-?up|frame)s?\b")
"""What has a length in time."""
_ASKED_PHRASE = re.compile(
    r"\b(?:what|which)(?:'s| is| are| was)? (?:the |a |an )?((?:[\w/.-]+ ){0,6}?[\w/.-]+)"
    r"(?= (?:of|at|when|if|with|for|from|in|on|to|between|do(?:es)?|is|are|was|can|may|must|should|after|per)\b"
    r"|\s*[?,;]|$)"
)
_ASKS = re.compile(r"\b(?:what|which|how|when|where|who|why|whats)\b|^\W*(?:is|are|does|do|did|can|may|must|should)\b")
_PHRASE_END = re.compile(r"\b(?:of|at|when|if|with|for|from|in|on|to|between|after|per|over)\b|[,?;:]")
_GENERIC_TAIL = re.compile(
    r"(?: (?:ranges?|values?|ratings?|limits?|levels?|sizes?|settings?|figures?|specifications?|requirements?|draw|"
    r"consumption|used|given|listed|specified|stated|available|supported|recommended|required|allowed|quoted|needed|"
    r"i[a-z]{2,4}|v[a-z]{2,4}))+$"
)
_SUBJECT_ASKED = re.compile(
    r"\bhow (?:long|fast|often|soon|quickly|wide|high|low|hot|cold|far|much|large|big)\b[^,;?]*?"
    r"\b(?:must|can|may|might|should|shall|will|does|do|did|is|are|was|were) (?:the|a|an) ((?:[\w/.-]+ ){1,3}?)"
    r"(?=(?:of|on|at|in|be|for|from|to|have|has|last|take|takes|need|stay|remain)\b)"
)
""" "How long must the reset pin of ... be held": the pin is asked about."""
_COUNTED = re.compile(
    r"\bhow (?:many|(?:large|big|long|wide|high|fast) an?) ((?:[\w/.-]+ ){1,4}?)"
    r"(?=(?:do(?:es)?|did|is|are|was|were|has|have|had|can|could|may|must|will|should"
    r"|of|in|on|per|for|at|to|from|with|between|that|i|you|one|an?|the|make|need|fit)\b)"
)
_UP_TO_PLURAL = re.compile(r"^(.*[^\Wsui]s)(?: [\w/.-]*[^\Ws])+ *$")
""" "how many tape drives hang on ...": what is counted is in the plural, and what follows it is a verb."""
_DEGREE = re.compile(
    r"min|max|typ|minimum|maximum|typical|nominal|average|(?:high|low|larg|small|long|short|bigg|fast|slow|great)est|least"
    r"|most|best|exact|total|overall|whole|default|usual|normal|absolute|allowed|allowable|permitted|specified|guaranteed"
    r"|recommended|rated|required|worst-case|more|different|long|wide|deep|the|a|an|its|or|and|any"
)
"""Words before a quantity that do not say which it is."""
_GENERIC_HEAD = re.compile(
    r"(?:exact |recommended |typical |maximum |minimum )*(?:values?|limits?|figures?|ratings?|settings?)"
)
_NAMED_HEAD = re.compile(
    r"\b(?:dielectrics?|materials?|types?|kinds?|colou?rs?|modes?|methods?|packages?|interfaces?|signals?|names?|cores?|"
    r"formats?|protocols?|functions?|features?|conditions?|purposes?|reasons?|applications?|standards?|process|steps?)$"
)


def asked_dimensions(folded: str) -> tuple[str, ...]:
    """What kind of quantity is asked for: the head of the asked noun phrase first, then any cue of the question.

    "maximum supply current at VIN = 5 V" asks for a current: the head noun stands last before the first preposition,
    and stated conditions say nothing about the answer.
    """
    bare = folded
    for quantity in find_quantities(folded):
        bare = bare.replace(quantity.text, " ")
    bare = re.sub(r"\b\w+ ?[=<>]+ *", " ", bare).casefold()
    phrase = _ASKED_PHRASE.search(bare)
    if phrase:
        head = _GENERIC_TAIL.sub("", phrase.group(1))
        found = [
            (m.end(), len(m.group()), kinds)
            for cue, kinds in _DIMENSION_CUES
            for m in re.finditer(cue, head)
            if m.end() == len(head) and not _beside_hyphen(head, m)
        ]
        if found:
            return _widened(max(found, key=lambda one: one[:2])[2], bare)
        if re.search(r"\bclocks?$", head):
            return ("frequency",)
        if _NAMED_HEAD.search(head):
            return ()
        if not head.strip() or _GENERIC_HEAD.fullmatch(head.strip()):
            return ("",)
    if not _ASKS.search(bare):
        # "pull-up MOS current at 5 V, typ": without a question word the first phrase is asked for, by its last noun.
        ends = [
            (m.end(), kinds) for cue, kinds in _DIMENSION_CUES for m in re.finditer(cue, _PHRASE_END.split(bare)[0])
        ]
        if ends:
            return _widened(max(ends)[1], bare)
    for cue, kinds in _DIMENSION_CUES:
        if any(not _beside_hyphen(bare, m) for m in re.finditer(cue, bare)):
            return _widened(kinds, bare)
    return ()


def asked_phrase(folded: str) -> tuple[str, ...]:
    """The words that name the quantity asked for, or what it is asked of: "the maximum SCL clock frequency of ..."
    gives scl, clock and frequency, "how long must the reset pin be held" reset and pin, "how many CAN channels" can
    and channels.

    Words of degree are left out. Empty where the phrase does not end in a kind of quantity: rules then do not know
    which words name it.
    """
    bare = re.sub(r"\b\w+ ?[=<>]+ *", " ", folded).casefold()
    subject = _SUBJECT_ASKED.search(bare)
    if subject:
        return _naming(subject.group(1))
    counted = _COUNTED.search(bare)
    if counted:
        return _naming(_UP_TO_PLURAL.sub(r"\1", counted.group(1)))
    named = _ASKED_PHRASE.search(bare)
    phrases = [named.group(1)] if named else [] if _ASKS.search(bare) else _PHRASE_END.split(bare)
    for phrase in phrases:
        words = _naming(_GENERIC_TAIL.sub("", phrase.strip()))
        if words and names_a_kind(words[-1]):
            return words
    return ()


def _naming(phrase: str) -> tuple[str, ...]:
    return tuple(word for word in tokens(phrase) if not _DEGREE.fullmatch(word))


def _widened(kinds: tuple[str, ...], asked: str) -> tuple[str, ...]:
    """A length may be one in time where the question speaks of something that lasts, and a voltage tolerance is a
    voltage as well as a share."""
    if kinds[0] == "length" and _LASTS.search(asked):
        return ("time", *kinds)
    tolerated = _TOLERANCE.search(asked) if kinds == ("ratio",) else None
    named = (more for cue, more in _DIMENSION_CUES if tolerated and re.fullmatch(cue, tolerated.group(1)))
    return (*kinds, *next(named, ()))


def _beside_hyphen(text: str, match: re.Match[str]) -> bool:
    """ "power-down" and "low-power" speak of no power; "pull-up" stays what it is."""
    after, before = text[match.end() : match.end() + 1], text[max(0, match.start() - 1) : match.start()]
    return "-" in (after, before)


def names_a_kind(word: str) -> bool:
    """Whether a word names a kind of quantity ("voltage", "delay")."""
    return any(re.search(cue, word) for cue, _ in _DIMENSION_CUES)

"""What engineers shorten when they type: written out beside it, so that both forms are searched."""

from __future__ import annotations

import re

_LONG_FORMS = {
    "abs max": "absolute maximum ratings",
    "addr": "address",
    "cmd": "command",
    "cmds": "commands",
    "conv": "conversion",
    "curr": "current",
    "freq": "frequency",
    "gpio": "general purpose I/O pins",
    "gpios": "general purpose I/O pins",
    "iq": "quiescent current",
    "mem": "memory",
    "op amp": "operational amplifier",
    "opamp": "operational amplifier",
    "osc": "oscillator",
    "pkg": "package",
    "prop delay": "propagation delay",
    "psrr": "power supply rejection ratio",
    "cmrr": "common mode rejection ratio",
    "reg": "register",
    "regs": "registers",
    "rtc": "real time clock",
    "temp": "temperature",
    "thres": "threshold",
    "tpd": "propagation delay",
    "vos": "input offset voltage",
    "wdt": "watchdog timer",
    "xtal": "crystal",
}
_ABBREVIATION = re.compile(
    r"(?<![\w-])(?:" + "|".join(sorted(map(re.escape, _LONG_FORMS), key=len, reverse=True)) + r")(?![\w-])",
    re.IGNORECASE,
)


def written_out(query: str) -> str:
    """`query` followed by the long forms of its abbreviations that it does not hold already."""
    folded = query.casefold()
    forms = dict.fromkeys(_LONG_FORMS[match.group().casefold()] for match in _ABBREVIATION.finditer(query))
    added = [form for form in forms if form.casefold() not in folded]
    return " ".join((query, *added)) if added else query

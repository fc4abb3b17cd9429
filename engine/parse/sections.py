"""Names that sections of datasheets have everywhere: the front page's, which hold no others, and those beside them."""

from __future__ import annotations

import re

from engine.core.text import fold_case

_MARKS = re.compile(r"[\s*†‡:.]+$|\s*\(\d+\)")
_LEAVES = re.compile(
    r"""(?:key\ |main\ |product\ )?features(?:\ and\ benefits)? | (?:typical\ |target\ )?applications
    | (?:general\ |product\ )?description | overview | introduction | general\ information
    | order(?:ing)?\ (?:information|code|guide) | pinning | pin\ (?:configurations?|connections?|out)
    | (?:connection|schematic|(?:functional\ )?block|logic)\ diagrams? | product\ highlights
    | quick\ reference\ data""",
    re.VERBOSE,
)
_SECTIONS = re.compile(
    r"""(?:key\ |main\ )?features | (?:typical\ )?applications | (?:general\ )?description
    | (?:absolute\ )?maximum\ ratings | limiting\ values
    | recommended\ (?:dc\ )?operating\ conditions | operating\ (?:conditions|ratings)
    | (?:dc\ |ac\ )?(?:electrical\ )?(?:characteristics|specifications)
    | thermal\ (?:characteristics|information|data|resistance)
    | (?:typical\ )?(?:performance\ |operating\ )?characteristics
    | switching\ characteristics | timing\ (?:diagrams?|requirements)
    | pin\ (?:configurations?|description|assignments?|functions?)(?:\ and\ functions?(?:\ descriptions)?)? | pinning
    | (?:functional\ )?block\ diagram | functional\ description | detailed\ description | theory\ of\ operation
    | applications?\ information | order(?:ing)?\ information
    | packag(?:e|ing)\ (?:information|outline|dimensions?) | mechanical\ data | outline\ dimensions
    | revision\ history | test\ circuits? | quick\ reference\ data""",
    re.VERBOSE,
)


def _name(title: str) -> str:
    return " ".join(_MARKS.sub("", fold_case(title)).split())


def is_leaf(title: str) -> bool:
    """A front-page section that holds text or a list, never the data sections that follow it."""
    return _LEAVES.fullmatch(_name(title)) is not None


def is_section(title: str) -> bool:
    """A section that stands beside the others of a datasheet, whatever size its heading is set in."""
    return _SECTIONS.fullmatch(_name(title)) is not None

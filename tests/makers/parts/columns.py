"""Column sets that several sheets share."""

from __future__ import annotations

from tests.makers.sheets.describe import Column, limits

LIMIT_COLUMNS = (
    Column("PARAMETER", "parameter", 2.2),
    Column("SYMBOL", "symbol", 0.8),
    Column("TEST CONDITIONS", "condition", 2.3),
    *limits("MIN", "TYP", "MAX"),
    Column("UNIT", "unit", 0.55),
)
RATING_COLUMNS = (
    Column("RATING", "parameter", 2.4),
    Column("SYMBOL", "symbol", 0.8),
    Column("VALUE", "value", 1.2),
    Column("UNIT", "unit", 0.6),
)

"""Where Sheaf keeps its things: one home folder, by default the platform's data folder."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

HOME_VARIABLE = "SHEAF_HOME"
MODELS_VARIABLE = "SHEAF_MODELS"
"""A models folder shared by several homes, for tests and for machines where one administrator keeps the models."""


@dataclass(frozen=True, slots=True)
class Home:
    """Layout of the home folder."""

    root: Path

    @property
    def database(self) -> Path:
        """Libraries and answers."""
        return self.root / "sheaf.db"

    @property
    def models(self) -> Path:
        shared = os.environ.get(MODELS_VARIABLE)
        return Path(shared).expanduser() if shared else self.root / "models"

    @property
    def embeddings(self) -> Path:
        """Vectors by (model, text), shared by all libraries."""
        return self.root / "embeddings.db"

    @property
    def libraries(self) -> Path:
        return self.root / "libraries"

    @property
    def logs(self) -> Path:
        return self.root / "logs"


def find_home(chosen: Path | None = None) -> Home:
    """`--home`, else $SHEAF_HOME, else the platform's user data folder. Makes nothing."""
    if chosen is not None:
        return Home(chosen.expanduser().resolve())
    if named := os.environ.get(HOME_VARIABLE):
        return Home(Path(named).expanduser().resolve())
    return Home(user_data_path("sheaf", appauthor=False))

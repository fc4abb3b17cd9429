"""The package index, certificates and proxy that this machine has configured for pip, read without pip.

Same places and precedence as pip (its user guide, "Configuration"): global files, then user files, then the
environment's own file, then $PIP_CONFIG_FILE, then PIP_* variables; within the files a `[download]` section goes
before `[global]`.
"""

from __future__ import annotations

import configparser
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from engine.core.errors import KnownError

DEFAULT_INDEX_FILE = "default-index.txt"
"""In the environment's (or the frozen program's) folder: the index that pip used there by default at set-up."""

_SECTIONS = ("global", "download")
_KEYS = ("index-url", "extra-index-url", "find-links", "no-index", "cert", "client-cert", "proxy", "timeout")
_TRUE = frozenset({"1", "y", "yes", "t", "true", "on"})


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """Where wheels may come from. URLs may hold credentials; never show them without :func:`without_credentials`."""

    index_urls: tuple[str, ...] = ()
    find_links: tuple[str, ...] = ()
    cert: str = ""
    client_cert: str = ""
    proxy: str = ""
    trusted_hosts: tuple[str, ...] = ()
    timeout: float = 15.0
    """Seconds without a byte after which a connection counts as broken."""


def read_index_settings(
    environment: Mapping[str, str] | None = None, *, prefix: Path | None = None, platform: str = sys.platform
) -> IndexSettings:
    """What pip would use here. Raises KnownError for a configuration file that cannot be read.

    `prefix` is the folder of the virtual environment (by default that of the running Python).
    """
    env = os.environ if environment is None else environment
    root = Path(sys.prefix) if prefix is None else prefix
    values = _file_values(_config_files(env, root, platform))
    for key in (*_KEYS, "trusted-host"):
        if given := env.get("PIP_" + key.upper().replace("-", "_")):
            values[key] = given
    indexes: list[str] = []
    if not _is_true(values.get("no-index", "")):
        main = values.get("index-url", "").strip() or _default_index(root)
        indexes = [url for url in (main, *values.get("extra-index-url", "").split()) if url]
    return IndexSettings(
        index_urls=tuple(dict.fromkeys(indexes)),
        find_links=tuple(values.get("find-links", "").split()),
        cert=_expand(values.get("cert", "") or env.get("REQUESTS_CA_BUNDLE", "")),
        client_cert=_expand(values.get("client-cert", "")),
        proxy=values.get("proxy", "").strip(),
        trusted_hosts=tuple(values.get("trusted-host", "").split()),
        # pip's own time-out may be minutes; a stalled transfer is resumed, so a short one costs nothing.
        timeout=min(_number(values.get("timeout", ""), 15.0), 30.0),
    )


def _config_files(env: Mapping[str, str], prefix: Path, platform: str) -> list[Path]:
    """Lowest precedence first."""
    named = env.get("PIP_CONFIG_FILE", "")
    if named == os.devnull:
        return []
    home = Path(env.get("USERPROFILE" if platform == "win32" else "HOME") or Path.home())
    if platform == "win32":
        name = "pip.ini"
        files = [Path(env.get("PROGRAMDATA", "C:\\ProgramData")) / "pip" / name, home / "pip" / name]
        files.append(Path(env.get("APPDATA") or home / "AppData" / "Roaming") / "pip" / name)
    else:
        name = "pip.conf"
        files = _posix_global_files(env, name, platform)
        files.append(home / ".pip" / name)
        library = home / "Library" / "Application Support" / "pip"
        if platform == "darwin" and library.is_dir():
            files.append(library / name)
        else:
            files.append(Path(env.get("XDG_CONFIG_HOME") or home / ".config") / "pip" / name)
    files.append(prefix / name)
    if virtual := env.get("VIRTUAL_ENV"):
        files.append(Path(virtual) / name)
    if named:
        files.append(Path(named).expanduser())
    return files


def _posix_global_files(env: Mapping[str, str], name: str, platform: str) -> list[Path]:
    if platform == "darwin":
        return [Path("/Library/Application Support/pip") / name]
    folders = (env.get("XDG_CONFIG_DIRS") or "/etc/xdg").split(":")
    return [*(Path(folder) / "pip" / name for folder in reversed(folders) if folder), Path("/etc") / name]


def _file_values(files: Iterable[Path]) -> dict[str, str]:
    by_section: dict[str, dict[str, str]] = {section: {} for section in _SECTIONS}
    for path in files:
        parser = configparser.RawConfigParser()
        try:
            parser.read_string(path.read_text(encoding="utf-8"))
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            continue
        except (configparser.Error, UnicodeDecodeError, OSError) as error:
            raise KnownError(
                f"The pip configuration {path} cannot be read.", help="Mend or remove that file.", code="pip-config"
            ) from error
        for section in _SECTIONS:
            if parser.has_section(section):
                by_section[section].update((key.replace("_", "-"), value) for key, value in parser.items(section))
    return {key: value for section in _SECTIONS for key, value in by_section[section].items()}


def _default_index(prefix: Path) -> str:
    try:
        return (prefix / DEFAULT_INDEX_FILE).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def _is_true(value: str) -> bool:
    return value.strip().lower() in _TRUE


def _number(value: str, default: float) -> float:
    try:
        number = float(value)
    except ValueError:
        return default
    return number if number > 0 else default


def _expand(path: str) -> str:
    return str(Path(path.strip()).expanduser()) if path.strip() else ""

"""Rewrites open_differences.py from what differs now.

python -m tests.golden.renew           take out what is mended; exit 1 if something else differs that is not listed
python -m tests.golden.renew --add     also write down what differs newly (say why in the commit)
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests.golden.open_differences import OPEN

_FILE = Path(__file__).with_name("open_differences.py")
_ROOT = _FILE.parents[2]
IGNORE_VARIABLE = "SHEAF_TEST_SHOW_DIFFERENCES"


def differing() -> set[tuple[str, str]]:
    """(test, document) pairs that fail when no difference is excused."""
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/golden/test_sample_parse.py", "-q", "--tb=no"],
        cwd=_ROOT,
        env={**os.environ, IGNORE_VARIABLE: "1", "COLUMNS": "400"},
        capture_output=True,
        text=True,
        check=False,
    )
    return set(re.findall(r"^FAILED \S+::(test_\w+)\[(.+?)\]", run.stdout, flags=re.MULTILINE))


def write(pairs: set[tuple[str, str]]) -> None:
    """Keep the head of the file, replace the list."""
    head = _FILE.read_text(encoding="utf-8").split("OPEN:")[0]
    by_test: dict[str, list[str]] = defaultdict(list)
    for test, name in sorted(pairs):
        by_test[test].append(name)
    body = "".join(
        f'    "{test}": (\n' + "".join(f'        "{name}",\n' for name in names) + "    ),\n"
        for test, names in by_test.items()
    )
    _FILE.write_text(f"{head}OPEN: dict[str, tuple[str, ...]] = {{\n{body}}}\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--add", action="store_true")
    add = parser.parse_args().add
    found = differing()
    known = {(test, name) for test, names in OPEN.items() for name in names}
    write(found if add else found & known)
    for test, name in sorted(known - found):
        sys.stdout.write(f"mended: {test}[{name}]\n")
    for test, name in sorted(found - known):
        sys.stdout.write(f"differs newly: {test}[{name}]\n")
    return 1 if found - known and not add else 0


if __name__ == "__main__":
    raise SystemExit(main())

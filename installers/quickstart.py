"""From a fresh checkout to answers with citations, in one command and with nothing but Python.

    python installers/quickstart.py             set up, then open the window on the sample library
                                                (in the terminal, where there is no display)
    python installers/quickstart.py test        set up, then run the whole test suite
    python installers/quickstart.py --help      the rest

Both may be run again at any time: what is done is not done again, what broke off is continued.
"""

import pathlib
import sys

OLDEST = (3, 11)


def main():
    """Refuse an old Python in one sentence, else go on with the set-up. Returns the exit code."""
    if sys.version_info < OLDEST:
        found = "{}.{}".format(*sys.version_info[:2])
        sys.stderr.write("Sheaf needs Python 3.11 or newer, and this is Python " + found + ". ")
        sys.stderr.write("Install a newer one and run it with that, for example: python3.12 installers/quickstart.py\n")
        return 3
    # The checkout itself is not installed yet; only its standard-library parts are used from here.
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
    from installers import setup_run

    return setup_run.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())

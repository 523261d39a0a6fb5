"""Where the program's own data files are: inside the installed package, or beside it in a checkout."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_PLACES = (_PACKAGE / "_resources", _PACKAGE.parent / "resources")


@cache
def root() -> Path:
    """The folder that holds `icons`, `styles`, `openapi` and `translations`.

    Raises FileNotFoundError when the program was installed without its data.
    """
    for place in _PLACES:
        if place.is_dir():
            return place
    raise FileNotFoundError(f"the program's data files are missing; looked in {' and '.join(map(str, _PLACES))}")


def path(*parts: str) -> Path:
    """The path of one data file or folder, for example ``path("icons", "paw.svg")``.

    Raises FileNotFoundError when there is no such file, so that a wrong name shows at once.
    """
    found = root().joinpath(*parts)
    if not found.exists():
        raise FileNotFoundError(f"no such data file: {'/'.join(parts)}")
    return found


@cache
def licences() -> Path | None:
    """The folder of licence texts that an installed program brings beside itself; None in a checkout and where it was
    installed as a Python package, for packages bring their own."""
    beside = Path(sys.executable).resolve().parent
    places = (beside / "licences", beside.parent / "Resources" / "licences")  # the second in a bundle of macOS
    return next((place for place in places if (place / "THIRD-PARTY.txt").is_file()), None)

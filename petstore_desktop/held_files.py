"""Moves, removes and opens files that another program holds for a moment.

On Windows a file that somebody reads can be neither replaced nor moved nor removed until that one is done: a second
program of ours, a search index, a virus scanner. POSIX knows no such thing, and nothing waits there. All functions
block, at most HELD_S each, and raise OSError.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

_Done = TypeVar("_Done")

HELD_S: Final = 2.0
"""How long one waits for those who hold a file. What is refused for another reason is refused after that time."""
_STEP_S: Final = 0.01
_IN_USE: Final = (32, 33)
"""ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION."""
_HELD: Final = (5, *_IN_USE)
"""Windows says ERROR_ACCESS_DENIED of a file that is read, and of one that may not be written."""


def move(source: Path, target: Path) -> None:
    """Move a file, in the place of another where there is one."""
    _patiently(lambda: source.replace(target))


def carry(source: Path, target: Path) -> None:
    """Move a file to a place that may be on another disk."""
    import shutil  # late: few runs carry anything

    _patiently(lambda: shutil.move(source, target))


def remove(path: Path) -> None:
    """Remove a file, unless there is none."""
    _patiently(lambda: path.unlink(missing_ok=True))


def remove_folder(path: Path) -> None:
    """Remove a folder with all that is in it."""
    import shutil  # late: few runs remove one

    _patiently(lambda: shutil.rmtree(path))


def opened(path: Path, flags: int) -> int:
    """Open a file with these flags; its descriptor."""
    return _patiently(lambda: os.open(path, flags))


def is_in_use(error: OSError) -> bool:
    """Whether Windows refused something because a program uses the file."""
    return getattr(error, "winerror", None) in _IN_USE


def _patiently(act: Callable[[], _Done]) -> _Done:
    end = time.monotonic() + HELD_S
    while True:
        try:
            return act()
        except OSError as error:
            if not _may_be_held(error) or time.monotonic() >= end:
                raise
            time.sleep(_STEP_S)


def _may_be_held(error: OSError) -> bool:
    """What opens a file says no more than EACCES."""
    windows = getattr(error, "winerror", None)
    return windows in _HELD or (os.name == "nt" and windows is None and error.errno == errno.EACCES)

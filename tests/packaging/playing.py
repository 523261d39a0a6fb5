"""Plays another system: its name, and what only it has or lacks."""

from __future__ import annotations

import errno
import os
import types
from pathlib import Path
from typing import Any


class Played:
    """A module as another system has it: what is said here, and the real one's for the rest."""

    def __init__(self, real: types.ModuleType, **said: object) -> None:
        self.__dict__ |= said | {"real": real}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["real"], name)


def refused(*_: object, **__: object) -> Any:
    """What another system does not have."""
    raise AssertionError("this is not called on that system")


def opened(path: Any, flags: int, mode: int = 0o777) -> int:
    """Open as Windows does, which cannot open a folder."""
    if Path(path).is_dir():
        raise PermissionError(errno.EACCES, "a folder", str(path))
    return os.open(path, flags, mode)

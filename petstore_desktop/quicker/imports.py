"""Imports without what Qt for Python adds to each."""

from __future__ import annotations

import builtins


def import_plainly() -> None:
    """Take out the import hook that Qt for Python has put in: of every module that is loaded after it, it reads and
    searches the source for a switch (`from __feature__ import`) that nothing here uses. That is 15 ms of a start."""
    plain = getattr(builtins, "__orig_import__", None)
    if plain is not None:
        builtins.__import__ = plain

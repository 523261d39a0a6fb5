"""Cyclic garbage is looked for in one thread only, when that thread says so.

Python by itself looks for it in whatever thread makes the next object, and destroys there what it finds. Among that may
be widgets, which may be destroyed in the window's thread only: anywhere else the program ends by a signal, seldom, and
elsewhere each time. The program calls what `collect_here` returns from a timer of the window's thread, the tests after
each test.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable
from itertools import count


class WrongThread(RuntimeError):
    """Garbage was to be looked for in another thread than the one that owns it."""


def collect_here(old_every: int) -> Callable[[], None]:
    """Let Python look for cyclic garbage no more by itself, and return what looks for it, in this thread only.

    That raises WrongThread anywhere else. What is old is looked through each `old_every`-th time: with many rows that
    takes a moment.
    """
    gc.disable()
    owner, turns = threading.get_ident(), count(1)

    def collect() -> None:
        if threading.get_ident() != owner:
            raise WrongThread(threading.current_thread().name)
        gc.collect(2 if next(turns) % old_every == 0 else 1)

    return collect


def stop() -> None:
    """Let Python look for cyclic garbage no more: at a start there is none, and to look takes a tenth of its time."""
    gc.disable()


def keep_what_is_there() -> None:
    """Never look through what there is now: what a start has made stays to the end."""
    gc.freeze()

"""How slow this computer is here and now, for bounds of time that may not depend on it."""

from __future__ import annotations

from time import thread_time

_NORMAL_S = 0.045
"""What the work of `slowness` takes on a computer with nothing else to do."""


def slowness() -> float:
    """How many times as long plain work takes here and now as on a computer with nothing else to do; at least 1. Other
    programs share the memory and the caches, so this thread's own time is longer too while they run."""
    begun = thread_time()
    texts = [f"{number * 7919 % 50_000}" for number in range(50_000)]
    assert len(dict.fromkeys(sorted(texts))) == 50_000
    return max(1.0, (thread_time() - begun) / _NORMAL_S)

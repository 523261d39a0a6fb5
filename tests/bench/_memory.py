"""What a process has of the memory, as the system counts it."""

from __future__ import annotations

import gc
from pathlib import Path


def memory_mib() -> float:
    """This process's share of the memory (PSS), in MiB; 0 where the system does not say."""
    rollup = Path("/proc/self/smaps_rollup")
    if not rollup.is_file():
        return 0.0
    lines = rollup.read_text("ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Pss:"))


def memory_at_rest() -> float:
    """The same, when the program has done what it does while nothing else is to do."""
    from petstore_desktop.platform_support import give_back_memory

    gc.collect()
    give_back_memory()
    return memory_mib()


def load_everything() -> None:
    """What the whole program has in memory once it is at work, beside the window: what its sync thread imports, and
    numpy, which it loads after the first paint. The key is read by a process of its own, so there is no keyring."""
    import httpx
    import numpy
    import pydantic

    import petstore_desktop.api.client
    import petstore_desktop.session.session
    import petstore_desktop.sync.runner

    _ = (httpx, numpy, pydantic, petstore_desktop)

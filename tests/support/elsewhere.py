"""What a system lacks is no fault there: tests of it are marked, with the reason, and are expected to fail.

    @pytest.mark.posix("an open file can be removed")     # Windows does otherwise: not run there
    @pytest.mark.linux("memory is told in /proc")         # only Linux has it: not run elsewhere
    @pytest.mark.windows("keys are in the vault")         # only Windows has it: not run elsewhere
    @pytest.mark.wine("locks of a file opened to read")   # Windows has it, Wine 10 does not: run, and must fail there

With `run=False` the last is not run there either: it would end the process. Whoever reads a report of the tests (JUnit)
finds each with its reason.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

import pytest


def under_wine() -> bool:
    """Whether this Windows is one that Wine plays."""
    if sys.platform != "win32":
        return False
    import ctypes

    return hasattr(ctypes.WinDLL("ntdll"), "wine_get_version")


def expect_what_is_lacking(items: Iterable[pytest.Item], system: str = sys.platform, *, wine: bool) -> None:
    """Have each marked test fail as expected where the system is not its own."""
    on_windows = system == "win32"
    cases = {"posix": on_windows, "linux": system != "linux", "windows": not on_windows, "wine": wine}
    for item in items:
        for name, lacking in cases.items():
            for marker in item.iter_markers(name) if lacking else ():
                run = name == "wine" and marker.kwargs.get("run", True)
                item.add_marker(pytest.mark.xfail(run=run, strict=True, reason=f"{name}: {marker.args[0]}"))

"""Keys in every field, list, button and menu of the window, at all speeds: they arrive, and no scan is lost or made."""

from __future__ import annotations

import os

import pytest

from tests.support.forked import run

SECONDS = 100


@pytest.mark.timeout(SECONDS + 200)
@pytest.mark.parametrize("seed", range(1, 5))
def test_typing_and_scanning_everywhere_is_as_without_a_scanner(seed: int) -> None:
    without = {"DISPLAY", "WAYLAND_DISPLAY"}
    environment = {name: value for name, value in os.environ.items() if name not in without}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    done = run(
        "tests.ui.window.type_each", str(seed), str(SECONDS), package="petstore_desktop", environment=environment
    )
    assert done.returncode == 0, done.stdout + done.stderr

"""Keys in fields, lists and buttons of the window, at all speeds: they arrive, and no scan is lost or made."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.support.patience import PATIENCE_S
from tests.support.shop import ROOT

PLACES = 3


def test_typing_and_scanning_is_as_without_a_scanner() -> None:
    """In three of the tabs and desks and three dialogs; `long typing` walks through all and the menus, ever again.

    A program of its own: what is typed into a window at random would be left there for the tests after it.
    """
    without = {"DISPLAY", "WAYLAND_DISPLAY"}
    environment = {name: value for name, value in os.environ.items() if name not in without}
    environment.setdefault("QT_QPA_PLATFORM", "offscreen")
    command = [sys.executable, "-m", "tests.ui.window.type_each", "1", str(PATIENCE_S), str(PLACES)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr

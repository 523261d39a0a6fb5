"""On a small screen, with large text, in longer words and from the right: every dialog is inside the screen with its
buttons in sight, nothing on a tab, a desk or a dialog is cut that no tool tip says, nothing lies on other things, and
pictures of them show only colours that are meant. Larger screens and smaller texts fit in these; what the system
enlarges, and languages that ship, are part of `packaging/dev.py long screens`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QRect

from petstore_desktop.ui.context.navigation import PAGES
from petstore_desktop.ui.context.tab_specs import TABS
from petstore_desktop.ui.window.hosted_pages import HOSTED
from tests.support.shop import ROOT
from tests.ui.base.colour_pairs import wrong_colours
from tests.ui.pictures import PICTURES

WIDTH, HEIGHT = 1024, 600


def opened(folder: Path, text: float, language: str, colours: str) -> list[dict[str, Any]]:
    """Where each tab and dialog is on that screen, and what is cut there; in probe colours with pictures in the folder.
    A program of its own: Qt reads the screen where it starts."""
    screens = folder / "screens.json"
    screen = {"name": "only", "x": 0, "y": 0, "width": WIDTH, "height": HEIGHT, "logicalDpi": 96, "dpr": 1}
    screens.write_text(json.dumps({"screens": [screen]}))
    without = {"DISPLAY", "WAYLAND_DISPLAY"}
    environment = {name: value for name, value in os.environ.items() if name not in without}
    environment["QT_QPA_PLATFORM"] = f"offscreen:configfile={screens}"
    command = [sys.executable, "-m", "tests.ui.base.probe_pictures", colours, "dialogs", str(folder)]
    done = subprocess.run(
        [*command, str(text), f"in={language}"], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize(("text", "language", "colours"), [(1, "mirrored", "ordinary"), (2, "pseudo", "contrast")])
def test_every_dialog_is_inside_the_screen_with_its_buttons_in_sight(
    tmp_path: Path, text: float, language: str, colours: str
) -> None:
    shown = opened(tmp_path, text, language, colours)
    assert [(one["name"], one["cut"]) for one in shown if one["cut"]] == []
    assert [(one["name"], one["over"]) for one in shown if one.get("over")] == []
    dialogs = [one for one in shown if "frame" in one]
    assert len(dialogs) >= 30 and len(shown) - len(dialogs) == len((*TABS, *PAGES, *HOSTED)) + 1  # labels of pets
    for dialog in dialogs:
        screen, frame = QRect(*dialog["screen"]), QRect(*dialog["frame"])
        assert screen.width() == WIDTH
        assert screen.contains(frame), f"{dialog['name']} is at {frame}, the screen has {screen}"
        assert dialog["buttons"], f"{dialog['name']} has no button below what it says"
        for button in dialog["buttons"]:
            assert frame.contains(QRect(*button)), f"{dialog['name']} has a button at {button}, the frame is {frame}"
        view = QRect(*dialog["view"])
        assert dialog["whole"] or view.height() > 100, f"{dialog['name']} shows too little of what it says: {view}"
    pictures = sorted(tmp_path.glob(PICTURES))
    assert len(pictures) == len(shown)
    assert wrong_colours(pictures, colours) == []

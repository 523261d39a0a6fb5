"""*Show me*: the demo shop's best, played under captions in a window and a folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 220
PLAYED = """
import sys
from petstore_desktop.app import Start
from petstore_desktop.threads import run_to_end
from petstore_desktop.tour import show_me

def played():
    from petstore_desktop.demo.witness import Witness
    from petstore_desktop.ui.program.caption_bar import CaptionBar

    control = Witness.control
    def briefly(self, action, **body):
        return control(self, "pause", seconds=4) if action == "exhaust" else control(self, action, **body)
    Witness.control = briefly

    say = CaptionBar.say
    def said(self, words):
        print(words, flush=True)
        say(self, words)
    CaptionBar.say = said
    return show_me(Start(data_dir=sys.argv[1]), pace=0)

run_to_end(played)
"""


@pytest.mark.timeout(SECONDS + 20)
def test_it_is_played_to_its_end_and_leaves_nothing_behind(tmp_path: Path) -> None:
    without = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    surroundings = {name: value for name, value in os.environ.items() if name not in without}
    temporary, data = tmp_path / "temporary", tmp_path / "data"
    temporary.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", PLAYED, str(data)],
        cwd=ROOT,
        env=surroundings | {"TMPDIR": str(temporary), "QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    captions = done.stdout.splitlines()
    assert len(captions) == 8
    assert "Ctrl+Z" in captions[2] and "network" in captions[3] and "scanner" in captions[6]
    assert [*temporary.glob("petstore-tour-*")] == []
    assert not (data / "demo-shop").exists(), "the person's own demo shop is not touched"

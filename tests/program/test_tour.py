"""The tour as the command runs it, over a shop that refuses what people do. The whole tour is a part of
`packaging/dev.py long screens`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 220
STEPS = 5
"""Steps of the beginning: lists, filters."""
REFUSING = """
import sys
from pathlib import Path
from petstore_desktop.app import Start
from petstore_desktop.threads import run_to_end
from petstore_desktop.tour import run_tour, script
from petstore_desktop.tour.steps.change import CHANGING
from petstore_desktop.tour.steps.look import LOOKING

script.SCRIPT = (*LOOKING[:3], *CHANGING)
start = Start(data_dir=sys.argv[1], demo_options=("--plan", "free"))
refuse = {"message": "the till is closed"}
run_to_end(lambda: run_tour(start, Path(sys.argv[2]), lambda shop: shop.control("refuse-writes", **refuse)))
"""


def run(*arguments: str | Path, **more: str) -> subprocess.CompletedProcess[str]:
    """The program without a screen, for at most `SECONDS`; `more` are variables of its environment."""
    without = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    surroundings = {name: value for name, value in os.environ.items() if name not in without} | more
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(
        command, cwd=ROOT, env=surroundings, capture_output=True, text=True, timeout=SECONDS, check=False
    )


@pytest.mark.timeout(SECONDS + 20)
def test_the_beginning_of_the_tour_in_a_made_language_cuts_and_leaves_out_no_text(tmp_path: Path) -> None:
    """The tour makes its own application of Qt, and replaces its texts."""
    done = run("-m", "tests.support.tour_in", "mirrored", tmp_path / "pictures", tmp_path / "data", str(STEPS))
    assert done.returncode == 0, done.stderr
    assert len(report(tmp_path / "pictures")) == STEPS
    texts: dict[str, list[str]] = json.loads((tmp_path / "pictures" / "texts.json").read_text(encoding="utf-8"))
    assert len(texts) >= STEPS - 3
    assert {picture: faults for picture, faults in texts.items() if faults} == {}


def report(folder: Path) -> list[dict[str, Any]]:
    """What tour.json says."""
    return json.loads((folder / "tour.json").read_text(encoding="utf-8"))


@pytest.mark.timeout(SECONDS + 20)
def test_over_a_shop_that_refuses_writes_the_tour_fails_and_names_the_step(tmp_path: Path) -> None:
    """Its exit code, and what it writes to stderr."""
    pictures = tmp_path / "pictures"
    done = run("-c", REFUSING, tmp_path / "data", pictures)
    assert done.returncode == 1, done.stderr
    assert "the tour failed at stock-sent-light: the cell does not say that it was sent" in done.stderr
    steps = report(pictures)
    failed = [step["step"] for step in steps if not step["ok"]]
    assert failed[0] == "stock-sent-light"
    pictures_of = [step["picture"] for step in steps if step["picture"]]
    assert len(pictures_of) >= 4
    assert sorted(pictures_of) == sorted(path.name for path in pictures.glob("*.png"))
    assert all(step["said"] == "not reached" for step in steps if not step["ok"] and step["step"] != failed[0])


@pytest.mark.linux("fontconfig can be told to forget the system's fonts")
def test_without_fonts_the_tour_fails_at_once_and_names_what_to_install(tmp_path: Path) -> None:
    """Only a new process reads another configuration of fonts."""
    configuration = tmp_path / "fonts.conf"
    empty = f"<fontconfig><dir>{tmp_path / 'none'}</dir><cachedir>{tmp_path / 'cache'}</cachedir></fontconfig>"
    configuration.write_text(empty, encoding="utf-8")
    data, pictures = tmp_path / "data", tmp_path / "pictures"
    arguments = ("--data-dir", data, "--demo", "--tour", pictures)
    done = run("-m", "petstore_desktop", *arguments, FONTCONFIG_FILE=str(configuration))
    assert done.returncode == 1
    said = done.stderr.partition("the tour failed at fonts: ")[2]
    for script, package in (("Latin", "core"), ("Arabic", "core"), ("emoji", "color-emoji")):
        assert f"no glyphs for {script}: install fonts-noto-{package}" in said

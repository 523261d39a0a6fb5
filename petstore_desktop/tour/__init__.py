"""`--tour DIR`: the real window over a real demo shop, driven through its main jobs by keys and mouse alone."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from petstore_desktop.app import Program, Start
from petstore_desktop.clock import OffsetClock, SystemClock
from petstore_desktop.demo.witness import Witness
from petstore_desktop.platform_support import has_screen
from petstore_desktop.preferences import PreferenceStore
from petstore_desktop.tour.minute import MINUTE_S

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.tour.runner import StepOutcome
    from petstore_desktop.tour.stage import Before

_FRAME = 2
"""Pixels that a window without a screen has on each side."""
_SCREEN = {"name": "tour", "width": 1280 + 2 * _FRAME, "height": 800 + 2 * _FRAME, "logicalDpi": 96, "dpr": 1}
"""The screen that is invented where there is none, unless QT_QPA_PLATFORM names a file that describes another."""


def run_tour(start: Start, folder: Path, before: Before = lambda _: None, language: str | None = None) -> int:
    """Take the tour and write its pictures and tour.json to `folder`; 0 if every step held, else 1 after a line on
    stderr that names the step.

    Program and shop keep everything in a folder of their own that is gone afterwards, below `start.data_dir` where it
    is given. `before` may prepare the shop, as soon as it runs; `language` is that of the window, British English
    unless told. Raises OSError where `folder` cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for old in (*folder.glob("[0-9]*-*.png"), *folder.glob("tour.json")):
        old.unlink()
    own = _own_folder(start)
    try:
        _offer_screen(own)
        outcomes = _tour(_prepared(start, own, language or "en_GB"), folder, before)
    finally:
        shutil.rmtree(own, ignore_errors=True)
    failed = [outcome for outcome in outcomes if outcome.said]
    if failed:
        sys.stderr.write(f"petstore-desktop: the tour failed at {failed[0].step}: {failed[0].said}\n")
        return 1
    return 0


def _tour(start: Start, folder: Path, before: Before) -> list[StepOutcome]:
    clock = OffsetClock(SystemClock())
    program = Program(start, clock)
    # Only here: Qt is loaded when the program has chosen its platform, and the steps need Qt.
    from petstore_desktop.tour.script import play

    return play(program, _witness(start), clock, folder, before)


def show_me(start: Start, pace: float = 1.0, shown: Callable[[QWidget], object] = lambda _: None) -> int:
    """Play the demo shop's best under captions, in the language and theme of the person; 0 unless something came
    between. `pace`: 0 plays without a rest. `shown` is given the window after each part."""
    own = _own_folder(replace(start, data_dir=None))
    try:
        _offer_screen(own)
        wanted = PreferenceStore(start.places().preferences).load()
        made = replace(_prepared(start, own, wanted.language, wanted.theme), demo=True)
        clock = OffsetClock(SystemClock())
        program = Program(made, clock)
        from petstore_desktop.tour.show import play  # Qt, as above

        said = play(program, _witness(made), clock, pace, shown)
    finally:
        shutil.rmtree(own, ignore_errors=True)
    if said:
        sys.stderr.write(f"petstore-desktop: what was shown stopped: {said}\n")
    return int(bool(said))


def _own_folder(start: Start) -> Path:
    if start.data_dir is not None:
        Path(start.data_dir).mkdir(parents=True, exist_ok=True)
    return Path(tempfile.mkdtemp(prefix="petstore-tour-", dir=start.data_dir))


def _prepared(start: Start, own: Path, language: str | None, theme: str = "light") -> Start:
    """The welcome page of a program that was never used, with a demo shop that obeys `--control`."""
    options = (
        *start.demo_options,
        *("--service", "full", "--control", "--minute", str(MINUTE_S), "--log", str(own / "shop.log")),
    )
    made = replace(start, data_dir=str(own / "data"), connection=None, demo=False, demo_options=options)
    store = PreferenceStore(made.places().preferences)
    store.save(
        replace(store.load(), theme=theme, language=language, unknown={"todayFirst": "off"})
    )  # it begins with the pets
    return made


def _witness(start: Start) -> Witness:
    """Sees the shop as soon as there is one; its control address is known later."""
    data = start.places().data
    return Witness(data / "demo-shop" / "shop.db", data.parent / "shop.log", "")


def _offer_screen(own: Path) -> None:
    """Where Qt invents a screen it is one of 800 x 800, smaller than the window; a file describes a larger one."""
    if os.environ.get("QT_QPA_PLATFORM", "" if has_screen() else "offscreen") == "offscreen":
        described = own / "screen.json"
        described.write_text(json.dumps({"screens": [_SCREEN]}), encoding="utf-8")
        os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={described}"

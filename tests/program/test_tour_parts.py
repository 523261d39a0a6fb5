"""What the tour judges with: glyphs, pictures."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.tour.camera import Camera
from petstore_desktop.tour.pilot import StepFailed, hold, until
from petstore_desktop.tour.runner import TourStep, beyond_the_screen, run
from petstore_desktop.tour.stage import Stage
from petstore_desktop.tour.steps.look import SAMPLES, lacks, missing
from petstore_desktop.ui.base.first_paint import screen_of

if TYPE_CHECKING:
    from petstore_desktop.app import Program
    from petstore_desktop.clock import OffsetClock
    from petstore_desktop.demo.witness import Witness

NOWHERE = "\U0010fffd"
"""A sign of a private plane: no font has it."""


def test_a_sign_that_no_font_has_is_noticed(qapp: QApplication) -> None:
    assert lacks(qapp.font(), NOWHERE)
    assert lacks(qapp.font(), f"koi {NOWHERE}")
    assert not lacks(qapp.font(), "koi")


def test_what_is_missing_is_named_with_what_to_install(qapp: QApplication) -> None:
    samples = {**SAMPLES, "Klingon": (NOWHERE, "fonts-klingon")}
    assert missing(qapp.font(), samples)[-1] == "no glyphs for Klingon: install fonts-klingon"
    assert {"Latin", "Arabic", "emoji"} <= set(SAMPLES)


def test_no_two_pictures_may_show_the_same(qtbot: QtBot, tmp_path: Path) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    label = QLabel("one", window)
    window.resize(80, 40)
    camera = Camera(tmp_path)
    assert camera.take(window, 1, "first") == "01-first.png"
    with pytest.raises(StepFailed, match=r"02-second\.png is the same as 01-first\.png"):
        camera.take(window, 2, "second")
    label.setText("two")
    assert camera.take(window, 3, "third") == "03-third.png"


def test_what_does_not_become_true_in_time_is_said(qapp: QApplication) -> None:
    with pytest.raises(StepFailed, match="never"):
        until(lambda: False, "never", seconds=0.05)
    with pytest.raises(StepFailed, match="not so"):
        hold(False, "not so")
    until(lambda: True, "at once")


def test_what_hangs_over_the_edge_of_the_screen_and_a_button_that_is_cut_off_are_said(qtbot: QtBot) -> None:
    dialog = QDialog()
    qtbot.addWidget(dialog)
    dialog.setObjectName("tooLarge")
    save = QPushButton("Save", dialog)
    save.setObjectName("saveButton")
    dialog.resize(400, 300)
    dialog.show()
    assert beyond_the_screen() == []
    save.move(380, 290)
    (said,) = beyond_the_screen()
    assert said.startswith("the button saveButton of tooLarge is at 380,290")
    save.move(0, 0)
    dialog.resize(400, screen_of(dialog).height() + 1)
    (said,) = beyond_the_screen()
    assert said.startswith("tooLarge is at ")


def test_a_step_that_leaves_a_dialog_over_the_edge_fails(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(until, "__defaults__", (0.5,))  # nothing will come that is worth the tour's patience
    window = QWidget()
    qtbot.addWidget(window)
    window.show()

    def open_it(_: Stage) -> None:
        window.move(-50, 0)

    program = SimpleNamespace(window=None, welcome=window)
    stage = Stage(cast("Program", program), cast("Witness", None), cast("OffsetClock", None))
    (outcome,) = run((TourStep("large", open_it),), stage, tmp_path)
    assert "is at -48,0" in outcome.said and outcome.picture == "01-large-failed.png"

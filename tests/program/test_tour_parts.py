"""What the tour judges with: glyphs, pictures."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.tour.camera import Camera
from petstore_desktop.tour.glyphs import SAMPLES, lacks, missing
from petstore_desktop.tour.pilot import NotSo, hold, until

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
    with pytest.raises(NotSo, match=r"02-second\.png is the same as 01-first\.png"):
        camera.take(window, 2, "second")
    label.setText("two")
    assert camera.take(window, 3, "third") == "03-third.png"


def test_what_does_not_become_true_in_time_is_said(qapp: QApplication) -> None:
    with pytest.raises(NotSo, match="never"):
        until(lambda: False, "never", seconds=0.05)
    with pytest.raises(NotSo, match="not so"):
        hold(False, "not so")
    until(lambda: True, "at once")

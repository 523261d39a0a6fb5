"""A window that is a rehearsal: bar, frame over everything, the clock, the question at the end."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.rehearsal.scenes import RehearsalPlan, RehearsalScene
from petstore_desktop.domain.records import Ref
from petstore_desktop.ui.window import rehearsal_dressing
from petstore_desktop.ui.window.main_window import MainWindow
from petstore_desktop.ui.window.rehearsal_dressing import AmberFrame, EndDialog, Rehearsing
from tests.ui.recording_shop import RecordingShop

PLAN = RehearsalPlan(60, 1_000, RehearsalScene.NO_NETWORK)


@dataclass
class Made:
    shop: str = "Riverside <b>Pets</b>"
    plan: RehearsalPlan = PLAN
    slashed: int = 0
    text_ids: bool = False
    began_at: float | None = None
    ended: bool = False

    def was_there(self, ref: Ref) -> bool:
        return bool(ref)


@pytest.fixture
def made() -> Made:
    return Made()


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    words: list[str] = []
    monkeypatch.setattr(rehearsal_dressing, "announce", lambda _, text: words.append(text))
    return words


@pytest.fixture
def rehearsing(window: MainWindow, made: Made, said: list[str]) -> Rehearsing:
    return Rehearsing(window, made, made, lambda _: None)


def frames() -> list[AmberFrame]:
    tops = [top for top in QApplication.topLevelWidgets() if top.isVisible()]
    direct = Qt.FindChildOption.FindDirectChildrenOnly
    return [one for top in tops for one in top.findChildren(AmberFrame, options=direct)]


def test_the_bar_says_what_it_is_and_its_clock_runs_once_the_shop_is_there(
    qtbot: QtBot, rehearsing: Rehearsing, made: Made, said: list[str]
) -> None:
    words = "nothing here reaches your shop. Limits 60 a minute, no network from 0:20 to 0:40."
    assert rehearsing.bar.words.text() == words
    assert rehearsing.bar.clock.text() == "Preparing…"
    made.began_at = time.monotonic() - 26
    qtbot.waitUntil(lambda: rehearsing.bar.clock.text().startswith("Now "))
    found = re.match(r"Now (\d):(\d\d)", rehearsing.bar.clock.text())
    assert found is not None and 60 * int(found[1]) + int(found[2]) >= 26
    qtbot.waitUntil(lambda: len(said) == 1)
    made.ended = True
    qtbot.waitUntil(lambda: rehearsing.bar.clock.text() == "The rehearsal’s shop has stopped")
    assert said == [f"Rehearsal: {words}"]


def test_each_window_has_one_frame_and_dialogs_too(qtbot: QtBot, window: MainWindow, rehearsing: Rehearsing) -> None:
    assert [one.window() for one in frames()] == [window]
    window.parts.actions["help"].trigger()
    qtbot.waitUntil(lambda: len(frames()) == 2)
    for one in frames():
        assert one.size() == one.window().size()
    QApplication.activeModalWidget().close()
    rehearsing.leave()
    qtbot.waitUntil(lambda: not frames())


def test_without_a_change_it_ends_at_once_and_with_one_it_asks(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, rehearsing: Rehearsing
) -> None:
    assert rehearsing.may_close()
    window.parts.edits.unsaved["batch"] = ()
    assert not rehearsing.may_close()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, EndDialog)
    away = dialog.findChild(QPushButton, "throwAwayButton")
    assert away is not None
    away.click()
    assert not window.isVisible()


def test_enter_at_the_end_keeps_what_was_done(
    qtbot: QtBot, window: MainWindow, shop: RecordingShop, rehearsing: Rehearsing
) -> None:
    window.parts.edits.unsaved["batch"] = ()
    assert not rehearsing.may_close()
    qtbot.keyClick(QApplication.activeModalWidget(), Qt.Key.Key_Return)
    assert window.isVisible()
    assert shop.asked_for("read_changes")


@pytest.mark.parametrize(("slashed", "text_ids"), [(2, True), (0, False)])
def test_what_the_copy_cannot_do_is_said(
    qtbot: QtBot, window: MainWindow, made: Made, said: list[str], slashed: int, text_ids: bool
) -> None:
    made.slashed, made.text_ids = slashed, text_ids
    words: list[str] = []
    window.parts.said.connect(lambda message: words.append(message.text))
    bar = Rehearsing(window, made, made, lambda _: None).bar
    if slashed:
        qtbot.waitUntil(lambda: bool(words))
        assert "2 records have a slash" in words[0] and "numbers" in words[0]
    else:
        assert bar.words.toolTip() == ""

"""A choice is found by the beginning of its words, and by nothing else."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QKeyEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base.theme import to_say
from petstore_desktop.ui.grid.editors import ChoiceEditor
from petstore_desktop.ui.widgets.form import ChoiceBox

NAMES = ("No change", "Cats", "Small animals", "Small birds", "Sea fish")


@pytest.fixture(params=[ChoiceBox, ChoiceEditor])
def box(request: pytest.FixtureRequest, qtbot: QtBot) -> ChoiceBox | ChoiceEditor:
    made = ChoiceBox() if request.param is ChoiceBox else ChoiceEditor([])
    for name in NAMES:
        made.addItem(name, name)
    made.is_exact = True
    made.setCurrentIndex(0)
    qtbot.addWidget(made)
    made.show()
    return made


def test_letters_that_begin_no_name_choose_nothing_and_it_is_said(
    qtbot: QtBot, box: ChoiceBox | ChoiceEditor, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[QAccessibleAnnouncementEvent] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", told.append)
    qtbot.keyClicks(box, "S")
    assert box.currentText() == "Small animals"
    qtbot.keyClicks(box, "nakes")
    assert (box.currentIndex(), box.currentData()) == (-1, None)
    assert "Snakes" in box.missed
    assert box.placeholderText() == box.missed
    assert [(event.message(), event.politeness().name) for event in told][-1:] == [(to_say(box.missed), "Assertive")]
    for _ in "nakes":
        qtbot.keyClick(box, Qt.Key.Key_Backspace)
    assert (box.currentText(), box.missed) == ("Small animals", "")


def test_a_name_is_found_by_its_beginning_spaces_too_and_one_letter_walks(
    qtbot: QtBot, box: ChoiceBox | ChoiceEditor
) -> None:
    qtbot.keyClicks(box, "small b")
    assert box.currentText() == "Small birds"
    box.setCurrentIndex(0)
    box.clearFocus()
    at = 10_000
    walked: list[str] = []
    for _ in range(3):
        press(box, "s", at)
        walked.append(box.currentText())
    assert walked == ["Small animals", "Small birds", "Sea fish"]
    press(box, "c", at + 5000)  # another word, after a pause
    assert box.currentText() == "Cats"


def press(box: ChoiceBox | ChoiceEditor, text: str, at: int) -> None:
    event = QKeyEvent(QEvent.Type.KeyPress, Qt.Key(ord(text.upper())), Qt.KeyboardModifier.NoModifier, text)
    event.setTimestamp(at)
    QApplication.sendEvent(box, event)


def test_a_choice_that_holds_at_once_stays_what_it_was(qtbot: QtBot, box: ChoiceBox | ChoiceEditor) -> None:
    box.is_exact = False
    box.setCurrentIndex(1)
    qtbot.keyClicks(box, "snakes")
    assert (box.currentText(), "snakes" in box.missed) == ("Cats", True)
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert (box.currentText(), box.missed) == ("Small animals", "")


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_in_the_opened_list_enter_takes_nothing_after_a_miss(qtbot: QtBot, box: ChoiceBox | ChoiceEditor) -> None:
    box.setCurrentIndex(1)
    box.showPopup()
    qtbot.keyClicks(box.view(), "snakes")
    qtbot.keyClick(box.view(), Qt.Key.Key_Return)
    assert "snakes" in box.missed
    qtbot.keyClick(box.view(), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not box.view().isVisible())
    assert box.currentText() == "Cats"

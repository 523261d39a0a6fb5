"""Work that runs elsewhere is told here, unless the widget that asked is gone."""

from __future__ import annotations

import threading
from functools import partial

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base.background import Background


class Asker(QLabel):
    """Shows what it is told."""

    def show_answer(self, words: str) -> None:
        """Show it."""
        self.setText(words)

    def show_both(self, before: str, words: str) -> None:
        """Show it after other words."""
        self.setText(before + words)


@pytest.mark.parametrize("bound", [False, True])
def test_an_answer_is_shown_and_one_for_a_deleted_widget_is_dropped(qtbot: QtBot, bound: bool) -> None:
    background, asker, held = Background(), Asker(), threading.Event()
    done = partial(asker.show_both, "") if bound else asker.show_answer
    background.run(lambda: "first", done)
    qtbot.waitUntil(lambda: asker.text() == "first")
    told: list[str] = []
    background.run(lambda: str(held.wait(10)), done)
    asker.deleteLater()
    with qtbot.waitSignal(asker.destroyed):
        pass
    held.set()
    background.run(lambda: "last", told.append)
    qtbot.waitUntil(lambda: told == ["last"])
    qtbot.wait(20)  # an error in an answer that came late would be told with this test

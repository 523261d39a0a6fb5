"""Work that runs elsewhere is told here, unless the widget that asked is gone."""

from __future__ import annotations

import threading
import time
from functools import partial

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base import background as background_module
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


class Slow(threading.Thread):
    """Takes a moment to end."""

    def run(self) -> None:
        target = self._target
        super().run()
        time.sleep(0.1)
        del target


def test_what_the_work_held_is_let_go_in_the_gui_thread(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_module, "Thread", Slow)
    ended: list[threading.Thread] = []

    class Held:
        def __del__(self) -> None:
            ended.append(threading.current_thread())

    def ask(held: Held) -> None:
        background.run(lambda: repr(held), lambda _: told.append(held))

    background, told = Background(), list[Held]()
    ask(Held())
    qtbot.waitUntil(lambda: len(told) == 1)
    told.clear()
    qtbot.waitUntil(lambda: len(ended) == 1)
    assert ended == [threading.main_thread()]

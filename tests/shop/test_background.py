"""Work that runs elsewhere is told here, unless the widget that asked is gone."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable
from functools import partial

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from petstore_desktop import threads
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.shop.background import Background, at_work
from tests.support.patience import PATIENCE_S


class Asker(QLabel):
    """Shows what it is told."""

    def show_answer(self, words: str) -> None:
        """Show it."""
        self.setText(words)

    def show_both(self, before: str, words: str) -> None:
        """Show it after other words."""
        self.setText(before + words)


def hand_on(done: Callable[[str], None], words: str) -> None:
    done(words)


@pytest.mark.parametrize("way", ["method", "bound", "handed on"])
def test_an_answer_is_shown_and_one_for_a_deleted_widget_is_dropped(qtbot: QtBot, way: str) -> None:
    background, asker, held = Background(), Asker(), threading.Event()
    ways = {"bound": partial(asker.show_both, ""), "handed on": partial(hand_on, asker.show_answer)}
    done = ways.get(way, asker.show_answer)
    background.run(lambda: "first", done)
    qtbot.waitUntil(lambda: asker.text() == "first")
    told: list[str] = []
    background.run(lambda: str(held.wait(PATIENCE_S)), done)
    asker.deleteLater()
    with qtbot.waitSignal(asker.destroyed):
        pass
    held.set()
    background.run(lambda: "last", told.append)
    qtbot.waitUntil(lambda: told == ["last"])
    qtbot.wait(20)  # an error in an answer that came late would be told with this test


class Slow(threads.Worker):
    """Takes a moment to end, with its work in hand."""

    def run(self) -> None:
        work = getattr(self, "_target")  # noqa: B009 -- of the standard library, which lets go of it before its end
        super().run()
        time.sleep(0.1)
        del work


def test_what_the_work_held_is_let_go_in_the_gui_thread(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "Worker", Slow)
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


class Page(QLabel):
    """Notes in which thread it ends."""

    def __init__(self, ended: list[threading.Thread]) -> None:
        super().__init__()
        self._ended = ended

    def look(self) -> str:
        """Raises what nobody expects."""
        raise LookupError("nobody expected this")

    def __del__(self) -> None:
        self._ended.append(threading.current_thread())


@pytest.fixture
def unexpected(monkeypatch: pytest.MonkeyPatch) -> list[BaseException]:
    """What reaches the one place where all unexpected errors are told."""
    heard: list[BaseException] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: heard.append(args.exc_value))
    return heard


def test_work_that_fails_unexpectedly_is_told_and_leaves_nothing(qtbot: QtBot, unexpected: list[BaseException]) -> None:
    background, ended, failed = Background(), list[threading.Thread](), list[bool]()
    background.run(Page(ended).look, lambda _: None, lambda: failed.append(True))  # the work has the last reference
    qtbot.waitUntil(lambda: failed == [True])
    assert [type(error) for error in unexpected] == [LookupError]
    assert at_work == []
    unexpected.clear()
    gc.collect()
    assert ended == [threading.main_thread()]


def test_who_waits_for_an_attempt_hears_that_it_failed(qtbot: QtBot, unexpected: list[BaseException]) -> None:
    told = list[object]()
    Background().attempt(Page([]).look, told.append)
    qtbot.waitUntil(lambda: len(told) == 1)
    assert isinstance(told[0], ShopError)
    assert [str(error) for error in unexpected] == ["nobody expected this"]


def test_what_is_told_after_the_end_of_who_asked_is_dropped(qtbot: QtBot) -> None:
    parent, held, told = QObject(), threading.Event(), list[str]()
    background = Background(parent)
    background.run(lambda: str(held.wait(PATIENCE_S)), told.append)
    delete(parent)
    background.call(lambda: told.append("called"))
    held.set()
    qtbot.waitUntil(lambda: at_work == [])
    assert told == []

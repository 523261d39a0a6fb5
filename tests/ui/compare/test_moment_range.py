"""The two moments of a comparison: to the second where nobody edits them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.domain.seen_changes import Span
from petstore_desktop.ui.compare.moment_range import MomentRange, Moments
from tests.ui.compare.week import NOW

EXACT = Moments(NOW - 5_000.3, NOW - 61.7)


@pytest.fixture
def chosen(qtbot: QtBot) -> Iterator[MomentRange]:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = MomentRange(lambda: NOW, lambda: None, parent)
    made.use(EXACT)
    yield made  # while its parent lives


def test_editing_one_moment_leaves_the_other_to_the_second(chosen: MomentRange) -> None:
    chosen.last.setDateTime(chosen.last.dateTime().addSecs(-3_600))
    assert chosen.moments() == Moments(EXACT.then, (EXACT.now - 3_600) // 60 * 60)
    chosen.use(EXACT)
    chosen.first.setDateTime(chosen.first.dateTime().addSecs(-3_600))
    assert chosen.moments() == Moments((EXACT.then - 3_600) // 60 * 60, EXACT.now)


def test_the_minute_of_the_first_reading_is_early_enough() -> None:
    span = Span(NOW - 26.3, NOW)
    assert Moments((NOW - 26.3) // 60 * 60, NOW).problem(span, NOW) == ""
    assert Moments((NOW - 26.3) // 60 * 60 - 1, NOW).problem(span, NOW) == "too-early"

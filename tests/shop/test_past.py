"""The window asks for the past of a shop, and is told in its own thread."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

from pytestqt.qtbot import QtBot

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.shop.past import PastQuestions
from tests.store.history.past_bench import ADDRESS, KOI, NO_HISTORY, PastBench, pet, stock, told_of


def told(qtbot: QtBot, ask: Any, *arguments: Any) -> Any:
    """What comes back, in this thread, a moment later."""
    answers: list[Any] = []
    ask(*arguments, answers.append)
    assert answers == [], "nobody waits for the disk"
    qtbot.waitUntil(lambda: bool(answers))
    return answers[0]


def test_each_question_is_answered_beside_the_writer(qtbot: QtBot, tmp_path: Path) -> None:
    bench = PastBench(tmp_path)
    past = PastQuestions(bench.path, ADDRESS)
    assert told(qtbot, past.span) == NO_HISTORY
    bench.walk(pet(1))
    bench.walk(stock(1, 5))
    bench.walk(pet(1, "Kai"))
    bench.walk(stock(1, 3))
    assert told(qtbot, past.span) == told_of(1_002.0, 1_004.0, Resource.PETS, Resource.INVENTORY)
    assert [one.field for one in told(qtbot, past.changes_between, 1_002.0, 1_003.0)] == ["name"]
    assert [one.field for one in told(qtbot, past.changes_of, KOI)] == ["quantity", "name"]
    assert told(qtbot, past.changes_of, Ref(Resource.INVENTORY, LocalId("0" * 32))) == []
    assert told(qtbot, past.units_gone, 0.0) == {1: 2}
    assert [one.pets for one in told(qtbot, past.totals, date(1970, 1, 1), date(1970, 1, 2))] == [{"available": 1}]
    assert told(qtbot, PastQuestions(bench.path, "https://other.example").span) == NO_HISTORY
    bench.close()


def test_a_history_that_cannot_be_read_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "history.db").write_bytes(b"no database at all, and long enough for a page" * 100)
    error = told(qtbot, PastQuestions(tmp_path / "history.db").span)
    assert isinstance(error, StorageError)
    assert error.code == "damaged"

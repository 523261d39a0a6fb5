"""Bookings of one, answers that are lost, and a colleague who books the same or the opposite: it adds up."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.sync.send import next_step, settling
from petstore_desktop.sync.send.lost_answer import LostAnswer
from tests.support.opposite_acts import books_by_ones
from tests.support.virtual_time import VirtualTime

ACTS, MOST = 14, 96
"""`dev.py long desks` does many more."""


@pytest.mark.parametrize("etags", [True, False])
def test_it_adds_up(loop: VirtualTime, tmp_path: Path, *, etags: bool) -> None:
    found = books_by_ones(loop, tmp_path, seed=1, acts=ACTS, etags=etags)
    print(found)  # noqa: T201 - the counts are part of the proof
    assert found.wrong == []
    assert found.lost > ACTS / 3
    assert found.asked
    assert found.kills


@pytest.mark.parametrize("etags", [True, False])
def test_a_program_that_compares_values_alone_is_found_out(
    loop: VirtualTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, etags: bool
) -> None:
    for module in (next_step, settling):
        monkeypatch.setattr(module, "settle", _by_values)
    assert books_by_ones(loop, tmp_path, seed=1, acts=MOST, etags=etags, until_wrong=True).wrong


def test_a_program_that_believes_a_number_upon_an_old_one_is_found_out(
    loop: VirtualTime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LostAnswer, "rests_on_now", property(lambda _: True))
    assert books_by_ones(loop, tmp_path, seed=2, acts=MOST, etags=True, until_wrong=True).wrong


def _by_values(intent: object, sent: object, row: object, *, soon: bool, versioned: bool) -> object:
    """As it was once."""
    now = {name: getattr(row.record, name) for name in sent.value}
    if now == dict(sent.value):
        return ChangeState.DONE, None
    return ChangeState.QUEUED, None

"""A list without an end does not fill the disk: not in one walk, and not in many."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.api.lists import pages
from petstore_desktop.domain.commands import Refresh
from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import Resource
from petstore_desktop.sync.send import walker
from petstore_desktop.sync.wire.events import LoadFailed
from tests.support.bombs import Endless
from tests.support.odd_service import OddService
from tests.support.session import Watched
from tests.support.soon_again import soon_again


def failures(shop: Watched) -> list[AnswerUnusable]:
    return [event.error for event in shop.of(LoadFailed) if isinstance(event.error, AnswerUnusable)]


def test_the_mirror_stays_in_its_bound_and_takes_up_a_service_that_was_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MOST_ROWS", 2_000)
    monkeypatch.setattr(walker, "MOST_MIRROR", 1_500_000)
    soon_again(monkeypatch.setattr)
    endless = Endless()
    with OddService(endless) as service, Watched(tmp_path, url=service.url, key="some-key") as shop:
        for times in range(1, 4):
            shop.wait(lambda times=times: len(failures(shop)) >= times, "the list is left")
            shop.submit(Refresh((Resource.PETS,)))
        assert {error.code for error in failures(shop)} == {"endless"}
        endless.mended = True
        shop.wait(lambda: shop.ended(Resource.PETS), "the list is read")
        assert set(shop.rows[Resource.PETS]) == {1}
    size = sum(path.stat().st_size for path in tmp_path.rglob("mirror.db"))
    assert size < 2_500_000
    history = sum(path.stat().st_size for path in tmp_path.rglob("history.db*"))
    assert history < 400_000  # the rows of a list that never ended are not written a second time

"""A start that finds its journal gone says so, once; a first start has nothing to say."""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.domain.records import Resource
from petstore_desktop.sync.events import BatchesMoved, MirrorRead, Trouble
from tests.support.session import NAME, Watched
from tests.support.shop import Shop


@pytest.fixture
def shop(tmp_path: Path):
    with Shop(tmp_path / "shop", pets=5) as running:
        yield running


def troubles(data: Path, shop: Shop) -> list[tuple[str, object]]:
    """What a start had to say: codes and files."""
    with Watched(data, shop) as started:
        started.wait(lambda: started.of(BatchesMoved) and started.of(MirrorRead), "it is at work")
        return [(event.error.code, event.error.params.get("path")) for event in started.of(Trouble)]


@pytest.mark.parametrize("empty", [False, True], ids=["gone", "empty"])
def test_a_journal_that_is_gone_is_told_once(tmp_path: Path, shop: Shop, empty: bool) -> None:
    data = tmp_path / "data"
    assert troubles(data, shop) == []
    assert troubles(data, shop) == []
    journal = Watched(data, shop, start=False).places.journal(NAME)
    for part in journal.parent.glob("journal.db*"):
        part.unlink()
    if empty:
        journal.touch()
    assert troubles(data, shop) == [("journal-gone", str(journal))]
    assert troubles(data, shop) == []


def test_a_log_without_its_file_is_told_as_damage(tmp_path: Path, shop: Shop) -> None:
    data = tmp_path / "data"
    with Watched(data, shop) as started:
        started.wait_loaded(Resource.PETS)
        journal = started.places.journal(NAME)
        log = journal.with_name("journal.db-wal").read_bytes()
    journal.unlink()
    journal.with_name("journal.db-wal").write_bytes(log)
    ((code, kept),) = troubles(data, shop)
    assert code == "journal-set-aside"
    assert Path(str(kept)).read_bytes() == log

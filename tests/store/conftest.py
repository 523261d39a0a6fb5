"""Files that the store's tests open."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from petstore_desktop.store.journal.journal import Journal
from petstore_desktop.store.mirror.mirror import Mirror
from petstore_desktop.store.sqlite import database
from petstore_desktop.store.sqlite.migrations import migrate


@pytest.fixture(autouse=True)
def _made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """How a file comes to be is tested here."""
    monkeypatch.setattr(database, "migrate", migrate)


@pytest.fixture
def journal_path(tmp_path: Path) -> Path:
    return tmp_path / "connections" / "shop" / "journal.db"


@pytest.fixture
def journal(journal_path: Path) -> Iterator[Journal]:
    journal = Journal(journal_path)
    yield journal
    journal.close()


@pytest.fixture
def mirror_path(tmp_path: Path) -> Path:
    return tmp_path / "connections" / "shop" / "mirror.db"


@pytest.fixture
def mirror(mirror_path: Path) -> Iterator[Mirror]:
    mirror = Mirror(mirror_path)
    yield mirror
    mirror.close()

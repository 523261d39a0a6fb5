"""The first rows of a start, before what sorts and filters long lists is loaded."""

from __future__ import annotations

import pytest

from petstore_desktop.desk.table import table as table_module
from petstore_desktop.domain.records import Pet, Resource
from tests.desk.shopkit import new_desk, tell


def test_they_stand_as_they_were_kept_until_they_can_be_filtered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table_module, "_ENGINE", "nothing that is loaded")
    desk = new_desk()
    tell(desk, Resource.PETS, Pet(1, "Ant"), Pet(2, "Bee"), Pet(3, "Bat"))
    table = desk.tables[Resource.PETS]
    table.open()
    table.sort_by("name", descending=True)
    table.set_filters("b", {"id": "2", "status": " "})
    assert (table.keys(), table.filter_text, table.column_filters) == ([2, 3, 1], "b", {"id": "2"})
    assert table.is_filtered
    with pytest.raises(KeyError):
        table.set_filters("", {"no such": "1"})
    table.work(9e9)
    assert (table.keys(), table.filter_text, table.column_filters) == ([2], "b", {"id": "2"})

"""Views in a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from petstore_desktop.desk.jump.views import (
    ColumnLayout,
    InvalidView,
    SavedView,
    ViewList,
    from_json,
    shipped_views,
    take_in,
    to_json,
    view_list_from_json,
    view_list_to_json,
)
from petstore_desktop.domain.errors import BadInput, StorageError
from petstore_desktop.domain.records import Resource
from petstore_desktop.shop import own_files as views_file
from petstore_desktop.shop.own_files import read_views, write_views

SHIPPED = shipped_views(str.upper)
SLIM = SavedView(
    "Slim \u202e & <b>",
    Resource.PETS,
    "koi",
    {"stock": "<5"},
    (("stock", True),),
    ColumnLayout(frozenset({"orders"}), ("gutter", "name")),
    id="own:1",
)
LATE = SavedView("Late", Resource.ORDERS, filters={"ship_date": "overdue"}, id="own:2")


def test_views_come_back_from_a_file_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "views.json"
    write_views(path, [to_json(SLIM), to_json(LATE)])
    taken = take_in(ViewList(SHIPPED), read_views(path))
    assert [view.name for view in taken.new] == [SLIM.name, "Late"]
    assert taken.new[0].columns == SLIM.columns and taken.new[0].shows(SLIM) and taken.new[1].shows(LATE)
    again = take_in(taken.view_list, read_views(path))
    assert (again.new, again.renamed, again.same, again.view_list) == ((), (), 2, taken.view_list)


def test_a_view_of_a_data_check_goes_to_a_file_and_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "views.json"
    odd = SavedView("Odd", Resource.PETS, filters={"gutter": "sold-with-stock|same-name"}, id="own:3")
    write_views(path, [to_json(odd)])
    (taken,) = take_in(ViewList(SHIPPED), read_views(path)).new
    assert taken.shows(odd)
    gone = ViewList(SHIPPED).without(next(view for view in SHIPPED if view.id == "pets.same-name"))
    kept, unread = view_list_from_json(SHIPPED, view_list_to_json(gone, ()))
    assert (kept, unread) == (gone, ())
    assert kept.mended().view("pets.same-name") in SHIPPED


def test_a_view_whose_name_is_taken_is_called_apart_and_nothing_here_is_lost() -> None:
    view_list = ViewList(SHIPPED).with_view(LATE)
    other = SavedView("late", Resource.ORDERS, "koi", id="own:3")
    taken = take_in(view_list, [to_json(other)])
    assert [view.name for view in taken.renamed] == ["late 2"]
    assert taken.view_list.view("own:2") == LATE


@pytest.mark.parametrize(
    ("value", "invalid"),
    [
        (3, InvalidView("not-a-view")),
        ({"name": " ", "list": "pets"}, InvalidView("no-name")),
        ({"name": "A" * 81, "list": "pets"}, InvalidView("long-name", "A" * 40 + "…")),
        ({"name": "A", "list": "toys"}, InvalidView("unknown-list", "A", "toys")),
        ({"name": "A", "list": "pets", "filters": {"size": ">1"}}, InvalidView("unknown-column", "A", "size")),
        ({"name": "A", "list": "pets", "sort": [["size", True]]}, InvalidView("unknown-column", "A", "size")),
        ({"name": "A", "list": "pets", "sort": [["name", 1]]}, InvalidView("not-a-view", "A")),
        ({"name": "A", "list": "pets", "filters": {"name": 1}}, InvalidView("not-a-view", "A")),
        ({"name": "A", "list": "pets", "text": None}, InvalidView("not-a-view", "A")),
    ],
)
def test_what_does_not_fit_is_told_apart_from_what_is_no_view(value: object, invalid: InvalidView) -> None:
    assert from_json(value) == invalid
    assert take_in(ViewList(SHIPPED), [to_json(LATE), value]).invalid == (replace(invalid, place=2),)


def test_what_was_kept_and_cannot_be_read_is_kept_on() -> None:
    strange = {"name": "A", "list": "toys"}
    kept = view_list_to_json(ViewList(SHIPPED, (SLIM,), frozenset({"pets.pending"}), ("own:1", "pets.all")), [strange])
    view_list, unread = view_list_from_json(SHIPPED, kept)
    assert (view_list.own, view_list.gone, view_list.order) == ((SLIM,), {"pets.pending"}, ("own:1", "pets.all"))
    assert unread == (strange,)
    for damaged in (None, 3, {"own": 3, "gone": {}, "order": [3]}):
        assert view_list_from_json(SHIPPED, damaged) == (ViewList(SHIPPED), ())


def test_a_file_of_something_else_is_refused_and_one_that_is_not_there_told(tmp_path: Path) -> None:
    path = tmp_path / "views.json"
    for content in ("", "[]", '{"format": "other", "views": []}', "\xff" * 9, "[" * 9999):
        path.write_bytes(content.encode("latin-1"))
        with pytest.raises(BadInput):
            read_views(path)
    with pytest.raises(StorageError):
        read_views(tmp_path / "nowhere.json")
    with pytest.raises(StorageError):
        write_views(tmp_path / "nowhere" / "views.json", [])


def test_a_file_of_views_has_a_bound_that_holds_just_past_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "views.json"
    write_views(path, [to_json(LATE)])
    monkeypatch.setattr(views_file, "_MOST", path.stat().st_size)
    assert len(read_views(path)) == 1
    monkeypatch.setattr(views_file, "_MOST", path.stat().st_size - 1)
    with pytest.raises(BadInput, match="not-views"):
        read_views(path)

"""Views: which there are, in which order, and what counts as changed."""

from __future__ import annotations

from petstore_desktop.desk.jump.views import (
    ColumnLayout,
    SavedView,
    ViewList,
    counting,
    first_keys,
    new_id,
    shipped_views,
)
from petstore_desktop.domain.low_stock import Minimums
from petstore_desktop.domain.records import Resource
from tests.desk.shopkit import small_shop

SHELF = ViewList(shipped_views(str.upper))
SLIM = SavedView(
    "Slim", Resource.PETS, "koi", {"stock": "<5"}, (("stock", True),), ColumnLayout(frozenset({"orders"})), id="own:1"
)


def ids(view_list: ViewList, resource: Resource) -> list[str]:
    return [view.id for view in view_list.of(resource)]


def test_each_list_has_a_view_of_all_of_it_and_that_comes_first() -> None:
    for resource in Resource:
        assert SHELF.of(resource)[0].is_all


def test_the_first_nine_views_have_keys() -> None:
    keys = first_keys(SHELF.all())
    assert sorted(keys.values()) == list(range(1, 10))
    wanted = ("inventory.low", "orders.overdue", "orders.open", "orders.week", "pets.pending", "pets.changed")
    assert {*wanted, "pets.all", "pets.unsent", "pets.attention"} == set(keys)


def test_a_saved_view_comes_last_and_takes_a_key_when_it_is_moved_up() -> None:
    view_list = SHELF.with_view(SLIM)
    assert [view for view in view_list.all() if not view.is_check][-1] == SLIM
    view_list = view_list.moved(SLIM, -1)
    assert first_keys(view_list.all())["own:1"] == 9
    assert ids(view_list, Resource.PETS)[-5:-3] == ["own:1", "pets.attention"], "before those of data checks"


def test_views_of_data_checks_stand_last_and_among_themselves() -> None:
    view_list = SHELF.with_view(SLIM)
    checks = [view.id for view in view_list.all() if view.is_check]
    assert len(checks) == 8
    assert ids(view_list, Resource.PETS)[-3:] == ["pets.sold-with-stock", "pets.without-category", "pets.same-name"]
    first = view_list.view("pets.sold-with-stock")
    assert first is not None
    assert view_list.moved(first, -1) == view_list
    moved = ids(view_list.moved(first, 1), Resource.PETS)
    assert moved[-4:] == ["own:1", "pets.without-category", "pets.sold-with-stock", "pets.same-name"]
    assert ids(view_list.without(first), Resource.PETS)[-3:] == ["own:1", "pets.without-category", "pets.same-name"]
    assert view_list.without(first).mended() == view_list


def test_moving_up_and_down_again_changes_nothing_in_the_menu() -> None:
    view_list = SHELF.with_view(SLIM)
    before = ids(view_list, Resource.PETS)
    pending = view_list.view("pets.pending")
    assert pending is not None
    assert ids(view_list.moved(pending, 1).moved(pending, -1), Resource.PETS) == before
    assert view_list.moved(pending, -1) == view_list, "nothing goes before the whole list"
    assert view_list.moved(SLIM, 1) == view_list


def test_a_deleted_view_is_gone_until_those_that_ship_are_brought_back() -> None:
    pending = SHELF.view("pets.pending")
    assert pending is not None
    view_list = SHELF.without(pending)
    assert "pets.pending" not in ids(view_list, Resource.PETS)
    assert view_list.mended() == SHELF
    assert SHELF.without(SHELF.all()[0]) == SHELF, "the whole list stays"


def test_a_shipped_view_that_is_changed_keeps_its_place() -> None:
    pending = SHELF.view("pets.pending")
    assert pending is not None
    mine = SavedView("Waiting", Resource.PETS, "pending", id=pending.id)
    view_list = SHELF.with_view(mine)
    assert view_list.all()[1] == mine
    assert view_list.with_view(mine) == view_list
    assert view_list.without(mine).mended().view("pets.pending") == pending


def test_names_are_compared_without_case_and_accents() -> None:
    view_list = SHELF.with_view(SavedView("Café", Resource.PETS, id=new_id()))
    found = view_list.named(" CAFE ", Resource.PETS)
    assert found is not None and found.name == "Café"
    assert view_list.named("Café", Resource.ORDERS) is None


def test_a_list_shows_a_view_as_long_as_filter_sort_and_columns_are_its_own() -> None:
    def now(text: str = "koi", stock: str = "<5", hidden: str = "orders", down: bool = True) -> SavedView:
        return SavedView(
            "", Resource.PETS, text, {"stock": stock}, (("stock", down),), ColumnLayout(frozenset({hidden}))
        )

    assert SLIM.shows(now())
    assert SLIM.shows(now(text=" koi ", stock="<5 "))
    for other in (now(text=""), now(stock="<6"), now(hidden="status"), now(down=False)):
        assert not SLIM.shows(other)


def test_in_the_whole_list_every_filter_is_only_for_now() -> None:
    assert SHELF.all()[0].shows(SLIM)


def test_each_view_is_counted_as_it_would_be_shown_and_none_is_opened_for_it() -> None:
    desk = small_shop()
    desk.set_minimums(Minimums({940: 30}))
    desk.set_changed_today({Resource.ORDERS: frozenset({2})})
    steps = list(counting(desk.shop, SHELF.all()))
    assert None in steps, "others have their turn in between"
    told = dict(filter(None, steps))
    assert not any(table.is_open for table in desk.tables.values())
    for view in SHELF.all():
        table = desk.tables[view.resource]
        table.open()
        table.set_filters(view.text, view.filters)
        assert told[view.id] == table.row_count, view.id
    assert (told["inventory.low"], told["orders.changed"], told["orders.overdue"]) == (1, 1, 1)
    assert dict(filter(None, counting(desk.shop, [SLIM]))) == {}, "that would take too long for a menu"

"""The palette finds what is meant, the best first, in small steps."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.jump.palette import (
    LIMIT,
    Entry,
    EntryKind,
    Fit,
    Palette,
    Search,
    SearchResult,
    fit_of,
    parse_query,
)
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.changes import SetFields
from petstore_desktop.domain.records import INT64_MAX, Category, InventoryItem, Order, Pet, Ref, Resource
from tests.desk.shopkit import Journal, new_desk, small_shop, tell

VIEWS = tuple(
    Entry(EntryKind.VIEW, f"view:{name}", name)
    for name in ("All pets", "Low stock", "Overdue orders", "Open orders", "Pending", "Changed today")
)
ACTIONS = (
    Entry(EntryKind.ACTION, "action:setPending", "Set pending", "Shop"),
    Entry(EntryKind.ACTION, "action:setSold", "Set sold", "Shop", enabled=False),
    Entry(EntryKind.ACTION, "action:edit", "Edit", "Edit"),
)


def palette_of(desk: Desk, looks_up: bool = True) -> Palette:
    return Palette(desk.shop, lambda _resource: looks_up)


def finished(search: Search) -> list[SearchResult]:
    for _ in search.steps:
        pass
    return search.results()


def found(desk: Desk, text: str, recent: tuple[tuple[str, Ref | None], ...] = (), looks_up: bool = True) -> list[str]:
    entries = (*VIEWS, *ACTIONS)
    return [
        f"look:{result.id}" if result.kind is EntryKind.LOOK_UP else result.id
        for result in finished(palette_of(desk, looks_up).search(text, entries, recent))
    ]


def shop_with_koi() -> Desk:
    """Koi in several names, and orders of them."""
    desk = small_shop()
    tell(
        desk,
        Resource.PETS,
        Pet(10, "Ghost koi, silver", 1),
        Pet(11, "Koi, golden", 1),
        Pet(12, "Pikoita", 1),
        Pet(4, "Pendant canary", 2),
        Pet(5, "Élodie", 2),
    )
    tell(desk, Resource.CATEGORIES, Category(3, "Koi and goldfish"))
    tell(
        desk,
        Resource.ORDERS,
        Order(20, 1234, 1, "2025-11-20T09:00:00Z", False),
        Order(21, 11, 1, "2025-11-27T09:00:00Z", False),
        Order(22, 11, 1, "2025-12-27T09:00:00Z", True),
        Order(23, 12, 1, "2026-01-27T09:00:00Z", False),
        Order(1234, 10, 1, "2025-11-10T09:00:00Z", False),
    )
    return desk


def test_the_beginning_of_a_view_comes_before_actions_and_records() -> None:
    desk = shop_with_koi()
    assert found(desk, "pend")[:3] == ["view:Pending", "pets:4", "action:setPending"]
    assert found(desk, "low")[0] == "view:Low stock"
    assert found(desk, "OVER")[0] == "view:Overdue orders"


def test_what_can_be_done_to_the_view_that_is_shown_comes_after_all_that_is_found_by_its_name() -> None:
    desk = shop_with_koi()
    tell(desk, Resource.PETS, Pet(30, "Yellow tang"))
    rename = Entry(EntryKind.ACTION, "action:renameView", "Rename “Low stock”", "Views", last=True)
    entries = (rename, *VIEWS, *ACTIONS)
    results = finished(palette_of(desk).search("low", entries, (("action:renameView", None),)))
    assert [result.id for result in results] == ["view:Low stock", "pets:940", "pets:30", "action:renameView"]
    assert finished(palette_of(desk).search("rename", entries, ()))[0].id == "action:renameView"


def test_an_id_leads_to_the_order_before_the_pet() -> None:
    desk = shop_with_koi()
    for typed in ("1234", "#1234", " 1,234", "1 234"):
        assert found(desk, typed)[:2] == ["orders:1234", "pets:1234"], typed
    assert found(desk, "p:1234") == ["pets:1234"]
    assert found(desk, "s:1234") == ["inventory:1234"]
    assert found(desk, "c:3") == ["categories:3"]


def test_ids_that_begin_so_come_after_the_exact_one() -> None:
    desk = shop_with_koi()
    tell(desk, Resource.PETS, Pet(12345, "Newt"), Pet(123, "Toad"))
    assert found(desk, "123", looks_up=False) == ["pets:123", "orders:1234", "pets:1234", "pets:12345"]


def test_names_come_whole_then_by_their_beginning_then_by_a_word_then_by_a_part() -> None:
    assert found(shop_with_koi(), "koi") == ["pets:1234", "pets:11", "categories:3", "pets:10", "pets:12"]
    assert found(shop_with_koi(), "silver GHOST") == ["pets:10"]
    assert found(shop_with_koi(), "elo") == ["pets:5"]


def test_what_was_used_last_comes_first_among_equals_only() -> None:
    desk = shop_with_koi()
    recent = (("categories:3", Ref(Resource.CATEGORIES, 3)), ("pets:12", Ref(Resource.PETS, 12)))
    assert found(desk, "koi", recent) == ["pets:1234", "categories:3", "pets:11", "pets:10", "pets:12"]


def test_an_order_is_found_by_the_name_of_its_pet_the_newest_open_one_first() -> None:
    assert found(shop_with_koi(), "o:koi") == [
        "orders:20",
        "orders:1",
        "orders:21",
        "orders:1234",
        "orders:3",
        "orders:22",
        "orders:23",
    ]


def test_stock_is_found_by_the_name_of_its_pet_where_there_is_any() -> None:
    desk = shop_with_koi()
    assert found(desk, "s:koi") == ["inventory:1234"]
    tell(desk, Resource.INVENTORY, InventoryItem(11, 2))
    assert found(desk, "s: koi") == ["inventory:1234", "inventory:11"]


def test_an_id_that_is_not_here_can_be_looked_up_where_the_service_can() -> None:
    desk = shop_with_koi()
    assert found(desk, "940") == ["pets:940", "look:orders:940"]
    assert found(desk, "7000") == ["look:orders:7000", "look:pets:7000"]
    assert found(desk, "c:7000") == ["look:categories:7000"]
    assert found(desk, "7000", looks_up=False) == []
    assert found(desk, str(INT64_MAX)) == [f"look:orders:{INT64_MAX}", f"look:pets:{INT64_MAX}"]
    assert found(desk, str(INT64_MAX + 1)) == []


def test_an_action_that_cannot_be_used_now_is_found_after_those_that_can() -> None:
    desk = new_desk()
    assert found(desk, "set") == ["action:setPending", "action:setSold"]


def test_an_action_is_found_by_what_else_it_may_be_called_where_a_word_begins_so() -> None:
    desk = shop_with_koi()
    tell(desk, Resource.PETS, Pet(31, "Dark moor"), Pet(32, "Dark"), Pet(33, "Light Sussex"))
    theme = Entry(
        EntryKind.ACTION, "action:preferences", "Preferences", "File", also="settings theme dark light text size"
    )

    def ids(text: str) -> list[str]:
        return [result.id for result in finished(palette_of(desk).search(text, (*VIEWS, *ACTIONS, theme), ()))]

    assert ids("dark") == ["pets:32", "action:preferences", "pets:31"]
    assert ids("light")[0] == ids("THEME")[0] == ids("text size")[0] == ids("pref theme")[0] == theme.id
    assert ids("them") == [theme.id]
    assert ids("heme") == ids("file ark") == []


def test_nothing_typed_offers_what_was_used_last_then_views_and_actions() -> None:
    desk = shop_with_koi()
    recent = (("pets:11", Ref(Resource.PETS, 11)), ("view:Pending", None), ("pets:999", Ref(Resource.PETS, 999)))
    offered = found(desk, "", recent)
    assert offered[:3] == ["pets:11", "view:Pending", "view:All pets"]
    assert offered[-1] == "action:setSold"
    assert found(desk, "o:", recent) == []
    assert found(desk, "p:", recent) == ["pets:11"]


def test_a_name_that_was_changed_here_is_found_as_it_is_shown() -> None:
    desk = shop_with_koi()
    Journal(desk).act(Ref(Resource.PETS, 940), SetFields({"name": "Dory"}))
    assert found(desk, "dory") == ["pets:940"]
    assert found(desk, "clown") == []


def test_a_row_that_went_or_came_while_the_palette_is_open_is_not_mistaken() -> None:
    desk = shop_with_koi()
    palette = palette_of(desk)
    assert finished(palette.search("p:koi", (), ()))[0].id == "pets:1234"
    tell(desk, Resource.PETS, removed=(1234,))
    tell(desk, Resource.PETS, Pet(77, "Heron"))
    assert "pets:77" not in [result.id for result in finished(palette.search("p:koi", (), ()))]
    assert [result.id for result in finished(palette.search("heron", (), ()))] == ["pets:77"]


def test_a_search_of_many_names_is_cut_into_steps_and_says_the_best_at_once() -> None:
    desk = new_desk()
    tell(desk, Resource.PETS, *(Pet(n, f"Guppy {n}") for n in range(20_000)), Pet(50_000, "Pending order of a koi"))
    search = palette_of(desk).search("pend", VIEWS, ())
    steps = 1
    next(search.steps)
    assert [result.id for result in search.results()] == ["view:Pending"]
    for _ in search.steps:
        steps += 1
    assert steps > 20
    assert search.is_done
    assert [result.id for result in search.results()] == ["view:Pending", "pets:50000"]
    assert len(finished(palette_of(desk).search("guppy", (), ()))) == LIMIT


NAMES = st.text(alphabet="aAbB é-\nİßﬁΣ\u0301\u00a01", max_size=6)


@given(st.lists(NAMES, min_size=1, max_size=12), NAMES)
def test_every_name_that_holds_all_words_is_found_and_no_other(names: list[str], typed: str) -> None:
    desk = new_desk()
    tell(desk, Resource.PETS, *(Pet(n, name) for n, name in enumerate(names)))
    query = parse_query("p:" + typed)
    wanted = {
        f"pets:{n}"
        for n, name in enumerate(names)
        if query.words and all(word in fold(name).replace("\n", " ") for word in query.words)
    }
    if query.number is not None:
        wanted |= {f"pets:{n}" for n in range(len(names)) if str(n).startswith(str(query.number))}
    assert set(found(desk, "p:" + typed, looks_up=False)) == wanted


def test_a_word_begins_after_anything_that_is_no_letter() -> None:
    assert fit_of("lovebird, peach-faced", parse_query("faced")) is Fit.WORDS
    assert fit_of("lovebird, peach-faced", parse_query("bird")) is Fit.PARTS
    assert fit_of("koi", parse_query("Koi ")) is Fit.WHOLE
    assert fit_of("koi", parse_query("")) is None


def test_a_view_or_an_action_called_just_so_comes_before_one_that_begins_so_whatever_was_used() -> None:
    desk = shop_with_koi()
    entries = (
        Entry(EntryKind.VIEW, "view:orders.changed", "Orders changed today", "Orders"),
        Entry(EntryKind.ACTION, "action:ordersTab", "Orders", "View"),
        Entry(EntryKind.ACTION, "action:editCell", "Edit cell", "Edit"),
        Entry(EntryKind.ACTION, "action:edit", "Edit…", "Edit"),
    )

    def first(text: str, used: str) -> str:
        return finished(palette_of(desk).search(text, entries, ((used, None),)))[0].id

    assert first("orders", "view:orders.changed") == "action:ordersTab"
    assert first("orders ch", "action:ordersTab") == "view:orders.changed"
    assert first("edit", "action:editCell") == "action:edit"

"""What a service may write is shown, copied and stored letter by letter: markup, other scripts, emoji, control
characters, ids of 19 digits, and orders without any field."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.program.opened import Opened
from tests.program.running import command, until
from tests.support.shop import Shop

BIG = 9007199254740993  # the first id that a float would turn into another one
LARGEST = 9223372036854775807
AMPERSANDS = 1000000000000000002
NAMES = {
    BIG: ("<b>bold</b>", "<b>bold</b>"),
    LARGEST: ("قطة فارسية", "قطة فارسية"),
    1000000000000000001: ("Mimi 🐈‍⬛ 🧑🏽‍🚒", "Mimi 🐈‍⬛ 🧑🏽‍🚒"),
    AMPERSANDS: ("Tom & Jerry &amp; &lt;i&gt;", "Tom & Jerry &amp; &lt;i&gt;"),
    1000000000000000003: ("a\x00b\tc\x7fd", "a␀b␉c␡d"),
    1000000000000000004: ("first line\nsecond line", "first line↵second line"),
    1000000000000000005: ("\u202eliam\u202c", "‹202E›liam‹202C›"),
    1000000000000000006: ("  room around  ", "  room around  "),
    1000000000000000007: ("{id} {0} %n %1 %L1", "{id} {0} %n %1 %L1"),
    1000000000000000008: ("<img src='file:///etc/hostname'>", "<img src='file:///etc/hostname'>"),
}
"""Ids of pets, and for each the name as the service has it and as it must be seen."""
CATEGORY, CATEGORY_NAME = 4611686018427387904, "<h1>Cats & Dogs</h1>"
DANGLING = 12
"""A category that is not there."""
STATUS = "<u>lent</u>"
SHOP_NAME = "<i>Zoo</i> & Söhne"
ORDERS = [
    {},
    {},
    {"id": 8000000000000000001},
    {"petId": BIG},
    {"quantity": 5},
    {"shipDate": "<i>soon</i>"},
    {"complete": True},
    {"id": 8000000000000000002, "petId": BIG, "quantity": 3, "shipDate": "<s>never</s>", "complete": False},
]
KEPT = '{"id": %d, "name": "<b>bold</b>", "categoryId": %d, "status": "sold", "x-note": "<b>&</b>", "x-big": %d}'
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # pop-ups, in a window that outlives a test
ALL_TABS = {"pets": "Alt+P", "categories": "Alt+C", "orders": "Alt+O", "inventory": "Alt+I"}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    with Shop(tmp_path_factory.mktemp("shop"), plan="unlimited", pets=3) as running:
        ids = [int(key) for (key,) in running.rows("SELECT id FROM pets")]
        running.control("remove", pets=ids, inventory=ids)
        running.control("remove", orders=[int(key) for (key,) in running.rows("SELECT id FROM orders")])
        pets = [{"id": key, "name": name, "categoryId": CATEGORY} for key, (name, _) in NAMES.items()]
        pets[0] = KEPT % (BIG, CATEGORY, LARGEST)
        pets[1]["status"] = STATUS
        pets[2]["categoryId"] = DANGLING
        running.control("rows", categories=[{"id": CATEGORY, "name": CATEGORY_NAME, "description": "<p>&"}])
        running.control("rows", pets=pets, orders=ORDERS)
        running.control("rows", inventory=[{"petId": key, "quantity": 7, "status": "available"} for key in NAMES])
        yield running


@pytest.fixture(scope="module")
def data(shop: Shop, tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("hostile") / "data"
    assert command("--data-dir", str(data), "connect", SHOP_NAME, "--url", shop.url).returncode == 0
    return data


@pytest.fixture(scope="module")
def opened(shop: Shop, data: Path) -> Iterator[Opened]:
    with Opened(data, key=shop.key) as program:
        for resource, keys in ALL_TABS.items():
            show(program, resource, keys)
        yield program


@pytest.fixture
def program(opened: Opened) -> Opened:
    opened.ask("press", "Alt+P")
    return opened


def show(program: Opened, resource: str, keys: str) -> None:
    program.ask("press", keys)
    program.wait("rows", resource)
    editable = {"pets": "In stock", "categories": "Name", "orders": "State", "inventory": "In stock"}
    program.wait("writable", resource, editable[resource])


def name_in_shop(shop: Shop, pet: int) -> str:
    ((name,),) = shop.rows("SELECT name FROM pets WHERE id = ?", pet)
    return name


def test_what_was_seen_is_seen_again_without_the_shop(shop: Shop, data: Path) -> None:
    """The first of all: no window of the other tests is open yet."""
    with Opened(data, key=shop.key) as program:
        for resource, keys in ALL_TABS.items():
            show(program, resource, keys)
        program.ask("press", "Alt+P")
        seen = program.ask("cells", "pets")
        assert program.quit() == 0
    shop.control("offline")
    try:
        with Opened(data, key=shop.key) as again:
            again.ask("press", "Alt+P")
            # Whether a category that only one pet names is missing is known when the categories were read once more.
            known = {key: {name: text.replace("?", "") for name, text in row.items()} for key, row in seen.items()}
            until(lambda: again.ask("cells", "pets") in (seen, known), "the same from the mirror")
    finally:
        shop.control("offline", on=False)


def test_every_name_is_seen_and_copied_as_the_shop_has_it(program: Opened, shop: Shop) -> None:
    seen = program.ask("cells", "pets")
    assert {int(key): texts["Name"] for key, texts in seen.items()} == {key: sight for key, (_, sight) in NAMES.items()}
    assert {int(key): texts["Id"] for key, texts in seen.items()} == {key: str(key) for key in NAMES}
    assert {texts["Category"] for texts in seen.values()} - {"?", ""} == {CATEGORY_NAME}
    assert seen[str(LARGEST)]["Status"] == STATUS

    for key, (name, sight) in NAMES.items():
        program.ask("to_cell", "pets", str(key), "Name")
        program.ask("press", "Ctrl+C")
        assert program.ask("clipboard") == name_in_shop(shop, key) == name
        until(
            lambda sight=sight: any(sight.strip() in text for text in program.ask("shown_texts", "detailsPane")),
            f"the details of {sight}",
        )
        program.ask("to_cell", "pets", str(key), "Id")
        program.ask("press", "Ctrl+C")
        assert program.ask("clipboard") == str(key)


def test_names_are_seen_in_the_same_letters_where_they_stand_for_an_id(program: Opened) -> None:
    program.ask("press", "Alt+I")
    stock = program.ask("cells", "inventory")
    assert {int(key): texts["Pet"] for key, texts in stock.items()} == {key: sight for key, (_, sight) in NAMES.items()}

    program.ask("press", "Alt+O")
    orders = program.ask("cells", "orders")
    assert orders["8000000000000000002"]["Pet"] == "<b>bold</b>"
    assert orders["8000000000000000002"]["Ship date"] == "<s>never</s>"


def test_each_order_without_fields_has_a_row_of_its_own(program: Opened) -> None:
    program.ask("press", "Alt+O")
    orders = program.ask("cells", "orders")
    assert len(orders) == len(ORDERS)
    numbered = {key for key in orders if key.isdigit()}
    assert numbered == {"8000000000000000001", "8000000000000000002"}
    for key in orders:
        program.ask("to_cell", "orders", key, "Pet")
        assert program.ask("shown_texts", "detailsPane")
    assert any(texts["Ship date"] == "<i>soon</i>" for texts in orders.values())
    assert any(texts["Quantity"] == "5" for texts in orders.values())


def test_a_letter_typed_at_the_end_of_a_name_changes_nothing_else_of_it(program: Opened, shop: Shop) -> None:
    for key, (name, _) in [*NAMES.items()][1:8:2]:  # from the right, and with signs that are not shown
        program.ask("to_cell", "pets", str(key), "Name")
        program.ask("press", "F2", "End")
        program.ask("write", "х")  # a Cyrillic letter
        program.ask("press", "Return")
        until(lambda key=key, name=name: name_in_shop(shop, key) == f"{name}х", f"{name!r} with one letter more")
        program.ask("to_cell", "pets", str(key), "Name")
        program.ask("press", "F2", "End", "Backspace", "Return")
        until(lambda key=key, name=name: name_in_shop(shop, key) == name, f"{name!r} as it was")


def test_a_changed_status_leaves_all_other_fields_alone(program: Opened, shop: Shop) -> None:
    def others() -> list[tuple[object, ...]]:
        return shop.rows("SELECT id, name, category_id FROM pets ORDER BY id")

    before = others()
    for key, (name, _) in list(NAMES.items())[:3]:
        program.ask("to_cell", "pets", str(key), "Name")
        program.ask("press", "Ctrl+E")
        assert program.ask("dialogs") == ["editPetDialog"]
        program.ask("press", "Tab", "Tab")
        program.ask("write", "p")  # pending
        program.ask("press", "Return")
        until(
            lambda key=key: shop.rows("SELECT status FROM pets WHERE id = ?", key) == [("pending",)],
            f"the new status of {name!r}",
        )
    assert others() == before
    ((raw,),) = shop.rows("SELECT raw FROM pets WHERE id = ?", BIG)
    assert '"x-note":"<b>&</b>"' in raw and f'"x-big":{LARGEST}' in raw


def test_a_name_typed_into_the_dialog_is_stored_as_typed(program: Opened, shop: Shop) -> None:
    typed = "<b>neu</b> & 🐕 كلب"
    program.ask("to_cell", "pets", str(BIG), "Name")  # a pet whose category is known: the new one's is the same
    program.ask("press", "Ctrl+N")
    program.wait("widget", "newPetDialog")
    program.ask("write", typed)
    program.ask("press", "Ctrl+Return")
    until(lambda: shop.rows("SELECT 1 FROM pets WHERE name = ?", typed), "the new pet")
    ((key,),) = shop.rows("SELECT id FROM pets WHERE name = ?", typed)
    until(lambda: str(key) in program.ask("cells", "pets"), "its number")
    shop.control("remove", pets=[key])


DIALOGS = {
    "newPetDialog": ("pets", ["Ctrl+N"]),
    "editPetDialog": ("pets", ["Ctrl+E"]),
    "deleteDialog": ("pets", ["Delete"]),
    "categoryDialog": ("categories", ["Ctrl+E"]),
    "cancelOrderDialog": ("orders", ["Alt+3"]),
    "helpDialog": ("pets", ["Shift+F1"]),
}
MENU_DIALOGS = {
    "connectDialog": ("File", "Connect another shop…"),
    "keyDialog": ("File", "Change key…"),
    "preferencesDialog": ("File", "Preferences…"),
    "aboutDialog": ("Help", "About Pet Store Desktop"),
}


def test_nothing_in_the_window_can_show_markup(program: Opened, shop: Shop) -> None:
    assert program.ask("titles") == [f"{SHOP_NAME} — Pet Store Desktop"]
    for resource, keys in ALL_TABS.items():
        program.ask("press", keys)
        for key in program.ask("cells", resource):
            program.ask(
                "to_cell",
                resource,
                key,
                {"categories": "Name", "orders": "Pet", "inventory": "Pet"}.get(resource, "Name"),
            )
        assert program.ask("rich_text") == []
    for dialog, (resource, keys) in DIALOGS.items():
        program.ask("press", ALL_TABS[resource])
        some = {"pets": BIG, "categories": CATEGORY, "orders": 8000000000000000002}[resource]
        program.ask("to_cell", resource, str(some), "Pet" if resource == "orders" else "Name")
        program.ask("press", *keys)
        expect_plain(program, dialog)
    for dialog, (menu, entry) in MENU_DIALOGS.items():
        program.ask("choose", menu, entry)
        expect_plain(program, dialog)


def expect_plain(program: Opened, dialog: str) -> None:
    assert program.ask("dialogs") == [dialog]
    assert program.ask("rich_text") == []
    program.ask("press", "Escape")
    assert program.ask("dialogs") == []


def test_a_refusal_in_markup_is_shown_letter_by_letter(program: Opened, shop: Shop) -> None:
    said = "<b>no</b> & <a href='http://x'>never</a>"
    shop.control("refuse-writes", status=400, code="<i>bad</i>", message=said)
    try:
        program.ask("to_cell", "pets", str(BIG), "Name")
        program.ask("press", "Alt+1")
        until(lambda: program.ask("widget", "refusedBadge"), "the refusal")
        until(lambda: any(said in text for text in program.ask("shown_texts", "detailsPane")), "the service's words")
        assert program.ask("rich_text") == []
        program.ask("press", "Alt+A")
        program.ask("press", "Home")
        assert program.ask("rich_text") == []
        assert "<b>bold</b>" in str(program.ask("all_cells", "activityView"))
        assert said in str(program.ask("all_cells", "activityView"))
        program.ask("tab_to", "activityView")
        program.ask("press", "Down", "Up")
        program.ask("click", "Server response")
        assert said in program.ask("widget", "rawAnswer")["text"]
        expect_plain(program, "rawDialog")
        program.ask("click", "Discard")
        assert program.ask("rich_text") == []
        program.ask("click", "Discard")
        until(lambda: program.ask("widget", "activityView") is None, "that nothing waits")
    finally:
        shop.control("refuse-writes", on=False)


def test_dialogs_of_a_pause_are_plain_too(program: Opened, shop: Shop) -> None:
    shop.control("exhaust")  # the last test: the pause outlives the window
    program.ask("to_cell", "pets", str(AMPERSANDS), "In stock")
    program.ask("write", "+1")
    program.ask("press", "Return")
    program.wait("paused")
    undo = f"Undo +1 of \u2068{NAMES[AMPERSANDS][0]}\u2069 (#{AMPERSANDS})"
    until(lambda: program.ask("action_text", "undo") == undo, "the offer to undo it")
    program.ask("choose", "Shop", "Resume now…")
    expect_plain(program, "resumeDialog")
    program.ask("press", "Ctrl+Q")
    expect_plain(program, "closingDialog")
    assert program.ask("windows") == ["mainWindow"]

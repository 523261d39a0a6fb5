"""The real window at a service that has nothing in common with the demo shop but the fields of the specification: all
it shows, every kind of edit, a batch and its undo, a pause in the middle of a reading; its own books judge."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.program.opened import Opened
from tests.program.running import command, until
from tests.support.other_shop import OtherShop
from tests.support.other_shop_books import EXACT, LARGEST
from tests.support.other_shop_ways import Ways

SHOWN = {"pets": "animals", "categories": "kinds", "orders": "sales-orders", "inventory": "stock-levels"}
TABS = {"pets": "Alt+P", "categories": "Alt+C", "orders": "Alt+O", "inventory": "Alt+I"}


class Desk:
    """One window at that service, and its books."""

    def __init__(self, program: Opened, shop: OtherShop) -> None:
        self.program, self.shop, self.held = program, shop, shop.books.held

    def go(self, resource: str) -> dict[str, dict[str, str]]:
        """Show a list, once all of it is there."""
        self.program.ask("press", TABS[resource])
        more = self.shop.books.nameless if resource == "orders" else []
        count = len(self.held[SHOWN[resource]]) + len(more)
        until(lambda: self.program.ask("rows", resource) == count, f"{count} {resource}")
        return self.program.ask("cells", resource)

    def press(self, *keys: str) -> None:
        self.program.ask("press", *keys)

    def at(self, resource: str, number: int, column: str) -> None:
        """Go to a cell by keys."""
        self.program.ask("to_cell", resource, str(number), column)

    def type_over(self, text: str) -> None:
        """Give the current cell another text."""
        self.press("F2", "Ctrl+A")
        self.program.ask("write", text)
        self.press("Return")

    def dialog(self, name: str) -> None:
        until(lambda: self.program.ask("dialogs") == [name], f"{name} opens")

    def verb(self, name: str) -> None:
        """Answer a question with its verb: Tab leads there."""
        self.dialog(name)
        self.press("Tab", "Space")
        until(lambda: self.program.ask("dialogs") == [], f"{name} is answered")

    def has(self, collection: str, number: int, **fields: object) -> None:
        """Wait until the shop has a record like that."""
        until(
            lambda: fields.items() <= self.held[collection].get(number, {}).items(), f"{collection} {number}: {fields}"
        )

    def said(self, resource: str, number: int, column: str, text: str) -> None:
        """Wait until the window shows it, and says that nothing waits."""
        until(lambda: self.program.ask("cells", resource).get(str(number), {}).get(column) == text, f"{number} {text}")
        until(lambda: not self.program.ask("widget", "outboxBadge"), "that nothing waits")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """Another way in everything than the demo shop's; what each comes to: test_other_service_ways.py."""
    ways = Ways("link", "number", "query", "PUT", True, "nothing", "error")
    data = tmp_path / "data"
    with OtherShop(ways) as shop:
        done = command("--data-dir", str(data), "connect", "Menagerie", "--url", shop.url)
        assert done.returncode == 0, done.stderr
        with Opened(data, "--connection", "Menagerie", key=shop.key) as program:
            yield Desk(program, shop)
            assert program.ask("dialogs") == []
            assert program.quit() == 0
        assert shop.complaints == []


def whole(desk: Desk) -> list[tuple[str, int, str]]:
    """What was written, in order; a change is called so however this shop wants it."""
    names = {desk.shop.ways.change: "change"}
    return [(one.collection, one.number, names.get(one.method, one.method)) for one in desk.shop.books.done]


def test_everything_is_shown_every_edit_arrives_once_and_a_batch_is_undone(desk: Desk) -> None:
    every_kind_of_edit(desk)
    batch_and_undo(desk)
    reading_with_a_pause(desk)


def every_kind_of_edit(desk: Desk) -> None:
    before = {name: {number: dict(one) for number, one in held.items()} for name, held in desk.held.items()}
    shows_everything(desk)
    edits_pets(desk)
    edits_the_rest(desk)
    assert sorted(whole(desk)) == sorted(
        [
            ("animals", EXACT, "change"), ("animals", 1_008, "change"), ("animals", 1_088, "POST"),
            ("animals", 1_088, "DELETE"), ("kinds", 4, "change"), ("kinds", 12, "POST"),
            ("sales-orders", 5_001, "change"), ("sales-orders", 5_002, "DELETE"),
            ("stock-levels", EXACT - 1, "change"), ("stock-levels", LARGEST, "change"),
        ]
    )  # fmt: skip
    touched = {(collection, number) for collection, number, _ in whole(desk)}
    for collection, held in before.items():
        for number, record in held.items():
            if (collection, number) not in touched:
                assert desk.held[collection][number] == record
    for one in desk.shop.books.done:
        if one.before is not None and one.after is not None:
            unharmed = one.before.keys() - {"name", "status", "description", "complete", "quantity"}
            assert {name: one.after.get(name) for name in unharmed} == {name: one.before[name] for name in unharmed}


def shows_everything(desk: Desk) -> None:
    for resource in ("pets", "categories", "inventory"):
        assert desk.go(resource).keys() == {str(number) for number in desk.held[SHOWN[resource]]}
    assert {key for key in desk.go("orders") if key.isdigit()} == {str(n) for n in desk.held["sales-orders"]}
    assert desk.go("pets")[str(EXACT)]["Name"] == desk.held["animals"][EXACT]["name"]


def edits_pets(desk: Desk) -> None:
    desk.go("pets")
    desk.at("pets", EXACT, "Name")
    desk.type_over("Mörike")
    desk.has("animals", EXACT, name="Mörike")
    desk.said("pets", EXACT, "Name", "Mörike")
    desk.at("pets", 1_008, "Name")
    desk.press("Alt+2")
    desk.has("animals", 1_008, status="pending")
    desk.said("pets", 1_008, "Status", "pending")
    desk.press("Ctrl+Shift+N")
    desk.dialog("categoryDialog")
    desk.program.ask("write", "Newts")
    desk.press("Tab")
    desk.program.ask("write", "wet & small")
    desk.press("Return")
    desk.has("kinds", 12, name="Newts", description="wet & small")
    desk.go("pets")  # the new category was shown in its own list
    desk.press("Ctrl+N")
    desk.dialog("newPetDialog")
    desk.program.ask("write", "Ñandú")
    desk.press("Tab")
    desk.program.ask("write", "Newt")
    desk.press("Ctrl+Return")
    desk.has("animals", 1_088, name="Ñandú", categoryId=12)
    desk.said("pets", 1_088, "Category", "Newts")
    desk.at("pets", 1_088, "Name")
    desk.press("Delete")
    desk.verb("deleteDialog")
    until(lambda: 1_088 not in desk.held["animals"], "it is deleted")
    desk.go("pets")


def edits_the_rest(desk: Desk) -> None:
    desk.go("categories")
    desk.at("categories", 4, "Description")
    desk.type_over("soft")
    desk.has("kinds", 4, description="soft")
    desk.go("orders")
    desk.at("orders", 5_001, "Pet")
    desk.press("Alt+2")
    desk.has("sales-orders", 5_001, complete=True)
    desk.at("orders", 5_002, "Pet")
    desk.press("Alt+3")
    desk.verb("cancelOrderDialog")
    until(lambda: 5_002 not in desk.held["sales-orders"], "it is cancelled")
    desk.go("inventory")
    before = desk.held["stock-levels"][EXACT - 1]["quantity"]
    for number, typed, after in ((EXACT - 1, "+12", before + 12), (LARGEST, "=40", 40)):
        desk.at("inventory", number, "In stock")
        desk.program.ask("write", typed)
        desk.press("Return")
        desk.has("stock-levels", number, quantity=after)
        desk.said("inventory", number, "In stock", str(after))


def batch_and_undo(desk: Desk) -> None:
    earlier = len(whole(desk))
    statuses = {number: one["status"] for number, one in desk.held["animals"].items()}
    desk.go("pets")
    desk.press("Ctrl+F")
    desk.program.ask("write", "ada")
    chosen = until(lambda: _only(desk, "ada"), "the filter")
    desk.press("Return", "Ctrl+A", "Alt+3")
    until(lambda: all(desk.held["animals"][number]["status"] == "sold" for number in chosen), "all are sold")
    moved = {number for number in chosen if statuses[number] != "sold"}
    assert {number for _, number, _ in whole(desk)[earlier:]} == moved
    assert len(whole(desk)) - earlier == len(moved) > 3
    desk.press("Ctrl+Z")
    until(lambda: {n: one["status"] for n, one in desk.held["animals"].items()} == statuses, "all is as it was")
    assert len(whole(desk)) - earlier == 2 * len(moved)
    until(lambda: not desk.program.ask("widget", "outboxBadge"), "that nothing waits")
    desk.press("Ctrl+F", "Ctrl+A", "Delete")
    desk.go("pets")


def reading_with_a_pause(desk: Desk) -> None:
    desk.held["animals"][LARGEST]["name"] = "Zenobia"
    asked = len(desk.shop.seen)
    desk.shop.refuse_next(lambda seen: seen.path == "/animals" and bool({"cursor", "after"} & seen.query.keys()))
    desk.press("Return", "F5")
    desk.program.wait("paused")
    until(lambda: desk.program.ask("cells", "pets")[str(LARGEST)]["Name"] == "Zenobia", "the reading goes on")
    until(lambda: not desk.program.ask("paused"), "the pause is over")
    assert len(desk.go("pets")) == 90
    read = [one.status for one in desk.shop.seen[asked:] if one.path == "/animals"]
    assert read.count(429) == 1
    assert read[-2:] == [200, 200]  # what had come before the pause was not asked for again


def _only(desk: Desk, words: str) -> list[int]:
    shown: dict[str, Any] = desk.program.ask("cells", "pets")
    fits = {str(number) for number, one in desk.held["animals"].items() if words in one["name"].casefold()}
    return [int(key) for key in shown] if shown.keys() == fits else []


def test_a_service_that_wants_no_key_is_connected_without_one_and_opens_again(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with OtherShop(Ways("offset", auth="none")) as shop:
        with Opened(data) as program:
            for field, text in (("urlField", shop.url), ("nameField", "Open house")):
                program.ask("tab_to", field)
                program.ask("write", text)
            program.ask("tab_to", "connectButton")
            program.ask("press", "Space")
            program.wait("says", "testResult", "Missing: new orders")
            program.ask("tab_to", "connectButton")
            program.ask("press", "Space")
            until(lambda: program.ask("titles") == ["Open house — Pet Store Desktop"], "the window of the shop")
            asked = [one.method for one in shop.seen if "openapi" in one.path or one.query.get("limit") == "1"]
            assert set(asked) == {"GET"}
            program.wait("ready")
            Desk(program, shop).go("pets")
            assert program.quit() == 0
        with Opened(data) as program:
            program.wait("ready")
            desk = Desk(program, shop)
            desk.go("pets")
            desk.at("pets", EXACT, "Name")
            desk.type_over("Mörike")
            desk.has("animals", EXACT, name="Mörike")
            desk.said("pets", EXACT, "Name", "Mörike")
            assert program.ask("dialogs") == []
            assert program.quit() == 0
        assert shop.complaints == []


def test_a_service_with_words_for_ids_is_read_by_command(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with OtherShop(Ways(ids="word")) as shop:
        assert command("--data-dir", str(data), "connect", "Words", "--url", shop.url).returncode == 0
        pulled = command("--data-dir", str(data), "sync", "Words", key=shop.key)
        assert (pulled.returncode, "set aside" in pulled.stdout) == (0, False)
        assert pulled.stdout.splitlines()[0] == "pets: 90 (90 new, 0 changed, 0 gone)"
        assert shop.writes() == []
        assert shop.complaints == []


def test_a_service_whose_document_in_a_file_wants_no_key_is_read_by_command_without_one(tmp_path: Path) -> None:
    data, file = str(tmp_path / "data"), tmp_path / "menagerie.yaml"
    with OtherShop(Ways("page", auth="none")) as shop:
        file.write_bytes(shop.document)
        connected = command("--data-dir", data, "connect", "Open", "--url", shop.url, "--document", str(file))
        assert (connected.returncode, connected.stderr) == (0, "")
        pulled = command("--data-dir", data, "sync", "Open")
        assert (pulled.returncode, pulled.stdout.splitlines()[0]) == (0, "pets: 90 (90 new, 0 changed, 0 gone)")
        assert shop.complaints == []

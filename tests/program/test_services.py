"""The whole window at a service that wants a further key: connected in its form, read, filtered, edited, added to,
undone and started again by keyboard; its own books judge. Batches, deletions and a pause: test_other_service.py.

What services differ in is proven without a window: the check of each in tests/api/check/test_services.py, all that is
read and done at each in tests/sync/test_services.py. Ids that are texts are in test_text_ids.py, values that the form
asks for in test_values.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any

from petstore_desktop.contract.operations import put_at
from petstore_desktop.domain.records import Resource, key_to_text
from tests.program.opened import Opened
from tests.program.running import until
from tests.support.services.named import SCENARIOS
from tests.support.services.seat import as_read
from tests.support.services.service import Service

PETS, CATEGORIES, ORDERS, STOCK = Resource
TABS = {PETS: "Alt+P", CATEGORIES: "Alt+C", ORDERS: "Alt+O", STOCK: "Alt+I"}


class Desk:
    """One window at a service, and what its books are to hold."""

    def __init__(self, program: Opened, service: Service) -> None:
        self.program, self.service, self.scenario = program, service, service.scenario
        self.ask = program.ask
        self.expected = service.records.whole()

    # ------------------------------------------------------------ what is there

    def pet(self, place: int) -> Any:
        """The service's own id of its nth pet."""
        return list(self.expected[PETS])[place]

    def shown(self, key: Any) -> str:
        """How the window names a record."""
        return key_to_text(as_read(key))

    def expect(self, key: Any, field: str, value: Any) -> None:
        """A pet is to have this value, and nothing else is to differ."""
        record = deepcopy(self.expected[PETS][key])
        put_at(record, self.scenario.kinds[PETS].fields[field], value)
        self.expected[PETS][key] = record

    def judge(self, what: str) -> None:
        """Wait until the service holds what is expected, and nothing more; the window says that nothing waits."""
        until(lambda: self.service.kept == self.expected, f"{what}: {self.service.complaints}")
        until(lambda: not self.ask("widget", "outboxBadge"), f"{what}: that nothing waits")
        assert self.service.complaints == []

    # ------------------------------------------------------------ acts

    def go(self, resource: Resource) -> None:
        """Show a list, once all of it is there."""
        self.ask("press", TABS[resource])
        count = len(self.service.kept[resource])
        until(lambda: self.ask("rows", resource.value) == count, f"{count} {resource}")

    def filter(self, words: str, count: int) -> None:
        """Filter the list, look, and go back."""
        self.ask("press", "Ctrl+F")
        self.ask("write", words)
        until(lambda: self.ask("rows", "pets") == count, f"{words} leaves {count}")
        self.ask("press", "Ctrl+A", "Delete", "Return")
        until(lambda: self.ask("rows", "pets") == len(self.expected[PETS]), "all are there again")

    def rename(self, key: Any, name: str) -> None:
        """Type another name over that of a pet."""
        self.program.wait("writable", "pets", "Name")
        self.ask("to_cell", "pets", self.shown(key), "Name")
        self.ask("press", "F2", "Ctrl+A")
        self.ask("write", name)
        self.ask("press", "Return")
        self.expect(key, "name", name)
        self.judge(f"{key} is called {name}")

    def add_one(self) -> None:
        """A new pet, and its undo."""
        before = deepcopy(self.expected)
        self.ask("press", "Ctrl+N")
        until(lambda: self.ask("dialogs") == ["newPetDialog"], "the form of a new pet")
        self.ask("write", "Newt")
        self.ask("press", "Tab")
        self.ask("write", "Cats")
        self.ask("press", "Ctrl+Return")
        until(lambda: len(self.service.kept[PETS]) == len(before[PETS]) + 1, "the new pet")
        (made,) = self.service.kept[PETS].keys() - before[PETS].keys()
        assert self.service.value(PETS, made, "name") == "Newt"
        until(lambda: self.shown(made) in self.ask("cells", "pets"), "the new pet in the window")
        until(lambda: not self.ask("widget", "outboxBadge"), "that nothing waits")
        self.ask("press", "Ctrl+Z")
        self.expected = before
        self.judge("the new pet is gone again")

    def look_up(self) -> None:
        """Look up an order by its id, as it is written."""
        key = next(iter(self.service.kept[ORDERS]))
        self.ask("press", "Alt+O", "Ctrl+G")
        until(lambda: self.ask("dialogs") == ["lookUpDialog"], "what is looked up")
        self.ask("write", str(key))
        self.ask("press", "Return")
        until(lambda: self.ask("dialogs") == [], "that it was found")
        until(lambda: self.shown(key) in self.ask("cells", "orders"), f"order {key}")
        self.ask("press", "Alt+P")


def connect(program: Opened, service: Service) -> None:
    """Fill in the form, the keys that it asks for after a test too."""
    further = {f"keyField {scheme}": key for scheme, key in service.further.items()}
    for name, text in (("urlField", service.url), ("keyField", service.key)):
        program.ask("tab_to", name)
        program.ask("write", text)
    program.ask("tab_to", "connectButton")
    program.ask("press", "Space")

    def opened() -> bool:
        said = program.ask("widget", "testResult")
        if said is None or said["text"].startswith("Asking"):
            return "mainWindow" in program.ask("windows")
        asked = [name for name in further if program.ask("widget", name)]
        for name in asked:
            program.ask("tab_to", name)
            program.ask("write", further.pop(name))
        if asked:
            program.ask("tab_to", "connectButton")
        if "connectButton" in program.ask("focus"):
            program.ask("press", "Space")
        return False

    until(opened, "the window of the shop")
    program.wait("ready")
    assert not further, "each key was asked for"


@contextmanager
def window(data: Path, service: Service, session: dict[str, str]) -> Iterator[Desk]:
    with Opened(data, env=session, no_wait=True) as program:
        if not data.is_dir() or not list(data.glob("connections/*")):
            connect(program, service)
        desk = Desk(program, service)
        desk.go(PETS)
        yield desk
        assert program.ask("dialogs") == []
        assert program.quit() == 0


def test_the_window_is_played(tmp_path: Path, session: dict[str, str]) -> None:
    with Service(SCENARIOS["key-apart"]).served() as service:
        with window(tmp_path / "data", service, session) as desk:
            play(desk)
        with window(tmp_path / "data", service, session) as desk:
            desk.rename(desk.pet(1), "Ada II")
            desk.judge("nothing else is touched")


def play(desk: Desk) -> None:
    for resource in Resource:
        desk.go(resource)
    desk.go(PETS)
    desk.filter("Tom", 1)
    desk.rename(desk.pet(0), "Zoe the first")
    desk.add_one()
    desk.look_up()
    desk.judge("nothing else is touched")

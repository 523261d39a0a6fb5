"""Tasks of the yardstick, played with real keys in front of a screen reader: an order's status by its id (S1), twelve
booked on one item after a scan (C1), all pending pets sold (M2), and an edit into a pause (429).

    for task in TASKS.values():
        task(stage)

`Stage.heard` returns what a reader said after each key; the shop is small, and always the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from petstore_desktop.domain.codes import label_code
from tests.program.running import Running, connect, until
from tests.support.screen_reader import LONG_S, QUIET_S, ReaderSession
from tests.support.shop import Shop

PETS = 40
DUE = "2031-01-06T12:00:00Z"
"""A day whose distance nobody tells."""
HAND_MS, SCANNER_MS = 110, 5
"""Between two keys."""


class Stage:
    """The program on its shop, with a screen, keys and somebody who listens. `script`: what was pressed and heard."""

    def __init__(
        self, shop: Shop, session: ReaderSession, program: Running, heard: Callable[[float], list[str]]
    ) -> None:
        self.shop, self.session, self.program, self._heard = shop, session, program, heard
        self.script: list[str] = []

    def press(self, *keys: str) -> None:
        """Keys such as "Ctrl+K", each with what is heard then."""
        for key in keys:
            self._act(f"> {key}", lambda key=key: self.session.screen.press(key))

    def write(self, text: str) -> None:
        """A text, as a hand types it."""
        self._act(f"> {text}", lambda: self.session.screen.type(text, HAND_MS))

    def scan(self, code: str) -> None:
        """A bar code, with the scanner's Enter."""
        self._act("> (a scan)", lambda: self.session.screen.type(f"{code}\n", SCANNER_MS))

    def until(self, look: Callable[[], object], what: str) -> None:
        """Wait, and note what is heard meanwhile."""
        until(look, what)
        self.script += [f"    {line}" for line in self._heard(LONG_S)]

    def _act(self, what: str, act: Callable[[], object]) -> None:
        act()
        self.script += [what, *(f"    {line}" for line in self._heard(QUIET_S))]

    def sent(self) -> None:
        """Wait until all is sent."""
        self.until(lambda: self.program.ask("sent_all"), "all is sent")

    def take_script(self) -> str:
        """What was pressed and heard since the last call."""
        script, self.script = self.script, []
        return "\n".join([*script, ""])


@contextmanager
def stage(folder: Path, session: ReaderSession, heard: Callable[[float], list[str]]) -> Iterator[Stage]:
    """The program with a shop of 40 pets, whose lists it has read, and with nothing pressed yet."""
    with Shop(folder / "shop", plan="unlimited", pets=PETS) as shop:
        ((pet,),) = shop.rows("SELECT id FROM pets ORDER BY id LIMIT 1")
        order = {"id": 7001, "petId": pet, "quantity": 2, "shipDate": DUE, "complete": False}
        shop.control("rows", orders=[order])
        data = folder / "data"
        connect(data, shop, read=True)
        with Running(data, "--connection", "Shop", key=shop.key, env=session.program) as program:
            for resource in ("pets", "orders", "inventory", "categories"):
                count = shop.rows(f"SELECT count(*) FROM {resource}")[0][0]
                until(lambda r=resource, n=count: program.ask("known", r) == n, f"all {resource} are here")
            until(lambda: program.ask("idle"), "nothing is read")
            heard(LONG_S)
            yield Stage(shop, session, program, heard)


def status_of_an_order(on: Stage) -> None:
    """S1."""
    on.press("Ctrl+K")
    on.write("7001")
    on.press("Return")


def twelve_after_a_scan(on: Stage) -> None:
    """C1: a scan while the keyboard is in the filter of another list."""
    ((pet,),) = on.shop.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1 OFFSET 3")
    on.press("Alt+P", "Ctrl+F")
    on.scan(label_code(pet))
    on.until(lambda: on.program.ask("current", "inventory") == (pet, "stock", True), "the stock cell is current")
    on.write("+12")
    on.press("Return")
    on.sent()


def all_pending_pets_sold(on: Stage) -> None:
    """M2."""
    on.press("Ctrl+K")
    on.write("pend")
    on.press("Return", "Ctrl+A", "Ctrl+E")
    on.write("s")
    on.press("Return", "Ctrl+Return")
    on.sent()
    assert not on.shop.rows("SELECT 1 FROM pets WHERE status = 'pending'")


def a_pause(on: Stage) -> None:
    """An edit that cannot be sent, a second one, an entry that is none, and what of it is undone."""
    on.press("Alt+I", "Home", "Right", "Right", "Right")
    on.shop.control("exhaust")
    on.write("7")
    on.press("Return")
    on.until(lambda: on.program.ask("paused"), "it is paused")
    on.write("8")
    on.press("Return")
    on.write("=")
    on.press("Return", "Esc", "Ctrl+Z")


TASKS: dict[str, Callable[[Stage], None]] = {
    "s1": status_of_an_order,
    "c1": twelve_after_a_scan,
    "m2": all_pending_pets_sold,
    "pause": a_pause,
}

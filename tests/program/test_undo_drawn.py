"""Any acts, one after the other, in the whole program over a real shop: what the menu says Ctrl+Z takes is what it
takes, and undoing all of them comes back to the start, at the service too."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from petstore_desktop.domain.changes import AddStock, NewChange, SetFields
from petstore_desktop.domain.codes import Codes
from petstore_desktop.domain.low_stock import Minimums, StockLevel
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.receiving.receive_page import ReceivePage
from petstore_desktop.ui.stocktake.stocktake_page import StocktakePage
from petstore_desktop.ui.window.main_window import MainWindow
from tests.program.opened import Opened
from tests.program.running import connect, until
from tests.support.shop import Shop

PETS, ACTS = 8, 14
CODES = ("4006381333931", "96385074")
STATUSES = ("available", "pending", "sold")
AT_DESKS = frozenset({"scan", "scan_unknown", "number", "remove", "count"})
"""What is done to lines that are not booked: it is undone as long as the program runs. All else after a restart too."""
Parts = dict[str, Any]


@dataclass
class Done:
    """One act: what it is called, where it was done, and what there was before it and after."""

    name: str
    said: str
    place: str
    before: Parts
    after: Parts


class Hands:
    """Somebody at the window. `chance` draws what is done."""

    def __init__(self, shop: Shop, program: Opened, chance: random.Random) -> None:
        self.shop, self.program, self.chance = shop, program, chance
        self.done: list[Done] = []
        self.pets = [pet for (pet,) in shop.rows("SELECT id FROM pets ORDER BY id")]
        until(lambda: program.ask("known", "pets") == PETS and program.ask("known", "inventory") == PETS, "the lists")
        until(lambda: self.desk.contract is not None and self.desk.codes is not None, "all is read")
        until(lambda: not self.desk.done.soon(), "what undo takes is known")

    @property
    def window(self) -> MainWindow:
        window = self.program.program.window
        assert isinstance(window, MainWindow)
        return window

    @property
    def desk(self) -> Any:
        return self.window.shop.desk

    # -- what is there

    def parts(self) -> Parts:
        """What the service has, what only this computer keeps, and what lies at the desks, as each is kept."""
        drafts = self.desk.drafts.items()
        lines = Counter[str]()
        for form, draft in drafts:
            if form.startswith("receive:"):
                lines[form.split(":", 2)[2]] += int(draft.content["count"])
        return {
            "stock": Counter(dict(self.shop.rows("SELECT pet_id, quantity FROM inventory"))),
            "pets": sorted(self.shop.rows("SELECT id, name, status FROM pets")),
            "minimums": self.desk.shop.minimums or Minimums(),
            "views": sorted((one.id, one.name) for one in self.window.parts.views.all()),
            "codes": (self.desk.codes or Codes()).pets,
            "lines": lines,
            "counted": self.program.ask("counted_safely"),
        }

    def undo_text(self, name: str = "undo") -> str:
        """What the menu says."""
        action = self.window.parts.actions[name]
        return action.text().translate({0x2068: None, 0x2069: None}) if action.isEnabled() else ""

    def settled(self) -> bool:
        return self.program.ask("sent_all") and not self.desk.done.soon()

    def there(self, wanted: Parts, why: str) -> None:
        """All is as it is wanted, and known to the window."""
        until(lambda: self.settled() and self.parts() == wanted, why)

    # -- where

    def go(self, place: str) -> None:
        if place:
            self.window.parts.actions[place].trigger()
        else:
            self.window.show_tab("pets")

    def receive(self) -> ReceivePage:
        self.go("receive")
        page = self.window.page()
        assert isinstance(page, ReceivePage)
        return page

    # -- what is done; each returns whether anything was

    def pet(self) -> int:
        return self.chance.choice(self.pets)

    def apply(self, *changes: NewChange) -> bool:
        self.window.parts.edits.apply(changes)
        return True

    def status(self) -> bool:
        pet = self.pet()
        ((now,),) = self.shop.rows("SELECT status FROM pets WHERE id = ?", pet)
        new = self.chance.choice([one for one in STATUSES if one != now])
        return self.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"status": new}), {"status": now}))

    def rename_pet(self) -> bool:
        pet = self.pet()
        ((now,),) = self.shop.rows("SELECT name FROM pets WHERE id = ?", pet)
        return self.apply(NewChange(Ref(Resource.PETS, pet), SetFields({"name": f"{now}*"}), {"name": now}))

    def stock(self) -> bool:
        by = self.chance.randint(1, 9)
        return self.apply(NewChange(Ref(Resource.INVENTORY, self.pet()), AddStock(by)))

    def batch(self) -> bool:
        pets = self.chance.sample(self.pets, 3)
        return self.apply(*(NewChange(Ref(Resource.INVENTORY, pet), AddStock(2)) for pet in pets))

    def minimum(self) -> bool:
        level = StockLevel(self.chance.randint(1, 10_000))
        self.window.after_paint.minimum_stock.set({Ref(Resource.PETS, self.pet()): level})
        return True

    def own_views(self) -> list[Any]:
        return [one for one in self.window.parts.views.all() if not one.shipped]

    def rename_view(self) -> bool:
        views = self.own_views()
        if views:
            self.window.parts.views.rename(view := self.chance.choice(views), f"{view.name}*")
        return bool(views)

    def delete_view(self) -> bool:
        views = self.own_views()
        if views:
            self.window.parts.views.delete(self.chance.choice(views))
        return bool(views)

    def teach(self) -> bool:
        code, pet = self.chance.choice(CODES), self.pet()
        if pet in self.desk.codes.of(code):
            return False
        self.window.after_paint.scanning.codes.teach(code, Ref(Resource.PETS, pet))
        return True

    def scan(self) -> bool:
        self.receive().take_scan(str(self.pet()))
        return True

    def scan_unknown(self) -> bool:
        self.receive().take_scan("5000000000001")
        return True

    def number(self) -> bool:
        page = self.receive()
        return page.delivery.in_hand is not None and page.take_text(f"+{self.chance.randint(1, 99)}")

    def remove(self) -> bool:
        page = self.receive()
        before = len(page.delivery.lines)
        if before:
            page.list.removeWanted.emit(
                page.model.row_of(self.chance.choice([*reversed(page.delivery.lines.values())]).place)
            )
        return before > len(page.delivery.lines)

    def book(self) -> bool:
        page = self.receive()
        if not page.foot.primary.isEnabled():
            return False
        page.go()
        return True

    def count(self) -> bool:
        self.go("stocktake")
        page = self.window.page()
        assert isinstance(page, StocktakePage)
        page.take_scan(str(self.pet()))
        return True

    # -- a whole game

    def act(self) -> None:
        draw: list[Callable[[], bool]] = [
            self.status, self.rename_pet, self.stock, self.batch, self.minimum, self.rename_view, self.delete_view,
            self.teach, self.scan, self.scan, self.scan_unknown, self.number, self.remove, self.book, self.book,
            self.count,
        ]  # fmt: skip
        do, before = self.chance.choice(draw), self.parts()
        if do.__name__ not in ("scan", "scan_unknown", "number", "remove", "book", "count"):
            self.go("")
        if not do():
            return
        until(lambda: self.settled() and self.parts() != before, f"{do.__name__} is done")
        page = self.window.page()
        place = "" if page is None else page.place
        said, after = self.undo_text(), self.parts()
        assert said not in ("", "&Undo"), f"{do.__name__} can be undone"
        booked = do.__name__ == "book"
        self.done.append(Done(do.__name__, said, "" if booked else place, before, after))

    def undo(self) -> None:
        """One press takes the last act, which the menu names, and nothing else."""
        last = self.done.pop()
        self.go(last.place)
        until(lambda: self.undo_text() == last.said, f"the menu says {last.said}, and not {self.undo_text()}")
        self.program.ask("press", "Ctrl+Z")
        self.there(last.before, f"{last.name} is undone, and nothing else")

    def undo_kept(self) -> None:
        """After a restart one press takes the last act that is kept. What lies at the desks stays."""
        last, now = self.done.pop(), self.parts()
        lines = Counter(now["lines"])
        lines.update(last.before["lines"] - last.after["lines"])
        until(lambda: self.undo_text() == last.said, f"the menu says {last.said}, and not {self.undo_text()}")
        self.program.ask("press", "Ctrl+Z")
        self.there(last.before | {"lines": lines, "counted": now["counted"]}, last.name)

    def undo_and_redo(self) -> None:
        last = self.done[-1]
        self.undo()
        self.program.ask("press", "Ctrl+Shift+Z")
        self.there(last.after, f"{last.name} is redone, and nothing else")
        self.done.append(Done(last.name, self.undo_text(), last.place, last.before, last.after))


@contextmanager
def at_the_window(tmp_path: Path, shop: Shop, chance: random.Random) -> Iterator[Hands]:
    with Opened(tmp_path / "data", "--connection", "Shop", key=shop.key) as program:
        yield Hands(shop, program, chance)
        assert program.quit() == 0


def save_views(hands: Hands) -> None:
    hands.go("")
    for name in ("Only koi", "Only budge"):
        tab = hands.window.tab()
        assert tab is not None
        tab.set_filter(name[5:])
        hands.window.parts.views.save(name)
        tab.set_filter("")


@pytest.mark.parametrize("seed", range(4))
def test_what_the_menu_names_is_what_the_key_takes_until_all_is_as_at_the_start(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    with Shop(tmp_path / "shop", plan="unlimited", pets=PETS) as shop:
        connect(tmp_path / "data", shop, read=True)
        with at_the_window(tmp_path, shop, chance) as hands:
            save_views(hands)
            start = hands.parts()
            for _ in range(ACTS):
                hands.act()
                if hands.done and chance.random() < 0.3:
                    hands.undo_and_redo()
            assert len(hands.done) > ACTS // 2
            while hands.done:
                hands.undo()
            assert hands.parts() == start
            for place in ("", "receive", "stocktake"):
                hands.go(place)
                assert hands.undo_text() == "", "nothing is left"


@pytest.mark.parametrize("seed", range(2))
def test_after_a_restart_all_that_is_kept_is_undone_and_the_lines_lie_at_their_desks(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed + 1_000)
    with Shop(tmp_path / "shop", plan="unlimited", pets=PETS) as shop:
        connect(tmp_path / "data", shop, read=True)
        with at_the_window(tmp_path, shop, chance) as hands:
            save_views(hands)
            start = hands.parts()
            for _ in range(ACTS):
                hands.act()
            done, left = hands.done, hands.parts()
        with at_the_window(tmp_path, shop, chance) as hands:
            assert hands.parts() == left, "nothing is lost"
            hands.done = [act for act in done if act.name not in AT_DESKS]
            hands.go("")
            while hands.done:
                hands.undo_kept()
            assert hands.undo_text() == ""
            now = hands.parts()
            assert all(now[part] == start[part] for part in ("stock", "pets", "minimums", "views", "codes"))
            moved = [act for act in done if act.name != "book"]
            scanned = sum(act.after["lines"].total() - act.before["lines"].total() for act in moved)
            assert now["lines"].total() == scanned, "what was booked lies at the desk again"

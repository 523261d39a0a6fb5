"""Finds out which differences may be booked: one look at the stock list, then the history of each pet that differs."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal
from shiboken6 import isValid

from petstore_desktop.desk.preview import CellInput, Preview
from petstore_desktop.desk.stocktake.standing import LineStanding, Now, judge
from petstore_desktop.domain.commands import Refresh
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import GatePhase, Link
from petstore_desktop.domain.records import LocalId, Ref, Resource

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.desk.scanning.session import ScanLine
    from petstore_desktop.desk.stocktake.count import Count
    from petstore_desktop.domain.records import Key
    from petstore_desktop.domain.seen_changes import SeenChange
    from petstore_desktop.shop.live_shop import LiveShop

_STOCK = Resource.INVENTORY


class Booking(QObject):
    """One check of a count before it is booked.

    Signals:
        judged(object): by pet the `LineStanding` of each line.
    """

    judged = Signal(object)

    def __init__(self, shop: LiveShop, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shop, self._desk = shop, shop.desk
        self._stage: Literal["", "before", "asked", "reading", "history"] = ""
        self._lines: tuple[ScanLine, ...] = ()
        self._found: dict[Key, LineStanding] = {}
        self._asked_at = 0.0
        self._looked = False
        self._round = 0

    @property
    def looks(self) -> bool:
        """Whether the list is being read."""
        return self._stage in ("before", "asked", "reading")

    @property
    def under_way(self) -> bool:
        """Whether lines are being checked."""
        return self._stage != ""

    @property
    def can_look(self) -> bool:
        """Whether the service can be asked now."""
        return self._desk.link is not Link.OFFLINE and self._desk.gate.phase is GatePhase.OPEN

    def start(self, lines: Sequence[ScanLine]) -> None:
        """Check these lines; the list is read first, where the service can be asked."""
        self._lines, self._looked = tuple(lines), False
        if not self.can_look:
            self._judge()
        elif self._desk.loads[_STOCK].phase == "loading":
            self._stage = "before"  # that reading may have begun before the last scan
        else:
            self._ask()

    def go_on(self) -> None:
        """Check without waiting for the list any longer."""
        if self.looks:
            self._judge()

    def stop(self) -> None:
        """Give the check up."""
        self._stage = ""
        self._round += 1

    def _ask(self) -> None:
        self._stage, self._asked_at = "asked", self._desk.now()
        self._shop.submit(Refresh((_STOCK,)))

    def desk_changed(self, moved: Changed) -> None:
        """Follow the reading of the list."""
        if not self.looks:
            return
        if not self.can_look:
            self._judge()
        elif _STOCK in moved.loads:
            self._follow()

    def _follow(self) -> None:
        load = self._desk.loads[_STOCK]
        if self._stage == "before":
            if load.phase != "loading":
                self._ask()
        elif load.phase == "loading":
            self._stage = "reading"
        elif load.phase in ("failed", "cancelled", "not-offered"):
            self._judge()
        elif self._stage == "reading" or (load.as_of is not None and load.as_of >= self._asked_at):
            self._looked = load.as_of is not None and load.as_of >= self._asked_at
            self._judge()

    # -- the history

    def _judge(self) -> None:
        self._stage, self._found = "history", {}
        self._round += 1
        self._next()

    def _next(self) -> None:
        if len(self._found) == len(self._lines):
            self._stage = ""
            self.judged.emit(dict(self._found))
            return
        line = self._lines[len(self._found)]
        if isinstance(line.pet, LocalId):  # the service has no stock of it yet, and the history knows nothing of it
            self._found[line.pet] = LineStanding("no-entry")
            self._next()
            return
        self._shop.past.changes_of(Ref(_STOCK, line.pet), partial(self._read, self._round, line))

    def _read(self, asked: int, line: ScanLine, changes: Sequence[SeenChange] | ShopError) -> None:
        if not isValid(self) or asked != self._round or self._stage != "history":
            return
        stock = self._desk.shop.stock(line.pet)
        quantity = None if stock is None else stock.base
        present = Now(quantity, None if stock is None else stock.result, self._looked, self._desk.now())
        known = () if isinstance(changes, ShopError) else changes
        self._found[line.pet] = judge(line, present, known)
        self._next()


def booking_preview(
    desk: Desk,
    count: Count,
    lines: Sequence[ScanLine],
    standings: Mapping[Key, LineStanding],
    ticks: Mapping[Key, bool],
) -> tuple[Preview, int]:
    """The differences of these lines as a preview; those of pets that the count does not cover, and those that may be
    wrong, are not ticked, except as a person decided (`ticks`). And how many may be wrong."""
    inputs = [CellInput(Ref(_STOCK, line.pet), "stock", f"{line.difference:+}") for line in lines if line.difference]
    preview, unsure = Preview(desk, inputs), 0
    for row in preview.rows:
        standing = standings.get(row.ref.key)
        if row.valid and row.ref.key in ticks:
            row.ticked = row.insisted = ticks[row.ref.key]
            row.left_out = "" if row.ticked else "left-out"
        elif row.valid and not count.covers(row.ref.key):
            row.ticked, row.left_out = False, "count-beside"
        elif row.valid and (standing is None or not standing.sure):
            row.ticked, row.left_out = False, f"count-{'unread' if standing is None else standing.why}"
            unsure += 1
    return preview, unsure

"""Worth a look: what the data checks find, each with its count and the way to its rows, until it is put away."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QKeyEvent
from PySide6.QtWidgets import QMenu

from petstore_desktop.desk.changes.done_act import Keeper, both_there
from petstore_desktop.desk.changes.done_acts import CHECKS
from petstore_desktop.domain.own_acts import OwnParts
from petstore_desktop.ui.base.building import short_lived
from petstore_desktop.ui.context.navigation import ListTarget
from petstore_desktop.ui.text.translate import number, resource_title, tr
from petstore_desktop.ui.today.section import LINE, Line, LineButton, TodaySection
from petstore_desktop.ui.widgets.labels import say

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.domain.records import Resource
    from petstore_desktop.ui.base.sliced_work import SlicedWork
    from petstore_desktop.ui.context.edits import Edits

KEPT = "checks"
"""Under this name the window remembers what was put away."""
_PREFIX = "worth."
_TURN_S = 0.008
"""Seconds that checks are made before other work has its turn."""


class PutAway:
    """Remembers of each check that was put away the count from which on it is shown again; undo brings it back.
    `moved` is called when that was done."""

    def __init__(
        self, kept: Callable[[], Mapping[str, object]], keep: Callable[[Mapping[str, object]], object], edits: Edits
    ) -> None:
        self._kept, self._keep, self._do = kept, keep, edits.do
        self.moved: Callable[[], object] = lambda: None
        edits.desk.done.keeps(CHECKS, Keeper(self._now, self._put, both_there))

    def counts(self) -> dict[str, int]:
        """By check, what was found when it was put away, or the least since."""
        return {check: n for check, n in self._kept().items() if check in _WORDS and isinstance(n, int)}

    def use(self, counts: Mapping[str, int]) -> None:
        """These and no others."""
        if dict(counts) != self.counts():
            self._keep(dict(counts))

    def put_away(self, check: str, count: int, words: str) -> None:
        """Show this one again only when more is found."""
        self._do(CHECKS, {check: count}, tr("Put away"), words, "check")

    def _now(self, names: Iterable[str]) -> OwnParts:
        counts = self.counts()
        return {check: counts.get(check) for check in names}

    def _put(self, parts: OwnParts) -> None:
        self.use({check: n for check, n in {**self.counts(), **parts}.items() if isinstance(n, int)})
        self.moved()


class WorthLine(LineButton):
    """One check; Delete or its context menu puts it away (`put_away`, by its key)."""

    def __init__(self, line: Line, put_away: Callable[[str], object]) -> None:
        self._put_away = put_away
        super().__init__(line, LINE)
        self.setAccessibleDescription(tr("Delete puts this away until there are more."))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._put_away(self.line.key)
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu().popup(event.globalPos())

    def menu(self) -> QMenu:
        """What can be done with it."""
        menu = short_lived(QMenu(self))
        menu.addAction(tr("&Show them"), self.click)
        away = menu.addAction(tr("&Put away"), partial(self._put_away, self.line.key))
        away.setShortcut(Qt.Key.Key_Delete)
        away.setShortcutVisibleInContextMenu(True)
        return menu


class WorthSection(TodaySection):
    """Absent while every check is clean or put away. `open_rows` opens a list with filters."""

    def __init__(self, desk: Desk, open_rows: Callable[[ListTarget], object], put_away: PutAway) -> None:
        super().__init__("worth", tr("Worth a look"))
        self._desk, self._open_rows, self._away = desk, open_rows, put_away
        put_away.moved = self._show_lines
        self._counts: dict[str, int] = {}
        self._lists: dict[str, Resource] = {}
        self._unlooked: frozenset[Resource] = frozenset()
        """The lists that could not be checked, because they are here in part only."""
        self._older: frozenset[Resource] = frozenset()
        """The lists that are older than what names records that are not in them."""
        self.hide()

    @cached_property
    def _work(self) -> SlicedWork[Mapping[str, int]]:
        from petstore_desktop.ui.base.sliced_work import SlicedWork  # late, as the checks: after the first paint

        return SlicedWork(self, _TURN_S, self._show)

    def refresh(self) -> None:
        """Make all checks anew, one after the other, then show what they found."""
        QTimer.singleShot(0, self, lambda: self._work.begin(self._counting()))

    def _counting(self) -> Iterator[Mapping[str, int] | None]:
        from petstore_desktop.desk.data_checks import DATA_CHECKS, checked_rows_of, is_unsure, silence

        counts: dict[str, int] = {}
        shop, unlooked, older = self._desk.shop, set["Resource"](), set["Resource"]()
        for check in DATA_CHECKS:
            # Of lists that are not here whole the count would only be a beginning.
            if check.resource in shop.whole and shop.in_part.isdisjoint(check.lists) and not silence(shop, check):
                counts[check.id] = len(checked_rows_of(shop).of(check.id))
                self._lists[check.id] = check.resource
                older.update(check.needs if is_unsure(shop, check) else ())
            unlooked.update(filter(self._is_in_part, check.lists))
            yield None
        self._unlooked, self._older = frozenset(unlooked), frozenset(older)
        yield counts

    def _is_in_part(self, resource: Resource) -> bool:
        """Whether not all of a list is here, though its reading has come to an end."""
        load = self._desk.load(resource)
        return load.is_in_part and load.phase in ("ready", "empty", "failed", "cancelled")

    def _show(self, counts: Mapping[str, int]) -> None:
        self._counts = dict(counts)
        away = {check: min(n, counts.get(check, n)) for check, n in self._away.counts().items()}
        self._away.use({check: n for check, n in away.items() if n and counts.get(check, n) <= n})
        self._show_lines()

    def _show_lines(self) -> None:
        away = self._away.counts()
        lines = [self._line(check, n) for check, n in self._counts.items() if n and check not in away]
        self.set_lines(lines)
        words = " ".join(filter(None, (not_checked_words(self._unlooked), _older_words(self._older))))
        say(self.empty, words)
        self.setVisible(bool(lines or words))

    def _line(self, check_id: str, count: int) -> Line:
        words = check_words(check_id, count)
        spoken = tr("{count} {words}", count=number(count), words=words)
        go = partial(self._open_rows, ListTarget(self._lists[check_id], filters={"gutter": check_id}))
        return Line(f"{_PREFIX}{check_id}", spoken, go, head=number(count), names=words, names_tone="text")

    def make(self, line: Line) -> LineButton:
        return WorthLine(line, self.put_away)

    def put_away(self, key: str) -> None:
        """Show this line again only when more is found than now."""
        check_id = key.removeprefix(_PREFIX)
        stops = self.buttons()
        at = next((place for place, one in enumerate(stops) if one.line.key == key), 0)
        words = tr("Put away until there are more: {what}", what=stops[at].line.spoken)
        self._away.put_away(check_id, self._counts.get(check_id, 0), words)
        if left := self.buttons():
            left[min(at, len(left) - 1)].setFocus(Qt.FocusReason.OtherFocusReason)


def not_checked_words(lists: frozenset[Resource]) -> str:
    """That checks need lists that are here in part only; empty for none."""
    if not lists:
        return ""
    names = tr(", ", "between parts of a line").join(resource_title(one) for one in sorted(lists))
    return tr("Not checked, because not all of it is here: {lists}.", lists=names)


def _older_words(lists: frozenset[Resource]) -> str:
    """That what names records of these lists may be newer than they are; empty for none."""
    if not lists:
        return ""
    names = tr(", ", "between parts of a line").join(resource_title(one) for one in sorted(lists))
    return tr("Some records name others that are not here: they may be new. Refresh to be sure: {lists}.", lists=names)


def check_words(check_id: str, count: int) -> str:
    """What a check found, after its count."""
    return _WORDS[check_id](count)


_WORDS: Mapping[str, Callable[[int], str]] = {
    "sold-with-stock": lambda n: tr("sold pets still have stock", "", n, one="sold pet still has stock"),
    "no-such-pet": lambda n: tr(
        "orders are for pets that do not exist", "", n, one="order is for a pet that does not exist"
    ),
    "without-category": lambda n: tr("pets without a category", "", n, one="pet without a category"),
    "same-name": lambda n: tr("pets with the name of another one of their category", "", n),
    "stock-without-pet": lambda n: tr("stock entries without a pet", "", n, one="stock entry without a pet"),
    "incomplete": lambda n: tr(
        "orders without a pet, quantity or date", "", n, one="order without a pet, quantity or date"
    ),
    "more-than-stock": lambda n: tr(
        "open orders for more than is in stock", "", n, one="open order for more than is in stock"
    ),
    "below-zero": lambda n: tr("stock entries below zero", "", n, one="stock entry below zero"),
}
"""By check."""

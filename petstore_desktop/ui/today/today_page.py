"""Today: what changed since the person was last here, what needs them, and what the shop looks like this morning."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QWidget

from petstore_desktop.desk.today.standing import standing_of
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.building import add, in_column, in_row, named, timer
from petstore_desktop.ui.base.first_paint import after_first_paint
from petstore_desktop.ui.context.tab_specs import TabPage
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.today.needs import BegunSection, NeedsSection
from petstore_desktop.ui.today.orders_and_stock import OrdersSection, StockSection
from petstore_desktop.ui.today.section import PAD, STOP, TodaySection, age_words, standing_words, wide
from petstore_desktop.ui.today.sentence import TodaySentence, linked
from petstore_desktop.ui.today.worth_a_look import WorthSection
from petstore_desktop.ui.widgets.labels import LINK_PAD, LinkLabel, PlainLabel
from petstore_desktop.ui.widgets.scrolled import Scrolling

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.today.requests import RequestsSection
    from petstore_desktop.ui.today.since import SinceReader, SinceSection
    from petstore_desktop.ui.today.ways import TodayWays

_EDGE, _MAIN, _GUTTER, _SIDE, _BETWEEN = 40, 768, 48, 384, 22
_MOST = 1000
"""The share of the plane, beside which what is left of a wide window stays empty."""
_HALVES, _HALVES_GAP = 640, 16
"""Stock and Worth a look stand side by side where there is so much room for both."""
_WIDEST = 1.5
"""So much wider than they need be both columns become in a wide window: names are read whole."""
_NARROW = 1100
"""In a narrower window the side column comes after the main one."""
_SETTLE_MS = 200
"""Milliseconds after the last change until the page is worked out anew."""


class TodayPage(TabPage):
    """The page; it costs no request by itself. `main`, `pair` and `side` hold the sections. Those of the side are made
    after the first paint of the window, if Today is what it shows first."""

    watches = tuple(Resource)
    since: SinceSection
    requests: RequestsSection

    def __init__(self, shop: LiveShop, ways: TodayWays, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("todayTab")
        self._shop, self._desk, self._ways = shop, shop.desk, ways
        self._line = ""
        self._waits = False
        """Whether the keyboard goes to the first count in the sentence as soon as there is one."""
        self._order: list[QWidget] = []
        self._stale = True
        self._soon = timer(self, _SETTLE_MS, self._refresh, once=True)
        self.sentence = TodaySentence()
        self.age = PlainLabel("", "muted", 12)
        self.refresh_link = named(LinkLabel(tr("Refresh"), 12), "todayRefresh")
        self.needs = NeedsSection(shop.desk, ways.review)
        self.orders = OrdersSection(shop.desk, ways.rows)
        self.stock = StockSection(shop.desk, shop.past, ways.rows, ways.record)
        self.begun = BegunSection(shop.desk, ways.desk)
        self.main: tuple[TodaySection, ...] = (self.needs, self.begun, self.orders)
        self.worth = WorthSection(shop.desk, ways.rows, ways.put_away)
        self.pair: tuple[TodaySection, ...] = (self.stock, self.worth)
        self._reader: SinceReader | None = None
        self.side: tuple[TodaySection, ...] = ()
        self._lay_out()
        self.refresh_link.clicked.connect(lambda: ways.refresh())
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._note_line)
        if parent.isVisible():
            self._complete()
        else:
            after_first_paint(self, self._complete)

    # -- building

    def _lay_out(self) -> None:
        key = PlainLabel(self._ways.refresh_key(), "faint", 11)
        age = in_row(None, self.age, self.refresh_link, key, "stretch", margins=(PAD, 0, PAD, 0), spacing=10 - LINK_PAD)
        self._main, self._side = QWidget(), QWidget()
        self._halves = in_row(None, *((section, 1) for section in self.pair), spacing=_HALVES_GAP)
        for section in self.pair:
            self._halves.setAlignment(section, Qt.AlignmentFlag.AlignTop)
        in_column(self._main, *self.main, self._halves, "stretch", spacing=_BETWEEN)
        self._side_column = in_column(self._side, spacing=_BETWEEN)
        self._columns = in_row(None, (self._main, 2), (self._side, 1), spacing=_GUTTER - 2 * PAD)
        head = in_row(None, self.sentence, margins=(PAD - 4, 0, PAD - 4, 0))
        edge, self._plane, content = _EDGE - PAD, QWidget(), QWidget()
        in_column(self._plane, head, age, 18, self._columns, "stretch", margins=(edge, 20, edge, 24), spacing=4)
        in_row(content, (self._plane, _MOST), "stretch")
        in_column(self, (Scrolling(content), 1))

    def _complete(self) -> None:
        from petstore_desktop.ui.today.requests import RequestsSection  # late: the start does not wait for it
        from petstore_desktop.ui.today.since import SinceReader, SinceSection  # the same

        self._reader = SinceReader(self._desk, self._shop.past, self._ways.since, self)
        self._reader.known.connect(self._show_since)
        self.since = SinceSection(self._desk, self._reader, self._ways)
        self.requests = RequestsSection(self._desk, self._ways.requests)
        self.side = (self.since, self.requests)
        add(self._side_column, *self.side, "stretch")
        if not self._stale:
            self._refresh()

    def sections(self) -> tuple[TodaySection, ...]:
        """All sections, in the order of the keyboard."""
        return (*self.main, *self.pair, *self.side)

    def _fit(self) -> None:
        """One column or two, none wider than it can be read."""
        narrow = self.width() < wide(_NARROW)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._columns.setDirection(down if narrow else across)
        self._columns.setSpacing(_BETWEEN if narrow else _GUTTER - 2 * PAD)
        main, side = wide(_MAIN) + 2 * PAD, wide(_SIDE) + 2 * PAD
        if not narrow:
            room = (self.width() - 2 * (_EDGE - PAD)) / (main + side + _GUTTER - 2 * PAD)
            main, side = (round(column * min(max(room, 1), _WIDEST)) for column in (main, side))
        self._main.setMaximumWidth(main)
        self._side.setMaximumWidth(main if narrow else side)
        whole = main if narrow else main + side + _GUTTER - 2 * PAD
        plane = min(self.width(), whole + 2 * (_EDGE - PAD))
        self._plane.setMaximumWidth(plane)
        room = plane - 2 * (_EDGE - PAD) - (0 if narrow else side + _GUTTER - 2 * PAD)
        halves = room >= wide(_HALVES)
        self._halves.setDirection(across if halves else down)
        self._halves.setSpacing(_HALVES_GAP if halves else _BETWEEN)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()  # a window of a real screen has its size only after the tab was shown

    # -- what a tab does

    def focus_list(self) -> None:
        """Give the keyboard to the line that had it last, or to the first one."""
        self.go_to_line(self._line)

    def desk_changed(self, moved: Changed) -> None:
        """Something moved at the desk."""
        self.renew()

    def renew(self) -> None:
        """Work the page out anew: a moment later if it is shown, else when it is."""
        self._stale = True
        if self.isVisible() and not self._soon.isActive():
            self._soon.start()

    def refresh_state(self) -> None:
        """The tab is shown, or the window has another size."""
        self._fit()
        if self._stale:
            self._refresh()

    def tick(self) -> None:
        """The age of the data moves on."""
        self._show_age()

    def line(self) -> str:
        """The line that has the keyboard, or had it last, by its key."""
        return self._line

    def go_to_line(self, key: str) -> None:
        """Give the keyboard to the line of this key; where it is gone, to the first stop of the page."""
        wanted = next((stop for stop in self._stops() if stop.objectName() == f"{STOP}{key}"), None)
        self._waits = wanted is None
        first = next(iter(self.sentence.links()), self.refresh_link)
        (wanted or first).setFocus(Qt.FocusReason.OtherFocusReason)

    def _stops(self) -> list[QWidget]:
        stops = [stop for section in self.sections() if not section.isHidden() for stop in section.stops()]
        return [*self.sentence.links(), *stops]

    def _note_line(self, _: QWidget | None, now: QWidget | None) -> None:
        if now is not None and now.objectName().startswith(STOP) and self.isAncestorOf(now):
            self._line = now.objectName().removeprefix(STOP)

    # -- what it says

    def _refresh(self) -> None:
        self._stale = False
        self._soon.stop()
        self._show_age()
        for section in self.sections():
            section.refresh()
        self._show_sentence()
        self._order_stops()
        self._follow_line()
        if self._reader is not None:
            self._reader.ask()

    def _show_since(self) -> None:
        self._show_sentence()
        self.since.refresh()
        self._order_stops()
        self._follow_line()

    def _follow_line(self) -> None:
        """Give the keyboard to the line that it waits for, once that is on the page."""
        if self._waits and self.refresh_link.hasFocus():
            self.go_to_line(self._line)

    def _order_stops(self) -> None:
        """The keyboard goes over the page as it is read, whenever its lines were made."""
        links = self.sentence.links()
        order = [*links, self.refresh_link, *self._stops()[len(links) :]]
        if order != self._order:
            self._order = order
            for before, after in pairwise(order):
                QWidget.setTabOrder(before, after)

    def _show_sentence(self) -> None:
        said = standing_words(standing_of(self._desk), self._desk.send_block(), self._desk.now())
        if said or self._reader is None or self._reader.since is None:
            self.sentence.show_words(said)
        else:
            words, goes = self.since.sentence(self._reader.since)
            self.sentence.show_words(*((words, goes) if goes else self._what_matters(words)))

    def _what_matters(self, words: str) -> tuple[str, dict[str, Callable[[], object]]]:
        """On a quiet day: what is overdue and low, behind these words."""
        counted = [section for section in (self.orders, self.stock) if section.due is not None]
        due = {section.objectName(): section.due for section in counted if section.due is not None}
        there = {name: one for name, one in due.items() if one.count}
        if there:
            parts = tr(", ", "between parts of a line").join(linked(one.words) for one in there.values())
            more = tr("{parts}.", "a sentence from parts with commas between them", parts=parts)
        elif self.stock in counted and self.orders in counted:
            more = tr("No order is overdue, and no pet is low.")
        else:
            more = tr("No order is overdue.") if self.orders in counted else "" if words else tr("Today")
        said = tr("{sentence} {next}", "two sentences", sentence=words, next=more) if words and more else words or more
        return said, {name: one.go for name, one in there.items()}

    def _show_age(self) -> None:
        standing = standing_of(self._desk)
        self.age.set_text(age_words(standing, self._desk.now()))
        self.age.set_tone("wait" if standing.offline is not None else "muted")

"""The bar at the bottom, and what fills it: the shop and its state, unsent changes and those that need attention as
links, the selection, and the meters of the requests left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QResizeEvent
from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.quota import Window
from petstore_desktop.ui.base.building import in_row, named, timer
from petstore_desktop.ui.base.theme import Tone, current, plain, to_say
from petstore_desktop.ui.grid.selection import RowSet, selected_rows
from petstore_desktop.ui.status.quota_meter import MeterReading, QuotaMeter
from petstore_desktop.ui.text.status import clock_badge, connection_words, quota_tips
from petstore_desktop.ui.text.translate import needs_words, number, tr
from petstore_desktop.ui.widgets.labels import PaintedButton, PlainLabel, announce, set_tip
from petstore_desktop.ui.widgets.paint import Brush, Plane, elided, fill_round

if TYPE_CHECKING:
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.action_set import ActionSet
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.status.quota_popup import QuotaPopup


_READABLE = 150
"""Pixels that shortened words keep before the meters give way."""
_RING_ROOM = 5
"""Room beside words without a tint: the focus ring takes two pixels of it."""


class IconWords(PaintedButton):
    """An icon with words that can be clicked, on a tint or not.

    Signals:
        clicked(bool): Qt's own; by mouse, Space or Enter.
    """

    tinted = False
    weight = 400

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = ""
        self._words = ""
        self._tone: Tone = "text"

    def set_parts(self, icon: str, words: str, tone: Tone) -> None:
        """Change the shown parts."""
        if (icon, words, tone) != (self._icon, self._words, self._tone):
            self._icon, self._words, self._tone = icon, words, tone
            self.show_words(words)
            self.update()

    def words(self) -> str:
        """The words as given."""
        return self._words

    def words_tone(self) -> Tone:
        """The tone of the words, which may be quieter than the icon's."""
        return self._tone

    def _pad(self) -> int:
        return 7 if self.tinted else _RING_ROOM

    def sizeHint(self) -> QSize:
        theme = current()
        icon = theme.scaled(14) + 6 if self._icon else 0
        width = icon + theme.advance(self._words, 12, self.weight, True) + 2 * self._pad() + (2 if self.tinted else 0)
        return QSize(round(width + 0.5), theme.height(20))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self.sizeHint().width(), 60), self.sizeHint().height())

    def draw(self, brush: Brush) -> None:
        theme, x = brush.theme, float(self._pad())
        if self.tinted:
            brush.panel(theme.tint(self._tone), 4)
            if self.underMouse():
                brush.ring(theme.tone(self._tone), 4, 1)
        if self._icon:
            side = theme.scaled(14)
            brush.icon(self._icon, x, theme.tone(self._tone), side)
            x += side + 6
        words = elided(theme, self._words, self.width() - x - self._pad(), 12, self.weight, True)
        brush.text(x, words, theme.tone(self.words_tone()), 12, self.weight, True)


class StateLabel(IconWords):
    """The shop and its state: "Riverside Pets, live"."""

    def set_state(self, icon: str, words: str, tone: Tone) -> None:
        """Icon in the tone; the words too where they need someone (wait, bad)."""
        self.weight = 500 if tone in ("wait", "bad") else 400
        self.set_parts(icon, words, tone)

    def words_tone(self) -> Tone:
        return self._tone if self._tone in ("wait", "bad", "muted") else "text"


class ShopButton(IconWords):
    """What opens the list of shops: the connection's colour, if it has one, and a chevron. The name stands beside it,
    in the state."""

    _colour = ""

    def set_shop(self, colour: str, words: str) -> None:
        """`colour`: `#RRGGBB` or empty; `words` for the tool tip and screen readers."""
        self._colour = colour
        self.setAccessibleName(to_say(words))
        set_tip(self, words)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        theme = current()
        mark = theme.scaled(10) + 4 if self._colour else 0
        return QSize(mark + theme.scaled(12) + 2 * _RING_ROOM, theme.height(20))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def draw(self, brush: Brush) -> None:
        theme, x = brush.theme, float(_RING_ROOM)
        if self._colour:
            side = theme.scaled(10)
            mark = QRectF(brush.at(x, side), brush.middle - side / 2, side, side)
            fill_round(brush.painter, mark, 3, QColor(self._colour))
            x += side + 4
        brush.icon("chevron-up", x, theme.tone("text" if self.underMouse() else "muted"), theme.scaled(12))


class CountBadge(IconWords):
    """A count that is a link: "3 unsent". Hidden at zero; tinted only when it needs someone."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.hide()

    def set_count(self, count: int, words: str, icon: str, tone: Tone) -> None:
        """Show `words` (which name the count) unless `count` is zero."""
        self.tinted = tone in ("accent", "bad", "wait", "ok")
        self.weight = 500 if self.tinted else 400
        self.set_parts(icon, words, tone)
        self.setVisible(count != 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


def _readable(label: PlainLabel) -> int:
    """The width that a label needs: all of it where it cannot be cut."""
    return max(label.minimumSizeHint().width(), current().scaled(_READABLE))


class StatusBar(Plane, QWidget):
    """The 30 px row: things added to the left in their order, things added to the right after a gap."""

    ground, edge = "chrome", Qt.Edge.TopEdge

    _ready = False
    """Qt may call overrides before the Python object is made."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusBar")
        self._row = in_row(self, "stretch", margins=(16 - _RING_ROOM, 0, 16, 0), spacing=10)
        self._ready = True
        self._left = 0
        self.setFixedHeight(current().height(30))

    def add_left(self, widget: QWidget) -> None:
        """Add a widget after those on the left."""
        self._row.insertWidget(self._left, widget)
        self._left += 1

    def add_right(self, widget: QWidget) -> None:
        """Add at the right end; quota meters there leave out parts where the bar gets too narrow."""
        self._row.addWidget(widget)

    def minimumSizeHint(self) -> QSize:
        """Narrower than what it holds, so that large text does not force a window wider than the screen."""
        return QSize(480, self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and self._ready:  # something in it has other words now
            self.fit()
        return super().event(event)

    def fit(self, *, whole: bool = False) -> bool:
        """Let the meters leave out what there is no room for; whether there is room for the rest then, and, if they
        are to be `whole`, for all of them."""
        cuttable = sum(max(0, label.sizeHint().width() - _readable(label)) for label in self.findChildren(PlainLabel))
        meters = self.findChildren(QuotaMeter)
        for meter in meters:
            meter.fit(self.width() - self._row.sizeHint().width() + cuttable + meter.sizeHint().width())
        room = self._row.sizeHint().width() <= self.width()
        return room and (not whole or all(meter.is_whole for meter in meters))


_SELECTED_MS = 400
"""How long the selection stays as it is before it is read out."""


class StatusLine(QObject):
    """`bar` is the widget.

    Signals:
        selected: object: another selection, in this tab, or None.
        counted: object, bool: the same; or (True) the same selection, whose values may have changed.
    """

    selected = Signal(object)
    counted = Signal(object, bool)

    def __init__(self, shop: LiveShop, actions: ActionSet, window: QWidget) -> None:
        super().__init__(window)
        self._connection, self._desk, self._actions = shop.connection, shop.desk, actions
        self.bar = StatusBar(window)
        self.shop = named(ShopButton(), "shopButton")
        self.state = named(StateLabel(), "connectionState")
        names = ("readOnly", "others", "outbox", "refused", "clock", "delivery", "stocktake")
        badges = (named(CountBadge(), f"{name}Badge") for name in names)
        self.read_only, self.others, self.unsent, self.needs, self.clocks, self.delivery, self.count = badges
        self.selection = PlainLabel("", "muted", 12, tnum=True)
        self._chosen: tuple[ResourceTab | None, RowSet] = (None, RowSet())
        self._words = self._cost = self._all_sums = ""
        self._sums: tuple[str, ...] = ()
        self._said: tuple[list[str], int] = ([], 0)
        self.selection.setObjectName("selectionCount")
        self._calm = timer(self, _SELECTED_MS, self._tell_selection, once=True)
        self.meter = QuotaMeter()
        shown = (self.shop, self.state, self.read_only, self.unsent, self.needs, self.delivery, self.count, self.others)
        for widget in (*shown, self.clocks, self.selection):
            self.bar.add_left(widget)
        self._name_shop()
        self.bar.add_right(self.meter)
        self._popup: QuotaPopup | None = None
        self._asked: tuple[int, Window] | None = None
        self._lasts = ("", "")
        self._connect(window)
        self._show_drafts()

    def _connect(self, window: QWidget) -> None:
        actions = self._actions
        self.unsent.clicked.connect(actions["showWaiting"].trigger)
        self.needs.clicked.connect(actions["showReview"].trigger)
        self.delivery.clicked.connect(actions["receive"].trigger)
        self.count.clicked.connect(actions["stocktake"].trigger)
        self.clocks.clicked.connect(lambda: self._explain_clocks(window))
        self.shop.clicked.connect(actions["switchShop"].trigger)
        self.others.clicked.connect(actions["switchShop"].trigger)
        self.read_only.clicked.connect(actions["connectionSettings"].trigger)
        self.state.clicked.connect(actions["refresh"].trigger)
        self.meter.clicked.connect(actions["showQuota"].trigger)

    def _name_shop(self) -> None:
        connection = self._connection
        name = plain(connection.name)
        words = tr("{shop}: switch to another shop", shop=name)
        self.shop.set_shop(connection.colour or "", words)
        self.read_only.set_count(int(connection.read_only), tr("Read-only"), "lock", "wait")
        set_tip(self.read_only, tr("Nothing is sent to this shop. Change this in File > Connection settings."))

    def show_others(self, words: str, needs: bool) -> None:
        """What other shops have unsent, or that one of them needs a person; empty for nothing."""
        self.others.set_count(len(words), words, "conflict" if needs else "saved", "wait" if needs else "muted")

    def update(self, *, drafts: bool = False) -> None:
        """Bring everything but the selection up to date; `drafts`: with what is half done."""
        if drafts:
            self._show_drafts()
        desk, now = self._desk, self._desk.now()
        connection, blocked = desk.connection_state(), desk.send_block()
        icon, words, tone = connection_words(self._connection.name, connection.word, connection.at, blocked, now)
        self.state.set_state(icon, words, tone)
        set_tip(self.state, _sentence(connection.error))
        self._update_counts()
        quota = desk.known_quota()
        minute, day = quota_tips(quota, now, blocked)
        ends, lasts = self._forecast(quota.day, now)
        self.meter.set_readings(
            MeterReading(quota.minute, minute), MeterReading(quota.day, f"{day} {lasts}".strip(), ends)
        )
        if self._popup is not None:
            self._fill_popup(self._popup)

    def _forecast(self, day: Window, now: float) -> tuple[str, str]:
        """When the day's requests end, for the meter, and how long they last, in a sentence; worked out once a
        second. Before the first paint, which waits for no import, the day's limit is unknown."""
        if not day.remaining:
            return "", ""
        if self._asked != (int(now), day):
            self._asked = (int(now), day)
            from petstore_desktop.ui.status.quota_texts import forecast_now  # late: see above

            self._lasts = forecast_now(self._desk, now)
        return self._lasts

    def open_quota(self) -> None:
        """Show the requests left and who used them, above the meter."""
        from petstore_desktop.ui.status.quota_popup import QuotaPopup  # late: only when asked

        popup = self._popup = QuotaPopup(self.meter.window())
        self._fill_popup(popup)
        popup.requestsWanted.connect(self._actions["showRequests"].trigger)
        popup.destroyed.connect(lambda: self._let_go(popup))
        popup.open_above(self.meter)

    def _fill_popup(self, popup: QuotaPopup) -> None:
        from petstore_desktop.ui.status.quota_texts import quota_details  # late: only when asked

        popup.set_words(quota_details(self._desk, self._desk.now()))

    def _explain_clocks(self, window: QWidget) -> None:
        from petstore_desktop.ui.questions.confirm import open_clocks  # late: only when asked

        open_clocks(window, self._skew())

    def _let_go(self, popup: QuotaPopup) -> None:
        if self._popup is popup:
            self._popup = None

    def _update_counts(self) -> None:
        outbox = self._desk.outbox
        unsent = outbox.unsent
        self.unsent.set_count(unsent, tr("{n} unsent", "", unsent), "saved", "accent")
        refused, needs = outbox.refused, outbox.needs_person
        words = tr("{n} refused", "", refused) if refused == needs else needs_words(needs)
        self.needs.set_count(needs, words, "refused" if refused else "conflict", "bad" if refused else "wait")
        clocks = clock_badge(self._skew())
        self.clocks.set_count(len(clocks), clocks, "as-of", "wait")

    def _show_drafts(self) -> None:
        """Name a delivery and a count that are not booked yet, so that nobody forgets them."""
        delivery = counting = ""
        if self._desk.drafts:
            from petstore_desktop.ui.text.unfinished import unfinished_words  # late: mostly there is none

            delivery, counting = unfinished_words(self._desk.drafts)
        for badge, words, icon in ((self.delivery, delivery, "receive"), (self.count, counting, "stocktake")):
            badge.set_count(len(words), words, icon, "muted")
            set_tip(badge, tr("Not booked yet"))

    def _skew(self) -> float:
        """Seconds by which the service's clock is ahead of this computer's, as far as it is known."""
        return self._desk.quota.skew or 0.0

    def set_selection(self, tab: ResourceTab | None) -> None:
        """`1 of 212 selected`; sums and price are added when they are known."""
        rows = RowSet() if tab is None else selected_rows(tab.view)
        total = 0 if tab is None else tab.table.row_count
        self._words = tr("{n} of {total} selected", "", len(rows), total=number(total)) if rows else ""
        again = self._chosen == (tab, rows)
        self.counted.emit(tab, again)
        if self._chosen != (tab, rows):
            self._chosen, self._cost = (tab, rows), ""
            self._calm.start()
            self.selected.emit(tab)
        self._say()

    def _tell_selection(self) -> None:
        """Have it read out how many rows are selected; of one its cell is."""
        tab, rows = self._chosen
        if tab is not None and len(rows) > 1 and tab.isVisible():
            announce(tab.view, self._words)

    def set_cost(self, words: str) -> None:
        """What a change of the selection costs; empty while that is not known."""
        if words != self._cost:
            self._cost = words
            self._say()

    def set_sums(self, forms: Sequence[str], every: str) -> None:
        """What the selection adds up to: the longest words first, and all there is to say."""
        if (tuple(forms), every) != (self._sums, self._all_sums):
            self._sums, self._all_sums = tuple(forms), every
            self._say()

    def _say(self) -> None:
        """As much as there is room for, first without words of the meters being left out; the tool tip says all."""
        between = tr(" · ", "between parts of a line")
        sums, cost = (self._sums, self._cost) if self._words else ((), "")
        forms = [(self._words, one, cost) for one in (*sums, "")]
        said = [between.join(filter(None, form)) for form in (*forms, (self._words,))]
        if (said, self.bar.width()) == self._said:
            return
        self._said = (said, self.bar.width())
        every = (self._words, self._all_sums, cost)
        set_tip(self.selection, "\n".join(filter(None, every)) if self._words else "")
        tried = [(one, True) for one in dict.fromkeys(said[:-1])] + [(one, False) for one in said[-2:]]
        for words, whole in tried:
            self.selection.set_text(words)
            if self.bar.fit(whole=whole):
                break


def _sentence(error: ShopError | None) -> str:
    """An error in one paragraph; empty for none."""
    if error is None:
        return ""
    from petstore_desktop.ui.text.errors.errors import error_words  # late: mostly there is none

    return error_words(error).sentence

"""The frame of a desk: its head, on the left the station with the scan field and what was scanned last, on the right
the list with its pages, and a foot with the price and the one primary button."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QStackedWidget, QWidget
from shiboken6 import isValid

from petstore_desktop.ui.bars.page_switch import PAD
from petstore_desktop.ui.base.building import in_column, in_row, named, on_click
from petstore_desktop.ui.base.theme import current, isolate, plain
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.context.tab_specs import HostedPage
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.station.last_scanned import LastScanned
from petstore_desktop.ui.station.scan_field import PetSuggestions, ScanField
from petstore_desktop.ui.station.station_list import StationPages
from petstore_desktop.ui.text.translate import quoted, tr
from petstore_desktop.ui.widgets.button import Button, fit_buttons, needs_with_keys
from petstore_desktop.ui.widgets.labels import Divider, IconLabel, PlainLabel, say

if TYPE_CHECKING:
    from PySide6.QtGui import QAction

    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.domain.records import Ref

_EDGE, _HEAD, _FOOT, _TIGHT_HEAD = 16, 46, 56, 60
_STATION, _NARROW_STATION = 400, 360
_NARROW, _STACKED, _LOW, _TIGHT = 1100, 820, 430, 300
"""Below these widths the station is narrower; lies above the list. Below these heights it leaves out what it can; and
stands in the head, beside the actions, so that six rows of the list are seen."""
_TIGHT_ROW, _TIGHT_FOOT = 26, 44
_QUOTED = 40
"""Letters of what is typed, in a message."""
_ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class StationHead(QWidget):
    """The row of 46: the desk's name, what it covers, quiet actions, and the button that closes it."""

    def __init__(self, title: str, *actions: QWidget) -> None:
        super().__init__()
        self._covers = PlainLabel("", "muted", elide=True)
        self.close_button = Button(tr("Close"), "icon", "close", "Esc")
        self._buttons = [one for one in actions if isinstance(one, Button)]
        self.stops = (*actions, self.close_button)
        self._name = PlainLabel(title, "text", 15, 600)
        parts = (self._name, (self._covers, 1), *actions, self.close_button)
        self._row = in_row(self, *parts, margins=(_EDGE, 4, 10, 0), spacing=10)
        self._station: QWidget | None = None
        self.set_station(None)
        self.setMinimumWidth(1)

    def set_station(self, station: QWidget | None) -> None:
        """The station stands here, in the place of the name; None: it does not any more."""
        if self._station is not None:
            self._row.removeWidget(self._station)
        self._station = station
        if station is not None:
            self._row.insertWidget(0, station, 1)
        self._row.setContentsMargins(_EDGE if station is None else 0, 4, 10, 0)
        for words in (self._name, self._covers):
            words.setVisible(station is None)
        self.setFixedHeight(current().height(_HEAD if station is None else _TIGHT_HEAD))
        self._fit_words()

    def set_covers(self, words: str) -> None:
        """What the desk covers, and since when."""
        self._covers.set_text(words)
        self._fit_words()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room the actions lose their key, then their words."""
        super().resizeEvent(event)
        self._fit_words()

    def _fit_words(self) -> None:
        room = self.width() / (2 if self._station is None else 6)
        is_cut = self._station is None and needs_with_keys(self._row, self._buttons) > self.width()
        fit_buttons(self._buttons, room, 10, least=int(is_cut))


class StationFoot(QWidget):
    """The row of 56: what is safe at the left, the price and the primary button at the right."""

    def __init__(self, safe: str) -> None:
        super().__init__()
        self.safe = PlainLabel(safe, "text", elide=True)
        self.price = named(PlainLabel("", "muted", elide=True), "deskPrice")
        enter = QKeySequence(Qt.Modifier.CTRL | Qt.Key.Key_Enter).toString(QKeySequence.SequenceFormat.NativeText)
        self.primary = Button("", "primary", key=enter)
        self._icon = IconLabel("saved", "accent", tr("Saved on this computer"))
        self._row = in_row(
            self, self._icon, (self.safe, 1), self.price, self.primary, margins=(_EDGE, 0, _EDGE, 0), spacing=8
        )
        self.setFixedHeight(current().height(_FOOT))
        self.setMinimumWidth(1)

    def add_before_primary(self, widget: QWidget) -> None:
        """Put a widget between the price and the primary button."""
        self._row.insertSpacing(self._row.count() - 1, 10)
        self._row.insertWidget(self._row.count() - 1, widget)
        self._row.insertSpacing(self._row.count() - 1, 4)

    def event(self, event: QEvent) -> bool:
        """Before a word is cut the button loses its key."""
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            is_cut = needs_with_keys(self._row, (self.primary,)) > self.width()
            fit_buttons((self.primary,), self.width(), least=int(is_cut), briefest=1)
        return super().event(event)

    def set_price(self, words: str) -> None:
        """What the primary button costs; empty where that is nothing, or not known."""
        say(self.price, words)


def left_in_field_words(typed: str) -> str:
    """Why the primary button did nothing: what is typed asks for a pet."""
    said = quoted(isolate(plain(typed.strip()[:_QUOTED])))
    return tr("Not booked yet: {typed} is still in the field. Enter takes it, Esc clears it", typed=said)


def undo_button(action: QAction, name: str) -> Button:
    """A button for the head that undoes what the window's Undo takes, which its tool tip names."""
    button = named(Button(kind="quiet"), name)
    button.bind(action, tr("Undo"))
    return button


class StationPage(HostedPage):
    """A desk of the stock room.

    Signals:
        pageChosen(int): another page of the list is shown.
    """

    pageChosen = Signal(object)

    def __init__(
        self, desk: Desk, name: str, title: str, icon: str, texts: tuple[str, str, str], parent: QWidget
    ) -> None:
        """`texts`: the hint below the field, the hint before anything was scanned, and what the foot calls safe."""
        super().__init__(parent)
        hint, nothing, safe = texts
        named(self, name, title)
        self.desk = desk
        self.field = ScanField(icon)
        self.hint = named(PlainLabel(hint, "muted", 12, wrap=True), "stationHint")
        self.last = LastScanned(nothing)
        self.pages = StationPages()
        self.stack = QStackedWidget()
        self.suggestions = PetSuggestions(desk, self)
        self.foot = StationFoot(safe)
        self.head = StationHead(title, *self.head_actions())
        self._station, self._own_foot = QWidget(), in_column(None)
        self._list, self._line = QWidget(), Divider(vertical=True)
        self._widgets: list[QWidget] = []
        self._spare: list[QWidget] = []
        self._list_head = in_row(None, self.pages, "stretch", spacing=8)
        self._tight: bool | None = None
        self.setMinimumWidth(1)
        self._lay_out()
        self._connect()

    # -- given by each desk

    def head_actions(self) -> tuple[QWidget, ...]:
        """The widgets in the head, before the close button."""
        return ()

    def go_on(self, before: HostedPage) -> None:
        if isinstance(before, StationPage):
            self.field.setText(before.field.text())

    def take_scan(self, text: str) -> None:
        """A code was scanned, whatever had the keyboard."""
        raise NotImplementedError

    def take_text(self, text: str) -> bool:
        """Something was typed, and Enter pressed; False: it is to be searched for as a pet."""
        raise NotImplementedError

    def refuses(self) -> bool:
        """Whether nothing can be taken now, which is then said; what was typed stays in the field."""
        return False

    def take_pet(self, ref: Ref) -> None:
        """A pet was chosen by its id or name."""
        raise NotImplementedError

    def not_found(self, text: str) -> None:
        """No pet has this id or name."""
        raise NotImplementedError

    def stops(self) -> tuple[QWidget, ...]:
        """What Tab comes to after the pages, in this order; the primary button is the last."""
        return tuple(self._widgets)

    def go(self) -> None:
        """The primary button, or Ctrl+Enter."""
        raise NotImplementedError

    def paste_lines(self, text: str) -> None:
        """Lines of another program were pasted."""

    def hint_needed(self) -> bool:
        """Whether the hint asks for something, and is shown where there is little room too."""
        return False

    def end_question(self) -> bool:
        """Esc: give up what the field asks for; whether it asked for anything."""
        return False

    def stacked_changed(self, stacked: bool) -> None:
        """The station lies above the list where `stacked`: its own foot may want less room."""

    def suggests(self, text: str) -> bool:
        """Whether what is being typed is a part of a name or an id, so that pets are suggested."""
        return bool(text.strip())

    # -- what is said

    moves = 0
    """How often something was done here, or moved."""

    def said_now(self, words: str, icon: str = "warning") -> Message:
        """A message on what was tried just now: it goes with the next thing that is done here."""
        moves = self.moves
        return Message(words, icon, still=lambda: isValid(self) and self.moves == moves)

    def said_of_typed(self) -> Message:
        """Why the primary button did nothing, for as long as that is so: what is typed asks for a pet."""
        typed = self.field.text()
        return Message(
            left_in_field_words(typed), "warning", still=lambda: isValid(self) and self.field.text() == typed
        )

    # -- building

    def _lay_out(self) -> None:
        self.last_and_hint = in_column(None, self.hint, 18, self.last)
        self._parts = in_column(
            self._station,
            self.field,
            9,
            self.last_and_hint,
            "stretch",
            self._own_foot,
            margins=(_EDGE, 4, _EDGE, 16),
        )
        in_column(self._list, self._list_head, (self.stack, 1))
        self._halves = in_row(None, self._station, self._line, (self._list, 1))
        in_column(self, self.head, (self._halves, 1), Divider(), self.foot)

    def _connect(self) -> None:
        self.field.entered.connect(self._entered)
        self.field.textEdited.connect(self._typed)
        self.field.walked.connect(self._walk)
        self.field.linesPasted.connect(self.paste_lines)
        self.field.escaped.connect(self._escape)
        self.suggestions.chosen.connect(self._chose)
        self.suggestions.found.connect(self._place_suggestions)
        self.pages.chosen.connect(self._show_page)
        on_click(self.head.close_button, self.closed, "deskClose")
        on_click(self.foot.primary, lambda: self.go(), "deskPrimary")

    def foot_rect(self) -> QRect:
        """The foot with the price and the primary button."""
        return self.foot.geometry()

    def add_page(self, name: str, words: str, widget: QWidget) -> int:
        """A page of the list; several may share one widget."""
        if self.stack.indexOf(widget) < 0:
            self.stack.addWidget(widget)
        self._widgets.append(widget)
        return self.pages.add_page(name, words)

    def add_to_list_head(self, widget: QWidget) -> None:
        """A widget at the end of the line of pages."""
        self._list_head.addWidget(widget)

    def set_station_foot(self, widget: QWidget, *, spare: bool = False) -> None:
        """What stands at the lower end of the station; `spare`: not where there is little room."""
        self._own_foot.addWidget(widget)
        self._spare = [widget] if spare else []

    def _show_page(self, page: int) -> None:
        self.stack.setCurrentWidget(self._widgets[page])
        self.pageChosen.emit(page)

    # -- what is typed

    def _entered(self, text: str) -> None:
        if text.strip() and self.refuses():
            return
        chosen = self.suggestions.current()
        if self.take_text(text):
            self.clear_field()
        elif chosen is not None:
            self._chose(chosen)
        elif text.strip():
            self.suggestions.search(text)
            self.suggestions.when_found(lambda ref: self._found(text, ref))

    def _found(self, text: str, ref: Ref | None) -> None:
        if ref is None:
            self.not_found(text.strip())
        else:
            self._chose(ref)

    def _chose(self, ref: Ref) -> None:
        self.clear_field()
        self.take_pet(ref)
        self.focus_list()

    def clear_field(self) -> None:
        """Empty the field, for what was typed is taken."""
        self.field.clear()
        self.suggestions.close_up()

    def _typed(self, text: str) -> None:
        if self.suggests(text):
            self.suggestions.search(text)
        else:
            self.suggestions.close_up()

    def _walk(self, by: int) -> None:
        if self.suggestions.current() is not None:
            self.suggestions.walk(by)
        elif by > 0:
            shown, stops = self._widgets[self.pages.shown()], self.stops()
            (shown if shown in stops else stops[0]).setFocus(Qt.FocusReason.OtherFocusReason)

    def _escape(self) -> None:
        if not self.suggestions.isHidden():
            self.suggestions.close_up()
        elif not self.end_question():
            self.closed.emit()

    # -- what a tab does

    def focus_list(self) -> None:
        """The field keeps the keyboard."""
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and event.type() is QEvent.Type.ShortcutOverride and self._is_own(event):
            event.accept()
            return True
        return super().event(event)

    def _is_own(self, event: QKeyEvent) -> bool:
        """The keys of the window's actions that are the desk's own here."""
        held = event.modifiers()
        control = held == Qt.KeyboardModifier.ControlModifier
        return control and event.key() in (*_ENTERS, Qt.Key.Key_V, Qt.Key.Key_F)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            self._escape()
        elif not self._is_own(event):
            super().keyPressEvent(event)
        elif event.key() in _ENTERS:
            self.go()
        elif event.key() == Qt.Key.Key_V:
            self.field.paste_lines()
        else:
            self.find_text()

    def find_text(self) -> None:
        """Ctrl+F: the field, or the filter of the list where there is one."""
        self.focus_list()

    # -- what there is room for

    def showEvent(self, event: QShowEvent) -> None:
        """Tab goes over the desk as it is read, from the field on."""
        super().showEvent(event)
        self._order_stops()

    def _order_stops(self) -> None:
        stops = (self.field, *self.head.stops, *self.pages.words(), *self.stops(), self.foot.primary)
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def refresh_state(self) -> None:
        """The desk is shown, or the window has another size."""
        self._fit()

    def _fit(self) -> None:
        theme = current()
        stacked = self.width() < theme.scaled(_STACKED)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._halves.setDirection(down if stacked else across)
        wide = self.width() >= theme.scaled(_NARROW)
        room = theme.scaled(_STATION if wide else _NARROW_STATION)
        self._station.setMaximumWidth(16_777_215 if stacked else room)
        self._station.setMinimumWidth(1 if stacked else room)
        vertical = QSizePolicy.Policy.Maximum if stacked else QSizePolicy.Policy.Preferred
        self._station.setSizePolicy(QSizePolicy.Policy.Preferred, vertical)
        self._line.setVisible(not stacked)
        low = stacked and self.height() < theme.scaled(_LOW)
        self._set_tight(low and self.height() < theme.scaled(_TIGHT))
        for widget in (self.last, *self._spare):  # the list below says the same
            widget.setHidden(low)
        foot = self._parts.indexOf(self._own_foot)  # in a low window it stands beside the field
        self._parts.setDirection(across if low else down)
        self._parts.setSpacing(12 if low and self._own_foot.count() else 0)
        beside = (0, 0 if self._spare else 2)
        for part, share in ((self._parts.indexOf(self.field), (0, 3)), (foot - 1, (1, 0)), (foot, beside)):
            self._parts.setStretch(part, share[low])
        self.last.set_narrow(stacked)
        self.hint.setVisible(not stacked or self.hint_needed())
        self.stacked_changed(stacked)
        self._place_suggestions()

    def _set_tight(self, tight: bool) -> None:
        """Where the list would have three rows the station stands in the head, and all is a little lower."""
        if tight is self._tight:
            return
        theme, focused = current(), self.field.hasFocus()
        if tight:
            self._halves.removeWidget(self._station)
        self.head.set_station(self._station if tight else None)
        if not tight:
            self._halves.insertWidget(0, self._station)
        self._tight = tight
        self._parts.setContentsMargins(_EDGE, 4, 8 if tight else _EDGE, 4 if tight else 16)
        self._list_head.setContentsMargins(_EDGE - PAD, 2 if tight else 9, _EDGE, 0 if tight else 5)
        self.foot.setFixedHeight(theme.height(_TIGHT_FOOT if tight else _FOOT))
        for view in self.findChildren(TableView):
            view.set_row_height(_TIGHT_ROW if tight else TableView.row_height)
        self._station.show()
        self._order_stops()
        if focused:  # who is moved elsewhere loses the keyboard
            self.focus_list()

    def _place_suggestions(self) -> None:
        """Below the field, as wide as it is."""
        corner = self.field.mapTo(self, QPoint(0, self.field.height() + 2))
        least = current().scaled(_NARROW_STATION - 2 * _EDGE)
        self.suggestions.setFixedWidth(min(max(self.field.width(), least), self.width() - 2 * _EDGE))
        self.suggestions.move(corner)

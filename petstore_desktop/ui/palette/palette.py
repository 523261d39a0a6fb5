"""The answers under the palette's field: they come as one types, a search gives way to the next key, and nothing that
runs takes a turn of the window for itself. A row is painted as icon, title, id and second text muted, and the key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QPalette
from PySide6.QtWidgets import QFrame, QWidget

from petstore_desktop.desk.jump.palette import Entry, Palette, SearchResult, parse_query
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import Ref, Resource, key_to_text
from petstore_desktop.domain.seen_changes import SeenChange, end_of
from petstore_desktop.shop.background import Background
from petstore_desktop.ui.base.building import in_column, in_row, named, timer
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import current, isolate, plain
from petstore_desktop.ui.cells.line_list import LineList
from petstore_desktop.ui.context.navigation import ListTarget
from petstore_desktop.ui.context.record_search import TURN_S, RecordSearch
from petstore_desktop.ui.palette.palette_texts import Answers, PaletteLine, action_entries, manual_entries, view_entries
from petstore_desktop.ui.text.manual import ManualPage, manual_language, manual_pages
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.widgets.paint import Brush, Raised, elided, is_rtl

if TYPE_CHECKING:
    from petstore_desktop.desk.jump.views import SavedView
    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.action_set import ActionSet
    from petstore_desktop.ui.widgets.fields import PaletteField


_SIDE, _APART, _LEAST_TITLE = 10, 8, 120


def row_height() -> int:
    """The height of one answer."""
    theme = current()
    return max(theme.height(30), round(theme.line()) + 14)


def _draw(brush: Brush, answer: PaletteLine, _chosen: bool) -> None:
    """Draw an answer from both ends of its line towards the middle."""
    theme, muted = brush.theme, brush.theme.tone("muted")
    left, right = brush.rect.left() + _SIDE, brush.rect.right() + 1.0 - _SIDE
    side = theme.scaled(16)
    if answer.icon:
        brush.icon(answer.icon, left, muted, side)
    left += side + _APART
    if answer.key:
        right -= brush.ending(right, answer.key, muted, 11, tnum=False) + 2 * _APART
    room = max(0.0, right - left)
    after = theme.advance(answer.id) + _APART if answer.id else 0.0
    title = elided(theme, answer.title, max(min(room, theme.scaled(_LEAST_TITLE)), room - after))
    left += brush.text(left, title, theme.tone("text") if answer.enabled else muted) + _APART
    if answer.id:
        tag = elided(theme, answer.id, max(0.0, right - left), tnum=True)
        left += brush.text(left, tag, muted, tnum=True) + _APART
    if right - left > theme.scaled(24):
        brush.text(left, elided(theme, answer.extra, right - left, 12), muted, 12)


_AGAIN_MS = 200
"""Milliseconds after rows moved until the search runs again: while a list is being read they move all the time."""
_WIDTH, _ROWS, _PAD, _GAP = 560, 12, 6, 4
_WALK = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -_ROWS, Qt.Key.Key_PageDown: _ROWS}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_STAY = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
Recent = Sequence[tuple[str, Ref | None]]


class PalettePopup(Raised, QFrame):
    """A raised plane under the field. The keyboard stays in the field, and the keys for the list come from there.

    Signals:
        chosen(object, object): a `SearchResult`, and whether it is to be opened in the other way (bool).
        left(): Esc: back to where the keyboard was.
        worked(object): whether it searches or reads names now (bool): other work may wait meanwhile.
    """

    chosen = Signal(object, object)
    left = Signal()
    worked = Signal(object)

    def __init__(self, field: PaletteField, shop: LiveShop, actions: ActionSet, window: QWidget) -> None:
        super().__init__(window)
        self.setObjectName("palettePopup")
        self._field, self._shop, self._actions, self._window = field, shop, actions, window
        self._palette = Palette(shop.desk.shop, lambda one: shop.desk.allowed(f"look-up-{one.value}").ok)
        self._entries: list[Entry] = []
        self._recent: Recent = ()
        self._manual: tuple[str, tuple[ManualPage, ...]] = ("", ())
        """The pages of the manual that can be found, and the language of their reader."""
        self._past: dict[Ref, Sequence[SeenChange]] = {}
        """What happened to the records that were looked for and are not here."""
        self._answers: Answers | None = None
        """Says each answer; of this moment, in which the palette was opened."""
        self._lines: dict[str, PaletteLine] = {}
        """What was said so far."""
        self._search = RecordSearch(self, self._palette, self._turned)
        self._reading = SlicedWork[None](self, TURN_S, turned=self._read)
        """Reads names for the next key."""
        self._walked_to = ""
        self._rows = 0
        self._again = timer(self, _AGAIN_MS, self._search_again, once=True)
        self._lay_out()
        self.hide()
        field.textChanged.connect(self._typed)
        field.installEventFilter(self)
        window.installEventFilter(self)

    def _lay_out(self) -> None:
        raised = QPalette.ColorRole.ToolTipBase
        self.list = LineList("paletteList", raised, self._line, _draw, row_height, lambda result: result.id)
        self.model = self.list.lines
        self.list.clicked.connect(self._clicked)
        self._nothing = named(PlainLabel("", "muted"), "paletteNothing")
        self._nothing.setContentsMargins(10, 8, 10, 8)
        self._hint = PlainLabel(tr("o: orders   p: pets   c: categories   s: stock"), "muted", 11, elide=True)
        self._keys = PlainLabel(tr("Ctrl+Enter shows it in its list"), "muted", 11)
        foot = in_row(None, (self._hint, 1), self._keys, margins=(10, 6, 10, 4), spacing=12)
        in_column(self, (self.list, 1), self._nothing, foot, margins=(_PAD, _PAD, _PAD, _PAD))

    # -- opening and closing

    def open(self, recent: Recent, views: tuple[SavedView, ...]) -> None:
        """Show the palette with the views and actions of this moment, and search for the text that is there."""
        self._entries, self._recent = [*view_entries(views), *action_entries(self._actions)], recent
        language = manual_language()
        if language == self._manual[0]:
            self._entries += manual_entries(self._manual[1])
        else:
            self._manual = language, ()
            Background().run(partial(manual_pages, language), self._know_manual)
        self._answers = Answers(self._shop.desk, self._actions, views, self._shop.connection.name)
        self._answers.past = self._past
        self._lines.clear()
        self.model.repaint()
        self._search_for(self._field.text())
        self.show()
        self.raise_()

    def _line(self, result: SearchResult) -> PaletteLine:
        """An answer in words, which are found when it is first shown."""
        known = f"{result.kind}:{result.id}"
        if known not in self._lines:
            self._lines[known] = PaletteLine("", "") if self._answers is None else self._answers.of(result)
        return self._lines[known]

    def _know_manual(self, pages: tuple[ManualPage, ...]) -> None:
        """The manual is read; it is searched from now on."""
        self._manual = self._manual[0], pages
        self._entries += manual_entries(pages)
        if not self.isHidden() and self._field.text():
            self._again.start()

    def close_up(self) -> None:
        """Hide, and free the search's memory."""
        if self.isHidden():
            return
        self.hide()
        self._search.stop()
        self._reading.stop()
        self.worked.emit(False)
        self._again.stop()
        self._past.clear()
        self._palette.gone.clear()
        self._field.clear()
        self._field.set_answer("")

    def _place(self) -> None:
        """Under the field, from its outer edge inwards, within the window."""
        theme, window = current(), self._window.rect()
        found = min(self.model.rowCount(), _ROWS)
        self._rows = rows = max(found, self._rows) if self.is_searching else found  # no shrinking and growing again
        self.list.setVisible(rows > 0)
        self._nothing.setVisible(rows == 0)
        width = min(theme.scaled(_WIDTH), window.width() - 2 * _GAP)
        corner = self._field.mapTo(self._window, QPoint(0, self._field.height() + _GAP))
        height = min(self._foot_height() + rows * row_height(), window.height() - corner.y() - _GAP)
        x = corner.x() if is_rtl(self) else corner.x() + self._field.width() - width
        x = max(_GAP, min(x, window.width() - width - _GAP))
        self.setGeometry(QRect(x, corner.y(), width, height))

    def _foot_height(self) -> int:
        nothing = 0 if self._nothing.isHidden() else self._nothing.sizeHint().height()
        return 2 * _PAD + 10 + self._hint.sizeHint().height() + nothing

    # -- searching

    @property
    def is_searching(self) -> bool:
        """Whether more answers may come."""
        return not self._search.is_over

    def _typed(self, text: str) -> None:
        if not self.isHidden():
            self._walked_to = ""
            self._search_for(text)

    def _search_for(self, text: str) -> None:
        self._reading.stop()
        self.worked.emit(True)
        self._search.begin(text, self._entries, self._recent)
        if self.is_searching:
            self._show_results()
        for ref in self._palette.absent(parse_query(text)):
            if ref not in self._past:
                self._past[ref] = ()
                self._shop.past.changes_of(ref, partial(self._know_past, ref))

    def _know_past(self, ref: Ref, changes: Sequence[SeenChange] | ShopError) -> None:
        if self.isHidden() or isinstance(changes, ShopError) or end_of(ref, changes) is None:
            return
        self._past[ref] = changes
        self._palette.gone.add(ref)
        if self._search.now is not None and self._search.now.query.number == ref.key:
            self._search_again()

    def _turned(self) -> None:
        if not self.is_searching:
            self._show_results()
            self._reading.begin(self._palette.prepare())

    def _read(self, more: bool) -> None:
        if not more:
            self.worked.emit(False)

    def _found_nothing(self, typed: str) -> str:
        """Of a shop that is not wholly here, that nothing is found says little."""
        if self._shop.desk.shop.in_part:
            return tr("Nothing found for {text}; not all of the shop is here", text=typed)
        return tr("Nothing found for {text}", text=typed)

    def _show_results(self) -> None:
        search = self._search.now
        if search is None:
            return
        self.model.show(search.results())
        row = self.model.row_of(self._walked_to) if self._walked_to else 0
        self._go_to(max(0, row))
        typed = isolate(plain(self._field.text()))
        over = self._found_nothing(typed) if search.query.words else tr("Type a name or an id")
        self._nothing.set_text(over if search.is_done else tr("Searching…"))
        self._place()

    def desk_changed(self, moved: Changed) -> None:
        """Rows moved under the shown results."""
        if moved.rows and not self.isHidden():
            self._again.start()

    def _search_again(self) -> None:
        row = self.list.currentIndex().row()
        self._walked_to = self.model.rows[row].id if row > 0 else ""
        self._lines.clear()
        self.model.repaint()
        self._search_for(self._field.text())

    # -- keys and mouse

    def _go_to(self, row: int) -> None:
        self._field.set_answer(self.list.go_to(row))

    def _walk(self, by: int) -> None:
        if (row := self.list.beside(by)) >= 0:
            self._go_to(row)
            self._walked_to = self.model.rows[row].id

    def _clicked(self, index: QModelIndex) -> None:
        held = QGuiApplication.keyboardModifiers()
        self._choose(index, bool(held & Qt.KeyboardModifier.ControlModifier))

    def _entered(self, other: bool) -> None:
        if self._walked_to:
            self._choose(self.list.currentIndex(), other)
        else:
            self._search.when_settled(lambda: self._choose(self.list.currentIndex(), other))

    def _choose(self, index: QModelIndex, other: bool) -> None:
        if index.isValid() and self._line(self.model.rows[index.row()]).enabled:
            self.chosen.emit(self.model.rows[index.row()], other)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self.isHidden():
            return False
        if watched is self._window:
            if event.type() == QEvent.Type.Resize:
                self._place()
            return False
        if isinstance(event, QKeyEvent):
            return self._key(event)
        if isinstance(event, QFocusEvent) and event.lostFocus() and event.reason() not in _STAY:
            self.close_up()
        return False

    def _key(self, event: QKeyEvent) -> bool:
        """Whether a key in the field was one for the list."""
        key = Qt.Key(event.key())
        does: dict[Qt.Key, Callable[[], object]] = {Qt.Key.Key_Escape: self.left.emit}
        does |= {one: lambda by=by: self._walk(by) for one, by in _WALK.items()}
        other = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        does |= {one: lambda: self._entered(other) for one in _ENTER}
        if key not in does or (other and key not in _ENTER):
            if event.type() != QEvent.Type.ShortcutOverride or not self._actions.takes_rows(event.keyCombination()):
                return False
            QCoreApplication.sendEvent(self._window, event)  # where the menu bar hears that Alt was not pressed alone
            event.accept()  # the rows that it would take are covered: whoever searches means none of them
            return True
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()  # else an action of the window with this key would take it
        elif event.type() == QEvent.Type.KeyPress:
            does[key]()
        return True


def list_of(ref: Ref, typed: str) -> ListTarget:
    """The rows around a record: the pets of a category; else the typed text, in its list.
    An id alone is meant exactly."""
    query, key = parse_query(typed), key_to_text(ref.key)
    if ref.resource is Resource.CATEGORIES and isinstance(ref.key, int | str):
        return ListTarget(Resource.PETS, f"category:{key}")
    return ListTarget(ref.resource, f"#{key}" if query.number == ref.key else " ".join(query.words))

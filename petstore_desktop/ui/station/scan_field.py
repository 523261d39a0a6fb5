"""The field of a desk: scans, ids, names and numbers are typed here, and it keeps the keyboard. Below it stand the
pets that a typed id or name may mean."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QHeaderView, QSizePolicy, QWidget

from petstore_desktop.desk.jump.palette import Palette
from petstore_desktop.domain.records import Ref, Resource, key_to_text
from petstore_desktop.ui.base.building import in_column, named
from petstore_desktop.ui.base.theme import current, plain
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel
from petstore_desktop.ui.context.record_search import RecordSearch
from petstore_desktop.ui.context.scans import MADE_FOR_CODES
from petstore_desktop.ui.grid.table_view import TableView, make_choosable
from petstore_desktop.ui.text.cell import Cell
from petstore_desktop.ui.text.translate import DASH, number, tr
from petstore_desktop.ui.widgets.fields import BareEdit
from petstore_desktop.ui.widgets.labels import announce
from petstore_desktop.ui.widgets.paint import Brush, Raised

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk


_HEIGHT, _ICON, _PAD = 48, 18, 14
_ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_WALK = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1, Qt.Key.Key_PageUp: -8, Qt.Key.Key_PageDown: 8}
_Std = QKeySequence.StandardKey


class ScanField(BareEdit):
    """The large field of a desk.

    Signals:
        entered(str): Enter, with what was typed.
        walked(int): Up or Down: another suggestion, or into the list.
        linesPasted(str): text of several lines or columns was pasted.
        escaped(): Esc while nothing is typed.
    """

    entered = Signal(str)
    walked = Signal(object)
    linesPasted = Signal(str)
    escaped = Signal()

    radius = 8
    font_size = 17

    def __init__(self, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._icon = icon
        named(self, "scanField", tr("Scan, or type an id or a name"))
        self.setPlaceholderText(tr("Scan, or type an id or a name"))
        self.setProperty(MADE_FOR_CODES, True)
        self.setMaxLength(300)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_room(2 * _PAD + current().scaled(_ICON) + 1, 30)

    def sizeHint(self) -> QSize:
        return QSize(240, current().height(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, current().height(_HEIGHT))

    def plane(self) -> str:
        return "content" if self.hasFocus() else "hover"

    def decorate(self, brush: Brush) -> None:
        brush.icon(self._icon, _PAD, brush.theme.tone("muted"), brush.theme.scaled(_ICON))
        super().decorate(brush)

    def event(self, event: QEvent) -> bool:
        undoes = isinstance(event, QKeyEvent) and (event.matches(_Std.Undo) or event.matches(_Std.Redo))
        if undoes and event.type() is QEvent.Type.ShortcutOverride:
            event.setAccepted(bool(self.text()))  # while nothing is typed they are the window's
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, plain = event.key(), not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if key in _ENTERS and plain:
            self.entered.emit(self.text())
        elif key in _ENTERS:
            event.ignore()
        elif key in _WALK and plain:
            self.walked.emit(_WALK[Qt.Key(key)])
        elif key == Qt.Key.Key_Escape and plain:
            self._escape()
        elif not self.text() and (event.matches(_Std.Undo) or event.matches(_Std.Redo)):
            event.ignore()  # the window's, which says why it cannot be used
        elif event.matches(_Std.Paste):
            self.paste_lines()
        else:
            super().keyPressEvent(event)

    def _escape(self) -> None:
        if self.text():
            self.clear()
            self.textEdited.emit("")
        else:
            self.escaped.emit()

    def paste_lines(self) -> None:
        """Paste: several lines or columns are lines of the desk, anything else goes into the field."""
        text = QGuiApplication.clipboard().text().strip("\r\n")
        if any(sign in text for sign in "\t\n"):
            self.linesPasted.emit(text)
        else:
            self.paste()


_MOST = 8
_STOCK_WIDTH = 84


def stock_of(desk: Desk, ref: Ref) -> int | None:
    """How many of a pet are in stock, acts that are not sent included; None where there is no stock entry."""
    inventory, key = Resource.INVENTORY, desk.resolve(ref).key
    slot = desk.shop.stores[inventory].slot(key)
    shown = None if slot is None else desk.shop.shown(inventory, slot, "quantity")
    return shown if isinstance(shown, int) else None


class PetResults(QFrame):
    """The list. The keyboard stays in the field, and the keys for the list come from there.

    Signals:
        chosen(object): the `Ref` of a pet that was clicked.
        found(): what is found so far is another.
    """

    chosen = Signal(object)
    found = Signal()

    def __init__(self, desk: Desk, parent: QWidget, name: str = "petSuggestionList") -> None:
        super().__init__(parent)
        self._desk = desk
        self._search = RecordSearch(self, Palette(desk.shop, lambda _: False), self._show_found)
        self.walked = False
        """A person has chosen another one than the first."""
        self.model = CellModel[Ref](self)
        self.model.columns = (
            CellColumn(tr("Pet"), self._name),
            CellColumn(tr("In stock"), self._stock, is_figure=True),
        )
        self.view = TableView(self)
        make_choosable(self.view, name, tr("Pets found"), self.model, 0)
        self.view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.view.header.hide()
        self.view.header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.view.header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.view.header.resizeSection(1, current().scaled(_STOCK_WIDTH))
        self.view.clicked.connect(self._clicked)
        in_column(self, (self.view, 1), margins=(1, 4, 1, 4))
        self.hide()

    def _name(self, ref: Ref) -> Cell:
        return Cell(text=plain(self._desk.title(ref)), kind="ref", ref_id=key_to_text(ref.key))

    def _stock(self, ref: Ref) -> Cell:
        stock = stock_of(self._desk, ref)
        return Cell(text=DASH if stock is None else number(stock), kind="number", muted=True)

    def offer(self, refs: tuple[Ref, ...]) -> None:
        """Show these pets, as for a code that several have."""
        self._stop()
        self._show(refs)

    def search(self, text: str) -> None:
        """Search pets by a part of their name, or by their id."""
        self._stop()
        wanted = text.strip()
        if not wanted:
            self.close_up()
            return
        self._search.begin(f"p:{wanted}")

    def current(self) -> Ref | None:
        """The pet that Enter takes; None while nothing is shown."""
        row = self.view.currentIndex().row()
        return self.model.rows[row] if not self.isHidden() and 0 <= row < len(self.model.rows) else None

    def when_found(self, then: Callable[[Ref | None], object]) -> None:
        """Call `then` with the best pet as soon as it is certain; None where none is found."""
        self._search.when_settled(lambda: then(self.current()))

    def walk(self, by: int) -> None:
        """Another row becomes the one that Enter takes."""
        rows = self.model.count()
        if rows:
            self.walked = True
            row = min(max(self.view.currentIndex().row() + by, 0), rows - 1)
            self.view.setCurrentIndex(self.model.index(row, 0))
            announce(self, str(self.model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole)))

    def close_up(self) -> None:
        """Hide, and free what the search keeps."""
        self._stop()
        self.hide()

    def _stop(self) -> None:
        self.walked = False
        self._search.stop()

    def _show_found(self) -> None:
        search = self._search.now
        if search is None:
            return
        refs = [one.ref for one in search.results() if one.ref is not None and one.ref.resource is Resource.PETS]
        self._show(tuple(refs[:_MOST]))
        if search.is_settled:
            self._stop()

    def _show(self, refs: tuple[Ref, ...]) -> None:
        if refs == self.model.rows and self.isHidden() == (not refs):
            return
        kept = self.current()
        self.model.show(refs)
        self.setVisible(bool(refs))
        if refs:
            self.view.setCurrentIndex(self.model.index(refs.index(kept) if kept in refs else 0, 0))
            rows = min(len(refs), _MOST)  # the others are scrolled to
            self.setFixedHeight(rows * self.view.verticalHeader().defaultSectionSize() + 10)
            self.raise_()
        self.found.emit()

    def _clicked(self, index: QModelIndex) -> None:
        ref = self.model.rows[index.row()]
        self.close_up()
        self.chosen.emit(ref)


class PetSuggestions(Raised, PetResults):
    """The list on a raised plane of its own, above what lies under the field."""

    def __init__(self, desk: Desk, parent: QWidget) -> None:
        super().__init__(desk, parent)
        named(self, "petSuggestions")

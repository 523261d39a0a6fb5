"""The preview before many edits are saved: tick, record, field, old and new value, rows to leave out or correct, and
the price."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QItemSelectionModel, QModelIndex, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemDelegate, QAbstractItemView, QApplication, QHeaderView, QMenu, QWidget

from petstore_desktop.desk.desk import Desk
from petstore_desktop.desk.preview import Preview, PreviewTally
from petstore_desktop.desk.price import could_be_much
from petstore_desktop.desk.values.cells import CellFacts
from petstore_desktop.domain.changes import NewChange, SetFields
from petstore_desktop.domain.records import TYPED_FIELDS, Key, LocalId, Resource, key_to_text
from petstore_desktop.ui.base.building import named, short_lived
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import current, plain
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel, CellTicks, CellTyping
from petstore_desktop.ui.grid.editing import choices, stock_words
from petstore_desktop.ui.grid.editors import CellEditor
from petstore_desktop.ui.grid.selection import selected_rows
from petstore_desktop.ui.grid.table_view import TableView
from petstore_desktop.ui.preview.preview_texts import (
    consequence_words,
    field_words,
    made_words,
    note_words,
    preview_title,
    record_header,
    record_title,
    save_words,
)
from petstore_desktop.ui.questions.confirm import ask_before_leaving
from petstore_desktop.ui.questions.price import PriceBox
from petstore_desktop.ui.text.cell import Cell, changed_words, chip_text, to_cell
from petstore_desktop.ui.text.translate import number, sentences, tr
from petstore_desktop.ui.widgets.dialogs import Dialog

if TYPE_CHECKING:
    from petstore_desktop.desk.model.ripple import Changed
    from petstore_desktop.ui.context.edits import Edits


TICK, RECORD, FIELD, VALUE, NOTE = range(5)
_SHORT = 12
"""How many letters always have room."""
_MUTED = frozenset(("left-out", "hangs", "same"))


class PreviewModel(CellModel[int]):
    """One row for each row of the preview.

    Signals:
        moved: something is ticked, left out or mended.
    """

    moved = Signal()

    def __init__(self, desk: Desk, preview: Preview, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.preview: Final = preview
        self._desk = desk
        self.one_field = ""
        """The one field that all rows are about; empty where there are several."""
        self.fill()

    def fill(self) -> None:
        """Show the rows that there are."""
        fields = {field_words(*place) for place in self.preview.longest}
        self.one_field = fields.pop() if len(fields) == 1 else ""
        ticked = CellTicks(
            self._is_ticked, lambda row, on: self.tick([row], on), lambda row: self.preview.rows[row].valid
        )
        columns = (
            CellColumn("", lambda _: Cell(kind="check"), said=self._tick_words, ticked=ticked),
            CellColumn(record_header(self.preview), self._record),
            CellColumn(tr("What"), self._field),
            CellColumn(
                self.one_field or tr("Change"),
                self._value,
                typed=CellTyping(self._typed, self._mend, self.preview.mendable),
            ),
            CellColumn(tr("Note"), self._note),
        )
        self.show(range(len(self.preview.rows)), columns)

    # -- what is shown

    def _is_ticked(self, row: int) -> bool:
        return self.preview.rows[row].ticked

    def _record(self, row: int) -> Cell:
        one = self.preview.rows[row]
        name, number = record_title(self._desk, one)
        return Cell(text=name, kind="ref", ref_id=number or None, row_muted=not one.ticked)

    def _field(self, row: int) -> Cell:
        one = self.preview.rows[row]
        return Cell(text=field_words(one.ref.resource, one.column), muted=True)

    def _value(self, row: int) -> Cell:
        one = self.preview.rows[row]
        if not one.column:
            return Cell(text=made_words(self.preview, row), row_muted=not one.ticked)
        old = _shown(self.preview.old(row))
        if one.problem:
            return _become(old, Cell(text=plain(one.text), tone="bad"))
        new = self.preview.new(row) if one.ticked else None
        if new is None:
            return replace(old, row_muted=True)
        after = _shown(new)
        chip = None if new.stock is None else new.stock.chip
        if chip is not None and chip.kind == "set" and len(after.text) > _SHORT:
            chip = None  # it says the same number once more
        return _become(old, after if chip is None else replace(after, text=f"{after.text} ({chip_text(chip)})"))

    def _note(self, row: int) -> Cell:
        note = self.preview.note(row)
        words = note_words(note)
        if note.code in _MUTED or note.code == "open-orders" or not note.code:
            return Cell(text=words, tone="text", muted=note.code in _MUTED)
        wrong = bool(self.preview.rows[row].problem)
        return Cell(text=words, tone="bad" if wrong else "wait", icon="refused" if wrong else "warning")

    def _tick_words(self, row: int) -> str:
        one = self.preview.rows[row]
        name, _ = record_title(self._desk, one)
        if not one.valid:
            return tr("{record}: cannot be ticked", record=name)
        return tr("{record}: ticked", record=name) if one.ticked else tr("{record}: left out", record=name)

    def _typed(self, row: int) -> str:
        """The editor's first text: for a choice its value, else the text as typed."""
        one = self.preview.rows[row]
        column = self.preview.column(one)
        if column is None or not column.choices:
            return one.text
        intent = None if one.change is None else one.change.intent
        value = intent.fields.get(column.field) if isinstance(intent, SetFields) else None
        if isinstance(value, bool):
            return str(value).lower()
        return key_to_text(value) if isinstance(value, int | LocalId) else str(value or "")

    # -- what a person does

    def _mend(self, row: int, text: str) -> bool:
        self.preview.mend(row, text)
        self._moved()
        return True

    def tick(self, rows: list[int], on: bool) -> bool:
        """Do these rows, or leave them out; whether any of them can be."""
        done = self.preview.tick_all(rows, on)
        if done:
            self._moved()
        return done

    def _moved(self) -> None:
        self.repaint()  # a row may take others along
        self.moved.emit()


def _become(old: Cell, new: Cell) -> Cell:
    """Old and new; both in full for where the column may cut them."""
    long = max(len(old.text), len(new.text)) > _SHORT
    return replace(old, after=new, tip=changed_words(old.text, new.text) if long else "")


def _shown(facts: CellFacts) -> Cell:
    """A value without the marks and chips of the table: these are the preview's own old and new."""
    cell = to_cell(facts)
    if cell.kind == "pill":
        return replace(cell, mark=None, tip="")
    return Cell(text=cell.result or cell.text, tone=cell.tone)


_WIDTHS = {TICK: 52, RECORD: 262, FIELD: 100, VALUE: 246}
_WIDE = 330
"""The values of several fields, or such as people write."""
_SIZE, _WIDE_SIZE = (760, 540), (960, 540)
_NOTE_LEAST = 110
_MEASURED, _LEAST_NAME, _AROUND_NAME = 200, 120, 48
"""Of so many rows the names are measured; their column is so wide at least; and so much stands around one."""
_NOTED = 200
"""Pixels by which a preview with unsaveable rows is wider: its notes give the reasons."""
_STEP_S = 0.012
_COUNTED = frozenset(("stock", "quantity"))
_LONG = 6
"""A number of more signs is written twice, with its marks, in more room than a column has else."""


def _needs_room(column: str, longest: int) -> bool:
    return column in TYPED_FIELDS or (column in _COUNTED and longest > _LONG)


class PreviewTable(TableView):
    """The rows of a preview: Space ticks whatever is selected."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if plain and event.key() == Qt.Key.Key_Space and not self.edit_open():
            self.flip()
        else:
            super().keyPressEvent(event)

    def take_in(self) -> bool:
        """Take in what an open editor holds, if it can be; whether there was one."""
        editor = QApplication.focusWidget()
        if not self.edit_open() or editor is None:
            return False
        if isinstance(editor, CellEditor) and not editor.acceptable():
            editor.refuse()
        else:
            self.commitData(editor)
            self.closeEditor(editor, QAbstractItemDelegate.EndEditHint.NoHint)
        return True

    def flip(self) -> None:
        """Tick the selected rows, or, where all of them are, leave them out; without a selection the current row."""
        model = self.model()
        if not isinstance(model, PreviewModel):
            return
        now = self.currentIndex().row()
        rows = selected_rows(self)
        if now not in rows:
            rows = [now] if now >= 0 else []
        possible = [row for row in rows if model.preview.rows[row].valid]
        model.tick(possible, not all(model.preview.rows[row].ticked for row in possible))


class PreviewDialog(Dialog):
    """Edits before they are saved. `title`: the act and the number, where the rows do not say it; `note`: what else is
    to be said; `done`: called when they are saved."""

    def __init__(
        self,
        edits: Edits,
        preview: Preview,
        title: str = "",
        note: str = "",
        done: Callable[[], object] | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(title, note, parent, name="previewDialog")
        self._edits, self._desk = edits, edits.desk
        self._own_title, self._note, self._done = title, note, done
        self.preview = preview
        self.model = PreviewModel(self._desk, preview, self)
        self.view = PreviewTable(self)
        self.changes: tuple[NewChange, ...] = ()
        self.also: tuple[NewChange, ...] = ()
        """Further changes, without rows, that are saved with the rest."""
        self.batch = ""
        """Under which id it is saved, if that is given."""
        self.price = PriceBox(edits, lambda: self.changes or None)
        self._moved_rows: dict[Resource, set[Key]] = {}
        """What moved while the preview was not complete."""
        self._tally: PreviewTally | None = None
        """What the rows come to; None while they are counted."""
        self._shown = False
        """The rows are complete, and in the table."""
        self._noted = False
        """It has the room for notes on rows that cannot be saved."""
        self._saves = False
        """It is to be saved as soon as it is counted."""
        self._typing = False
        """A person ticked or mended something: the price may wait for more of it."""
        self._work = SlicedWork[None](self, _STEP_S, turned=self._turned)
        self._lay_out()
        self._connect()
        self._say_progress()
        self._go_on()

    def _lay_out(self) -> None:
        view = named(self.view, "previewTable", tr("What will change"))
        view.setModel(self.model)
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.home_column = VALUE
        view.header.setSectionsClickable(False)
        view.header.setSectionsMovable(False)
        self._size()
        view.header.setSectionResizeMode(NOTE, QHeaderView.ResizeMode.Stretch)
        self.body.addWidget(view, 1)
        keep = self.price.sizePolicy()
        keep.setRetainSizeWhenHidden(True)
        self.price.setSizePolicy(keep)
        self.add_footer(self.price)
        self.set_cancel()
        self.primary = self.set_primary_with_ctrl(save_words(0), self._save)
        self.primary.setEnabled(False)
        view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _size(self) -> None:
        """Make room for the full texts, as far as the window has it."""
        wide = not self.model.one_field or any(
            _needs_room(column, longest) for (_, column), longest in self.preview.longest.items()
        )
        widths = {
            **_WIDTHS,
            RECORD: self._records(),
            **({VALUE: _WIDE} if wide else {}),
            **({FIELD: 0} if self.model.one_field else {}),
        }
        width, height = _WIDE_SIZE if wide else _SIZE
        width = self.spread((width + _NOTED if self._noted else width, height))
        by = min(1.0, (width - current().scaled(_NOTE_LEAST)) / current().scaled(sum(widths.values())))
        for section, share in widths.items():
            if share:
                self.view.header.resizeSection(section, round(current().scaled(share) * by))

    def _records(self) -> int:
        """How wide the names are, in pixels at base 13: what they leave empty, the notes get."""
        theme, most = current(), _WIDTHS[RECORD]
        titles = [record_title(self._desk, row) for row in self.preview.rows[:_MEASURED]]
        needed = (theme.advance(name) + theme.advance(f"#{number}", 12) for name, number in titles)
        wide = max(needed, default=0.0) / theme.scaled(1_000) * 1_000 + _AROUND_NAME
        return round(min(most, max(_LEAST_NAME, wide))) if titles else most

    def _connect(self) -> None:
        self.view.selectionModel().currentChanged.connect(self._offer_choices)
        self._offer_choices(self.view.currentIndex())
        self.view.rows.stock_preview = self._stock_words
        self.view.escaped.connect(self.reject)
        self.view.customContextMenuRequested.connect(self._open_menu)
        self.model.moved.connect(self._recount)
        self.finished.connect(self._work.stop)

    def _open_menu(self, at: QPoint) -> None:
        self.menu().popup(self.view.viewport().mapToGlobal(at))

    def menu(self) -> QMenu:
        """What can be done with the selected rows and the current one."""
        menu = short_lived(QMenu(self))
        now = self.view.currentIndex()
        flip = menu.addAction(tr("&Leave out or include"), self.view.flip)
        flip.setShortcut(Qt.Key.Key_Space)
        mend = menu.addAction(tr("&Edit value"), lambda: self.view.edit(now.siblingAtColumn(VALUE)))
        mend.setShortcut(Qt.Key.Key_F2)
        flip.setEnabled(now.isValid() and self.preview.rows[now.row()].valid)
        mend.setEnabled(now.isValid() and self.preview.mendable(now.row()))
        return menu

    def save_with(self, batch: str, also: tuple[NewChange, ...]) -> None:
        """Save under this id, and save these too, which have no rows."""
        self.batch, self.also = batch, also
        self._count_anew()

    # -- mending

    def _offer_choices(self, index: QModelIndex) -> None:
        """What the cell that an editor could open in is chosen from."""
        self.view.rows.choices.clear()
        if not index.isValid():
            return
        column = self.preview.column(self.preview.rows[index.row()])
        if column is not None and column.choices:
            self.view.rows.choices[VALUE] = choices(self._desk, column.choices)

    def _stock_words(self, index: QModelIndex, text: str) -> tuple[str, bool] | None:
        return stock_words(self._desk, self.preview.rows[index.row()].ref.key, text)

    # -- what it comes to

    def _go_on(self) -> None:
        """Work for a moment at once, so that a short preview is complete at once; what is left is done in turns."""
        self._work.begin(self._steps())
        self._work.go_on()

    def _steps(self) -> Iterator[None]:
        for _ in self.preview.building:  # not `yield from`: it goes on where other work takes the place of this
            yield
        if not self._shown:
            self._show_rows()
        tally = self.preview.new_tally()
        yield from tally.counting
        self._tally = tally

    def _turned(self, more: bool) -> None:
        if self._tally is not None and not more:
            self._say(self._tally)
            if self._saves:
                self.accept()
        elif not self._shown:
            self._say_progress()

    def _say_progress(self) -> None:
        read, total = number(self.preview.read), number(self.preview.expected)
        self.set_title(self._own_title or tr("One moment."))
        self.set_consequence(tr("Comparing {n} of {total}", n=read, total=total))
        self.primary.set_text(save_words(0))
        self.primary.setEnabled(False)

    def _show_rows(self) -> None:
        """All rows are there now."""
        self._shown = True
        if self._moved_rows:
            self.preview.renew(self._moved_rows)
            self._moved_rows = {}
        self.model.fill()
        self._size()
        self.view.setColumnHidden(FIELD, bool(self.model.one_field))
        first = self.model.index(0, VALUE)
        self.view.selectionModel().setCurrentIndex(first, QItemSelectionModel.SelectionFlag.NoUpdate)

    def renew(self, moved: Changed) -> None:
        """Rows changed while the preview was open."""
        if not moved.rows:
            return
        if not self._shown:
            for resource, keys in moved.rows.items():
                self._moved_rows.setdefault(resource, set()).update(keys)
            return
        marked = self.preview.marked
        if self.preview.renew(moved.rows):
            if self.preview.marked > marked:  # what was to be saved is another now
                self._saves = False
                self.price.forget()
            self.model.repaint()
            self._count_anew()

    def _recount(self) -> None:
        """Something is ticked, left out or mended."""
        self._typing, self._saves = True, False
        self._count_anew()

    def _count_anew(self) -> None:
        self._tally = None
        self._go_on()

    def _say(self, tally: PreviewTally) -> None:
        """It is counted."""
        also = (one for one in self.also if one.ref.key not in self.preview.out)
        before, self.changes = self.changes, (*tally.changes, *also)
        if tally.counts.wrong and not self._noted and not self._typing:
            self._noted = True
            self._size()
        said = consequence_words(self.preview, tally, self._desk)
        self.set_title(self._own_title or preview_title(self.preview, tally))
        self.set_consequence(sentences(self._note, said))
        self.primary.set_text(save_words(len(self.changes), tally.counts.going))
        self.primary.setEnabled(bool(self.changes))
        typing, self._typing = self._typing, False
        if before == self.changes and not typing and self.price.is_known:
            return
        self.price.forget()
        if not self.changes:
            self.price.set_price(None)
        elif typing or before:
            self.price.watch.soon()
        else:
            self.price.watch.now()  # nobody is typing yet

    def _save(self) -> None:
        """Ctrl+Enter: a value being typed is entered first, and shown before it is saved."""
        if not self.view.take_in() and self.primary.isEnabled():
            self.primary.click()

    def reject(self) -> None:
        mended = len(self.preview.mended)
        ask_before_leaving(self, "previewLeaveDialog", tr("Close without saving?"), mended, super().reject)

    def accept(self) -> None:
        if self._tally is None:  # saved as soon as it is counted, if the rows were shown
            self._saves = self._shown
            return
        if not self.changes:
            return
        if not self.price.is_known and could_be_much(self._desk, len(self.changes)):
            self.price.then(self.accept)
            return
        preview, changes = self.preview, self.preview.as_now(self.changes)
        batch = preview.batch or self.batch
        self._edits.apply_now(changes, preview.source, "", batch, preview.ends(changes))  # the price was shown
        super().accept()
        if self._done is not None:
            self._done()

"""What the columns of a file become: each with its first cells, and a choice."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from petstore_desktop.desk.imports.import_fields import FIELDS_OF
from petstore_desktop.desk.imports.import_layout import sample
from petstore_desktop.desk.imports.import_values import as_text
from petstore_desktop.ui.base.building import in_column, named
from petstore_desktop.ui.base.theme import current, isolate, plain
from petstore_desktop.ui.files.import_texts import import_field_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.form import ChoiceBox
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.widgets.scrolled import Scrolled

if TYPE_CHECKING:
    from petstore_desktop.desk.imports.importing import Import

_SAMPLES: Final = 3
_MARGIN: Final = 20
_HEIGHT: Final = 192
"""So high (px at base 13) it likes to be, however many columns there are: they scroll."""


class ImportColumns(QWidget):
    """The columns, one below the other.

    Signals:
        chosen: object, object: a column (int) becomes this field (str, empty: it is not used).
    """

    chosen = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = in_column(self, spacing=-1)
        self._page: QWidget | None = None
        self._of: tuple[object, ...] = ()
        self.boxes: list[ChoiceBox] = []

    def sizeHint(self) -> QSize:
        return super().sizeHint().boundedTo(QSize(10_000, current().scaled(_HEIGHT)))

    def show_import(self, made: Import) -> None:
        """Show this file's columns; shown ones only change their choice."""
        of = (id(made.sheet), made.layout.resource, made.layout.header)
        if of != self._of:
            self._of = of
            self._build(made)
        for box, field in zip(self.boxes, made.layout.fields, strict=True):
            box.setCurrentIndex(max(0, box.findData(field)))

    def _build(self, made: Import) -> None:
        if self._page is not None:
            self._column.removeWidget(self._page)
            self._page.deleteLater()
        content = QWidget()
        grid = QGridLayout(content)
        grid.setContentsMargins(_MARGIN, 4, _MARGIN, 12)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        for at, words in enumerate((tr("Column in the file"), tr("First cells"), tr("Import as"))):
            grid.addWidget(PlainLabel(words, "muted", 12, 500), 0, at)
        self.boxes = [self._row(grid, made, at, name) for at, name in enumerate(made.names)]
        grid.setRowStretch(grid.rowCount(), 1)
        grid.setColumnStretch(1, 1)
        self._page = Scrolled(content)
        self._column.addWidget(self._page)

    def _row(self, grid: QGridLayout, made: Import, at: int, name: str) -> ChoiceBox:
        title = plain(name) or tr("Column {n}", "", at + 1)
        label = PlainLabel(title, "text", elide=True)
        label.setMaximumWidth(current().scaled(220))
        cells = sample(made.sheet, made.layout.header, at, _SAMPLES)
        words = " · ".join(isolate(plain(as_text(cell)[:100])) for cell in cells) or tr("(empty)")
        box = named(ChoiceBox(), f"importColumn{at}", tr("Import column {name} as", name=title))
        box.setMinimumHeight(current().height(30))
        box.setMinimumWidth(current().scaled(190))
        resource = made.layout.resource
        for field in ("", *(one.id for one in FIELDS_OF[resource])):
            box.addItem(import_field_words(resource, field), field)

        def activated() -> None:
            self.chosen.emit(at, box.currentData())

        box.activated.connect(activated)
        label.setBuddy(box)
        grid.addWidget(label, at + 1, 0)
        grid.addWidget(PlainLabel(words, "muted", elide=True), at + 1, 1)
        grid.addWidget(box, at + 1, 2)
        return box

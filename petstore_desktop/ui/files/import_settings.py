"""The settings by which a file is read: detected, and open to change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from petstore_desktop.desk.imports.import_fields import field_of
from petstore_desktop.desk.imports.import_values import STYLES
from petstore_desktop.domain.records import FieldKind, Resource
from petstore_desktop.domain.sheets import ENCODINGS
from petstore_desktop.ui.base.building import in_row
from petstore_desktop.ui.base.theme import current, plain
from petstore_desktop.ui.files.import_texts import encoding_words, separator_words
from petstore_desktop.ui.text.translate import resource_title, tr
from petstore_desktop.ui.widgets.form import ChoiceField

if TYPE_CHECKING:
    from petstore_desktop.desk.imports.importing import Import
    from petstore_desktop.domain.sheets import Sheet

_MARGIN: Final = 20


class ImportSettings(QWidget):
    """One choice beside the other; those that a file leaves no choice in are not shown.

    Signals:
        chosen: object, object: a setting (records, header, encoding, separator, sheet, dates, numbers) and its value.
    """

    chosen = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row = in_row(self, margins=(_MARGIN, 0, _MARGIN, 8), spacing=12)
        self.fields: dict[str, ChoiceField] = {}
        self._field("records", tr("Records"), [(one.value, resource_title(one)) for one in Resource])
        self._field("sheet", tr("Sheet", "of a workbook"), ())
        self._field("encoding", tr("Encoding"), [(one, encoding_words(one)) for one in ENCODINGS])
        self._field("separator", tr("Separator"), ())
        self._field("header", tr("Header row"), ())
        orders = (("dmy", tr("Day.Month.Year")), ("mdy", tr("Month/Day/Year")), ("ymd", tr("Year-Month-Day")))
        self._field("dates", tr("Dates"), orders)
        styles = [(str(at), f"1{style.group}234{style.decimal}5") for at, style in enumerate(STYLES)]
        self._field("numbers", tr("Numbers"), styles)
        self._row.addStretch(1)
        self.show_unread("")

    def _field(self, name: str, label: str, choices: Sequence[tuple[str, str]]) -> None:
        field = ChoiceField(label, choices, name=f"import{name.capitalize()}")
        field.box.setMinimumWidth(current().scaled(104))
        field.box.setMaximumWidth(current().scaled(250))
        field.box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        field.box.setPlaceholderText(tr("Choose…"))

        def activated() -> None:
            self.chosen.emit(name, field.value())

        field.box.activated.connect(activated)
        self.fields[name] = field
        self._row.addWidget(field)

    def show_unread(self, encoding: str) -> None:
        """The file could not be read in this encoding; another can be chosen."""
        for name, field in self.fields.items():
            field.setVisible(name == "encoding" and bool(encoding))
        self.fields["encoding"].set_value(encoding)

    def show_import(self, made: Import) -> None:
        """Show how this file is read."""
        sheet, layout = made.sheet, made.layout
        self.fields["records"].setVisible(True)
        self.fields["records"].set_value(layout.resource.value)
        self._show_source(sheet)
        self._show_header(made)
        kinds = {field.kind for name in layout.fields if (field := field_of(layout.resource, name)) is not None}
        asked = not self.fields["numbers"].isHidden() or "numbers" in made.formats.unsure
        self.fields["dates"].setVisible(FieldKind.MOMENT in kinds)
        self.fields["numbers"].setVisible(asked and not kinds.isdisjoint((FieldKind.NUMBER, "booking")))
        for name in made.formats.unsure:
            self.fields[name].box.setCurrentIndex(-1)
        if "dates" not in made.formats.unsure:
            self.fields["dates"].set_value(made.formats.dates)
        if "numbers" not in made.formats.unsure:
            self.fields["numbers"].set_value(str(STYLES.index(made.formats.numbers)))

    def _show_source(self, sheet: Sheet) -> None:
        self._offer("separator", [(separator_words(one), one) for one in sheet.separators])
        self._offer("sheet", [(plain(name), name) for name in sheet.sheets])
        for name, value in (("encoding", sheet.encoding), ("separator", sheet.separator)):
            self.fields[name].setVisible(bool(value))
            if value and self.fields[name].box.findData(value) < 0:
                self.fields[name].box.addItem(encoding_words(value), value)
            self.fields[name].set_value(value)
        field = self.fields["sheet"]
        field.setVisible(len(sheet.sheets) > 1)
        field.set_value(sheet.sheet)

    def _offer(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        box = self.fields[name].box
        if box.count() != len(choices):
            box.clear()
            for words, value in choices:
                box.addItem(words, value)

    def _show_header(self, made: Import) -> None:
        box, header = self.fields["header"].box, made.layout.header
        box.clear()
        for place in sorted({0, header} - {-1}):
            box.addItem(tr("In row {n}", "", place + 1), str(place))
        box.addItem(tr("None"), "-1")
        self.fields["header"].setVisible(True)
        self.fields["header"].set_value(str(header))

"""Imports a file: how it is read, what its columns become, the result for each row, and errors to correct; then the
preview."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, TypeAlias

from msgspec.structs import replace
from PySide6.QtCore import QMimeData, QSize, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QStackedWidget, QWidget

from petstore_desktop.desk.edit.clipboard import CopiedTable
from petstore_desktop.desk.imports.import_judging import Judged, RowKind
from petstore_desktop.desk.imports.import_layout import (
    FIELDS_OF,
    Layout,
    field_of,
    find_header,
    guess_fields,
    guess_layout,
    sample,
)
from petstore_desktop.desk.imports.import_values import STYLES, DateOrder, as_text
from petstore_desktop.desk.imports.importing import Import
from petstore_desktop.desk.preview import Preview
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import FieldKind, Resource
from petstore_desktop.domain.sheets import ENCODINGS, Sheet, SheetOptions
from petstore_desktop.ui.bars.page_switch import PageSwitch
from petstore_desktop.ui.base.building import add, in_column, in_row, named
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import Tone, current, isolate, plain, to_say
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel, CellTyping
from petstore_desktop.ui.files.import_texts import (
    again_words,
    before_words,
    creating_words,
    encoding_words,
    file_error_words,
    file_name,
    import_field_words,
    kind_words,
    leaving_words,
    note_words,
    problem_words,
    said_of,
    separator_words,
    stock_words,
    unknown_words,
    unsure_words,
)
from petstore_desktop.ui.grid.table_view import TableView, make_choosable
from petstore_desktop.ui.questions.confirm import ask_before_leaving
from petstore_desktop.ui.text.cell import EMPTY, Cell
from petstore_desktop.ui.text.translate import column_title, number, resource_title, sentences, tr
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.widgets.form import ChoiceBox, ChoiceField
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel, announce, say
from petstore_desktop.ui.widgets.scrolled import Scrolled

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog

    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.files.import_memory import ImportMemory


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


_SAMPLES: Final = 3
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


ROW, WHAT, WHY, FIRST = range(4)
_LOOKS: Final[dict[RowKind, tuple[str, Tone]]] = {
    RowKind.CHANGED: ("pencil", "wait"),
    RowKind.NEW: ("plus", "ok"),
    RowKind.SAME: ("complete", "done"),
    RowKind.WRONG: ("refused", "bad"),
}


class ImportModel(CellModel[int]):
    """The rows of the file that are shown, each by its place there.

    Signals:
        mended: object: a cell was mended.
    """

    mended = Signal(object)

    def show_rows(self, made: Import | None, places: Sequence[int]) -> None:
        """These rows of this file."""
        fixed: tuple[CellColumn[int], ...] = (
            CellColumn(tr("Row"), lambda row: Cell(text=number(row + 1), kind="number", tone="muted"), is_figure=True),
            CellColumn(tr("Result"), lambda row: EMPTY if made is None else _what(made.judged(row))),
            CellColumn(tr("Note"), lambda row: EMPTY if made is None else _why(made.judged(row))),
        )
        self.show(places, fixed if made is None else (*fixed, *self._own(made)))

    def _own(self, made: Import) -> Iterator[CellColumn[int]]:
        """A column for each of the file."""
        for at, title in enumerate(_titles(made)):
            used = bool(made.layout.fields[at])
            typed = CellTyping(partial(_text, made, at), partial(self._mend, made, at), lambda _, used=used: used)
            yield CellColumn(title, partial(_cell, made, at), typed=typed)

    def _mend(self, made: Import, at: int, row: int, text: str) -> bool:
        made.mend(row, at, text)
        self.repaint()
        self.mended.emit(None)
        return True


def _text(made: Import, at: int, row: int) -> str:
    return made.text(row, at)


def _cell(made: Import, at: int, row: int) -> Cell:
    judged = made.judged(row)
    wrong = judged is not None and any(made.column_of(problem) == at for problem in judged.problems)
    used = bool(made.layout.fields[at])
    return Cell(text=plain(made.text(row, at)), tone="bad" if wrong else "text", muted=not used)


def wrong_rows(made: Import) -> Iterator[CopiedTable | None]:
    """The wrong rows as the file has them, with what is wrong as the last column, for the clipboard; None while there
    is more to do."""
    table = CopiedTable()
    table.add_titles([*_titles(made), tr("Note")])
    for place in made.places(RowKind.WRONG):
        judged = made.judged(place)
        cells = [made.text(place, at) for at in range(len(made.names))]
        table.add([*cells, "" if judged is None else to_say(_reasons(judged))], [False] * (len(cells) + 1))
        yield None
    yield table


def _titles(made: Import) -> Iterator[str]:
    return (plain(name) or tr("Column {n}", "", at) for at, name in enumerate(made.names, 1))


def _reasons(judged: Judged) -> str:
    return sentences(*dict.fromkeys(map(problem_words, judged.problems)))


def _what(judged: Judged | None) -> Cell:
    if judged is None:
        return EMPTY
    icon, tone = _LOOKS[judged.kind]
    return Cell(text=kind_words(judged.kind), kind="pill", icon=icon, tone=tone)


def _why(judged: Judged | None) -> Cell:
    if judged is None:
        return EMPTY
    if judged.problems:
        words = _reasons(judged)
        return Cell(text=words, tone="bad", tip=words)
    if judged.made_before:
        return Cell(text=tr("Imported before"), muted=True)
    titles = [column_title(cell_input.ref.resource, cell_input.column) for cell_input in judged.inputs]
    return Cell(text=tr(", ", "between names").join(dict.fromkeys(titles)), muted=True)


_SIZE: Final = (960, 600)
_STEP_S: Final = 0.008
_WIDTHS: Final = {ROW: 64, WHAT: 116}
_LEAST, _MOST, _MEASURED = 90, 220, 50
_MOST_SAID: Final = 460
"""So wide is the column of the notes at most: the first cells of the file stand beside it."""
_KINDS: Final = (None, RowKind.CHANGED, RowKind.NEW, RowKind.SAME, RowKind.WRONG)
"""The rows on the pages after that of the columns."""


Show: TypeAlias = "Callable[[Preview, str, str, Callable[[], object]], QDialog]"


class ImportDialog(Dialog):
    """One file on its way in. `preferred`: the list that the person looks at; `show` shows the preview, with a title, a
    note, and what to call when it is saved."""

    def __init__(
        self, shop: LiveShop, show: Show, path: str, preferred: Resource, memory: ImportMemory, parent: QWidget
    ) -> None:
        super().__init__(tr("Import {file}", file=file_name(path)), tr("One moment."), parent, name="importDialog")
        self._shop, self._show, self._path, self._preferred, self._memory = shop, show, path, preferred, memory
        self._options = SheetOptions()
        self._stop: Callable[[], None] = lambda: None
        self.made: Import | None = None
        self._started = False
        # In this order Tab goes from one to the next.
        self.settings = ImportSettings(self)
        self.unsure = named(PlainLabel("", "wait", 12, wrap=True), "importUnsure")
        self.unknown = named(PlainLabel("", "wait", 12, elide=True), "importUnknown")
        self.make_link = named(LinkLabel("", 12, parent=self), "createCategories")
        self.stock = named(PlainLabel("", "wait", 12, elide=True), "importStock")
        self.leave_link = named(LinkLabel("", 12, parent=self), "leaveStock")
        self.before = named(PlainLabel("", "wait", 12, elide=True), "importBefore")
        self.again_link = named(LinkLabel("", 12, parent=self), "makeAgain")
        self._copying = SlicedWork[CopiedTable](self, _STEP_S, self._copied)
        pages = ("Columns", "All", "Changed", "New", "Same", "Wrong")
        words = (tr("Columns"), *_row_pages())
        self.switch = PageSwitch([(f"import{page}", word) for page, word in zip(pages, words, strict=True)], self)
        self.pages = QStackedWidget(self)
        self.columns = ImportColumns(self.pages)
        self.model = ImportModel(self)
        self.view = TableView(self.pages)
        self.copy_link = named(LinkLabel("", 12, parent=self), "copyWrongRows")
        self._comparing = SlicedWork[None](self, _STEP_S, turned=self._turned)
        self._lay_out()
        self._connect()
        self._read()

    # -- building

    def _lay_out(self) -> None:
        doubt = in_row(None, self.unsure, margins=(_MARGIN, 0, _MARGIN, 8), spacing=-1)
        tabs = in_row(None, self.switch, "stretch", self.copy_link, margins=(_MARGIN - 8, 4, _MARGIN, 4), spacing=-1)
        make_choosable(self.view, "importTable", tr("Rows of the file"), self.model, FIRST)
        self.view.header.setSectionsClickable(False)
        self.view.header.setSectionsMovable(False)
        self.pages.addWidget(self.columns)
        self.pages.addWidget(self.view)
        pairs = ((self.unknown, self.make_link), (self.stock, self.leave_link), (self.before, self.again_link))
        notes = (_note(words, link) for words, link in pairs)
        add(self.body, self.settings, doubt, *notes, tabs, (self.pages, 1))
        self.unsure.hide()
        self.copy_link.hide()
        self.cancel = self.set_cancel()
        self.primary = self.set_primary(tr("Preview"))
        self.primary.setEnabled(False)
        self._show_pages(False)
        self.spread(_SIZE)

    def _connect(self) -> None:
        self.settings.chosen.connect(self._set)
        self.columns.chosen.connect(self._map)
        self.switch.chosen.connect(self._turn)
        self.make_link.clicked.connect(self._flip_creating)
        self.leave_link.clicked.connect(self._flip_stock)
        self.again_link.clicked.connect(self._flip_again)
        self.copy_link.clicked.connect(self._copy_wrong)
        self.model.mended.connect(self._compare)
        self.view.escaped.connect(self.reject)
        self.finished.connect(self._end)

    def _end(self) -> None:
        self._stop()
        self._comparing.stop()
        self._copying.stop()

    def _show_pages(self, shown: bool) -> None:
        self.switch.setVisible(shown)
        self.pages.setVisible(shown)

    # -- reading

    def _read(self) -> None:
        self._stop()
        self._comparing.stop()
        self.made = None
        self.primary.setEnabled(False)
        self._stop = self._shop.files.read(self._path, self._options, self._tell, self._came)

    def _tell(self, rows: int) -> None:
        self.set_consequence(tr("{n} rows are read.", "", rows))

    def _came(self, result: Sheet | ShopError) -> None:
        if isinstance(result, ShopError):
            self._refused(result)
            return
        header = find_header(result)
        layout = self._memory.layout_of(result, header)
        self._lay(Import(self._shop.desk, result, layout or self._guess(result)))

    def _guess(self, sheet: Sheet) -> Layout:
        return guess_layout(sheet, self._shop.desk.shop, self._preferred)

    def _refused(self, error: ShopError) -> None:
        """Why there are no rows; where another encoding may help, it can be chosen."""
        words = file_error_words(error)
        self._show_pages(False)
        self.settings.show_unread(self._options.encoding)
        self.set_consequence(words)
        self.cancel.set_text(tr("Close"))
        (self.settings.fields["encoding"].box if self._options.encoding else self.cancel).setFocus()

    # -- choosing

    def _lay(self, made: Import) -> None:
        """The file is seen in this way from now on."""
        self.made = made
        self.cancel.set_text(tr("Cancel"))
        self._show_pages(True)
        self.settings.show_import(made)
        self.columns.show_import(made)
        for first, second in pairwise((self.columns.boxes[-1], self.cancel, self.primary)):
            self.setTabOrder(first, second)  # else Tab comes to what was made last behind the buttons
        self._show_rows()
        self._compare()

    def _set(self, name: str, value: str) -> None:
        """A setting was chosen."""
        if name in ("encoding", "separator", "sheet"):
            self._options = replace(self._options, **{name: value})
            self._read()
        elif self.made is not None:
            self._lay(self._with(self.made, name, value))

    def _with(self, made: Import, name: str, value: str) -> Import:
        layout, shop = made.layout, self._shop.desk.shop
        if name == "records":
            resource = Resource(value)
            fields = guess_fields(made.sheet, layout.header, resource, shop)
            return made.with_layout(replace(layout, resource=resource, fields=fields))
        if name == "header":
            header = int(value)
            fields = guess_fields(made.sheet, header, layout.resource, shop)
            return made.with_layout(replace(layout, header=header, fields=fields))
        dates: dict[str, DateOrder] = {"dmy": "dmy", "mdy": "mdy", "ymd": "ymd"}
        if name == "dates":
            made.choose_formats(dates=dates[value])
        else:
            made.choose_formats(numbers=STYLES[int(value)])
        return made

    def _map(self, column: int, field: str) -> None:
        """A column becomes this field; the one that did so before is not used any more."""
        if self.made is None:
            return
        fields = ["" if one == field else one for one in self.made.layout.fields]
        fields[column] = field
        self._lay(self.made.with_layout(replace(self.made.layout, fields=tuple(fields))))

    def _flip_creating(self) -> None:
        if self.made is not None:
            self.made.create_categories(not self.made.creating)
            self._compare()

    def _flip_stock(self) -> None:
        if self.made is not None:
            self.made.leave_stock(not self.made.leaving_stock)
            self._compare()

    def _flip_again(self) -> None:
        if self.made is not None:
            self.made.make_again(not self.made.again)
            self._compare()

    # -- comparing

    def _compare(self) -> None:
        """Go through the rows in turns that no key has to wait for."""
        self.primary.setEnabled(False)
        if self.made is not None:
            self._comparing.begin(self.made.compare())
            self._comparing.go_on()

    def _turned(self, more: bool) -> None:
        if self.made is not None and more:
            self.set_consequence(tr("Comparing: {n} %", "", round(100 * self.made.share)))
        elif self.made is not None:
            self._compared(self.made)

    def _compared(self, made: Import) -> None:
        self.set_consequence(said_of(made))
        counts = made.counts
        for at, (kind, name) in enumerate(zip(_KINDS, _row_pages(), strict=True), 1):
            self.switch.set_words(at, f"{name} {number(made.total if kind is None else counts[kind])}")
        self._say_doubts(made)
        wrong = counts[RowKind.WRONG]
        words = tr("Copy {n} wrong rows with the reasons", "", wrong, one="Copy {n} wrong row with the reason")
        say(self.copy_link, words if wrong else "")
        going = counts[RowKind.CHANGED] + counts[RowKind.NEW]
        words = tr("Preview {n} rows", "", going, one="Preview {n} row") if going else tr("Nothing to change")
        self.primary.set_text(words)
        self.primary.setEnabled(going > 0 and not made.formats.unsure)
        if not self.view.edit_open():
            self.model.repaint()
        self.settle()
        if self._started:
            return
        self._started = True
        first = next(iter(sorted(made.formats.unsure)), "")
        (self.settings.fields[first].box if first else self.primary if going else self.cancel).setFocus()
        if self._is_clear(made):
            self.accept()

    def _is_clear(self, made: Import) -> bool:
        """Whether nothing is left to be chosen or mended: the preview then comes at once, and says what the columns
        became; its Cancel leads back here."""
        known = made.is_mapped or made.layout == self._memory.layout_of(made.sheet, made.layout.header)
        return self.primary.isEnabled() and known and made.identity == "id" and not made.counts[RowKind.WRONG]

    def _say_doubts(self, made: Import) -> None:
        names, stocked = made.unknown, made.stocked
        say(self.unsure, unsure_words(made))
        say(self.unknown, unknown_words(names, made.creating) if names else "")
        say(self.make_link, creating_words(len(names), made.creating) if names and made.may_create else "")
        say(self.stock, stock_words(stocked, made.leaving_stock) if stocked else "")
        say(self.leave_link, leaving_words(stocked, made.leaving_stock) if stocked else "")
        before = made.made_before
        say(self.before, before_words(before, made.again) if before else "")
        say(self.again_link, again_words(before, made.again) if before else "")

    # -- rows

    def _turn(self, page: int) -> None:
        self.pages.setCurrentIndex(min(page, 1))
        self._show_rows(page)

    def _show_rows(self, page: int | None = None) -> None:
        page = self.page if page is None else page
        made = self.made
        self.model.show_rows(made, made.places(_KINDS[page - 1]) if made is not None and page else ())
        for section in range(len(self.model.columns)):
            width = _WIDTHS.get(section) or self._needed(section)
            self.view.header.resizeSection(section, current().scaled(width))
        if self.model.count():
            self.view.setCurrentIndex(self.model.index(0, self._first_wrong(made)))
            self.view.horizontalScrollBar().setValue(0)  # which row it is, and what is wrong, comes before the cell

    def _needed(self, section: int) -> int:
        """Pixels at base 13 in which the first cells of a column have room, within bounds."""
        shown = range(min(_MEASURED, self.model.count()))
        longest = max((len(self.model.cell(row, section).text) for row in shown), default=0)
        most = _MOST_SAID if section == WHY else _MOST
        return max(_LEAST, min(most, 8 * max(longest, len(self.model.columns[section].title)) + 24))

    def _copy_wrong(self) -> None:
        """For whoever made the file: the wrong rows to the clipboard, each with what is wrong."""
        if self.made is not None:
            self._copying.begin(wrong_rows(self.made))

    def _copied(self, table: CopiedTable) -> None:
        mime, n = QMimeData(), len(table) - 1  # without the titles
        for form, data in table.forms():
            mime.setData(form, data)
        QGuiApplication.clipboard().setMimeData(mime)
        words = tr("{n} wrong rows copied", "", n, one="{n} wrong row copied")
        say(self.copy_link, words)
        announce(self.copy_link, words)

    def _first_wrong(self, made: Import | None) -> int:
        judged = None if made is None else made.judged(self.model.rows[0])
        problem = None if judged is None else judged.problem
        return FIRST + max(0, made.column_of(problem)) if made is not None and problem is not None else FIRST

    @property
    def page(self) -> int:
        """The page that is shown: the columns (0), or rows of a kind."""
        return self.switch.shown()

    # -- the end

    def accept(self) -> None:
        made = self.made
        if made is None or not self.primary.isEnabled():
            return
        desk, changed = self._shop.desk, made.counts[RowKind.CHANGED]
        preview = Preview(desk, made.inputs(), made.new(), at_once=False, expected=changed)
        preview.source = f"import:{PurePath(self._path).name}"
        title = self.windowTitle()
        self.hide()  # it is there again if nothing is saved
        shown = self._show(preview, title, note_words(made), self._saved)
        shown.rejected.connect(self._again)

    def _again(self) -> None:
        """The preview was left without saving."""
        self.open()
        self.primary.setFocus()

    def _saved(self) -> None:
        if self.made is not None:
            self._memory.keep(self.made)
        super().accept()

    def reject(self) -> None:
        mended = self.made.mended if self.made is not None else 0
        ask_before_leaving(self, "importLeaveDialog", tr("Close without importing?"), mended, super().reject)


def _row_pages() -> tuple[str, ...]:
    """The names of the pages of _KINDS."""
    return tr("All"), tr("To change"), tr("New", "rows of a file"), tr("The same"), tr("Wrong")


def _note(words: PlainLabel, link: LinkLabel) -> QHBoxLayout:
    """What the rows hold beside one another, and what can be done about it; hidden until there is something to say."""
    line = in_row(None, words, link, "stretch", margins=(_MARGIN, 0, _MARGIN, 8), spacing=8)
    words.hide()
    link.hide()
    return line

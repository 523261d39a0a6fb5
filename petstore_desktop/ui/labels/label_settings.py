"""The left side of the Labels page: sheet, first place, copies, what stands on each label, code, and the checks; and
the question for an own size of labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import nan
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QGridLayout, QSizePolicy, QWidget

from petstore_desktop.desk.labels.sheets import SHEETS, LabelSheet, needed, problems
from petstore_desktop.desk.values.text import as_typed
from petstore_desktop.desk.values.typed_numbers import parse_whole
from petstore_desktop.ui.base.building import in_column, in_row, named, on_click
from petstore_desktop.ui.base.theme import Tone, current
from petstore_desktop.ui.labels.label_choices import KINDS, MOST_COPIES, MOST_LINE, Copies, LabelChoices
from petstore_desktop.ui.labels.label_texts import millimetres, problem_words, sheet_words
from petstore_desktop.ui.text.localize import separators
from petstore_desktop.ui.text.translate import locale, number, tr
from petstore_desktop.ui.widgets.button import CheckBox
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField, FormDialog
from petstore_desktop.ui.widgets.labels import Divider, IconLabel, LinkLabel, PaintedButton, PlainLabel, say
from petstore_desktop.ui.widgets.paint import Brush, Plane

if TYPE_CHECKING:
    from petstore_desktop.desk.labels.patterns import CodeKind


OWN = "own"
"""The choice of a sheet that asks for a new own size."""
_PAD = 10
_MARK, _EDGE = 16, 16


class _Segment(PaintedButton):
    """One of the kinds of code; arrow keys go to the others."""

    ring = 5

    def __init__(self, words: str) -> None:
        super().__init__(None, QSizePolicy.Policy.Expanding)
        self._words = words
        self.show_words(words)
        self.setCheckable(True)

    def sizeHint(self) -> QSize:
        theme = current()
        return QSize(round(theme.advance(self._words, 13, 500)) + 2 * _PAD, theme.height(30))

    def draw(self, brush: Brush) -> None:
        theme, chosen = brush.theme, self.isChecked()
        if chosen:
            brush.plane(theme.color("content"), 6)
            brush.ring(theme.color("control"), 6, 1)
        width = theme.advance(self._words, 13, 500 if chosen else 400)
        tone: Tone = "text" if chosen else "muted"
        brush.text(max(4.0, (self.width() - width) / 2), self._words, theme.tone(tone), 13, 500 if chosen else 400)


class CodeSwitch(Plane, QWidget):
    """Chooses the kind of code.

    Signals:
        chosen: object: the CodeKind.
    """

    ground, corner = "button", 6

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        named(self, "labelCode", tr("Code"))
        self._group = QButtonGroup(self)
        row = in_row(self)
        for at, words in enumerate((tr("Code 128"), tr("QR"), tr("None", "no code on a label"))):
            segment = named(_Segment(words), f"labelCode{at}")
            self._group.addButton(segment, at)
            row.addWidget(segment, 1)
        self.choose("code128")
        self._group.idClicked.connect(self._clicked)
        self._group.idToggled.connect(self._toggled)

    def choose(self, kind: CodeKind) -> None:
        """Show that this kind is chosen."""
        self._group.button(KINDS.index(kind)).setChecked(True)

    def kind(self) -> CodeKind:
        """The chosen kind."""
        return KINDS[max(0, self._group.checkedId())]

    def segments(self) -> list[QWidget]:
        """The parts that take the keyboard."""
        return [cast("QWidget", button) for button in self._group.buttons()]

    def _clicked(self, at: int) -> None:
        self.chosen.emit(KINDS[at])

    def _toggled(self, at: int, checked: bool) -> None:
        if checked and self._group.button(at).hasFocus():  # an arrow key chose it
            self.chosen.emit(KINDS[at])


class _Check(QWidget):
    """A check: a mark with its words, in another tone where something is to be done."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._mark, self.words = IconLabel("check", "ok", size=_MARK), named(PlainLabel("", wrap=True), name)
        self._mark.setFixedHeight(round(1.24 * current().line()))
        in_row(self, (self._mark, Qt.AlignmentFlag.AlignTop), 6, (self.words, 1))

    def show_check(self, words: str, well: bool) -> None:
        """Show these words; empty hides it."""
        say(self.words, words)
        self.words.set_tone("text" if well else "wait")
        self._mark.set_icon("check" if well else "warning", "ok" if well else "wait", "")
        self.setVisible(bool(words))


class LabelSettings(QWidget):
    """Shows and changes the choices.

    Signals:
        changed(): a person chose something else.
        ownWanted: object: the name of the own size to change; empty for a new one.
    """

    changed = Signal()
    ownWanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        named(self, "labelSettings")
        self._choices = LabelChoices()
        self._filling = False
        self._text_ids = False
        self.sheet = ChoiceField(tr("Sheet"), [], name="labelSheet")
        self.edit_own = LinkLabel(tr("Change this size…"))
        self.start = ChoiceField(tr("Start at label"), [], name="labelStart")
        self.copies = ChoiceField(tr("Copies"), [], name="labelCopies")
        self.count = FormField(tr("Labels of each pet"), name="labelCount")
        self.parts = {
            "name": CheckBox(tr("Name")),
            "id": CheckBox(tr("Id")),
            "category": CheckBox(tr("Category")),
            "own_line": CheckBox(tr("Own line")),
        }
        self.line = FormField(tr("Own line"), placeholder=tr("Your shop’s name, or a greeting"), name="labelOwnLine")
        self.line.edit.setMaxLength(MOST_LINE)
        self.code = CodeSwitch()
        self.names_check, self.code_check = _Check("labelNamesCheck"), _Check("labelCodeCheck")
        self.switch_code = LinkLabel(tr("Use QR codes"))
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        self._ticks = QGridLayout()
        self._ticks.setHorizontalSpacing(16)
        self._ticks.setVerticalSpacing(0)
        self._place_ticks(len(self.parts))
        for name, box in self.parts.items():
            named(box, f"labelPart_{name}")
        code = in_column(None, PlainLabel(tr("Code")), self.code, self._hint(), spacing=6)
        note = PlainLabel(
            tr("Print at 100 %, not “fit to page”. These choices are kept for the next time."), "muted", 12, wrap=True
        )
        in_column(
            self,
            in_column(None, self.sheet, in_row(None, self.edit_own, "stretch"), spacing=2),
            in_row(None, (self.start, 1), (self.copies, 2), spacing=16),
            self.count,
            in_column(None, PlainLabel(tr("On each label")), self._ticks, self.line, spacing=6),
            code,
            Divider(),
            in_column(None, self.names_check, self.code_check, in_row(None, self.switch_code, "stretch"), spacing=6),
            note,
            "stretch",
            margins=(_EDGE, _EDGE, _EDGE, _EDGE),
            spacing=18,
        )

    def _place_ticks(self, columns: int) -> None:
        """Place the check boxes in so many columns."""
        for at, box in enumerate(self.parts.values()):
            self._ticks.addWidget(box, at // columns, at % columns, Qt.AlignmentFlag.AlignLeft)
        for column in range(len(self.parts)):
            self._ticks.setColumnStretch(column, int(column == columns - 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        boxes = list(self.parts.values())
        needed = sum(box.sizeHint().width() for box in boxes) + 16 * len(boxes) + 2 * _EDGE
        self._place_ticks(len(boxes) if needed <= self.width() else 2)

    def minimumSizeHint(self) -> QSize:
        """Its parts break their lines, or are shortened."""
        return QSize(200, super().minimumSizeHint().height())

    def _hint(self) -> QWidget:
        self.hint = PlainLabel(tr("Holds the id. A scan of it finds the pet, also offline."), "muted", 12, wrap=True)
        return self.hint

    def _connect(self) -> None:
        self.sheet.box.currentIndexChanged.connect(self._sheet_chosen)
        self.edit_own.clicked.connect(lambda: self.ownWanted.emit(self._choices.sheet))
        for box in (self.start.box, self.copies.box):
            box.currentIndexChanged.connect(self._changed)
        self.count.changed.connect(self._changed)
        self.line.changed.connect(self._changed)
        for part in self.parts.values():
            part.toggled.connect(self._changed)
        self.code.chosen.connect(self._changed)
        self.switch_code.clicked.connect(self._use_qr)

    def tab_stops(self) -> list[QWidget]:
        """What takes the keyboard, in order."""
        ticks = list(self.parts.values())
        fields = [self.sheet.box, self.edit_own, self.start.box, self.copies.box, self.count.edit]
        return [*fields, *ticks, self.line.edit, *self.code.segments(), self.switch_code]

    # -- filling

    def show_choices(self, choices: LabelChoices, copies: Sequence[tuple[Copies, str]], *, text_ids: bool) -> None:
        """Show these. `copies`: what can be chosen for the number of labels; `text_ids`: some ids are texts."""
        self._filling, self._text_ids = True, text_ids
        self._choices = choices
        sheets = [(name, sheet_words(sheet)) for name, sheet in {**SHEETS, **choices.own}.items()]
        _fill(self.sheet, [*sheets, (OWN, tr("Own size…"))], choices.sheet)
        places = range(choices.label_sheet.per_page)
        _fill(self.start, [(str(at), number(at + 1)) for at in places], str(choices.start))
        _fill(self.copies, copies, choices.copies)
        if not self.count.edit.hasFocus():
            self.count.set_text(number(choices.count))
        for name, box in self.parts.items():
            box.setChecked(getattr(choices.content, name))
        if not self.line.edit.hasFocus():
            self.line.set_text(choices.own_line)
        self.code.choose(self._kind_of(choices.codes))
        self._arrange()
        self._filling = False

    def _kind_of(self, codes: Mapping[str, CodeKind]) -> CodeKind:
        return codes.get(self._id_kind, "code128")

    @property
    def _id_kind(self) -> str:
        return "text" if self._text_ids else "number"

    def _arrange(self) -> None:
        """Show what belongs to the present choices only."""
        choices = self._choices
        self.edit_own.setVisible(choices.sheet in choices.own)
        self.start.setVisible(not choices.label_sheet.is_roll)
        self.count.setVisible(choices.copies == "each")
        self.line.setVisible(choices.content.own_line)

    # -- what a person does

    def choices(self) -> LabelChoices:
        """The present choices."""
        return self._choices

    def kind(self) -> CodeKind:
        """The kind of code for the shown pets."""
        return self.code.kind()

    def set_start(self, place: int) -> None:
        """Begin at this place; as if a person had chosen it."""
        self.start.set_value(str(place))

    def _use_qr(self) -> None:
        self.code.choose("qr")
        self._changed()

    def _sheet_chosen(self) -> None:
        if self._filling:
            return
        if self.sheet.value() == OWN:
            self._filling = True
            self.sheet.set_value(self._choices.sheet)
            self._filling = False
            self.ownWanted.emit("")
            return
        self._choices = replace(self._choices, sheet=self.sheet.value())
        self.changed.emit()

    def _changed(self) -> None:
        if self._filling:
            return
        content = replace(self._choices.content, **{name: box.isChecked() for name, box in self.parts.items()})
        self._choices = replace(
            self._choices.with_start(int(self.start.value() or 0)),
            copies=cast("Copies", self.copies.value() or "each"),
            count=self._count(),
            content=content,
            own_line=self.line.text(),
            codes={**self._choices.codes, self._id_kind: self.code.kind()},
        )
        self._arrange()
        self.changed.emit()

    def _count(self) -> int:
        """The typed number of labels; what is none is said, and the last one holds."""
        typed = parse_whole(as_typed(self.count.text()), separators(locale()))
        fits = isinstance(typed, int) and 1 <= typed <= MOST_COPIES
        wrong = tr("Enter a whole number from 1 to {most}.", most=number(MOST_COPIES))
        self.count.set_error("" if fits else wrong)
        return typed if isinstance(typed, int) and fits else self._choices.count

    # -- checks

    def show_checks(self, names: tuple[str, bool], code: tuple[str, bool]) -> None:
        """Show whether names and codes are well; where the code is not, a switch to QR codes."""
        self.names_check.show_check(*names)
        self.code_check.show_check(*code)
        self.switch_code.setVisible(bool(code[0]) and not code[1] and self.code.kind() == "code128")


def _fill(field: ChoiceField, choices: Sequence[tuple[str, str]], value: str) -> None:
    """Put these choices into a field, and choose one; it is left alone where nothing differs."""
    box = field.box
    if [(box.itemData(at), box.itemText(at)) for at in range(box.count())] != list(choices):
        box.clear()
        for data, words in choices:
            box.addItem(words, data)
    field.set_value(value)


_ROWS = (
    ("width", "height"),
    ("columns", "rows"),
    ("label_width", "label_height"),
    ("left", "top"),
    ("gap_x", "gap_y"),
)


class OwnSizeDialog(FormDialog):
    """All lengths in millimetres. `delete` is there for a size that is kept already."""

    def __init__(
        self,
        sheet: LabelSheet,
        keep: Callable[[LabelSheet], object],
        delete: Callable[[], object] | None,
        parent: QWidget | None,
    ) -> None:
        words = tr("In millimetres, as the box of the labels says. A roll has one label across and one down.")
        super().__init__(tr("Own size of labels"), words, parent, name="ownSizeDialog")
        self._keep, self._delete = keep, delete
        titles = {
            "width": tr("Sheet, width"),
            "height": tr("Sheet, height"),
            "columns": tr("Labels across"),
            "rows": tr("Labels down"),
            "label_width": tr("Label, width"),
            "label_height": tr("Label, height"),
            "left": tr("Margin at the left"),
            "top": tr("Margin at the top"),
            "gap_x": tr("Gap between columns"),
            "gap_y": tr("Gap between rows"),
        }
        self.fields = {name: FormField(words, name=f"ownSize_{name}") for name, words in titles.items()}
        for name, field in self.fields.items():
            value = getattr(sheet, name)
            field.set_text(str(value) if isinstance(value, int) else millimetres(value, 2))
            field.changed.connect(partial(_forgive, field))
        rows: list[QWidget] = []
        for pair in _ROWS:
            row = QWidget()
            in_row(row, *((self.fields[name], 1) for name in pair), spacing=12)
            rows.append(row)
        if delete is not None:
            self.add_link(on_click(LinkLabel(tr("Delete this size")), self._drop, "deleteOwnSize"))
        self.lay_out(rows[0], *rows[1:], accept=tr("Use this size"))
        self.fields["width"].edit.setFocus()

    def sheet(self) -> LabelSheet:
        """The typed size; a field without a number is NaN."""
        typed = {name: _number(field.text()) for name, field in self.fields.items()}
        counts = {name: typed.pop(name) for name in ("columns", "rows")}
        made = replace(LabelSheet(0, 0, 0, 0, 0, 0), **typed)
        whole = {name: int(count) if count == count and count.is_integer() else 0 for name, count in counts.items()}
        return replace(made, columns=whole["columns"], rows=whole["rows"])

    def accept(self) -> None:
        """Keep the size if labels can be printed so; else say in each field what is wrong."""
        sheet = self.sheet()
        found = problems(sheet)
        wide, high = needed(sheet) if not set(found) - {"label_width", "label_height"} else (0.0, 0.0)
        for name, field in self.fields.items():
            limit = millimetres(wide if name == "label_width" else high)
            field.set_error(problem_words(found[name], limit) if name in found else "")
        if found:
            next(field for name, field in self.fields.items() if name in found).edit.setFocus()
            return
        self._keep(sheet)
        super().accept()

    def _drop(self) -> None:
        if self._delete is not None:
            self._delete()
        super().reject()


def _forgive(field: FormField, _text: str) -> None:
    field.set_error("")


def _number(text: str) -> float:
    """A length as it is typed: with the locale's decimal sign, or with a point."""
    said, valid = locale().toDouble(text.strip())
    if valid:
        return said
    try:
        return float(text.strip())
    except ValueError:
        return nan

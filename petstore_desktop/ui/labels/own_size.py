"""Asks for an own size of labels, and says what cannot be printed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import nan

from msgspec.structs import replace
from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.labels.sheets import LabelSheet, needed, problems
from petstore_desktop.ui.base.building import in_row, on_click
from petstore_desktop.ui.labels.label_texts import millimetres, problem_words
from petstore_desktop.ui.text.translate import locale, tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import FormDialog
from petstore_desktop.ui.widgets.labels import LinkLabel

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

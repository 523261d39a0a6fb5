"""How far a count has come, at the lower end of the station: in all, and by category."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QGridLayout, QWidget

from petstore_desktop.ui.base.building import in_column, in_row, named
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.text.translate import number, tr
from petstore_desktop.ui.widgets.empty_state import ProgressLine
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from petstore_desktop.desk.stocktake.count import Progress

_MOST = 12
"""Categories for which there is room; of more, the smallest are told together."""


class CountProgress(QWidget):
    """The words, the bar and the categories."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "countProgress", tr("Progress"))
        self._done, self._left = PlainLabel("", "text", 13, 600), PlainLabel("", "muted")
        self._bar = ProgressLine(8)
        self._groups = QGridLayout()
        self._groups.setContentsMargins(0, 0, 0, 0)
        self._groups.setHorizontalSpacing(16)
        self._groups.setColumnStretch(0, 1)
        self._narrow = False
        self._labels = [PlainLabel("", "muted", 12, elide=True) for _ in range(_MOST)]
        for place, label in enumerate(self._labels):
            self._groups.addWidget(label, place // 2, place % 2)
        row = in_row(None, self._done, "stretch", self._left)
        in_column(self, row, 8, self._bar, 8, self._groups)

    def show_progress(self, whole: Progress, groups: Sequence[tuple[str, Progress]]) -> None:
        """Show how many of all, and of each group, are counted."""
        total, counted = number(whole.total), number(whole.counted)
        words = tr("{n} of {total} counted", n=counted, total=total)
        self._done.set_text(words)
        self._left.set_text(tr("{n} to go", n=number(whole.total - whole.counted)))
        self._bar.set_fraction(whole.counted / whole.total if whole.counted and whole.total else None, "muted")
        self.setAccessibleDescription(to_say(words))
        lines = _lines(groups) if len(groups) > 1 else []
        for place, label in enumerate(self._labels):
            label.set_text(lines[place] if place < len(lines) else "")
        self._show_labels()

    def set_narrow(self, narrow: bool) -> None:
        """Whether there is room for one line only: the categories are left out then."""
        self._narrow = narrow
        self._show_labels()
        self._bar.setMinimumWidth(current().scaled(60))

    def _show_labels(self) -> None:
        for label in self._labels:
            label.setVisible(bool(label.text()) and not self._narrow)


def _lines(groups: Sequence[tuple[str, Progress]]) -> list[str]:
    """A line for each group, and one for those that there is no room for."""
    room = _MOST if len(groups) <= _MOST else _MOST - 1
    lines = [
        tr("{category} {n} of {total}", category=name, n=number(one.counted), total=number(one.total))
        for name, one in groups[:room]
    ]
    rest = [one for _, one in groups[room:]]
    if rest:
        counted, total = sum(one.counted for one in rest), sum(one.total for one in rest)
        lines.append(
            tr("{n} others: {counted} of {total}", "", len(rest), counted=number(counted), total=number(total))
        )
    return lines

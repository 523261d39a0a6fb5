"""Tells the desk how things are written and sorted where the person is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCollator, QLocale, Qt

from petstore_desktop.desk.text import Separators
from petstore_desktop.ui.words import locale, status_word, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk


def localize(desk: Desk) -> None:
    """Separators of numbers, the order of names, and the words that the filter finds. Before a table is opened."""
    here = locale()
    QLocale.setDefault(here)  # for widgets that format by themselves, where no locale is set at all
    desk.separators = Separators(here.groupSeparator(), here.decimalPoint())
    collator = QCollator(here)
    collator.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    collator.setNumericMode(True)
    desk.set_collation(collator.sortKey)
    words = {name: status_word(name) for name in ("available", "pending", "sold", "open", "complete")}
    desk.set_vocabulary({**words, "late": tr("late")})

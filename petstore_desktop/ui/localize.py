"""The person's language: the window's texts, how numbers are written, and how names are sorted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCollator, QCoreApplication, QLocale, Qt, QTranslator

from petstore_desktop import resources
from petstore_desktop.desk.text import Separators
from petstore_desktop.ui.words import locale, status_word, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.typed_days import DayOrder


def speak(application: QCoreApplication, language: str | None) -> None:
    """Use the person's language, None for the system's, as far as there is a translation; else the texts stay English.

    Where no locale is set at all, numbers and dates are written the British way: the C locale would write 1904.
    """
    if language:
        QLocale.setDefault(QLocale(language))
    elif QLocale().language() == QLocale.Language.C:
        QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))
    translator = QTranslator(application)
    if translator.load(QLocale(), "petstore", "_", str(resources.root() / "translations")):
        application.installTranslator(translator)


def _day_order(here: QLocale) -> DayOrder:
    """In which order a short date is written here: by the first letter of each part of its format."""
    form = here.dateFormat(QLocale.FormatType.ShortFormat).lower()
    places = sorted("dmy", key=form.find)
    return "ymd" if places[0] == "y" else "mdy" if places[0] == "m" else "dmy"


def localize(desk: Desk) -> None:
    """Separators of numbers, the order of names, and the words that the filter finds. Before a table is opened."""
    here = locale()
    QLocale.setDefault(here)  # for widgets that format by themselves, where no locale is set at all
    desk.separators = Separators(here.groupSeparator(), here.decimalPoint())
    desk.shop.day_order = _day_order(here)
    desk.shop.first_weekday = here.firstDayOfWeek().value - 1
    collator = QCollator(here)
    collator.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
    collator.setNumericMode(True)
    desk.set_collation(collator.sortKey)
    words = {name: status_word(name) for name in ("available", "pending", "sold", "open", "complete")}
    desk.set_vocabulary({**words, "late": tr("late")})

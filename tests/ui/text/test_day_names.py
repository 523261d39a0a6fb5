"""Days and months have names in the person's language wherever the window shows one, never those of the C locale."""

from __future__ import annotations

import calendar
import re
from datetime import UTC, date, datetime, timedelta

import pytest
from PySide6.QtCore import QDate, QLocale, Qt
from PySide6.QtWidgets import QApplication, QDateTimeEdit, QTableView, QToolButton
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.compare.compare_texts import said_moment, when_words
from petstore_desktop.ui.text.times import as_of, date_text, day, day_and_time_form, full_day, moment, on_paper
from petstore_desktop.ui.text.translate import locale, speak
from petstore_desktop.ui.widgets.chooser import DayMenu

OTHERS = ("de", "fr", "es", "pt_BR", "ar", "ja")
TODAY = date(2026, 11, 26)
NOW = datetime(2026, 11, 26, 12, tzinfo=UTC).timestamp()
NAMES = [*calendar.month_name[1:], *calendar.month_abbr[1:], *calendar.day_name, *calendar.day_abbr]
ENGLISH = re.compile(rf"\b({'|'.join(NAMES)}|today|yesterday|tomorrow|[ap]m)\b", re.IGNORECASE)


def own_words() -> set[str]:
    """What the language itself calls the months and days: some are written as in English (`April`, `mar`)."""
    here, shapes = locale(), (QLocale.FormatType.LongFormat, QLocale.FormatType.ShortFormat)
    months = [
        name(n, shape) for n in range(1, 13) for shape in shapes for name in (here.monthName, here.standaloneMonthName)
    ]
    return {*months, *(here.dayName(n, shape) for n in range(1, 8) for shape in shapes)}


def shown(qtbot: QtBot) -> list[str]:
    """Each way to show a day, for days of a year around today; a calendar, and a field for a time."""
    found = list[str]()
    for ahead in range(-200, 200, 5):  # each month, and each day of the week
        one, at = TODAY + timedelta(ahead), NOW + ahead * 86_400
        found += [day(one, TODAY), full_day(one), date_text(one, "dddd MMMM yyyy"), date_text(one, "ddd MMM")]
        found += [on_paper(at), moment(at, NOW), as_of(at, NOW), said_moment(at, NOW), when_words(at, NOW)]
    for month in range(1, 13):
        menu = DayMenu(QDate(2026, month, 28))
        menu.calendar.setCurrentPage(2026, month)
        found += [button.text() for button in menu.calendar.findChildren(QToolButton)]
        model = menu.calendar.findChildren(QTableView)[0].model()
        found += [str(model.index(0, column).data()) for column in range(model.columnCount())]
        field = QDateTimeEdit(QDate(2026, month, month))
        qtbot.addWidget(field)
        field.setDisplayFormat(day_and_time_form())
        found.append(field.text())
        menu.deleteLater()
    return found


def test_english_names_are_found_where_they_are_shown(qtbot: QtBot, app: QApplication) -> None:
    speak(app, "en")
    english = shown(qtbot)
    assert sum(bool(ENGLISH.search(text)) for text in english) > len(english) // 2


@pytest.mark.parametrize("language", OTHERS)
def test_no_day_or_month_has_an_english_name(qtbot: QtBot, app: QApplication, language: str) -> None:
    speak(app, language)
    texts = shown(qtbot)
    own = {word.casefold().rstrip(".") for word in own_words()}
    left = {text for text in texts for word in ENGLISH.findall(text) if word.casefold() not in own}
    assert left == set()
    assert sum(any(letter.isalpha() for letter in text) for text in texts) > len(texts) // 2


@pytest.mark.parametrize(("language", "rest"), [("de", {6, 7}), ("ar", {5, 6})])
def test_the_days_of_rest_that_a_calendar_shows_quieter_are_those_of_the_language(
    qtbot: QtBot, app: QApplication, language: str, rest: set[int]
) -> None:
    speak(app, language)
    menu = DayMenu(QDate(2026, 11, 26))
    colours = {day.value: menu.calendar.weekdayTextFormat(day).foreground().color().name() for day in Qt.DayOfWeek}
    menu.deleteLater()
    theme = current()
    assert {day for day, colour in colours.items() if colour == theme.color("muted").name()} == rest
    assert {day for day, colour in colours.items() if colour == theme.color("text").name()} == set(range(1, 8)) - rest

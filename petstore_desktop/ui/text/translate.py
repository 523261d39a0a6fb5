"""How the window says things: the person's language, translation, numbers, and the names of what the shop is made of.

Every visible text goes through `tr`; `pyside6-lupdate` finds the calls (context ""). English needs no translation file:
its singular stands beside the plural. Sentences that belong to one subject are in the other modules of this
folder, such as `times`, `errors` and `status`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QCoreApplication,
    QLibraryInfo,
    QLocale,
    QMessageLogContext,
    Qt,
    QtMsgType,
    QTranslator,
    qInstallMessageHandler,
)
from PySide6.QtGui import QGuiApplication

from petstore_desktop import resources
from petstore_desktop.domain.counts import AtLeast
from petstore_desktop.domain.records import INT64_MAX, Resource
from petstore_desktop.ui.base.theme import plain

if TYPE_CHECKING:
    from petstore_desktop.domain.errors import ShopError

ENGLISH = "en"
_SPOKEN = "spokenLanguage"
MINUS = "−"
DASH = "–"
"""Stands for "nothing" in a cell; painted faint."""
_INT_MAX = 2**31 - 1
_FEW = 3
"""Of so many every language says the number; of one or two some have a word for it, which could not be "or more"."""
_LETTER_BEHIND = re.compile(r"\(&\w\)")
_TWO_STOPS = re.compile(r"(?<=\w)\.(\u2069?)\.(?![.\w])")
"""The full stop of a sentence after that of a short word, such as a month's: `until 3 nov..`."""
_PLACES = re.compile(r"[#+−≈]?\{\w+\}(?:[.:/]+\{\w+\})*%?")
_AFTER_A_STOP = re.compile("(?<=[\u3002\uff01\uff1f]) ")


def tr(text: str, comment: str = "", n: int = -1, /, *, one: str = "", **params: object) -> str:
    """`text` in the person's language, with `{names}` filled in afterwards.

    With `n` the translation picks the right plural, `{n}` is the number by locale, and `one` is the English singular.
    """
    open_ended = isinstance(n, AtLeast)
    said = QCoreApplication.translate("", text, comment or None, max(n, _FEW) if open_ended else min(n, _INT_MAX))
    if n >= 0:
        if n == 1 and one and said == text and not open_ended:
            said = one
        params["n"] = number(n)
    if not params:
        return said
    if QGuiApplication.layoutDirection() is Qt.LayoutDirection.RightToLeft:
        said = between_words(said)
    try:
        said = said.format(**params)
    except (LookupError, ValueError):  # a damaged file of translations
        said = text.format(**params)
    return _TWO_STOPS.sub(r".\1", said) if ".." in said or ".\u2069." in said else said


def between_words(said: str) -> str:
    """Each place of a sentence that is read from the right in an isolate, together with the sign before its number, so
    that a name from elsewhere does not turn the words around it, nor they its `#` or `+`."""
    marked = _PLACES.sub("\u2068\\g<0>\u2069", said)
    # Of places alone nobody can tell which way they are read one after the other.
    return marked if marked == said or any(map(str.isalpha, _PLACES.sub("", said))) else f"\u200f{marked}"


def locale() -> QLocale:
    """The person's locale. Where none is set (the C locale) British English: numbers grouped, times short."""
    return _british_if_none(QLocale())


def _british_if_none(chosen: QLocale) -> QLocale:
    if chosen.language() == QLocale.Language.C:
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom)
    return chosen


def bare(text: str) -> str:
    """An action's words without its key letter (in Japanese `(&F)` at the end) and dots."""
    return _LETTER_BEHIND.sub("", text).replace("&&", "\0").replace("&", "").replace("\0", "&").replace("…", "")


def number(value: int) -> str:
    """A whole number with the locale's groups, and a true minus sign; one that may be larger with a `+` behind it."""
    if isinstance(value, AtLeast):
        return tr("{n}+", "at least so many", n=number(int(value)))
    size = abs(value)
    here = locale()
    # Qt counts to 2^63 - 1; the smallest quantity, and sums of quantities, go beyond.
    said = here.toString(size) if size <= INT64_MAX else f"{size:,}".replace(",", here.groupSeparator())
    return f"{MINUS}{said}" if value < 0 else said


def local_digits(text: str) -> str:
    """Digits as they are written here, such as the Arabic ones."""
    zero = ord(locale().zeroDigit()[0])
    return text if zero == ord("0") else text.translate({ord("0") + n: zero + n for n in range(10)})


def signed(value: int) -> str:
    """A difference with its sign: `+12`, `−3`."""
    return f"+{number(value)}" if value >= 0 else number(value)


def sentences(*said: str) -> str:
    """Sentences one after the other, without the empty ones; in Japanese nothing stands between two."""
    return _AFTER_A_STOP.sub("", " ".join(filter(None, said)))


def listed(parts: Iterable[str]) -> str:
    """Parts of a line, as a list is written here; empty ones are left out."""
    return tr(", ", "between parts of a line").join(filter(None, parts))


def quoted(text: str) -> str:
    """Quote a foreign text inside a sentence."""
    return tr("“{text}”", text=text)


def resource_title(resource: Resource) -> str:
    """The word on the tab."""
    return {
        Resource.PETS: tr("Pets"),
        Resource.CATEGORIES: tr("Categories"),
        Resource.ORDERS: tr("Orders"),
        Resource.INVENTORY: tr("Inventory"),
    }[resource]


def counted(resource: Resource, n: int) -> str:
    """A number of records in words, as part of a sentence."""
    if resource is Resource.PETS:
        return tr("{n} pets", "", n, one="{n} pet")
    if resource is Resource.CATEGORIES:
        return tr("{n} categories", "", n, one="{n} category")
    if resource is Resource.ORDERS:
        return tr("{n} orders", "", n, one="{n} order")
    return tr("{n} stock entries", "", n, one="{n} stock entry")


STATUSES: Mapping[str, Callable[[], str]] = {
    "available": lambda: tr("available"),
    "pending": lambda: tr("pending"),
    "sold": lambda: tr("sold"),
    "open": lambda: tr("open"),
    "complete": lambda: tr("complete"),
}


def status_word(status: str | None) -> str:
    """The word for a pet's or order's state; an unknown status is shown as the service wrote it."""
    if status is None:
        return DASH
    return STATUSES[status]() if status in STATUSES else status


_FIELDS: Mapping[str, Callable[[], str]] = {
    "name": lambda: tr("Name"),
    "category_id": lambda: tr("Category"),
    "category": lambda: tr("Category"),
    "status": lambda: tr("Status"),
    "description": lambda: tr("Description"),
    "pet_id": lambda: tr("Pet"),
    "pet": lambda: tr("Pet"),
    "quantity": lambda: tr("In stock"),
    "stock": lambda: tr("In stock"),
    "ship_date": lambda: tr("Ship date"),
    "complete": lambda: tr("State"),
    "state": lambda: tr("State"),
    "orders": lambda: tr("Orders"),
    "pets": lambda: tr("Pets"),
    "late": lambda: tr("Late"),
    "minimum": lambda: tr("Minimum"),
    "order_up_to": lambda: tr("Order up to"),
    "to_order": lambda: tr("To order"),
    "id": lambda: tr("Id"),
}


def field_word(field: str) -> str:
    """What a field of a record is called."""
    return _FIELDS[field]() if field in _FIELDS else field


def counted_changes(n: int) -> str:
    """A number of changes in words."""
    return tr("{n} changes", "", n, one="{n} change")


def needs_words(n: int) -> str:
    """How many changes need a person's attention."""
    return tr("{n} need attention", "", n, one="{n} needs attention")


def service_words(message: str, status: int | None) -> str:
    """The service's own words in quotes, else its status."""
    if message:
        return quoted(plain(message))
    return tr("status {status}", status=status) if status is not None else tr("no reason given")


def plain_lines(text: str) -> str:
    """Service text of several lines made harmless, with its line breaks kept."""
    return "\n".join(plain(line) for line in text.splitlines())


def param(error: ShopError, name: str) -> str:
    """A parameter of an error as plain text; empty where it has none."""
    value = error.params.get(name)
    return plain(str(value)) if value else ""


def column_title(resource: Resource, column: str) -> str:
    """A header's words; the gutter's are for screen readers alone."""
    if column == "gutter":
        return tr("Change")
    if column == "id":
        return tr("Order", "header of the order’s id") if resource is Resource.ORDERS else tr("Id")
    if column == "quantity" and resource is Resource.ORDERS:
        return tr("Quantity")
    return field_word(column)


def speak(application: QCoreApplication, language: str | None) -> None:
    """Use the person's language, empty or None for the system's, as far as there is a translation; else the texts are
    English. What was spoken before is spoken no more.

    Where no locale is set at all, numbers and dates are written the British way: the C locale would write 1904.
    """
    for before in application.findChildren(QTranslator):
        application.removeTranslator(before)
        before.deleteLater()
    system, chosen = QLocale.system(), QLocale(language) if language else QLocale.system()
    if language and "_" not in language:
        chosen = system if chosen.language() == system.language() else _spoken_there(chosen, system)
    QLocale.setDefault(_british_if_none(chosen))
    spoken = _wanted(language)
    if not (spoken and _install(application, "petstore", spoken, str(resources.root() / "translations"))):
        spoken = ""  # there is none, or a damaged file
    else:
        # the menus of text fields, and the dialogs for files and printers
        _install(application, "qtbase", spoken, QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath))
    application.setProperty(_SPOKEN, spoken or ENGLISH)
    if not spoken and QLocale().zeroDigit() != "0":  # English words around Arabic digits change places with them
        QLocale.setDefault(_spoken_there(QLocale(QLocale.Language.English), QLocale()))
    if isinstance(application, QGuiApplication):
        application.setLayoutDirection(QLocale(spoken or ENGLISH).textDirection())


def _spoken_there(chosen: QLocale, system: QLocale) -> QLocale:
    """Another language does not move the computer: who chooses English in Germany writes days as Europe does. Where a
    language is not known of a place, that of a place which writes numbers and days alike: Qt would take the United
    States for all of them."""
    there = QLocale(chosen.language(), system.territory())
    if there.territory() == system.territory():
        return there
    if system.language() == QLocale.Language.C:  # it says nothing of the place
        return _british_if_none(system) if chosen.language() == QLocale.Language.English else chosen
    script, anywhere = QLocale.Script.AnyScript, QLocale.Country.AnyCountry
    known = QLocale.matchingLocales(chosen.language(), script, anywhere)
    return next((one for one in (chosen, *known) if _writing(one) == _writing(system)), chosen)


def _writing(one: QLocale) -> tuple[str, ...]:
    """How numbers are written, the order of days, months and years, and whether the clock has twelve hours."""
    short = QLocale.FormatType.ShortFormat
    order = dict.fromkeys(letter for letter in one.dateFormat(short) if letter in "dMy")
    twelve = "a" in one.timeFormat(short).lower()
    return one.decimalPoint(), one.groupSeparator(), "".join(order), "12" if twelve else "24"


def spoken_language() -> str:
    """The language of the texts, as the files of translations are called; that of the locale before `speak`."""
    application = QCoreApplication.instance()
    spoken = application.property(_SPOKEN) if application is not None else None
    return spoken if isinstance(spoken, str) else QLocale().name()


def _wanted(language: str | None) -> str:
    """The language of the texts: the first that the person wants, as the system says, and that there is; empty for
    English, or where there is none."""
    folder = resources.root() / "translations"
    for tag in [language] if language else QLocale.system().uiLanguages():
        short, *more = tag.replace("-", "_").split("_")
        if short in ("en", "C"):
            return ""
        names = [f"{short}_{more[-1]}" if more else short, short, f"{short}_*"]
        files = [file for name in names for file in sorted(folder.glob(f"petstore_{name}.qm"))]
        if files:
            return files[0].stem.removeprefix("petstore_")
    return ""


def without_window() -> Callable[[str], str]:
    """What says a text in the system's language where there is no window; `str` where that is English, or a language
    without a translation."""
    translator, spoken = QTranslator(), _wanted(None)
    if not spoken or not translator.load(f"petstore_{spoken}", str(resources.root() / "translations")):
        return str
    return lambda text: translator.translate("", text) or text


def speak_without_window() -> QCoreApplication:
    """Let `tr` say texts in the system's language where there is no window. To be kept as long as it does."""
    application = made_quietly(QCoreApplication)
    speak(application, None)
    return application


def made_quietly(kind: type[QCoreApplication]) -> QCoreApplication:
    """The program for Qt. It would write some lines on stderr where the system's locale is not installed."""
    before = qInstallMessageHandler(_say_nothing)
    try:
        return kind.instance() or kind(["petstore-desktop"])
    finally:
        qInstallMessageHandler(before)


def _say_nothing(_kind: QtMsgType, _context: QMessageLogContext, _text: str) -> None:
    pass


def _install(application: QCoreApplication, name: str, language: str, folder: str) -> bool:
    translator = QTranslator(application)
    return translator.load(f"{name}_{language}", folder) and application.installTranslator(translator)


SPECIALS: Mapping[str, Callable[[], str]] = {
    "low": lambda: tr("low  at or below the minimum"),
    "overdue": lambda: tr("overdue  the ship date is past, and the order is open"),
    "unsent": lambda: tr("unsent  saved on this computer, not sent"),
    "attention": lambda: tr("attention  refused, in conflict or unconfirmed"),
    "changed": lambda: tr("changed  today, by you or at the service"),
    "no-such-pet": lambda: tr("no-such-pet  its pet does not exist"),
    "sold-with-stock": lambda: tr("sold-with-stock  the pet is sold, and has stock"),
    "without-category": lambda: tr("without-category  it has none, or one that does not exist"),
    "same-name": lambda: tr("same-name  another pet of its category has the same name"),
    "stock-without-pet": lambda: tr("stock-without-pet  its pet does not exist"),
    "incomplete": lambda: tr("incomplete  without a pet, a quantity or a ship date"),
    "more-than-stock": lambda: tr("more-than-stock  the open orders of its pet are for more than is in stock"),
    "below-zero": lambda: tr("below-zero  the stock is below zero"),
}
"""Words of filters that are asked of the whole row: as they are typed, two spaces, and what they mean."""


def special_words(code: str) -> str:
    """A filter word of a column, and its meaning."""
    said = SPECIALS.get(code)
    return code if said is None else said()


DAY_WORDS = ("today", "yesterday", "tomorrow", "this week", "last week", "next week", "this month", "last month")


def day_words_said() -> str:
    """The words for days, in the order of `DAY_WORDS`, with three spaces between two of them."""
    return tr("today   yesterday   tomorrow   this week   last week   next week   this month   last month")

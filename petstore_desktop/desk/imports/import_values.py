"""Cells of files as values: numbers with local separators, dates in any order of day and month, yes and no.

What one cell cannot tell, a whole column may: `03/04/2026` is the third of April where another cell says `25/12/2026`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from petstore_desktop.desk.values.day_words import typed_day
from petstore_desktop.desk.values.text import Separators, as_typed, fold
from petstore_desktop.desk.values.typed_numbers import parse_id, parse_whole
from petstore_desktop.desk.values.typed_values import OTHER_CALENDARS
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import id_of_text
from petstore_desktop.domain.sheets import SheetCell
from petstore_desktop.exchange.spreadsheet import EXACT

DateOrder: TypeAlias = Literal["", "ymd", "dmy", "mdy"]
COMMA_STYLE: Final = Separators(".", ",")
STYLES: Final = (Separators(",", ".", pairs=True), COMMA_STYLE, Separators("\u202f", ","), Separators("’", "."))
"""1,234.5 (in India 1,00,000 too) and 1.234,5 and 1 234,5 and 1’234.5."""

_DATE: Final = re.compile(
    r"\s*(\d{1,4})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{1,4})\.?"
    r"(?:[\sT,،]+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([ap]m|午前|午後|上午|下午|[صم])?)?\s*",
    re.IGNORECASE,
)
_EAST_ASIA: Final = re.compile(r"\d{4}年\d{1,2}月\d{1,2}日(?:\(?[月火水木金土日](?:曜日?)?\)?)?")
_HALF_FIRST: Final = re.compile(r"(午前|午後|上午|下午)\s*([\d:]+)")
_AFTERNOON: Final = ("pm", "午後", "下午", "م")
_FEW: Final = 10
ORDERS: Final[tuple[DateOrder, ...]] = ("dmy", "mdy", "ymd")
_ROUNDED: Final = re.compile(r"[+-]?\d[.,]\d+[eE]\+?\d+")


def _folded(words: str) -> frozenset[str]:
    return frozenset(map(fold, words.split()))


_YES: Final = _folded(
    "true yes y 1 x ✓ ✔ wahr ja j vrai oui verdadero sí si s vero verdadeiro sim waar prawda tak ano evet да так ναι "
    "是 はい 예 نعم"
)
_NO: Final = _folded(
    "false no n 0 - – ✗ falsch nein faux non falso não nao onwaar nee fałsz nie ne nej hayır нет ні όχι 否 "
    "いいえ 아니요 لا"
)
_DONE: Final = {True: "complete,done,shipped,erledigt,abgeschlossen,terminé,terminée,completo,completado,"
         "concluído,completato,voltooid,zakończone,مكتمل,مكتملة,完了",
                False: "open,pending,offen,ouvert,ouverte,abierto,pendiente,aperto,aberto,openstaand,otwarte,"
         "مفتوح,مفتوحة,未完了"}  # fmt: skip
_STATES: Final = {fold(word): state for state, words in _DONE.items() for word in words.split(",")}
STATUS_WORDS: Final[Mapping[str, str]] = {
    fold(word): status
    for status, words in {
        "available": "verfügbar,vorhanden,lieferbar,disponible,disponibile,disponível,beschikbaar,dostępny,dostępne,"
        "dostupné,tillgänglig,mevcut,доступен,в наличии,διαθέσιμο,可用,有货,販売中,متاح",
        "pending": "ausstehend,reserviert,in bearbeitung,reserved,on hold,en attente,réservé,pendiente,reservado,"
        "in attesa,riservato,pendente,in behandeling,gereserveerd,oczekujący,beklemede,ожидает,待定,保留中,"
        "予約中,محجوز",
        "sold": "verkauft,weg,vendu,vendido,vendida,venduto,verkocht,sprzedany,sprzedane,prodáno,såld,satıldı,продан,"
        "продано,πωλήθηκε,已售,販売済み,売却済み,مباع",
    }.items()
    for word in words.split(",")
}
"""Words for the statuses of the specification in other languages, beside those of the person's own."""


class Formats(Struct, frozen=True):
    """How the cells of a file are written. `unsure`: what its cells leave open and a person must say: "dates",
    "numbers", "encoding"."""

    dates: DateOrder = ""
    numbers: Separators = STYLES[0]
    unsure: frozenset[str] = frozenset()


def as_text(cell: SheetCell) -> str:
    """A cell as our exports would write it."""
    match cell:
        case str():
            return cell
        case bool():
            return str(cell).lower()
        case datetime():
            return cell.isoformat()
        case float() if cell.is_integer() and abs(cell) < EXACT:
            return str(int(cell))
        case _:
            return str(cell)


# ---- ids


def read_id(cell: SheetCell, texts: bool) -> int | str | BadInput:
    """An id; `texts`: it may be any text. Codes: id-rounded (a spreadsheet has put zeros in the place of its last
    digits), id-unreadable."""
    if isinstance(cell, bool | datetime):
        return BadInput("id-unreadable", text=as_text(cell))
    if isinstance(cell, int | float):
        if abs(cell) >= EXACT:
            return BadInput("id-rounded", text=as_text(cell))
        return int(cell) if float(cell).is_integer() else BadInput("id-unreadable", text=as_text(cell))
    number = id_of_text(cell.strip()) if texts else parse_id(cell)
    if number is not None:
        return number
    return BadInput("id-rounded" if _ROUNDED.fullmatch(cell.strip()) else "id-unreadable", text=cell)


# ---- numbers


def read_whole(cell: SheetCell, style: Separators) -> int | BadInput:
    """A whole number that may have a sign. Codes: id-rounded, quantity-empty, -unreadable, -fraction, -too-large."""
    if isinstance(cell, bool | datetime):
        return BadInput("quantity-unreadable")
    if isinstance(cell, int | float):
        if abs(cell) >= EXACT:
            return BadInput("id-rounded", text=as_text(cell))
        return int(cell) if float(cell).is_integer() else BadInput("quantity-fraction")
    sign, digits = signed(cell)
    digits = digits.replace("\u066b", style.decimal)  # the Arabic one is the decimal sign in every style
    if not digits:
        return BadInput("quantity-empty")
    whole, mark, fraction = digits.rpartition(style.decimal)
    if mark and fraction and not fold(fraction).strip("0"):  # `12.00` is 12
        digits = whole
    number = parse_whole(digits, style)
    return number if isinstance(number, BadInput) else -number if sign == "-" else number


def signed(text: str) -> tuple[str, str]:
    """The sign of a number, `-` whatever it looks like, and the rest. One in brackets is below zero, as in books."""
    bare = as_typed(text)
    if bare.startswith("(") and bare.endswith(")"):
        return "-", bare[1:-1].strip()
    if bare[:1] in ("-", "\u2212", "\u2013") and bare:
        return "-", bare[1:].strip()
    return ("+", bare[1:].strip()) if bare.startswith("+") else ("", bare)


def number_style(cells: Iterable[SheetCell], local: Separators | None) -> tuple[Separators, bool]:
    """How numbers are written in all of these cells, and whether they leave it open: `1.000` alone may be either, and
    so may `1.234` where a person writes fractions so; without `local` it does not matter where that person is."""
    dressed = [cell for cell in cells if isinstance(cell, str) and not signed(cell)[1].isdecimal() and cell.strip()]
    ordered = sorted(STYLES, key=lambda style: local is not None and style.decimal != local.decimal)
    # What fits no style at all is a mistake in that cell, and says nothing of the others.
    fits = [[style for style in ordered if isinstance(read_whole(cell, style), int)] for cell in dressed]
    told = [set(styles) for styles in fits if styles]
    common = [style for style in ordered if all(style in styles for styles in told)] or ordered
    likely = common[0]
    readings = {tuple(_reading(cell, style) for cell in dressed) for style in common}
    others = [style for style in (ordered[:1] if local else ordered) if style is not likely and style not in common]
    for_it = sum(likely in styles and len(styles) < len(STYLES) for styles in fits)
    odd = [one for one, styles in zip(dressed, fits, strict=True) if not styles and not _are_fractions([one], likely)]
    against = sum(any(_are_fractions([one], style) for style in STYLES) for one in odd)
    # One cell in hundreds is a mistake; beside few others `2.50` says that `1.500` is no thousand.
    is_doubtful = against * _FEW >= for_it > 0 < against
    return likely, is_doubtful or len(readings) > 1 or any(_are_fractions(dressed, style) for style in others)


def _are_fractions(cells: Iterable[SheetCell], style: Separators) -> bool:
    """Whether nothing speaks against this style but that it makes fractions of whole numbers."""
    numbers = [read_whole(cell, style) for cell in cells]
    return all(isinstance(number, int) or number.code == "quantity-fraction" for number in numbers)


def _reading(cell: SheetCell, style: Separators) -> int | None:
    number = read_whole(cell, style)
    return number if isinstance(number, int) else None


# ---- dates


def read_date(cell: SheetCell, order: DateOrder) -> datetime | None:
    """Parse a day, or a day with a time, with an offset if the text has one. None if it is not a date, or one of
    another calendar."""
    if isinstance(cell, datetime):
        return cell
    found = _date_said(cell, order) if isinstance(cell, str) else None
    return None if found is None or found.year in OTHER_CALENDARS else found


def _date_said(cell: str, order: DateOrder) -> datetime | None:
    found = _dated(cell)
    if found is None:
        return _iso(cell)
    one, _, two, three = found.group(1, 2, 3, 4)
    if len(one) == 4 or order == "ymd":
        year, month, day = one, two, three
    elif order:
        day, month, year = (one, two, three) if order == "dmy" else (two, one, three)
    else:
        return None
    if len(year) not in (2, 4) or max(len(month), len(day)) > 2:
        return None
    if order == "ymd" and len(year) + len(month) + len(day) < len("260911"):  # a year of two digits is written so
        return None
    return _moment(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day), found)


def _dated(cell: SheetCell) -> re.Match[str] | None:
    if not isinstance(cell, str):
        return None
    plain = unicodedata.normalize("NFKC", as_typed(cell))
    return _DATE.fullmatch(_EAST_ASIA.sub(_with_dashes, _HALF_FIRST.sub(r"\2 \1", plain)))


def _with_dashes(found: re.Match[str]) -> str:
    """A day of East Asia by its numbers alone; as it is where it was another weekday."""
    with suppress(ValueError):
        return typed_day(found[0], date.min, "ymd").isoformat()
    return found[0]


def _iso(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip().upper())
    except ValueError:
        return None


def _moment(year: int, month: int, day: int, found: re.Match[str]) -> datetime | None:
    hour, minute, second, half = found.group(5, 6, 7, 8)
    hours = int(hour or 0)
    if half:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half.lower() in _AFTERNOON else 0)
    try:
        return datetime(year, month, day, hours, int(minute or 0), int(second or 0))  # noqa: DTZ001  it names none
    except ValueError:
        return None


def date_order(cells: Iterable[SheetCell]) -> tuple[DateOrder, bool]:
    """The order of day and month in all of these cells, and whether they leave it open: what reads all cells with the
    same marks. With dots and years of four digits the day comes first where nothing speaks against it."""
    by_mark: dict[str, list[str]] = {}
    for cell in cells:
        found = _dated(cell)
        if found is not None and len(found[1]) != len("2026"):
            by_mark.setdefault(found[2], []).append(str(cell))
    told: list[tuple[DateOrder, bool]] = [_order_of(mark, texts) for mark, texts in by_mark.items()]
    certain: list[DateOrder] = [order for order, is_open in told if not is_open]
    likely: DateOrder = (certain or [order for order, _ in told] or ORDERS)[0]
    return likely, any(is_open or order != likely for order, is_open in told)


def _order_of(mark: str, texts: Sequence[str]) -> tuple[DateOrder, bool]:
    readings: dict[DateOrder, list[datetime | None]] = {one: [read_date(text, one) for text in texts] for one in ORDERS}
    # What no order reads is a mistake in that cell, and says nothing of the others.
    sure = [at for at in range(len(texts)) if any(read[at] for read in readings.values())]
    fits: list[DateOrder] = [one for one in ORDERS if all(readings[one][at] for at in sure)] or list(ORDERS)
    long_years = all((found := _dated(text)) is not None and len(found[4]) == len("2026") for text in texts)
    if mark == "." and long_years and "dmy" in fits:
        return "dmy", False
    return fits[0], len({tuple(readings[order]) for order in fits}) > 1


def are_several_days(cell: SheetCell) -> bool:
    """Whether the cell says different days in different orders."""
    return len({found for order in ORDERS if (found := read_date(cell, order))}) > 1


# ---- yes and no


def read_flag(cell: SheetCell, vocabulary: Mapping[str, str]) -> bool | None:
    """Parse complete or open, by any word for it; None for anything else."""
    if isinstance(cell, bool):
        return cell
    word = fold(as_text(cell).strip())
    for code, state in (("complete", True), ("open", False)):
        if word == fold(vocabulary.get(code, code)):
            return state
    return True if word in _YES else False if word in _NO else _STATES.get(word)

"""Words for filters: what can be typed for a column, why something cannot be read, and what a filter is called."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from petstore_desktop.desk.columns.columns import FAMILIES
from petstore_desktop.desk.data_checks import BY_ID, DataCheck, is_unsure, silence
from petstore_desktop.desk.filters.column_filters import SPECIALS, spellings
from petstore_desktop.desk.model.shop_model import ShopModel
from petstore_desktop.desk.values.cells import Family
from petstore_desktop.desk.values.dates import local_day
from petstore_desktop.desk.values.expressions import Unreadable
from petstore_desktop.desk.values.text import fold
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.localize import day_in_numbers
from petstore_desktop.ui.text.translate import (
    column_title,
    day_words_said,
    number,
    quoted,
    special_words,
    tr,
)

_SAMPLE = 1000
_MOST_WORDS = 8
"""How many statuses are named."""


def filter_title(resource: Resource, column_id: str) -> str:
    """What a filter is over: a column's header, or all columns for the filter text."""
    return column_title(resource, column_id) if column_id else tr("Filter")


def filter_words(resource: Resource, column_id: str, text: str) -> str:
    """A filter in short: `In stock >4`, or what a word that only this column knows means: `Changed today`."""
    named = _NAMED.get((column_id, code_of(resource, column_id, text)))
    return named() if named else f"{filter_title(resource, column_id)} {isolate(plain(text.strip()))}"


_NAMED: dict[tuple[str, str], Callable[[], str]] = {
    ("gutter", "changed"): lambda: tr("Changed today", "a record"),
    ("gutter", "unsent"): lambda: tr("Not sent yet"),
    ("gutter", "attention"): lambda: tr("Needs attention"),
    ("stock", "low"): lambda: tr("Low stock"),
    ("ship_date", "overdue"): lambda: tr("Overdue"),
    ("gutter", "no-such-pet"): lambda: tr("Order of a pet that does not exist"),
    ("gutter", "sold-with-stock"): lambda: tr("Sold with stock"),
    ("gutter", "without-category"): lambda: tr("Without a category"),
    ("gutter", "same-name"): lambda: tr("Same name twice"),
    ("gutter", "stock-without-pet"): lambda: tr("Stock without a pet"),
    ("gutter", "incomplete"): lambda: tr("Incomplete"),
    ("gutter", "more-than-stock"): lambda: tr("More ordered than in stock"),
    ("gutter", "below-zero"): lambda: tr("Below zero"),
}


def code_of(resource: Resource, column_id: str, text: str) -> str:
    """The code of a special word of a column, by any of its spellings; any other filter text folded."""
    words = {code: special_words(code).partition("  ")[0] for code in SPECIALS.get(column_id, ())}
    typed = fold(text.strip())
    return spellings(resource, column_id, words).get(typed, typed)


def rests_on_open(column_id: str, text: str) -> bool:
    """Whether such a filter of orders finds those alone that are known to be open, or complete."""
    first = text.split()[:1]
    is_overdue = column_id == "ship_date" and code_of(Resource.ORDERS, column_id, "".join(first)) == "overdue"
    return is_overdue or column_id in ("state", "late")


def nothing_words(resource: Resource, column_id: str, text: str) -> str:
    """That no row is what such a word means; empty for any other filter."""
    said = _NOTHING.get((column_id, code_of(resource, column_id, text)))
    return said() if said else ""


_NOTHING: dict[tuple[str, str], Callable[[], str]] = {
    ("gutter", "changed"): lambda: tr("Nothing here was changed today"),
    ("gutter", "unsent"): lambda: tr("Everything here is sent"),
    ("gutter", "attention"): lambda: tr("Nothing here needs attention"),
    ("stock", "low"): lambda: tr("No stock is low"),
    ("ship_date", "overdue"): lambda: tr("No order is overdue"),
    ("gutter", "no-such-pet"): lambda: tr("Every order is of a pet that exists"),
    ("gutter", "sold-with-stock"): lambda: tr("No sold pet has stock"),
    ("gutter", "without-category"): lambda: tr("Every pet has a category"),
    ("gutter", "same-name"): lambda: tr("No name stands twice in a category"),
    ("gutter", "stock-without-pet"): lambda: tr("All stock has a pet"),
    ("gutter", "incomplete"): lambda: tr("Every order has a pet, a quantity and a date"),
    ("gutter", "more-than-stock"): lambda: tr("There is stock for all open orders"),
    ("gutter", "below-zero"): lambda: tr("No stock is below zero"),
}


# ---- data checks


def silence_words(shop: ShopModel, check_id: str, shop_name: str) -> str:
    """What keeps a check from finding anything, or all that it may find; empty where nothing does, or where there is no
    such check."""
    check = BY_ID.get(check_id)
    why = "" if check is None else silence(shop, check)
    if check is None or not why:
        return "" if check is None or not is_unsure(shop, check) else _named_later(check)
    name = isolate(plain(shop_name))
    if why == "not-read":
        return _not_read(shop, check)
    return {
        "not-offered": tr("{shop} does not offer a list that is needed to tell.", shop=name),
        "guessed": tr(
            "A field that is needed to tell is a guess by its name. Choose its name first (File > Operations > Fields)."
        ),
        "not-told": tr("{shop} does not tell a field that is needed to tell.", shop=name),
    }[why]


def _named_later(check: DataCheck) -> str:
    if Resource.CATEGORIES in check.needs:
        return tr("Some name categories that may be newer than the list of categories. Refresh the categories to tell.")
    return tr("Some name pets that may be newer than the list of pets. Refresh the pets to tell.")


def _not_read(shop: ShopModel, check: DataCheck) -> str:
    needed = next((one for one in (*check.needs, check.resource) if one not in shop.whole), check.resource)
    return {
        Resource.PETS: tr("The pets are not all on this computer, and all are needed to tell."),
        Resource.CATEGORIES: tr("The categories are not all on this computer, and all are needed to tell."),
        Resource.ORDERS: tr("The orders are not all on this computer, and all are needed to tell."),
        Resource.INVENTORY: tr("The stock is not all on this computer, and all of it is needed to tell."),
    }[needed]


# ---- what can be typed


def field_tip(column_id: str) -> str:
    """What can be typed into a column's filter, one way a line."""
    family, specials = FAMILIES[column_id], SPECIALS.get(column_id, {})
    lines = [*_TIPS[family](), *(special_words(code) for code in specials)]
    ends = () if family == "mark" else (tr("=  empty      !=  not empty"),)
    return "\n".join((*lines, *ends))


def _words_tip() -> tuple[str, ...]:
    return (
        tr("koi red  both words      koi|red  one of them"),
        tr('!koi  without      =Koi  exactly      "two words"'),
    )


def _number_tip() -> tuple[str, ...]:
    return (tr(">10   >=10   <{n}   10..20", n=number(_SAMPLE)), tr("5   !5   10|12"))


def _date_tip() -> tuple[str, ...]:
    today = local_day(time.time())
    first, last = day_in_numbers(today - timedelta(7)), day_in_numbers(today)
    return (tr("{day}   >{day}   {day}..{last}", day=first, last=last), day_words_said())


_TIPS: dict[Family, Callable[[], tuple[str, ...]]] = {
    "text": _words_tip,
    "link": lambda: (*_words_tip(), tr("#1234  by its id")),
    "word": lambda: (
        tr("pending|sold  one of them      !sold  not this one"),
        tr("The beginning of a word is enough."),
    ),
    "number": _number_tip,
    "count": _number_tip,
    "date": _date_tip,
    "mark": lambda: (),
}


def problem_words(problem: Unreadable, column_id: str) -> str:
    """Why a filter cannot be read, and that it filters nothing."""
    said = quoted(isolate(plain(problem.text.strip())))
    known = FAMILIES.get(column_id, "text")
    day = tr("a day such as {day}, or a word such as today", day=day_in_numbers(local_day(time.time())))
    expects = tr("a number such as 5, >10 or 10..20") if known != "date" else day
    why = {
        "filter-incomplete": tr("Something is missing after {text}.", text=said),
        "filter-fraction": tr("{text} is not a whole number.", text=said),
        "filter-number": tr("{text} is not {expected}.", text=said, expected=expects),
        "filter-date": tr("{text} is not {expected}.", text=said, expected=expects),
        "filter-word": tr("{text} is not a value of this column.", text=said),
        "filter-status": _no_status(said, problem.known),
    }.get(problem.code, problem.code)
    return tr("{why} Until then this filter hides nothing.", why=why)


def _no_status(said: str, known: tuple[str, ...]) -> str:
    words = [isolate(plain(word)) for word in known[:_MOST_WORDS]]
    listed = tr(", ", "between names").join([*words, "…"] if len(known) > _MOST_WORDS else words)
    return tr("Nothing begins with {text}. Use: {words}.", text=said, words=listed)

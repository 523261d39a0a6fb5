"""The names of the built-in views, and messages about views."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.changes.undo import record_words
from petstore_desktop.ui.text.translate import number, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.jump.views import ImportedViews, InvalidView
    from petstore_desktop.domain.low_stock import StockLevel

_NAMES: Mapping[str, Callable[[], str]] = {
    "pets.all": lambda: tr("All pets"),
    "pets.pending": lambda: tr("Pending"),
    "inventory.low": lambda: tr("Low stock"),
    "orders.overdue": lambda: tr("Overdue orders"),
    "orders.open": lambda: tr("Open orders"),
    "orders.week": lambda: tr("This week"),
    "pets.changed": lambda: tr("Changed today"),
    "pets.unsent": lambda: tr("Unsent"),
    "pets.attention": lambda: tr("Needs attention"),
    "categories.all": lambda: tr("All categories"),
    "orders.all": lambda: tr("All orders"),
    "inventory.all": lambda: tr("All stock"),
    "orders.changed": lambda: tr("Orders changed today"),
    "inventory.changed": lambda: tr("Stock changed today"),
    "categories.changed": lambda: tr("Categories changed today"),
    "orders.unsent": lambda: tr("Unsent orders"),
    "inventory.unsent": lambda: tr("Unsent stock"),
    "categories.unsent": lambda: tr("Unsent categories"),
    "orders.attention": lambda: tr("Orders that need attention"),
    "inventory.attention": lambda: tr("Stock that needs attention"),
    "categories.attention": lambda: tr("Categories that need attention"),
    "pets.sold-with-stock": lambda: tr("Sold pets with stock"),
    "pets.without-category": lambda: tr("Pets without a category"),
    "pets.same-name": lambda: tr("Pets of the same name"),
    "orders.no-such-pet": lambda: tr("Orders of pets that do not exist"),
    "orders.incomplete": lambda: tr("Incomplete orders"),
    "orders.more-than-stock": lambda: tr("Orders for more than is in stock"),
    "inventory.stock-without-pet": lambda: tr("Stock without a pet"),
    "inventory.below-zero": lambda: tr("Stock below zero"),
}


def title_words(name: str, changed: bool) -> str:
    """The name of a view above its list."""
    return tr("{view}, changed", view=name) if changed else name


def counted_name(name: str, count: int) -> str:
    """A view in a menu, with how many rows it has."""
    return tr("{view} ({count})", view=name, count=number(count))


def kept_words(count: int) -> str:
    """The message that some stored views cannot be used."""
    return tr(
        "{n} saved views cannot be used by this version; they are kept",
        "",
        count,
        one="{n} saved view cannot be used by this version; it is kept",
    )


def shipped_name(id_: str) -> str:
    """What a view that ships is called."""
    name = _NAMES.get(id_)
    return id_ if name is None else name()


# ---- files of views


def written_words(count: int, path: str) -> str:
    """The views are in a file."""
    file = isolate(plain(path))
    return tr("{n} views written to {file}", "", count, one="{n} view written to {file}", file=file)


def taken_in_words(taken: ImportedViews) -> tuple[str, tuple[str, ...]]:
    """The result of importing views: a sentence, and a line for each view that differs from the file."""
    added = len(taken.new) + len(taken.renamed)
    words = tr("{n} views added", "", added, one="{n} view added")
    if taken.invalid:
        count = len(taken.invalid)
        words = tr("{added}, {n} cannot be used", "", count, one="{added}, {n} cannot be used", added=words)
    elif not added:
        words = tr("You already have all views of the file") if taken.same else tr("There is no view in the file")
    renamed = [
        tr("{name}: renamed, because its name was taken", name=isolate(plain(view.name))) for view in taken.renamed
    ]
    return words, (*renamed, *map(_invalid_words, taken.invalid))


def _invalid_words(invalid: InvalidView) -> str:
    """Which entry it is, by its place in the file and its name, and why it is left out."""
    name = tr("“{words}”", words=isolate(plain(invalid.name)))
    which = tr("View {n} of the file, {name}", n=invalid.place, name=name) if invalid.name else ""
    which = which or tr("View {n} of the file", n=invalid.place)
    what = isolate(plain(invalid.what))
    why = {
        "no-name": lambda: tr("it has no name"),
        "long-name": lambda: tr("its name is too long"),
        "unknown-list": lambda: tr("its list does not exist here: {what}", what=what),
        "unknown-column": lambda: tr("it filters or sorts by a column that does not exist here: {what}", what=what),
    }.get(invalid.code, lambda: tr("its filter or sort cannot be read") if invalid.name else tr("it is not a view"))
    return tr("{which}: {why}", which=which, why=why())


# ---- minimum stock


def _whose(desk: Desk, refs: tuple[Ref, ...]) -> str:
    of_categories = refs[0].resource is Resource.CATEGORIES
    if len(refs) == 1:
        name = record_words(desk.title(refs[0]), str(refs[0].key))
        return tr("each pet in {category}", category=name) if of_categories else name
    if of_categories:
        return tr("each pet in {n} categories", "", len(refs))
    return tr("{n} pets", "", len(refs))


def minimum_title(desk: Desk, refs: tuple[Ref, ...]) -> str:
    """Of what the least stock is asked."""
    return tr("Minimum stock of {what}", what=_whose(desk, refs))


def minimum_words(desk: Desk, refs: tuple[Ref, ...]) -> str:
    """The rest of "Undo ..."."""
    return tr("Minimum stock of {what}", what=_whose(desk, refs)).replace("&", "&&")


def minimum_set_words(desk: Desk, levels: Mapping[Ref, StockLevel]) -> str:
    """It is set; a number is said where it is the same for all."""
    what = _whose(desk, tuple(levels))
    least, up_to = {one.minimum for one in levels.values()}, {one.up_to for one in levels.values()}
    if least == up_to == {None}:
        return tr("Minimum stock removed: {what}", what=what)
    wanted, ordered = (number(n) if len(ns) == 1 and (n := next(iter(ns))) is not None else "" for ns in (least, up_to))
    if wanted and ordered:
        return tr("Minimum stock of {what}: {n}, order up to {most}", what=what, n=wanted, most=ordered)
    if wanted:
        return tr("Minimum stock of {what}: {n}", what=what, n=wanted)
    if ordered:
        return tr("Order {what} up to {most} in stock", what=what, most=ordered)
    return tr("Minimum stock set: {what}", what=what)

"""What the views that ship are called, and what is said of views."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from petstore_desktop.ui.words import number, tr

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
}


def title_words(name: str, changed: bool) -> str:
    """The name of a view above its list."""
    return tr("{view}, changed", view=name) if changed else name


def counted_name(name: str, count: int) -> str:
    """A view in a menu, with how many rows it has."""
    return tr("{view} ({count})", view=name, count=number(count))


def kept_words(count: int) -> str:
    """Some of what was kept cannot be used."""
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

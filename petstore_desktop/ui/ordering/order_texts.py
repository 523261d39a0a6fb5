"""The sentence of a new order, and what warns beside it."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from msgspec import Struct

from petstore_desktop.domain.records import Ref
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.changes.undo import record_words
from petstore_desktop.ui.text.localize import day_in_numbers
from petstore_desktop.ui.text.times import dated, near_day
from petstore_desktop.ui.text.translate import number, sentences, status_word, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.ordering import Offer


def pet_words(offer: Offer) -> str:
    """`Koi (#1126)`; of a pet that is not sent yet its name."""
    return pet_name(offer.pet, offer.name)


def pet_name(pet: Ref, name: str) -> str:
    """A pet by its name and id."""
    return record_words(name, str(pet.key) if isinstance(pet.key, int | str) else "")


def order_words(offer: Offer, quantity: int | None, day: date | str | None, today: date) -> str:
    """The order in one sentence. `day`: None without one, a text where it is not known yet; `quantity` None: the
    service has no place for one."""
    pet = pet_words(offer)
    if day is None:
        if quantity is None:
            return tr("One order for {pet}.", pet=pet)
        return tr("{n} {pet}, without a ship date.", "", quantity, pet=pet)
    if day == today:
        if quantity is None:
            return tr("One order for {pet}, to ship today.", pet=pet)
        return tr("{n} {pet}, to ship today.", "", quantity, pet=pet)
    on = day if isinstance(day, str) else day_words(day, today)
    if quantity is None:
        return tr("One order for {pet}, to ship on {day}.", pet=pet, day=on)
    return tr("{n} {pet}, to ship on {day}.", "", quantity, pet=pet, day=on)


def day_words(day: date, today: date) -> str:
    """`Fri 27 Nov`, with the year where it is another."""
    return dated(day, today, "ddd MMM")


def distance_words(day: date, today: date) -> str:
    """`in 4 days`."""
    days = (day - today).days
    return near_day(days) or (tr("{n} days ago", "", -days) if days < 0 else tr("in {n} days", "", days))


def stock_words(offer: Offer) -> str:
    """How many are in stock and on order; empty where that is not known."""
    if offer.stock is None:
        return tr("{n} on order.", "", offer.on_order) if offer.on_order else ""
    if offer.on_order:
        return tr("In stock {stock}, {n} on order.", "", offer.on_order, stock=number(offer.stock))
    return tr("In stock {stock}.", stock=number(offer.stock))


class Warned(Struct, frozen=True):
    """What warns beside a sentence; `stock`: whether it says what is in stock."""

    words: str
    stock: bool


def warning_words(offer: Offer, quantity: int | None, day: date | None, today: date, reserves: bool = False) -> Warned:
    """Name the reasons to think twice before promising anything; none of them forbids the order."""
    short = _short(offer, quantity)
    said = [short]
    if offer.kind == "sold" or (offer.kind == "pending" and not reserves):
        said.append(tr("This pet is {status}.", status=isolate(plain(status_word(offer.status)))))
    elif offer.kind == "pending":
        said.append(tr("It is {status} already.", status=isolate(plain(status_word(offer.status)))))
    if day is not None and day < today:
        days = (today - day).days
        on = day_words(day, today)
        said.append(tr("{day} was {n} days ago.", "", days, one="{day} was yesterday.", day=on))
    return Warned(sentences(*said), bool(short))


def _short(offer: Offer, quantity: int | None) -> str:
    wanted, stock = 1 if quantity is None else quantity, offer.stock
    if stock is None or wanted <= stock - offer.on_order:
        return ""
    if stock <= 0:
        return tr("None in stock.")
    if wanted > stock:
        return tr("Only {n} in stock.", "", stock)
    one = "In stock {stock}, but {n} is on order."
    return tr("In stock {stock}, but {n} are on order.", "", offer.on_order, one=one, stock=number(stock))


def example_words() -> str:
    """What can be typed for a day, in the order that is usual here."""
    return tr("Enter a day: fri, +3, tomorrow, {example}", example=day_in_numbers(date(2026, 11, 27), with_year=False))

"""The sentence that says how an order stands."""

from __future__ import annotations

from datetime import date

from petstore_desktop.desk.values.cells import CellFacts, Sentence
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.times import dated
from petstore_desktop.ui.text.translate import number, quoted, tr


def order_sentence(sentence: Sentence) -> str:
    """`The order for 2 Koi was due on Tuesday 18 November. It is not fulfilled yet and is 3 days late.`"""
    params = sentence.params
    what = _what(params.get("quantity"), params.get("pet"))
    on, days = params.get("day"), params.get("days")
    today = params.get("today")
    spoken = dated(on, today, "dddd MMMM") if isinstance(on, date) and isinstance(today, date) else ""
    if sentence.code == "order.late" and isinstance(days, int):
        lateness = tr("{n} days late", "", days, one="{n} day late")
        return tr(
            "{what} was due on {day}. It is not fulfilled yet and is {late}.", what=what, day=spoken, late=lateness
        )
    if sentence.code == "order.due":
        return _due(what, spoken, days)
    if sentence.code == "order.complete":
        if spoken:
            return tr("{what} is complete. Its ship date is {day}.", what=what, day=spoken)
        return tr("{what} is complete.", what=what)
    if sentence.code == "order.open-no-date":
        return tr("{what} is not fulfilled yet. The service gives no ship date.", what=what)
    if status := params.get("status"):
        said = quoted(isolate(plain(str(status))))
        return tr("{what} is {said}, says the service.", what=what, said=said)
    return tr("{what} is known, but the service does not give its state.", what=what)


def untold_open_words() -> str:
    """In the place of what rests on which orders are open, where the service has no such field."""
    return tr("The service does not say which orders are open, and so not which are overdue.")


def _due(what: str, spoken: str, days: object) -> str:
    if days == 0:
        return tr("{what} is due today. It is not fulfilled yet.", what=what)
    if days == 1:
        return tr("{what} is due tomorrow. It is not fulfilled yet.", what=what)
    return tr("{what} is due on {day}. It is not fulfilled yet.", what=what, day=spoken)


def _what(quantity: object, pet: object) -> str:
    known = isinstance(pet, CellFacts) and pet.text and not pet.code
    name = isolate(plain(pet.text)) if known and isinstance(pet, CellFacts) else ""
    if isinstance(quantity, int) and name:
        return tr("The order for {quantity} {pet}", quantity=number(quantity), pet=name)
    if name:
        return tr("The order for {pet}", pet=name)
    return tr("This order")

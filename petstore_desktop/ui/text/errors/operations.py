"""Texts about the operations of a service: purpose, binding, near misses, stability, and how one ends. Paths are the
document's own, and as little to be trusted as any text of a service."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date

from msgspec import Struct

from petstore_desktop.contract.lifecycle.sunset import Ending
from petstore_desktop.contract.model import FROM_PROFILE
from petstore_desktop.contract.operations import Op, Stability
from petstore_desktop.contract.survey import EndpointCandidate, Finding, Survey
from petstore_desktop.desk.checks.check_texts import AGAINST
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.theme import Tone, isolate, plain
from petstore_desktop.ui.text.times import date_text
from petstore_desktop.ui.text.translate import number, quoted, sentences, tr

_LONGEST, _LONGEST_SUCCESSOR = 120, 80
"""Letters of a document's own words that are shown."""

_NAMES: Mapping[Op, Callable[[], tuple[str, str]]] = {
    Op.PETS_LIST: lambda: (tr("List pets"), tr("Reading the list of pets")),
    Op.PET_READ: lambda: (tr("Look up one pet"), tr("Reading one pet")),
    Op.PET_CREATE: lambda: (tr("Add a pet"), tr("Adding pets")),
    Op.PET_CHANGE: lambda: (tr("Change a pet"), tr("Changing pets")),
    Op.PET_DELETE: lambda: (tr("Delete a pet"), tr("Deleting pets")),
    Op.CATEGORIES_LIST: lambda: (tr("List categories"), tr("Reading the list of categories")),
    Op.CATEGORY_READ: lambda: (tr("Look up one category"), tr("Reading one category")),
    Op.CATEGORY_CREATE: lambda: (tr("Add a category"), tr("Adding categories")),
    Op.CATEGORY_CHANGE: lambda: (tr("Change a category"), tr("Changing categories")),
    Op.CATEGORY_DELETE: lambda: (tr("Delete a category"), tr("Deleting categories")),
    Op.ORDERS_LIST: lambda: (tr("List orders"), tr("Reading the list of orders")),
    Op.ORDER_READ: lambda: (tr("Look up one order"), tr("Reading one order")),
    Op.ORDER_CREATE: lambda: (tr("Add an order"), tr("Adding orders")),
    Op.ORDER_CHANGE: lambda: (tr("Change an order"), tr("Changing orders")),
    Op.ORDER_CANCEL: lambda: (tr("Cancel an order"), tr("Cancelling orders")),
    Op.INVENTORY_LIST: lambda: (tr("List stock"), tr("Reading the stock of all pets")),
    Op.STOCK_READ: lambda: (tr("Look up the stock of one pet"), tr("Reading the stock of one pet")),
    Op.STOCK_CHANGE: lambda: (tr("Change stock"), tr("Changing stock")),
}
"""What a person does with an operation: as a title, and as the subject of a sentence."""


class Marks(Struct, frozen=True):
    """How firmly the service stands by an operation. `sunset`: an ISO date or None."""

    stability: Stability = Stability.STABLE
    deprecated: bool = False
    sunset: str | None = None
    removed: bool = False


def operation_title(op: Op) -> str:
    """What a person does with it: `Change stock`."""
    return _NAMES[op]()[0]


def short(text: str) -> str:
    """A document's words, such as `GET /pets`, cut at a sane length and made harmless."""
    words = plain(text)
    return words if len(words) <= _LONGEST else f"{words[:_LONGEST]}…"


def endpoint_words(endpoint: str) -> str:
    """The same inside a sentence of ours."""
    return isolate(short(endpoint))


def marks_words(marks: Marks) -> tuple[str, str, Tone]:
    """Words, icon and tone of an operation's marks; empty for a stable one."""
    firm = {Stability.BETA: tr("beta"), Stability.EXPERIMENTAL: tr("experimental")}.get(marks.stability, "")
    if marks.removed:
        return tr("removed"), "deprecated", "bad"
    if not marks.deprecated:
        return firm, "" if not firm else marks.stability.value, "muted"
    last = _day(marks.sunset)
    said = tr("deprecated, until {day}", day=last) if last else tr("deprecated")
    return f"{said}, {firm}" if firm else said, "deprecated", "wait"


def _day(sunset: str | None) -> str:
    try:
        return "" if sunset is None else day_words(date.fromisoformat(sunset))
    except ValueError:
        return ""


def how_words(finding: Finding) -> tuple[str, str, Tone]:
    """Words, icon and tone that say whether the service offers it, and whether a person chose it."""
    if finding.chosen and finding.endpoint:
        return tr("offered, not by your choice"), "warning", "wait"
    if finding.by_hand:
        return tr("chosen by you"), "check", "ok"
    if finding.gathered:
        return tr("read from pets"), "check", "ok"
    return (tr("offered"), "check", "ok") if finding.endpoint else (tr("not offered"), "unknown", "done")


def explanation(finding: Finding, marks: Marks, source: str = "") -> str:
    """Everything there is to say of one operation, as sentences; `source`: of the contract."""
    if source == FROM_PROFILE:
        return sentences(tr("The profile says so."), _marks(marks))
    return sentences(_bound(finding), _choice_words(finding), _near(finding), _marks(marks))


def _bound(finding: Finding) -> str:
    if not finding.endpoint:
        return tr("The service’s document has no operation for this.")
    endpoint = endpoint_words(finding.endpoint)
    if finding.gathered:
        return tr(
            "The service has no list of categories. The program takes them from the pets at {endpoint}, which costs "
            "no request. A category without a pet is not shown.",
            endpoint=endpoint,
        )
    note = next((choice.note for choice in finding.choices if choice.endpoint == finding.endpoint), "")
    said = tr("The program uses {endpoint}, because you chose it.", endpoint=endpoint)
    if finding.by_fields:
        said = tr(
            "The program reads {endpoint}, because of the fields of its answer. Its path does not name what it "
            "is, so nothing is changed there unless you choose it.",
            endpoint=endpoint,
        )
    elif not finding.by_hand:
        said = tr("The program uses {endpoint}: its path, and what it takes and answers, fit.", endpoint=endpoint)
    return f"{said} {tr('The document calls it {note}.', note=note_words(note))}" if note else said


def note_words(note: str) -> str:
    """The document's own words, in quotes."""
    return quoted(isolate(short(note)))


def _choice_words(finding: Finding) -> str:
    if not finding.chosen:
        return ""
    chosen = endpoint_words(finding.chosen)
    return tr("You chose {endpoint}, which the document no longer has or which cannot be used.", endpoint=chosen)


def _near(finding: Finding) -> str:
    near = finding.near
    if not near:
        return ""
    first = near[0]
    if not first.why:
        return tr("It could also be {endpoint}.", endpoint=endpoint_words(first.endpoint)) if finding.endpoint else ""
    return tr("{endpoint} was not taken: {why}.", endpoint=endpoint_words(first.endpoint), why=against_words(first))


def _marks(marks: Marks) -> str:
    last = _day(marks.sunset)
    said: list[str] = []
    if marks.removed:
        said.append(tr("The service has removed it."))
    elif marks.deprecated:
        said.append(
            tr("The service withdraws it after {day}.", day=last) if last else tr("The service will withdraw it.")
        )
    if marks.stability is Stability.BETA:
        said.append(tr("The service calls it beta: it may change."))
    if marks.stability is Stability.EXPERIMENTAL:
        said.append(tr("The service calls it experimental: it may change or go."))
    return sentences(*said)


_THINGS: Mapping[str, Callable[[], str]] = {
    Resource.PETS: lambda: tr("pets"),
    Resource.CATEGORIES: lambda: tr("categories"),
    Resource.ORDERS: lambda: tr("orders"),
    Resource.INVENTORY: lambda: tr("stock"),
}


def against_words(choice: EndpointCandidate) -> str:
    """What speaks against an endpoint, as part of a sentence; empty for nothing."""
    what = isolate(short(choice.what))
    things = _THINGS[choice.what]() if choice.what in _THINGS else what
    return tr(AGAINST[choice.why]).format(what=what, things=things) if choice.why in AGAINST else ""


def choice_words(choice: EndpointCandidate) -> str:
    """An endpoint as one of the choices."""
    endpoint, against = endpoint_words(choice.endpoint), against_words(choice)
    if against:
        return tr("{endpoint} (careful: {why})", endpoint=endpoint, why=against)
    return f"{endpoint}  {note_words(choice.note)}" if choice.note else endpoint


def own_choice_words(own: str, source: str = "") -> str:
    """The words for an automatic choice, with the endpoint if it is known; `source`: of the contract."""
    if source == FROM_PROFILE:
        return endpoint_words(own) if own else tr("not offered")
    if own:
        return tr("Automatic ({endpoint})", endpoint=short(own))
    return tr("Automatic")


def source_words(survey: Survey, total: int) -> str:
    """How much is offered, and from which document that is known."""
    offered = tr("{bound} of {n} operations can be used.", "", total, bound=number(survey.bound))
    name = isolate(short(f"{survey.title} {survey.version}".strip()))
    known = {
        "published": tr("The document is the one that the service publishes: {name}.", name=name),
        "chosen": tr("The document is the one that was chosen for this connection: {name}.", name=name),
        "profile": tr("The connection follows a profile, and nothing is guessed: {named}.", named=name),
    }.get(survey.source, tr("The service publishes no document: the program’s own is used."))
    return f"{offered} {known}"


# -- operations that end


def day_words(day: date) -> str:
    """`1 Mar 2027`."""
    return date_text(day, "MMM yyyy")


def ending_words(ending: Ending) -> str:
    """`Deprecated: will be removed on 1 Mar 2027, in 100 days; GET /pets is used instead.`"""
    said = _stage(ending)
    if ending.instead and ending.after:
        return tr("{said}; then {other} is used instead.", said=said, other=plain(ending.instead))
    if ending.instead:
        return tr("{said}; {other} is used instead.", said=said, other=plain(ending.instead))
    if ending.successor:
        named = plain(ending.successor)[:_LONGEST_SUCCESSOR]
        return tr("{said}; the service names {other} instead.", said=said, other=named)
    return f"{said}."


def _stage(ending: Ending) -> str:
    if ending.day is None or ending.days is None:
        return tr("Removed by the service") if ending.removed else tr("Deprecated: will be removed some day")
    when = day_words(ending.day)
    if ending.removed:
        return tr("Removed by the service on {day}", day=when)
    if ending.days < 0:
        return tr("Deprecated: was to be removed on {day}", day=when)
    return tr("Deprecated: will be removed on {day}, {left}", day=when, left=_left(ending.days))


def _left(days: int) -> str:
    if days == 0:
        return tr("today")
    return tr("in {n} days", "", days, one="in {n} day")


def notice_words(near: Sequence[tuple[Op, Ending]]) -> str:
    """The notice of operations that end within a month; of several the first to end is named. Not for an empty one."""
    op, ending = min(near, key=lambda one: one[1].days or 0)
    day = "" if ending.day is None else day_words(ending.day)
    values = {"what": _NAMES[op]()[1], "day": day, "left": _left(ending.days or 0)}
    if len(near) > 1:
        return tr("{n} ways to use this service end soon, first: {what}, on {day}, {left}", "", len(near), **values)
    if ending.instead:
        return tr("{what} ends on {day}, {left}; {other} is used instead", **values, other=plain(ending.instead))
    return tr("{what} ends on {day}, {left}", **values)


def removed_words(request: str, day: str) -> str:
    """What an answer meant that came after the last day (an ISO date) of `GET /pets/{petId}`."""
    return tr("The service has removed this ({request}) on {day}.", request=request, day=_day(day))


def maybe_removed_words(request: str, day: str) -> str:
    """The same where it may be the record instead."""
    return tr(
        "The service did not find this: the record is gone, or the way to it ({request}), which was to be removed on "
        "{day}.",
        request=request,
        day=_day(day),
    )

"""What a list says while it has no rows to show, or is being read: each state with its own words and next action."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from petstore_desktop.domain.errors import AnswerUnusable, ServiceError
from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.filters.filter_texts import code_of, filter_words, nothing_words
from petstore_desktop.ui.lists.list_facts import ActiveFilter, ListFacts, progress
from petstore_desktop.ui.lists.status_counts import counts_in_page
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.times import as_of, moment
from petstore_desktop.ui.text.translate import counted, quoted, sentences, tr
from petstore_desktop.ui.widgets.empty_state import EmptyRow

_SIGNS = frozenset("|!=<>")
"""Of the filters below a header; the filter over all columns looks for the signs themselves."""


class StateWords(Struct, frozen=True):
    """`primary` and `quiet` name actions: of the window, or of the tab (`stopLoading`, `tryAgain`, `dropFilter`...)."""

    title: str
    what: str = ""
    why: str = ""
    progress: str = ""
    fraction: float | None = None
    primary: str = ""
    quiet: str = ""
    rows: tuple[EmptyRow, ...] = ()
    """What dropping each filter would bring; the target is its column, "" for the filter over all columns."""


def instead_of_rows(facts: ListFacts, create_action: str) -> StateWords | None:
    """The words that stand where rows would, or None where there are rows."""
    if facts.shown:
        return None
    if facts.total and facts.filters:
        return _filtered(facts, create_action)
    said = _PHASES.get(facts.load.phase)
    if said is not None:
        return said(facts)
    if facts.offline_since is not None:
        return _offline(facts)
    if facts.load.phase in ("reading", "never"):
        return StateWords(tr("Reading {things}", things=things(facts.resource)), _goes(facts) or tr("One moment."))
    if facts.load.gaps.set_aside:
        return _all_aside(facts)
    return _empty(facts, create_action) if facts.load.gaps.cut_at is None else _none_shown(facts)


def _none_shown(facts: ListFacts) -> StateWords:
    """The service counts records and shows none of them: that is not an empty shop."""
    title = tr("None of {things} can be shown", things=things(facts.resource))
    return StateWords(title, tr("The service counts more than it shows."), primary="refresh")


def _all_aside(facts: ListFacts) -> StateWords:
    """There are records, and none that this program can read: that is not an empty shop."""
    reasons = facts.load.gaps.reasons
    n = facts.load.gaps.set_aside
    return StateWords(
        tr("None of {things} can be shown", things=things(facts.resource)),
        tr(
            "The service sent {n} records that this program cannot read; they are safe there.",
            "",
            n,
            one="The service sent {n} record that this program cannot read; it is safe there.",
        ),
        tr("The first one: {reason}", reason=isolate(plain(reasons[0]))) if reasons else "",
        primary="showAside",
        quiet="refresh",
    )


def _failed(facts: ListFacts) -> StateWords:
    title = tr("{things} could not be read", things=things(facts.resource, sentence=True))
    if facts.load.error is None:
        return StateWords(title, primary="tryAgain")
    words = error_words(facts.load.error)
    quiet = "rawAnswer" if isinstance(facts.load.error, ServiceError | AnswerUnusable) else ""  # else nothing answered
    return StateWords(title, words.what, f"{words.safe} {words.do}", primary="tryAgain", quiet=quiet)


def _cancelled(_facts: ListFacts) -> StateWords:
    return StateWords(
        tr("Reading was stopped"),
        tr("None of it is on this computer yet."),
        tr("It continues where it stopped."),
        primary="tryAgain",
    )


def things(resource: Resource, sentence: bool = False) -> str:
    """The records as a word inside a sentence, or at its beginning."""
    if sentence:
        return {
            Resource.PETS: tr("The pets"),
            Resource.CATEGORIES: tr("The categories"),
            Resource.ORDERS: tr("The orders"),
            Resource.INVENTORY: tr("The stock"),
        }[resource]
    return {
        Resource.PETS: tr("the pets"),
        Resource.CATEGORIES: tr("the categories"),
        Resource.ORDERS: tr("the orders"),
        Resource.INVENTORY: tr("the stock"),
    }[resource]


def _filtered(facts: ListFacts, create_action: str) -> StateWords:
    if not facts.minimums and _is_low_alone(facts):
        return _no_minimum(facts.resource)
    if facts.silence:
        return StateWords(tr("This cannot be checked now"), facts.silence, primary="dropFilter")
    said = _said(facts)
    titles = {
        Resource.PETS: tr("No pet matches {filter}", filter=said),
        Resource.CATEGORIES: tr("No category matches {filter}", filter=said),
        Resource.ORDERS: tr("No order matches {filter}", filter=said),
        Resource.INVENTORY: tr("No stock entry matches {filter}", filter=said),
    }
    count = counted(facts.resource, facts.total)
    searched = tr("All {things} were searched.", things=count)
    if facts.load.lacks_records:
        searched = tr("{things} were searched; not all are here.", things=count)
    quiet = create_action if facts.can_create else ""
    several = len(facts.filters) > 1
    rows = tuple(_without(facts.resource, one) for one in facts.filters) if several else ()
    primary = "dropFilters" if several else "dropFilter"
    only = facts.filters[0]
    title = "" if several else nothing_words(facts.resource, only.column, only.text)
    hint = ""
    if any(not one.column and _SIGNS.intersection(one.text) for one in facts.filters):
        hint, quiet = tr("Signs such as | and ! work in the filters below the headers."), "filterColumn"
    return StateWords(title or titles[facts.resource], searched, hint, primary=primary, quiet=quiet, rows=rows)


def _is_low_alone(facts: ListFacts) -> bool:
    named = [(one.column, code_of(facts.resource, one.column, one.text)) for one in facts.filters]
    return named == [("stock", "low")]


def _no_minimum(resource: Resource) -> StateWords:
    """Nothing can be low: that is not the same as enough of everything."""
    title = tr("No minimum stock is set")
    what = tr("A stock is low when it is at or below its minimum; without one, nothing is ever low.")
    if resource is Resource.INVENTORY:
        hint = tr("Type it in the column Minimum, or select categories and choose Shop > Minimum stock.")
        return StateWords(title, what, hint, primary="setMinimums", quiet="dropFilter")
    hint = tr("To set one, select pets, stock or categories, then choose Shop > Minimum stock.")
    return StateWords(title, what, hint, primary="dropFilter")


def _said(facts: ListFacts) -> str:
    one, *more = facts.filters
    if more:
        return tr("these {n} filters", "", len(facts.filters))
    if not one.column:
        return quoted(isolate(plain(one.text.strip())))
    return filter_words(facts.resource, one.column, one.text)


def _without(resource: Resource, one: ActiveFilter) -> EmptyRow:
    count = "" if one.without is None else counted(resource, one.without)
    return EmptyRow(tr("Without"), filter_words(resource, one.column, one.text), count, one.column)


def _loading(facts: ListFacts) -> StateWords:
    return StateWords(
        tr("Reading {things}", things=things(facts.resource)),
        tr("Rows show as they come."),
        _goes(facts),
        progress=progress(facts.load),
        fraction=facts.load.done / facts.load.total if facts.load.total else None,
        primary="stopLoading",
    )


def _goes(facts: ListFacts) -> str:
    """The reason why reading waits, and its cost."""
    waits = tr("Waiting: {wait}.", wait=facts.wait) if facts.wait else ""
    costs = tr("It takes {price}.", price=facts.price) if facts.price else ""
    return sentences(waits, costs)


def _not_offered(facts: ListFacts) -> StateWords:
    shop = isolate(plain(facts.shop))
    said = "" if facts.counts is None or facts.resource is not Resource.INVENTORY else counts_in_page(facts.counts)
    if said and facts.counts is not None:
        title = tr("{shop} counts its pets by status only", shop=shop)
        why = tr("It was asked when the pets were read, {age}.", age=as_of(facts.counts.as_of, facts.now))
        return StateWords(title, said, why, quiet="operations")
    title = tr("{shop} does not offer this list", shop=shop)
    what = tr("Its document has no operation that lists {things}.", things=things(facts.resource))
    if facts.can_look_up:
        why = tr("Look up single records by id; they stay here.")
        return StateWords(title, what, why, primary="lookUp", quiet="operations")
    why = tr("The other tabs work. If the list has another name, choose it in File > Operations.")
    return StateWords(title, what, why, primary="operations")


def _offline(facts: ListFacts) -> StateWords:
    since = moment(facts.offline_since or facts.now, facts.now)
    return StateWords(
        tr("Nothing is on this computer yet"),
        tr("The service cannot be reached since {time}.", time=since),
        tr("The list loads when the network is back. Your edits are kept."),
        primary="tryAgain",
    )


def _empty(facts: ListFacts, create_action: str) -> StateWords:
    titles = {
        Resource.PETS: tr("This shop has no pets yet"),
        Resource.CATEGORIES: tr("This shop has no categories yet"),
        Resource.ORDERS: tr("This shop has no orders"),
        Resource.INVENTORY: tr("This shop has no stock entries"),
    }
    what = {
        Resource.PETS: tr("What you add here is saved at once and sent to the service."),
        Resource.CATEGORIES: tr("A pet belongs to a category: add the first one here."),
        Resource.ORDERS: tr("Orders that come in at the service are shown here."),
        Resource.INVENTORY: tr("Entries that the service keeps for its pets are shown here."),
    }
    age = tr("Read {age}.", age=as_of(facts.load.as_of, facts.now)) if facts.load.as_of is not None else ""
    if facts.can_create:
        return StateWords(titles[facts.resource], what[facts.resource], age, primary=create_action, quiet="refresh")
    return StateWords(titles[facts.resource], what[facts.resource], age, primary="refresh")


_PHASES: Mapping[str, Callable[[ListFacts], StateWords]] = {
    "not-offered": _not_offered,
    "failed": _failed,
    "loading": _loading,
    "cancelled": _cancelled,
}

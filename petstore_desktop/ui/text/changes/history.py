"""Texts of the history: how each change ended, batches, and changes by others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from petstore_desktop.desk.values.cells import Sentence
from petstore_desktop.domain.batches import BatchKind
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.records import ALL_SPECS, Resource
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.base.theme import isolate, plain, to_say
from petstore_desktop.ui.text.cell import chip_text
from petstore_desktop.ui.text.changes.change import change_sentence
from petstore_desktop.ui.text.times import moment
from petstore_desktop.ui.text.translate import (
    column_title,
    counted,
    counted_changes,
    field_word,
    number,
    status_word,
    tr,
)

if TYPE_CHECKING:
    from petstore_desktop.desk.changes.change_lines import FieldChange
    from petstore_desktop.desk.changes.history_lines import HistoryLine, PastLine

_COMMA = "between parts of a line"


def state_choices() -> tuple[tuple[str, frozenset[ChangeState]], ...]:
    """What the list can be narrowed down to: words, and the states that are meant (none: all)."""
    state = ChangeState
    return (
        (tr("Any status"), frozenset()),
        (tr("Waiting"), frozenset({state.QUEUED, state.SENDING})),
        (tr("Sent"), frozenset({state.DONE})),
        (tr("Refused"), frozenset({state.REFUSED})),
        (tr("In conflict"), frozenset({state.CONFLICT})),
        (tr("Unconfirmed"), frozenset({state.UNCERTAIN})),
        (tr("Discarded"), frozenset({state.DISCARDED})),
    )


def counted_in_state(state: ChangeState, n: int) -> str:
    """`498 sent`."""
    said: Mapping[ChangeState, Callable[[], str]] = {
        ChangeState.QUEUED: lambda: tr("{n} waiting", "", n),
        ChangeState.SENDING: lambda: tr("{n} being sent", "", n),
        ChangeState.DONE: lambda: tr("{n} sent", "", n),
        ChangeState.REFUSED: lambda: tr("{n} refused", "", n),
        ChangeState.CONFLICT: lambda: tr("{n} in conflict", "", n),
        ChangeState.UNCERTAIN: lambda: tr("{n} unconfirmed", "", n),
        ChangeState.DISCARDED: lambda: tr("{n} discarded", "", n),
    }
    found = said.get(state)
    return tr("{n} waiting", "", n) if found is None else found()


def past_sentence(sentence: Sentence, now: float, blocked: SendBlock | None) -> str:
    """How a line of the journal stands, by the desk's code."""
    params = sentence.params
    at = params.get("at")
    time = moment(at, now) if isinstance(at, int | float) else ""
    said: dict[str, Callable[[], str]] = {
        "past.sent": lambda: tr("Sent {time}.", time=time),
        "past.sent-undone": lambda: tr("Sent {time}. Undone since.", time=time),
        "past.discarded": lambda: tr("Discarded {time}, never sent.", time=time),
        "past.discarded-undone": lambda: tr("Undone {time}, never sent.", time=time),
        "past.discarded-refused": lambda: tr("Discarded {time}; the service had refused it.", time=time),
        "past.discarded-refused-undone": lambda: tr("Undone {time}; the service had refused it.", time=time),
        "past.discarded-tried": lambda: tr("Discarded {time}.", time=time),
        "past.discarded-tried-undone": lambda: tr("Undone {time}.", time=time),
        "past.many": lambda: _many(params),
    }
    found = said.get(sentence.code)
    return change_sentence(sentence.code, params, now, blocked) if found is None else found()


def _many(params: Mapping[str, object]) -> str:
    states = cast("tuple[tuple[ChangeState, int], ...]", params.get("states", ()))
    undone = params.get("undone")
    is_all = undone == sum(n for _, n in states) and not params.get("tried")
    if is_all and (all_back := _all_taken_back(dict(states))):
        return all_back
    parts = [counted_in_state(state, n) for state, n in states]
    if isinstance(undone, int) and undone:
        parts.append(tr("{n} of them undone", "", undone))
    return tr(", ", _COMMA).join(parts)


def _all_taken_back(states: Mapping[ChangeState, int]) -> str:
    """Which part of it had been sent; empty where it is not known of all."""
    sent = states.get(ChangeState.DONE, 0)
    unsent = states.get(ChangeState.DISCARDED, 0)
    if sent + unsent != sum(states.values()):
        return ""
    if not unsent:
        return tr("All sent, and undone since.")
    if not sent:
        return tr("All undone, never sent.")
    return tr("All undone: {sent} after they were sent, {n} before.", "", unsent, sent=number(sent))


def record_words(line: PastLine) -> str:
    """What a line is about: a record's name, or how many of them."""
    if line.count > 1 and line.alike:
        return counted(line.ref.resource, line.count)
    if line.count > 1:
        record, more = _record_words(line), line.count - 1
        return tr("{record} and {n} more changes", "", more, one="{record} and {n} more change", record=record)
    return _record_words(line)


def _record_words(line: PastLine) -> str:
    if line.ref.resource is Resource.ORDERS:
        return tr("Order {id}", id=line.ref_id) if line.ref_id else tr("New order")
    return plain(line.title) or tr("(no name)")


def what_words(line: PastLine) -> str:
    """The act: the fields and by how much a stock is booked, or create or delete; and whether it takes another back, or
    does it again."""
    made_by = source_words(line.source)
    if not line.alike:
        return kind_words(line.kind, made_by or tr("various", "several different changes"))
    said = tr(", ", _COMMA).join(_done(line.ref.resource, step) for step in line.steps)
    told = made_by and (line.count > 1 or source_note(line.source))
    return kind_words(line.kind, tr("{what} ({source})", what=said, source=made_by) if told else said)


def kind_words(kind: BatchKind, what: str) -> str:
    """`Undo: In stock +5`; an act of its own alone."""
    said = {
        BatchKind.EDIT: lambda: what,
        BatchKind.UNDO: lambda: tr("Undo: {what}", what=what),
        BatchKind.REDO: lambda: tr("Redo: {what}", what=what),
    }
    return said[kind]()


def _done(resource: Resource, step: FieldChange) -> str:
    """`In stock +12`; of several records the booking alone is the change."""
    field, stock = step_words(resource, step.field), step.after.stock
    if stock is None or stock.chip is None or stock.chip.kind != "add":
        return field
    chip = chip_text(stock.chip)
    return tr("{field} {change}", "a field and by how much it changes", field=field, change=chip)


_TOLD_OF_ONE = frozenset({"receive", "count"})
"""Sources that say something of a single change too."""


def source_note(source: str) -> str:
    """What a single change of a batch says of what made it, such as a delivery note; empty where that says nothing."""
    return source_words(source) if source.partition(":")[0] in _TOLD_OF_ONE else ""


def source_words(source: str) -> str:
    """How a batch was made (import, delivery, stocktake, paste, fill); empty where it is not recorded."""
    kind, _, named = source.partition(":")
    name = isolate(plain(to_say(named)))  # a stocktake of a part of the shop says in words which, marks and all
    if kind == "import":
        return tr("Import of {file}", file=name)
    if kind == "script":
        return tr("Import of {file} by a script", file=name)
    if kind == "receive":
        return tr("Received: {note}", note=name) if named else tr("Received", "a delivery")
    if kind == "count":
        return tr("Stocktake: {what}", what=name)
    words = {"paste": tr("Paste"), "fill": tr("Fill"), "bulk": tr("Edit of many rows")}
    return {**words, "reserve": tr("Reserve for a caller")}.get(kind, "")


def step_words(resource: Resource, field: str) -> str:
    """One field, or the act."""
    if field == "create":
        return tr("Create")
    if field == "delete":
        return tr("Delete", "a change")
    return column_title(resource, field)


def other_words(line: HistoryLine, now: float) -> str:
    """The sentence about a change made by another person."""
    return tr(
        "Somebody else changed it between {since} and {time}.",
        time=moment(line.at, now),
        since=moment(line.since, now),
    )


def counts_words(found: int | None, total: int | None, shown: int) -> str:
    """`109 of 1,904 changes`; while they are counted, a note that says so."""
    if found is None or total is None:
        return tr("counting…") if shown else ""
    if found == total:
        return counted_changes(total)
    return tr("{found} of {all}", found=number(found), all=counted_changes(total))


def exported_words(count: int, path: str) -> str:
    """A toast after a file was written."""
    name = isolate(plain(PurePath(path).name))
    return tr("{n} changes are in {file}", "", count, one="{n} change is in {file}", file=name)


def file_words() -> dict[str, str]:
    """What the codes of an exported file mean to a person."""
    return {
        **{spec.name: field_word(spec.name) for specs in ALL_SPECS.values() for spec in specs},
        **{status: status_word(status) for status in ("available", "pending", "sold")},
        "time": tr("Time"), "record": tr("Record"), "what": tr("What"), "old": tr("Old value"),
        "new": tr("New value"), "booked": tr("Booked"), "state": tr("Status"), "since": tr("Since"),
        "reason": tr("Reason"), "http": tr("HTTP status"), "batch": tr("Batch"),
        "create": tr("Create"), "delete": tr("Delete", "a change"),
        "pets": tr("Pet"), "categories": tr("Category"), "orders": tr("Order"), "inventory": tr("Stock"),
        "queued": tr("waiting"), "sending": tr("being sent"), "done": tr("sent"),
        "refused": tr("refused"), "conflict": tr("in conflict"), "uncertain": tr("unconfirmed"),
        "discarded": tr("discarded"), "undone": tr("undone"),
        "sent-undone": tr("sent, then undone"),
        "end": tr("{count} of {total} changes", "the last line of a file"),
    }  # fmt: skip

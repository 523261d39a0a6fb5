"""What Undo would take back, and what a toast says was done."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from petstore_desktop.contract.operations import Verb
from petstore_desktop.desk.values.cells import Chip, Sentence
from petstore_desktop.domain.changes import AddStock, Change, Create, Delete, NewChange, SetFields, SetStock
from petstore_desktop.domain.records import JsonValue, Ref, Resource, key_to_text
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.cell import chip_text
from petstore_desktop.ui.text.changes.history import source_words
from petstore_desktop.ui.text.times import clock_time
from petstore_desktop.ui.text.translate import (
    counted,
    counted_changes,
    field_word,
    number,
    quoted,
    sentences,
    signed,
    status_word,
    tr,
)

if TYPE_CHECKING:
    from petstore_desktop.desk.changes.done_act import DoneAct
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.model.ripple import Checked


def record_words(title: object, ref_id: object) -> str:
    """`Koi (#1234)`."""
    name = isolate(plain(str(title))) if title else tr("(no name)")
    return tr("{name} (#{id})", name=name, id=ref_id) if ref_id else name


def _order_words(ref_id: object) -> str:
    return tr("order {id}", id=ref_id) if ref_id else tr("order")


def checked_words(checked: Checked, desk: Desk) -> str:
    """What a live check of a record has found."""
    ref, title = checked.ref, desk.title(checked.ref)
    named = _order_words(key_to_text(ref.key)) if ref.resource is Resource.ORDERS else record_words(title, ref.key)
    record = named[:1].upper() + named[1:]
    if not checked.shown:
        return tr("{record}: the list of the service shows only a part of all, and not this one", record=record)
    if checked.changed:
        return tr("{record} has changed at the service; the new values are shown", record=record)
    time = "" if checked.at is None else clock_time(checked.at, seconds=True)
    return tr("{record} is unchanged, live at {time}", record=record, time=time)


def undo_words(sentence: Sentence) -> str:
    """The rest of "Undo ...", as a menu says it."""
    params = sentence.params
    order = params.get("resource") is Resource.ORDERS
    named = _order_words(params.get("ref_id")) if order else record_words(params.get("title"), params.get("ref_id"))
    record = named.replace("&", "&&")
    chip = params.get("chip")
    change, count = params.get("change"), params.get("count")
    n = count if isinstance(count, int) else 0
    if sentence.code == "undo.many":
        first = Sentence(str(params.get("first")), params)
        source = source_words(str(params.get("source", ""))).replace("&", "&&")
        return _many_words(n, source, lambda: undo_words(first))
    if sentence.code == "undo.decision":
        return tr("decision about {n} changes", "", n, one="decision about {n} change")
    if sentence.code == "undo.alike" and isinstance(change, Change):
        return batch_name(change, n).replace("&", "&&")
    if sentence.code == "undo.create":
        return tr("new {record}", record=record)
    if sentence.code == "undo.delete":
        return tr("delete {record}", record=record)
    if sentence.code == "undo.stock" and isinstance(chip, Chip):
        return tr("{chip} of {record}", chip=chip_text(chip), record=record)
    return tr("{field} of {record}", field=field_word(str(params.get("field", ""))), record=record)


def _many_words(n: int, source: str, first: Callable[[], str]) -> str:
    """Several different changes: what made them, or the first of them and how many more."""
    if source:
        return tr(", ", "between parts of a line").join((source, counted_changes(n)))
    if n < 2:
        return counted_changes(n)
    return tr("{change} and {n} more changes", "", n - 1, one="{change} and {n} more change", change=first())


def act_words(act: DoneAct) -> str:
    """The rest of "Undo ...", or "Redo ...", as a menu says it."""
    return act.what if isinstance(act.what, str) else undo_words(act.what)


def done_words(change: Change | NewChange, desk: Desk) -> str:
    """The toast about an act: `Koi (#1234): +12`."""
    ref = desk.resolve(change.ref)
    named = Ref(Resource.PETS, ref.key) if ref.resource is Resource.INVENTORY else ref
    ref_id = str(ref.key) if isinstance(ref.key, int | str) else ""
    if ref.resource is Resource.ORDERS:
        record = tr("Order {id}", id=ref_id) if ref_id else tr("Order", "one that has no id yet")
    else:
        title = (
            _old_name(change) or desk.title(named) or (desk.outbox.named(change) if isinstance(change, Change) else "")
        )
        record = record_words(_title(change, title), ref_id)
    return tr("{record}: {change}", record=record, change=_intent_words(change))


def stays_words(desk: Desk, resource: Resource, words: str) -> str:
    """What a dialog says before something is made: where the service cannot delete it, that it stays; and what else is
    sent with it."""
    stays = ""
    if desk.contract is not None and not desk.contract.offers(resource, Verb.DELETE):
        stays = tr("This service does not delete them: once sent, this cannot be undone.")
    return sentences(words, stays, demands_words(desk, resource))


def demands_words(desk: Desk, resource: Resource) -> str:
    """The fields that are sent with something new because the service demands them; empty for none."""
    create = None if desk.contract is None else desk.contract.find(resource, Verb.CREATE)
    if create is None or not create.fills:
        return ""
    between = tr(", ", "between parts of a line")
    names = between.join(isolate(plain(name)[:_LONGEST]) for name in create.fills)
    values = between.join(map(_fill_words, create.fills.values()))
    return tr("The service also demands {names}; it gets {values}.", names=names, values=values)


def _fill_words(value: JsonValue) -> str:
    """A value that is sent because the service demands one."""
    if value == []:
        return tr("an empty list")
    if value == {}:
        return tr("an empty object")
    if value in ("", None):
        return tr("nothing") if value is None else tr("an empty text")
    words = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return quoted(isolate(plain(words)[:_LONGEST]))


_LONGEST = 60
"""Letters of a service's own words."""


def deletion_words(desk: Desk, resource: Resource, n: int) -> str:
    """What Ctrl+Z can do about the deletion of `n` records."""
    if desk.contract is not None and desk.contract.offers(resource, Verb.CREATE):
        return tr(
            "Ctrl+Z undoes it. Once sent, undo adds these {n} again with new ids.",
            "",
            n,
            one="Ctrl+Z undoes it. Once sent, undo adds it again with a new id.",
        )
    return tr("Ctrl+Z undoes it until it is sent. After that this service cannot restore it.")


def lost_words(resource: Resource, n: int) -> str:
    """What heads the list of what may go with `n` deleted records, and does not come back."""
    if resource is Resource.PETS:
        return tr(
            "The service may delete their stock and orders too, and undo does not bring those back:",
            "",
            n,
            one="The service may delete its stock and orders too, and undo does not bring those back:",
        )
    return tr(
        "The service may delete their pets too, with stock and orders, and undo does not bring those back. "
        "Pets that stay name a deleted category:",
        "",
        n,
        one="The service may delete its pets too, with stock and orders, and undo does not bring those back. "
        "Pets that stay name a deleted category:",
    )


def batch_name(change: Change, count: int) -> str:
    """Several changes that do the same as this one: `7 pets: sold`."""
    record = counted(change.ref.resource, count)
    return tr("{record}: {change}", record=record, change=_intent_words(change))


def batch_words(changes: Sequence[Change], desk: Desk, source: str = "") -> str:
    """What one act did to several records: `7 pets: sold`; of one record as `done_words`. `source`: what made it."""
    first = changes[0]
    if len(changes) == 1:
        return done_words(first, desk)
    words, resource = _intent_words(first), first.ref.resource
    alike = all(one.ref.resource is resource and _intent_words(one) == words for one in changes)
    if alike:
        return batch_name(first, len(changes))
    return _many_words(len(changes), source_words(source), lambda: done_words(first, desk))


def _old_name(change: Change | NewChange) -> str:
    """The name that a change replaces; empty for none."""
    old = change.base.get("name") if isinstance(change.intent, SetFields) and "name" in change.intent.fields else ""
    return old if isinstance(old, str) else ""


def _title(change: Change | NewChange, title: str) -> str:
    given = change.intent.fields.get("name") if isinstance(change.intent, Create) else None
    return title or (given if isinstance(given, str) else "")


def _intent_words(change: Change | NewChange) -> str:
    intent = change.intent
    if isinstance(intent, AddStock):
        return signed(intent.delta)
    if isinstance(intent, SetStock):
        return tr("stock set to {n}", n=number(intent.quantity))
    if isinstance(intent, Create):
        return tr("created")
    if isinstance(intent, Delete):
        return tr("deleted")
    return tr(", ", "between parts of a line").join(_field_words(name, value) for name, value in intent.fields.items())


def _field_words(name: str, value: object) -> str:
    if name == "name":
        return tr("renamed to {name}", name=isolate(plain(str(value))))
    if name == "complete":
        return status_word("complete" if value else "open")
    if name == "status" and isinstance(value, str):
        return plain(status_word(value))
    return field_word(name) if name.endswith("_id") else plain(str(value))

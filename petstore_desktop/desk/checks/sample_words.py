"""What a check read, in words: some of the pets, the fields that were not understood, and what cannot be done and why.
Without Qt, as `check_words`."""

from __future__ import annotations

from collections.abc import Mapping

from petstore_desktop.contract.operations import Op
from petstore_desktop.desk.checks.check_texts import AGAINST, OPERATIONS
from petstore_desktop.desk.checks.check_words import TextFormatter, list_name, shown
from petstore_desktop.desk.checks.connection_texts import tr
from petstore_desktop.domain.checks import Sample, Unbound
from petstore_desktop.domain.records import ALL_SPECS, Record, Resource, ServiceId

FIELD_TITLES: Mapping[str, str] = {
    "id": tr("Id"),
    "name": tr("Name"),
    "category_id": tr("Category"),
    "status": tr("Status"),
    "description": tr("Description"),
    "pet_id": tr("Pet"),
    "quantity": tr("Quantity"),
    "ship_date": tr("Ship date"),
    "complete": tr("Complete"),
}
"""What the fields of records are called."""

_STATUSES = {"available": tr("available"), "pending": tr("pending"), "sold": tr("sold")}
PETS_READ = tr("Pets as the program reads them")
_NOTHING = "–"


def titles(texts: TextFormatter) -> list[str]:
    """Over the columns of the pets."""
    return [texts.say(FIELD_TITLES[spec.name]) for spec in ALL_SPECS[Resource.PETS]]


def cells(pet: Record, texts: TextFormatter, categories: Mapping[ServiceId, str]) -> list[str]:
    """The values of a pet, one for each column; a category by its name, if that is known."""
    read = {spec.name: getattr(pet, spec.name) for spec in ALL_SPECS[Resource.PETS]}
    status = _STATUSES.get(str(read["status"]))
    read |= {} if status is None else {"status": texts.say(status)}
    values = {**read, "category_id": categories.get(read["category_id"], read["category_id"])}.values()
    return [_NOTHING if value in (None, "") else shown(str(value), texts) for value in values]


def remarks(sample: Sample, texts: TextFormatter) -> list[str]:
    """A sentence for each list with fields that were not understood, for what is written otherwise than it is read, and
    for each operation that cannot be done."""
    absent = tr("Not found among the fields of {things}: {fields}.")
    unused = tr("Other fields of {things}, which are shown in the details: {fields}.")
    said: list[str] = []
    for resource, names in sample.absent.items():
        fields = ", ".join(texts.say(FIELD_TITLES[name]) for name in names)
        said.append(texts.say(absent, things=list_name(resource, texts), fields=fields))
    for resource, names in sample.unused.items():
        fields = ", ".join(shown(name, texts) for name in names)
        said.append(texts.say(unused, things=list_name(resource, texts), fields=fields))
    guess = tr(
        "{field} of {things} is read from {name}, a guess by its name; choose it in File > Operations to change it."
    )
    doubted = tr(
        "It is not certain which record a change of {things} would reach by this id: {name}. So they are only read."
    )
    untold = tr(
        "Which id of an entry a change of stock means ({name}, or the entry’s own) is found out by reading, before the "
        "first one; where the service does not tell, stock is only read."
    )
    for resource, field, place in sample.guessed:
        title, things = texts.say(FIELD_TITLES[field]), list_name(resource, texts)
        of_key = untold if resource is Resource.INVENTORY else doubted
        words = of_key if field == ALL_SPECS[resource][0].name else guess
        said.append(texts.say(words, field=title, things=things, name=shown(place, texts)))
    apart = tr("{field} of {things} is read as {name}, and written as {written}.")
    for resource, field, read, written in sample.apart:
        title, things = texts.say(FIELD_TITLES[field]), list_name(resource, texts)
        said.append(
            texts.say(apart, field=title, things=things, name=shown(read, texts), written=shown(written, texts))
        )
    if sample.own_key:
        own_key = tr("Stock is changed by the key that each of its entries has of its own: {name}.")
        said.append(texts.say(own_key, name=shown(sample.own_key, texts)))
    if sample.missing:
        text = tr(
            "Values that the service needs and that are not known: {names}. Enter them in the connection’s settings."
        )
        said.append(texts.say(text, names=", ".join(shown(name, texts) for name in sample.missing)))
    return said + [_refused(one, texts) for one in sample.unbound]


def _refused(one: Unbound, texts: TextFormatter) -> str:
    text = tr("Not possible: {what}. {endpoint} was not taken: {why}.")
    why = against(one.why, one.what, texts)
    return texts.say(text, what=texts.say(OPERATIONS[Op(one.op)]), endpoint=shown(one.endpoint, texts), why=why)


def against(why: str, what: str, texts: TextFormatter) -> str:
    """What speaks against an endpoint, as part of a sentence; empty for nothing."""
    if why not in AGAINST:
        return ""
    words = shown(what, texts)
    return texts.say(AGAINST[why], what=words, things=list_name(what, texts) if what in set(Resource) else words)

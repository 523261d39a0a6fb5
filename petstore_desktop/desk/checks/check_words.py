"""What the check of a connection found, in words: what happened, and what to do; and what it read: some of the pets,
the fields that were not understood, and what cannot be done and why. The commands say it as it stands here, the
window in the person's language: the same texts for both, and so without Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, cast

from petstore_desktop.contract.operations import Op
from petstore_desktop.desk.checks.check_texts import AGAINST, ALL_OF, BAD, GOOD, OPERATIONS
from petstore_desktop.desk.checks.error_texts import tr
from petstore_desktop.domain.checks import About, Check, CheckReport, Sample, Unbound
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import ALL_SPECS, Record, Resource, ServiceId

SHOWN = 160
"""Characters that are shown of what others have written."""


class TextFormatter(Protocol):
    """How the words are said: translated or not, with numbers and times as the person writes them."""

    def say(self, text: str, **params: object) -> str:
        """A text of this module with its parameters filled in."""
        ...

    def number(self, value: int) -> str:
        """A whole number."""
        ...

    def moment(self, epoch_s: float) -> str:
        """A moment, UTC epoch seconds."""
        ...

    def length(self, seconds: float) -> str:
        """How long something is."""
        ...

    def foreign(self, text: str) -> str:
        """What others have written, made harmless."""
        ...

    def other(self, error: ShopError) -> tuple[str, str]:
        """What happened and what to do, for an error that has no text here."""
        ...


def said(check: Check, texts: TextFormatter) -> str:
    """The finding."""
    if check.code in _COMPOSED:
        return _COMPOSED[check.code](check.params, texts)
    text = _texts(check)
    if text is not None:
        return " ".join((texts.say(text[0], **_params(check, texts)), *_sent_words(check, texts)))
    return texts.say(tr("This could not be checked.")) if check.error is None else texts.other(check.error)[0]


def advice(check: Check, texts: TextFormatter) -> str:
    """What to do; empty where nothing is to be done."""
    if check.code == "some-refused":
        return " ".join(texts.say(do) for sort, (_, _, do) in _UNREAD.items() if check.params.get(sort))
    text = _texts(check)
    if check.code == "key-rejected" and check.params.get("documented"):
        return texts.say(tr("Copy the whole key again, or ask for another one."))
    if text is not None:
        return texts.say(text[1], **_params(check, texts)) if text[1] else ""
    if check.error is None or check.ok is not False:
        return ""
    return texts.other(check.error)[1] or texts.say(_LOOK)


def mark(check: Check) -> str:
    """The word that stands before it in a text: NOTE for a finding with which one can still work there."""
    if check.ok is None or check.ok:
        return "-" if check.ok is None else "ok"
    return "WRONG" if check.stands_in_the_way else "NOTE"


def title(about: About, texts: TextFormatter) -> str:
    """The subject of the check."""
    return texts.say(_TITLES[about])


def summary(report: CheckReport, texts: TextFormatter) -> str:
    """What can and what cannot be done there; empty where that is not known."""
    check = report.of(About.OPERATIONS)
    if check is None or not (check.ok or check.code == "operations-alike"):
        return ""
    return _offers(check.params, texts)


def _sent_words(check: Check, texts: TextFormatter) -> tuple[str, ...]:
    """Where the main keys travel."""
    sent = cast("Sequence[tuple[str, str]]", check.params.get("sent") or ())
    if check.code not in ("key-rejected", "key-accepted") or not sent:
        return ()
    names = ", ".join(shown(name, texts) for _, name in sent)
    if len(sent) > 1:
        return (texts.say(tr("The keys are sent in these headers or parameters: {names}."), names=names),)
    header, query = tr("It is sent in the header {name}."), tr("It is sent in the address, as {name}.")
    return (texts.say(query if sent[0][0] == "query" else header, name=names),)


def _key_words(check: Check, texts: TextFormatter) -> str:
    """Further keys, each with where it travels; empty where that is not known."""
    keys = cast("Sequence[tuple[str, str, str]]", check.params.get("keys") or ())
    header, query = tr("{key} (header {name})"), tr("{key} (in the address, as {name})")
    return ", ".join(
        texts.say(query if place == "query" else header, key=shown(key, texts), name=shown(name, texts))
        if name
        else shown(key, texts)
        for key, place, name in keys
    )


def _texts(check: Check) -> tuple[str, str] | None:
    return (BAD if check.ok is False else GOOD).get(check.code)


_NAMES = (
    *("url", "given", "target", "host", "proxy", "path", "file", "version", "content_type", "why", "status"),
    *("key", "limit", "remaining", "header", "length", "way", "megabytes", "most", "scope", "example", "names"),
    *("where", "differences"),
)
"""The parameters of a text; a missing one is a question mark."""


def _params(check: Check, texts: TextFormatter) -> dict[str, str]:
    params = {name: shown(value, texts) for name, value in check.params.items() if value not in (None, "")}
    until, skew = check.params.get("until"), check.params.get("skew")
    params["until"] = texts.moment(until) if isinstance(until, int | float) else texts.say(tr("an unknown time"))
    if isinstance(skew, int | float):
        params["length"] = texts.length(abs(skew))
        params["way"] = texts.say(tr("ahead of") if skew > 0 else tr("behind"))
    params["key"] = _key_words(check, texts) or params.get("key", "?")
    message = params.get("message", "")
    differences = cast("Sequence[str]", check.params.get("differences") or ())
    params["differences"] = "; ".join(shown(one, texts) for one in differences)
    title, version = params.get("title", ""), params.get("version", "")
    params["titled"] = title or texts.say(tr("one without a title"))
    params["named"] = " ".join(part for part in (params["titled"], version) if part)
    params["message"] = texts.say(tr("“{words}”"), words=message) if message else texts.say(tr("no reason given"))
    return {**dict.fromkeys(_NAMES, "?"), **params}


def shown(value: object, texts: TextFormatter) -> str:
    """What others have written, harmless and cut."""
    if isinstance(value, int) and not isinstance(value, bool):
        return texts.number(value)
    text = texts.foreign(str(value))
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


# ---------------------------------------------------------------- operations

_LOOK = tr("Check the address and its path, or ask the service’s provider.")
_UNREAD: Mapping[str, tuple[str, str, str]] = {
    "absent": (
        tr("The service does not have this list: {lists}."),
        tr("The service does not have these lists: {lists}."),
        tr("If it has them elsewhere: choose them in File > Operations, or give its document with --document."),
    ),
    "forbidden": (
        tr("The key may not read this list: {lists}."),
        tr("The key may not read these lists: {lists}."),
        tr("Ask the service’s provider to allow it, or use another key."),
    ),
    "refused": (
        tr("This list cannot be read: {lists}."),
        tr("These lists cannot be read: {lists}."),
        tr("Try again later. If it keeps failing, ask the service’s provider."),
    ),
}
"""By the reason: of one list, of several, and what to do."""


def _offers(params: Mapping[str, object], texts: TextFormatter) -> str:
    counts = [texts.number(value) if isinstance(value := params.get(name), int) else "?" for name in ("offered", "of")]
    words = missing_words(_names(params.get("missing")), texts)
    if not words:
        return texts.say(tr("It offers all {of} operations."), of=counts[1])
    offered = texts.say(
        tr("It offers {offered} of the {of} operations that the program uses."), offered=counts[0], of=counts[1]
    )
    missing = texts.say(tr("Missing: {missing}."), missing=", ".join(words))
    return " ".join(filter(None, (offered, missing, _alike(params, texts))))


def _alike(params: Mapping[str, object], texts: TextFormatter) -> str:
    """What has the fields of a list that is missing; empty for nothing."""
    found = cast("Sequence[tuple[str, str]]", params.get("alike") or ())
    each = [
        texts.say(tr("{endpoint} looks like {things}"), endpoint=shown(endpoint, texts), things=list_name(name, texts))
        for name, endpoint in found
    ]
    if not each:
        return ""
    tail = tr("{alike}, but only by its fields: it is not used unless you choose it.")
    return texts.say(tail, alike=", ".join(each))


def _unnamed(params: Mapping[str, object], texts: TextFormatter) -> str:
    tail = tr("No path of the document names pets, categories, orders or stock, so nothing is used.")
    return " ".join(filter(None, (texts.say(tail), _alike(params, texts))))


def _unreadable(params: Mapping[str, object], texts: TextFormatter) -> str:
    lists = ", ".join(list_name(name, texts) for name in _names(params.get("lists")))
    why = shown(params.get("why", ""), texts)
    return texts.say(tr("No record of these lists can be used: {lists} ({why})."), lists=lists, why=why)


def list_name(name: str, texts: TextFormatter) -> str:
    """What a list is called inside a sentence."""
    return texts.say(_LISTS.get(name, name))


def missing_words(missing: Iterable[str], texts: TextFormatter) -> list[str]:
    """What cannot be done where these operations are missing: each of them, or all of a resource at once."""
    gone = set(missing)
    words: list[str] = []
    for name, nothing in ALL_OF.items():
        own = [op for op in Op if op.value.startswith(f"{name}.")]
        if all(op.value in gone for op in own):
            words.append(texts.say(nothing))
            continue
        words += [texts.say(OPERATIONS[op]) for op in own if op.value in gone]
    return words


def _untried(params: Mapping[str, object], texts: TextFormatter) -> str:
    tail = texts.say(tr("It has no list to read, so none was tried."))
    return f"{_offers(params, texts)} {tail}"


def _some_refused(params: Mapping[str, object], texts: TextFormatter) -> str:
    parts: list[str] = []
    for sort, (one, several, _) in _UNREAD.items():
        names = [list_name(name, texts) for name in _names(params.get(sort))]
        if names:
            parts.append(texts.say(several if len(names) > 1 else one, lists=", ".join(names)))
    return " ".join([*parts, texts.say(tr("The rest works."))])


def _names(value: object) -> tuple[str, ...]:
    return tuple(str(name) for name in value) if isinstance(value, tuple | list) else ()  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] -- each is made text


_LISTS: Mapping[str, str] = {
    "pets": tr("pets"),
    "categories": tr("categories"),
    "orders": tr("orders"),
    "inventory": tr("stock"),
}

_COMPOSED: Mapping[str, Callable[[Mapping[str, object], TextFormatter], str]] = {
    "operations": _offers,
    "operations-untried": _untried,
    "some-refused": _some_refused,
    "operations-alike": _offers,
    "operations-unnamed": _unnamed,
    "records-unreadable": _unreadable,
}

_TITLES: Mapping[About, str] = {
    About.ADDRESS: tr("Address"),
    About.PROXY: tr("Proxy"),
    About.TLS: tr("Certificate"),
    About.KEY: tr("Key"),
    About.DOCUMENT: tr("Document"),
    About.OPERATIONS: tr("Operations"),
    About.LIMITS: tr("Limits"),
    About.CLOCK: tr("Clock"),
}


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

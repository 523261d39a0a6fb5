"""Error texts: what happened, what is safe and what to do, for every expected error, by its class and code; and why
what a person enters is not taken, in a few words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from string import Formatter
from typing import Any

from msgspec import Struct

from petstore_desktop.contract.operations import Op
from petstore_desktop.desk.checks.error_texts import (
    FILE_STATES,
    FILE_UNUSABLE,
    FILES,
    FORGETTING,
    KEYRING,
    TRIED_AGAIN,
    UNREACHABLE,
    Sentences,
    answer_texts,
)
from petstore_desktop.domain.errors import (
    MADE_OTHERWISE,
    SHOWN_AGAIN,
    UNKEPT,
    AlreadyRunning,
    AnswerUnusable,
    BadInput,
    Conflicted,
    DocumentUnusable,
    Forbidden,
    Interrupted,
    KeyRejected,
    KeyringError,
    NotFound,
    NotOffered,
    NotYet,
    RateLimited,
    Refused,
    ServiceError,
    ServiceFailed,
    ShopError,
    StorageError,
    Unreachable,
)
from petstore_desktop.domain.records import Ref, Resource, key_to_text
from petstore_desktop.log import redact
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.errors.operations import maybe_removed_words, operation_title, removed_words
from petstore_desktop.ui.text.times import full_day, local
from petstore_desktop.ui.text.translate import number, param, plain_lines, quoted, sentences, service_words, tr

INPUT: Mapping[str, Callable[[], str]] = {
    "quantity-empty": lambda: tr("Enter a number."),
    "below-minimum": lambda: tr("Enter at least the minimum."),
    "quantity-unreadable": lambda: tr("Enter a whole number."),
    "quantity-fraction": lambda: tr("Enter a whole number: no fraction."),
    "quantity-too-large": lambda: tr("This number is too large for the service."),
    "quantity-none": lambda: tr("Enter at least 1."),
    "quantity-below-zero": lambda: tr("Quantity can’t be negative."),
    "limit-unreadable": lambda: tr("Enter a whole number."),
    "limit-fraction": lambda: tr("Enter a whole number: no fraction."),
    "limit-too-small": lambda: tr("Enter at least 1, or leave it empty."),
    "limit-too-large": lambda: tr("This number is too large."),
    "no-stock-entry": lambda: tr("There is no stock entry for this pet."),
    "stock-not-read": lambda: tr("The stock of this pet has not been read."),
    "name-empty": lambda: tr("Enter a name."),
    "category-missing": lambda: tr("Choose a category."),
    "no-such-category": lambda: tr("There is no such category."),
    "category-not-read": lambda: tr("Not all categories have been read: whether there is this one is not known."),
    "several-categories": lambda: tr("Several categories have this name: enter the id."),
    "no-such-status": lambda: tr("There is no such status."),
    "pet-missing": lambda: tr("Choose a pet."),
    "no-such-pet": lambda: tr("There is no such pet."),
    "pet-not-read": lambda: tr("Not all pets have been read: whether there is this one is not known."),
    "date-unreadable": lambda: tr("Enter a valid date."),
    "date-missing": lambda: tr("Enter a date."),
    "state-missing": lambda: tr("Choose open or complete."),
    "not-editable": lambda: tr("This cannot be edited."),
    "plain-http": lambda: tr("The address must begin with https:// (http:// only for this computer)."),
    "url": lambda: tr("This is not the address of a service."),
    "address-unusable": lambda: tr("This is not the address of a service; one begins with https://."),
    "address-insecure": lambda: tr("The address must begin with https:// (http:// only for this computer)."),
    "address-with-credentials": lambda: tr("The address holds a password; enter it as the key instead."),
    "url-holds-secret": lambda: tr("The address holds a password; enter it as the key instead."),
    "key-unusable": lambda: tr("This key contains characters that cannot be sent. Copy it again."),
    "key-too-long": lambda: tr("This key is longer than 16,384 characters, which no service takes. Copy it again."),
    "no-key": lambda: tr("There is no key yet, so nothing is sent (File > Change key)."),
    "name-taken": lambda: tr("Another connection has this name; choose another."),
    "value-kept": lambda: tr("For another value, connect another shop."),
    "unknown-field": lambda: tr("Records of this kind do not have the field that was entered."),
    "being-sent": lambda: tr("This is being sent and cannot be discarded now. What became of it is shown shortly."),
    "unsent-changes": lambda: tr("Changes wait for the old address; send or discard them first."),
}


def bad_input_words(code: str) -> str:
    """Why an input is not taken, in a few words."""
    said = INPUT.get(code)
    return said() if said else tr("This cannot be understood.")


def storage_words(error: StorageError) -> Sentences:
    """Say the problem with a file, and whether the last change is saved."""
    file = _file(error, "path") or tr("A file of the program")
    if error.params.get("address"):
        file = tr("{file} (of the service at {address})", file=file, address=isolate(param(error, "address")))
    if error.code in _COUNTED:
        return _COUNTED[error.code](file, error)
    if error.code in FILES:
        what, safe, do = FILES[error.code]
        return tr(what, file=file, what=isolate(param(error, "what"))), tr(safe), tr(do)
    state, save_again, open_again = FILE_STATES.get(error.code, FILE_UNUSABLE)
    what = tr(state, file=file)
    if error.params.get("opening"):
        safe = tr("Saved changes are safe. Until this is solved nothing can be changed or sent.")
        return what, safe, tr(open_again)
    if error.params.get("unsure"):
        safe = tr("Earlier saved changes are safe. The last change may be saved after all.")
        do = tr("Check the disk and restart the program. Make the last change again only if it is missing then.")
        return what, safe, do
    return what, tr("Earlier saved changes are safe; the last change is not."), tr(save_again)


def _file(error: StorageError, name: str) -> str:
    return isolate(param(error, name)) if error.params.get(name) else ""


def _count(error: ShopError, name: str = "count") -> int:
    count = error.params.get(name)
    return count if isinstance(count, int) else 0


def _listed(file: str, error: StorageError) -> Sentences:
    safe = tr(
        "What was sent is in the shop. {n} changes that were still waiting are not sent by themselves; they are listed "
        "in {list}.",
        "",
        _count(error),
        one="What was sent is in the shop. One change that was still waiting is not sent by itself; it is listed in "
        "{list}.",
        list=_file(error, "list"),
    )
    if lost := _count(error, "lost"):
        safe += " " + tr(
            "{n} of them cannot be read; the list has what is left of them.",
            "",
            lost,
            one="One of them cannot be read; the list has what is left of it.",
        )
    what, _, _ = FILES["journal-set-aside"]
    return tr(what, file=file), safe, tr("Open the list, and make the missing changes again.")


def _elsewhere(_: str, error: StorageError) -> Sentences:
    what = tr(
        "{n} changes were made for the service at {address}, which this connection used before.",
        "",
        _count(error),
        one="One change was made for the service at {address}, which this connection used before.",
        address=isolate(param(error, "address")),
    )
    return (
        what,
        tr("They are kept, and are not sent to this service."),
        tr("To send them, connect to that address again."),
    )


_COUNTED: Mapping[str, Callable[[str, StorageError], Sentences]] = {
    "journal-listed": _listed,
    "changes-elsewhere": _elsewhere,
}


def keyring_words(error: KeyringError) -> Sentences:
    """Say the problem with the keyring, where a key was to be stored, read or removed."""
    what, do = KEYRING.get(error.code, KEYRING["keyring-refused"])
    held = tr("A key that you enter is held in memory for this run, and is in no file."), tr(do)
    if error.params.get("forgetting"):
        held = tr(FORGETTING[0]), tr(FORGETTING[1])
    return tr(what), *held


_FORBIDDEN = 403
"""A limit that comes with this status is a ban."""
_LONGEST = 200
"""Characters of a service's or document's own words that are shown."""


class ErrorWords(Struct, frozen=True):
    """`what` happened, what is `safe`, what to `do`; `raw` is the service's answer or the technical detail, plain."""

    what: str
    safe: str
    do: str
    raw: str = ""

    @property
    def sentence(self) -> str:
        """All of it in one paragraph."""
        return sentences(self.what, self.safe, self.do)


def error_words(error: BaseException) -> ErrorWords:
    """The words for an error; an unexpected one names its type, and its text is in `raw`."""
    for kind in type(error).__mro__:
        if kind in _WORDS:
            raw = error.raw if isinstance(error, ServiceError) and error.raw else str(error)
            return ErrorWords(*_WORDS[kind](error), plain_lines(redact(raw)))
    return ErrorWords(
        tr("Unexpected error: {name}.", name=type(error).__name__),
        tr("Everything saved on this computer is safe."),
        tr("To report it, copy the details. Then continue."),
        plain_lines(redact(f"{type(error).__name__}: {error}")),  # it may hold anything
    )


def _kept() -> str:
    return tr("Your data on this computer is kept.")


def _saved() -> str:
    return tr("Your changes are saved on this computer.")


def _refresh() -> str:
    return tr("Refresh the list to see what is there now.")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _said(error: ServiceError) -> str:
    return service_words(error.message, error.status)


def _operation(error: ShopError) -> str:
    return str(error.params.get("operation"))


def _shown(error: ShopError, **unsaid: str) -> dict[str, str]:
    """Parameters of an error as they are shown: plain, cut, and apart in their direction; `unsaid` is what stands for
    one that is missing."""
    said = {name: param(error, name) for name in unsaid}
    cut = {name: text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…" for name, text in said.items()}
    return {name: isolate(text) if text else unsaid[name] for name, text in cut.items()}


# -- what the service answered


def _service(error: ServiceError) -> Sentences:
    what = tr("The service answered {said}.", said=_said(error))
    return what, _kept(), tr("Try again, or see the server response.")


def _refused(error: Refused) -> Sentences:
    if error.code in ("removed", "gone-or-removed"):
        say = removed_words if error.code == "removed" else maybe_removed_words
        return say(param(error, "request"), param(error, "day")), _kept(), _refresh()
    reads = _operation(error).endswith((".list", ".read"))
    do = tr("Try again, or see the server response.") if reads else tr("Change it and send it again, or discard it.")
    return tr("The service refused this: {said}.", said=_said(error)), _kept(), do


def _not_found(error: NotFound) -> Sentences:
    if _operation(error).endswith(".list"):
        what = tr("At this address the service has no such list: {said}.", said=_said(error))
        return what, _kept(), tr("Check the address and the document in the connection’s settings.")
    return tr("The service has no such record any more: {said}.", said=_said(error)), _kept(), _refresh()


def not_there_words(ref: Ref) -> str:
    """The service has no record with the id that was looked up; it is not known whether it ever had one."""
    key = key_to_text(ref.key)
    words = {
        Resource.PETS: tr("There is no pet {id} at the service", id=key),
        Resource.CATEGORIES: tr("There is no category {id} at the service", id=key),
        Resource.ORDERS: tr("There is no order {id} at the service", id=key),
        Resource.INVENTORY: tr("There is no stock of pet {id} at the service", id=key),
    }
    return words[ref.resource]


def _rate_limited(error: RateLimited) -> Sentences:
    if error.status == _FORBIDDEN:
        what = tr("The service has banned this key for a while: {said}.", said=_said(error))
        return what, _saved(), tr("Wait: it goes on by itself. If it happens again, ask the service’s provider.")
    what = tr("The service asks to wait: {said}.", said=_said(error))
    return what, _saved(), tr("Keep working; it goes on by itself.")


# -- answers that cannot be used, or did not come


def _unusable(error: AnswerUnusable) -> Sentences:
    if error.code != "redirected":
        return _answer(error)
    target = param(error, "target")
    return (
        tr("The service redirects to another address: {target}.", target=target)
        if target
        else tr("The service redirects, but does not say where to."),
        tr("The program does not follow: neither the request nor the key was sent there."),
        tr("If the service has moved, change the connection’s address; a sign-in page means that it is the wrong one."),
    )


def _answer(error: AnswerUnusable | Interrupted) -> Sentences:
    what, do = answer_texts(error)
    said = tr(what, **_answer_params(error))
    operation = next((op for op in Op if op == _operation(error)), None)
    said = _capital(said) if operation is None else f"{quoted(operation_title(operation))}: {said}"
    if _operation(error).endswith((".list", ".read")):
        return said, tr("Nothing here was removed or overwritten; the rows read before stay."), tr(do)
    if error.code == MADE_OTHERWISE:
        safe = tr("The record is there, once. No other one is made before you send one again.")
        return said, safe, tr(do)
    if error.code == SHOWN_AGAIN:
        safe = tr("They are in the list, as the service has them. Nothing is deleted again by itself.")
        return said, safe, tr(do)
    if error.code == UNKEPT:
        safe = tr("The lists show what the service has. From now on, each change of this kind is looked at.")
        return said, safe, tr(do)
    safe = tr("It may be done or not; nothing is sent twice by itself.")
    return said, safe, tr("Check the record live.")


def _answer_params(error: ShopError) -> dict[str, str]:
    unsaid = {"content_type": tr("unknown type"), "encoding": tr("not said"), "why": tr("not said")}
    said = _shown(error, **unsaid, asked="", got="", id="", values="")
    figures = {name: value for name, value in error.params.items() if isinstance(value, int)}
    counts = {name: number(figures[name]) if name in figures else "?" for name in ("most", "met", "total")}
    size = str(figures["cap"] // 2**20) if "cap" in figures else "?"
    return {**said, **counts, "type": said["content_type"], "mb": size}


def _unreachable(error: Unreachable) -> Sentences:
    why = error.code if error.code != Unreachable.code else param(error, "why")
    params = _connection_params(error)
    what, do = UNREACHABLE.get(why, ("", ""))
    said = tr(what, **params) if what else tr("{host} cannot be reached.", **params)
    again = tr("The program tries again by itself.") if why in TRIED_AGAIN or not do else ""
    if said.startswith(tr("the service")):
        said = _capital(said)
    safe = tr("Nothing was sent, not even the key. You can read and edit the data on this computer.")
    return said, safe, sentences(tr(do, **params) if do else "", again)


def _connection_params(error: Unreachable) -> dict[str, str]:
    said = {
        "host": tr("the service"),
        "proxy": tr("that is set on this computer"),
        "path": tr("not said"),
        "names": tr("another one"),
        "issuer": tr("an authority"),
        "since": tr("on a later day"),
        "until": tr("on an earlier day"),
    }
    for name, value in error.params.items():
        if name in said and value:
            said[name] = full_day(local(value).date()) if isinstance(value, float) else plain(str(value))
    return said


# -- documents, other windows


def _document(error: DocumentUnusable) -> Sentences:
    if error.code == "document-redirected":
        return (
            tr("The OpenAPI document has moved to another address: {target}.", target=param(error, "target")),
            tr("The program does not follow: nothing was sent there."),
            tr("If you trust that address, choose it as the connection’s document."),
        )
    from petstore_desktop.desk.checks.check_texts import BAD  # late: documents are seldom wrong

    what, do = BAD.get(error.code, (tr("The service’s OpenAPI document cannot be used."), ""))
    names = {name for text in (what, do) for _, name, *_ in Formatter().parse(text) if name}
    said = _shown(error, **dict.fromkeys({*names, "title"}, isolate(tr("unknown"))))
    said["titled"] = said["title"] if param(error, "title") else tr("one without a title")
    do = tr(do, **said) if do else tr("Choose another document, or connect without one.")
    return tr(what, **said), tr("Nothing was changed."), do


# -- what a person enters


def _bad_input(error: BadInput) -> Sentences:
    if error.code == "not-views":
        return (
            tr("This is not a complete file of views: {file}.", file=isolate(PurePath(param(error, "path")).name)),
            tr("Your views are unchanged."),
            tr("Choose a file from “Export views”. If it is incomplete, export or copy it again."),
        )
    if error.code == "not-codes":
        return (
            tr("This is not a complete file of bar codes: {file}.", file=isolate(PurePath(param(error, "path")).name)),
            tr("Your bar codes are unchanged."),
            tr("Choose a file from “Export” of “Bar codes”. If it is incomplete, export or copy it again."),
        )
    what = bad_input_words(error.code)
    if error.code not in INPUT:
        text = next(filter(None, (param(error, name) for name in ("text", "value", "problem"))), error.code)
        what = tr("This cannot be understood: {text}", text=text)
    return what, tr("Nothing was changed."), ""


def _key_rejected(error: KeyRejected) -> Sentences:
    key = param(error, "key")
    if error.code == "key-missing":
        safe = tr("Your changes are saved on this computer; what needs this key is not sent until then.")
        return tr("The service wants another key too: {key}.", key=key), safe, tr("Enter the key.")
    if key:
        what = tr("The service does not accept the key {key}: {said}.", key=key, said=_said(error))
        safe = tr("Your changes are saved on this computer; what needs this key is not sent until one works.")
        return what, safe, tr("Enter another key.")
    return (
        tr("The service does not accept the key: {said}.", said=_said(error)),
        tr("Your changes are saved on this computer; nothing is sent until a key works."),
        tr("Enter another key."),
    )


_WORDS: Mapping[type, Callable[[Any], Sentences]] = {
    Refused: _refused,
    KeyRejected: _key_rejected,
    Forbidden: lambda error: (
        tr("This key may not do this: {said}.", said=_said(error)),
        tr("Everything else goes on."),
        tr("Ask the service’s provider for the permission, or use another key."),
    ),
    NotFound: _not_found,
    Conflicted: lambda error: (
        tr("The record was changed elsewhere in the meantime: {said}.", said=_said(error)),
        tr("Nothing was overwritten; your change is kept here."),
        tr("Compare both values, then send yours again or discard it."),
    ),
    RateLimited: _rate_limited,
    NotYet: lambda error: (
        tr("The service cannot do this now: {said}.", said=_said(error)),
        _kept(),
        tr("Try again later."),
    ),
    ServiceFailed: lambda error: (
        tr("The service failed: {said}.", said=_said(error)),
        _kept(),
        tr("Try again later."),
    ),
    ServiceError: _service,
    AnswerUnusable: _unusable,
    Unreachable: _unreachable,
    Interrupted: _answer,
    NotOffered: lambda _: (tr("This service does not offer that."), tr("Everything else works."), ""),
    DocumentUnusable: _document,
    StorageError: storage_words,
    KeyringError: keyring_words,
    AlreadyRunning: lambda _: (
        tr("Another window uses this data folder."),
        tr("Nothing was changed."),
        tr("Use that window, or close it."),
    ),
    BadInput: _bad_input,
    ShopError: lambda _: (
        tr("The part of the program that talks to the service has ended."),
        tr("Everything saved on this computer is safe."),
        tr("Quit the program and start it again."),
    ),
}

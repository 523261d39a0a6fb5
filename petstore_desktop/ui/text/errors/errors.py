"""Error texts: what happened, what is safe and what to do, for every expected error, by its code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath

from petstore_desktop.domain.errors import (
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
from petstore_desktop.ui.text.errors.answers import interrupted_words, unusable_words
from petstore_desktop.ui.text.errors.connection import keyring_words, redirect_words, unreachable_words
from petstore_desktop.ui.text.errors.deprecations import maybe_removed_words, removed_words
from petstore_desktop.ui.text.errors.storage import storage_words
from petstore_desktop.ui.text.translate import plain_lines, service_words, tr

_FORBIDDEN = 403
"""A limit that comes with this status is a ban."""


@dataclass(frozen=True, slots=True)
class ErrorWords:
    """`what` happened, what is `safe`, what to `do`; `raw` is the service's answer or the technical detail, plain."""

    what: str
    safe: str
    do: str
    raw: str = ""

    @property
    def sentence(self) -> str:
        """All of it in one paragraph."""
        return " ".join(part for part in (self.what, self.safe, self.do) if part)


def error_words(error: BaseException) -> ErrorWords:
    """The words for an error; one that nobody expected names its type, and its text is in `raw`."""
    for kind in type(error).__mro__:
        words = _WORDS.get(kind)
        if words is not None:
            return words(error)
    return ErrorWords(
        tr("Unexpected error: {name}.", name=type(error).__name__),
        tr("Everything saved on this computer is safe."),
        tr("To report it, copy the details. Then continue."),
        plain_lines(redact(f"{type(error).__name__}: {error}")),  # it may hold anything
    )


def _kept() -> str:
    return tr("Your data on this computer is kept.")


def _raw(error: BaseException) -> str:
    raw = error.raw if isinstance(error, ServiceError) and error.raw else str(error)
    return plain_lines(redact(raw))


def _said(error: BaseException) -> str:
    return service_words(error.message, error.status) if isinstance(error, ServiceError) else ""


def _param(error: BaseException, *names: str) -> str:
    params = error.params if isinstance(error, ShopError) else {}
    return next((plain(str(params[name])) for name in names if params.get(name)), "")


def _service(error: BaseException) -> ErrorWords:
    return ErrorWords(
        tr("The service answered {said}.", said=_said(error)),
        _kept(),
        tr("Try again, or see the server response."),
        _raw(error),
    )


def _refused(error: BaseException) -> ErrorWords:
    code = error.code if isinstance(error, ShopError) else ""
    if code in ("removed", "gone-or-removed"):
        say = removed_words if code == "removed" else maybe_removed_words
        what = say(_param(error, "request"), _param(error, "day"))
        return ErrorWords(what, _kept(), tr("Refresh the list to see what is there now."), _raw(error))
    reads = _param(error, "operation").endswith((".list", ".read"))
    return ErrorWords(
        tr("The service refused this: {said}.", said=_said(error)),
        _kept(),
        tr("Try again, or see the server response.") if reads else tr("Change it and send it again, or discard it."),
        _raw(error),
    )


def _key_rejected(error: BaseException) -> ErrorWords:
    return ErrorWords(
        tr("The service does not accept the key: {said}.", said=_said(error)),
        tr("Your changes are saved on this computer; nothing is sent until a key works."),
        tr("Enter another key."),
        _raw(error),
    )


def _forbidden(error: BaseException) -> ErrorWords:
    return ErrorWords(
        tr("This key may not do this: {said}.", said=_said(error)),
        tr("Everything else goes on."),
        tr("Ask the service’s provider for the permission, or use another key."),
        _raw(error),
    )


def _not_found(error: BaseException) -> ErrorWords:
    if _param(error, "operation").endswith(".list"):
        return ErrorWords(
            tr("At this address the service has no such list: {said}.", said=_said(error)),
            _kept(),
            tr("Check the address and the document in the connection’s settings."),
            _raw(error),
        )
    return ErrorWords(
        tr("The service has no such record any more: {said}.", said=_said(error)),
        _kept(),
        tr("Refresh the list to see what is there now."),
        _raw(error),
    )


def not_there_words(ref: Ref) -> str:
    """The service has no record with the id that was looked up; nobody knows whether it ever had one."""
    key = key_to_text(ref.key)
    words = {
        Resource.PETS: tr("There is no pet {id} at the service", id=key),
        Resource.CATEGORIES: tr("There is no category {id} at the service", id=key),
        Resource.ORDERS: tr("There is no order {id} at the service", id=key),
        Resource.INVENTORY: tr("There is no stock of pet {id} at the service", id=key),
    }
    return words[ref.resource]


def _conflicted(error: BaseException) -> ErrorWords:
    return ErrorWords(
        tr("The record was changed elsewhere in the meantime: {said}.", said=_said(error)),
        tr("Nothing was overwritten; your change is kept here."),
        tr("Compare both values, then send yours again or discard it."),
        _raw(error),
    )


def _rate_limited(error: BaseException) -> ErrorWords:
    if isinstance(error, RateLimited) and error.status == _FORBIDDEN:
        return ErrorWords(
            tr("The service has banned this key for a while: {said}.", said=_said(error)),
            tr("Your changes are saved on this computer."),
            tr("Wait: it goes on by itself. If it happens again, ask the service’s provider."),
            _raw(error),
        )
    return ErrorWords(
        tr("The service asks to wait: {said}.", said=_said(error)),
        tr("Your changes are saved on this computer."),
        tr("Keep working; it goes on by itself."),
        _raw(error),
    )


def _service_failed(error: BaseException) -> ErrorWords:
    return ErrorWords(
        tr("The service failed: {said}.", said=_said(error)), _kept(), tr("Try again later."), _raw(error)
    )


def _unusable(error: BaseException) -> ErrorWords:
    if isinstance(error, ShopError) and error.code == "redirected":
        return ErrorWords(*redirect_words(_param(error, "target")), _raw(error))
    known = error if isinstance(error, AnswerUnusable) else AnswerUnusable()
    return ErrorWords(*unusable_words(known), _raw(error))


def _unreachable(error: BaseException) -> ErrorWords:
    code, params = (error.code, error.params) if isinstance(error, ShopError) else ("", {})
    why = code if code != Unreachable.code else _param(error, "why")
    what, do = unreachable_words(why, params)
    safe = tr("Nothing was sent, not even the key. You can read and edit the data on this computer.")
    return ErrorWords(what, safe, do, _raw(error))


def _interrupted(error: BaseException) -> ErrorWords:
    known = error if isinstance(error, ShopError) else Interrupted()
    return ErrorWords(*interrupted_words(known), _raw(error))


def _not_offered(error: BaseException) -> ErrorWords:
    return ErrorWords(tr("This service does not offer that."), tr("Everything else works."), "", _raw(error))


def _document(error: BaseException) -> ErrorWords:
    if isinstance(error, ShopError) and error.code == "document-redirected":
        return ErrorWords(
            tr("The OpenAPI document has moved to another address: {target}.", target=_param(error, "target")),
            tr("The program does not follow: nothing was sent there."),
            tr("If you trust that address, choose it as the connection’s document."),
            _raw(error),
        )
    from petstore_desktop.desk.checks.check_texts import BAD  # late: documents are seldom wrong

    code = error.code if isinstance(error, ShopError) else ""
    what, do = BAD.get(code, (tr("The service’s OpenAPI document cannot be used."), ""))
    names = ("title", "version", "why", "path", "megabytes", "most", "scope", "example")
    said = {name: isolate((_param(error, name) or tr("unknown"))[:200]) for name in names}
    said["titled"] = said["title"] if _param(error, "title") else tr("one without a title")
    do = tr(do, **said) if do else tr("Choose another document, or connect without one.")
    return ErrorWords(tr(what, **said), tr("Nothing was changed."), do, _raw(error))


def _storage(error: BaseException) -> ErrorWords:
    known = error if isinstance(error, StorageError) else StorageError()
    return ErrorWords(*storage_words(known), _raw(error))


def _keyring(error: BaseException) -> ErrorWords:
    what, do = keyring_words(error.code if isinstance(error, ShopError) else "")
    return ErrorWords(
        what, tr("A key that you enter is held in memory for this run, and is in no file."), do, _raw(error)
    )


def _running(error: BaseException) -> ErrorWords:
    return ErrorWords(
        tr("Another window uses this data folder."),
        tr("Nothing was changed."),
        tr("Use that window, or close it."),
        _raw(error),
    )


def _no_views(error: BaseException) -> ErrorWords:
    return ErrorWords(
        tr(
            "This is not a complete file of views: {file}.",
            file=isolate(PurePath(_param(error, "path")).name),
        ),
        tr("Your views are unchanged."),
        tr("Choose a file from “Export views”. If it is incomplete, export or copy it again."),
        _raw(error),
    )


def _bad_input(error: BaseException) -> ErrorWords:
    code = error.code if isinstance(error, ShopError) else ""
    if code == "not-views":
        return _no_views(error)
    said = _INPUT.get(code)
    what = (
        said()
        if said
        else tr("This cannot be understood: {text}", text=_param(error, "text", "value", "problem") or code)
    )
    return ErrorWords(what, tr("Nothing was changed."), "", _raw(error))


def bad_input_words(code: str) -> str:
    """Why an input is not taken, in a few words."""
    said = _INPUT.get(code)
    return said() if said else tr("This cannot be understood.")


_INPUT: dict[str, Callable[[], str]] = {
    "quantity-empty": lambda: tr("Enter a number."),
    "quantity-unreadable": lambda: tr("Enter a whole number."),
    "quantity-fraction": lambda: tr("Enter a whole number: no fraction."),
    "quantity-too-large": lambda: tr("This number is too large for the service."),
    "quantity-below-zero": lambda: tr("Quantity can’t be negative."),
    "limit-unreadable": lambda: tr("Enter a whole number."),
    "limit-fraction": lambda: tr("Enter a whole number: no fraction."),
    "limit-too-small": lambda: tr("Enter at least 1, or leave it empty."),
    "limit-too-large": lambda: tr("This number is too large."),
    "no-stock-entry": lambda: tr("There is no stock entry for this pet."),
    "name-empty": lambda: tr("Enter a name."),
    "category-missing": lambda: tr("Choose a category."),
    "no-such-category": lambda: tr("There is no such category."),
    "several-categories": lambda: tr("Several categories have this name: enter the id."),
    "no-such-status": lambda: tr("There is no such status."),
    "pet-missing": lambda: tr("Choose a pet."),
    "no-such-pet": lambda: tr("There is no such pet."),
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
    "no-key": lambda: tr("There is no key yet, so nothing is sent (File > Change key)."),
    "name-taken": lambda: tr("Another connection has this name; choose another."),
    "unsent-changes": lambda: tr("Changes wait for the old address; send or discard them first."),
}

_WORDS: dict[type, Callable[[BaseException], ErrorWords]] = {
    Refused: _refused,
    KeyRejected: _key_rejected,
    Forbidden: _forbidden,
    NotFound: _not_found,
    Conflicted: _conflicted,
    RateLimited: _rate_limited,
    ServiceFailed: _service_failed,
    ServiceError: _service,
    AnswerUnusable: _unusable,
    Unreachable: _unreachable,
    Interrupted: _interrupted,
    NotOffered: _not_offered,
    DocumentUnusable: _document,
    StorageError: _storage,
    KeyringError: _keyring,
    AlreadyRunning: _running,
    BadInput: _bad_input,
}

"""What an answer that says no means. The HTTP status wins over whatever the body says."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import cast

from msgspec import Struct

from petstore_desktop.api import wire
from petstore_desktop.api.address import resolved
from petstore_desktop.api.gate.answers import FORBIDDEN
from petstore_desktop.api.http.body import RECORD_CAP
from petstore_desktop.api.http.secret import Secret, redact
from petstore_desktop.api.http.transport import Answer, about
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    Conflicted,
    DocumentUnusable,
    Forbidden,
    KeyRejected,
    NotFound,
    NotYet,
    RateLimited,
    Refused,
    ServiceError,
    ServiceFailed,
    ShopError,
)
from petstore_desktop.domain.quota import TOO_MANY_REQUESTS
from petstore_desktop.domain.records import JsonValue

RAW_CHARACTERS = 4_000
MESSAGE_CHARACTERS = 500
CODE_CHARACTERS = 100


@contextmanager
def naming(op: Op | None) -> Generator[None]:
    """Errors from within say which operation they are about (`params["operation"]`)."""
    try:
        yield
    except ShopError as error:
        if op is not None:
            error.params.setdefault("operation", op.value)
        raise


def json_of(answer: Answer) -> JsonValue:
    """The body as JSON. Raises AnswerUnusable (see `wire.parse_json`) with the type that the body claims to be."""
    try:
        return wire.parse_json(answer.body)
    except AnswerUnusable as error:
        about(error, answer)
        raise


_SAYS_DONE = (200, 201, 203, 204, 205)
_YES = frozenset({"ok", "okay", "yes", "done", "success", "created", "updated", "deleted", "saved"})
"""What some services answer a write with, in plain text, where others answer nothing."""
_NO = frozenset({"error", "fail", "failed", "failure"})
_AROUND = frozenset({"data", "result", "message"})
"""The names beside which a status is that of the answer, as in JSend."""


def doubt_of(method: str, answer: Answer, error: ShopError | None, secret: Secret | None) -> AnswerUnusable | None:
    """Why this answer to a write tells nothing of what became of it, None where it does. `error`: what its status
    stands for.

    A login page or a gateway may have answered in the service's place, and some services answer 200 with an error
    inside: `web-page`, `no-json`, `error-inside`, `not-said-done` (202, 206, 207, 304).
    """
    if error is None and answer.status not in _SAYS_DONE:
        return _doubt("not-said-done", answer, secret)
    if error is not None and not (isinstance(error, NotFound) and method == "DELETE"):
        return None
    try:
        value = wire.parse_json(answer.body)
    except AnswerUnusable as unusable:
        return _doubt_of_text(unusable, answer, secret)
    if error is None and isinstance(value, dict) and tells_of_failure(value):
        return _doubt("error-inside", answer, secret, words_of(answer, secret).message)
    return None


def _doubt_of_text(unusable: AnswerUnusable, answer: Answer, secret: Secret | None) -> AnswerUnusable | None:
    text = answer.body.decode("utf-8", errors="replace").strip().casefold()
    if unusable.code == "empty" or text.rstrip(".!") in _YES:
        return None
    return _doubt("web-page" if text.startswith("<") else "no-json", answer, secret)


def tells_of_failure(body: Mapping[str, object]) -> bool:
    """Whether an answer of a good status says in its body that it failed, as some services do. (Of a record the status
    is one of its own.)"""
    status = body.get("status") if body.keys() & _AROUND else None
    in_words = isinstance(status, str) and status.casefold() in _NO
    return in_words or body.get("success") in (False, "false") or bool(body.get("error")) or bool(body.get("errors"))


def _doubt(code: str, answer: Answer, secret: Secret | None, why: str = "") -> AnswerUnusable:
    error = AnswerUnusable(code, why=why, raw=raw_text(answer, secret))
    about(error, answer)
    return error


class Words(Struct, frozen=True):
    """What the body of an error says: the service's own code and message, empty where it says nothing. The message is
    without the key; the code is as it came, for the gate decides by it: mask it before it is shown or kept."""

    code: str = ""
    message: str = ""


_MESSAGES = ("message", "msg", "title", "error_description", "defaultMessage")
_DEEPEST = 5
"""Objects and lists in one another: what lies deeper is no message."""
_OF_ALL = ("non_field_errors", "__all__", "base", "")
"""In place of a field's name: it is about the record as a whole."""


def words_of(answer: Answer, secret: Secret | None) -> Words:
    """Find code and message: the specification's Error object, also inside `error`; an RFC 9457 problem; `detail`;
    plain text. The message is masked before the cut, for half a key is still half a key."""
    try:
        value: object = json.loads(answer.body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return Words(message=_plain_words(answer, secret))
    found = _words(value, 0)
    return Words(found.code, redact(secret, found.message)[:MESSAGE_CHARACTERS])


_WAIT = re.compile(r"retry[-_ ]?after[-_ ]?(?:(ms|milli(?:second)?s)|s|sec(?:ond)?s)?", re.IGNORECASE)
_MOST_WAITS = 8
_PART = r"[0-9]+(?:\.[0-9]+)? ?(?:day|hour|minute|second)s?\b"
_COME_BACK = re.compile(
    rf"\b(?:available|again|retry|wait)\b[^0-9.-]{{0,20}}({_PART}(?:(?:,| and)* {_PART})*)", re.IGNORECASE
)
"""Where a sentence says when to come back. Others name a rate: `100 requests in 3600 seconds`."""
_FOR_SO_LONG = re.compile(rf"\bfor[^0-9.-]{{0,20}}({_PART}(?:(?:,| and)* {_PART})*)", re.IGNORECASE)
"""Where a sentence says how long a ban lasts."""
_BAN_ENDS = re.compile(r"(?:banned?[-_ ]?)?(?:until|ends|expires)(?:[-_ ]?(?:at|on))?", re.IGNORECASE)
_JOINED = re.compile(r",| and\b", re.IGNORECASE)


def waits_of(answer: Answer, words: Words) -> list[tuple[str, str]]:
    """The waits that the body of a limit or a ban tells, as a header would tell them: in its fields, or in those of an
    object right within it; a 429 and a ban also in their message."""
    bans = answer.status == FORBIDDEN
    sentences: list[str] = _COME_BACK.findall(words.message) if bans or answer.status == TOO_MANY_REQUESTS else []
    sentences += _FOR_SO_LONG.findall(words.message) if bans else []
    waits = [("retry-after", _JOINED.sub("", sentence)) for sentence in sentences]
    try:
        value: object = json.loads(answer.body.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return waits
    if not isinstance(value, dict):
        return waits
    body = cast("dict[str, object]", value)
    within = [cast("dict[str, object]", inner) for inner in body.values() if isinstance(inner, dict)]
    for name, told in (field for one in (body, *within) for field in one.items()):
        named = _WAIT.fullmatch(name)
        if named is not None and isinstance(told, str | int | float) and not isinstance(told, bool):
            waits.append(("retry-after-ms" if named[1] else "retry-after", str(told)))
        elif bans and isinstance(told, str | int | float) and _BAN_ENDS.fullmatch(name):
            waits.append(("retry-after", str(told)))
    return waits[:_MOST_WAITS]


def _plain_words(answer: Answer, secret: Secret | None) -> str:
    """What an answer of plain text says, on one line and without control characters; empty for any other."""
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    text = redact(secret, answer.body.decode("utf-8", errors="replace")) if kind == "text/plain" else ""
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    return "" if words.startswith("<") else words[:MESSAGE_CHARACTERS]  # some send their pages as plain text


def _words(value: object, depth: int) -> Words:
    if isinstance(value, str):
        return Words(message=value)
    if depth > _DEEPEST:
        return Words()
    if isinstance(value, list):
        said = [words for item in cast("list[object]", value)[:5] if (words := _words(item, depth + 1)).message]
        return Words(said[0].code if said else "", "; ".join(words.message for words in said))
    if not isinstance(value, dict):
        return Words()
    return _words_of_object(cast("dict[str, object]", value), depth)


def _words_of_object(body: Mapping[str, object], depth: int) -> Words:
    code = next((text for name in ("code", "type", "error_code") if (text := _text(body.get(name)))), "")
    message = next((text for name in _MESSAGES if (text := _text(body.get(name)))), "")
    for more in (_words(body.get("detail"), depth + 1).message, _of_fields(body.get("errors"), depth + 1)):
        if more and more != message:
            between = " " if message.endswith((".", "!", "?")) else ": "
            message = f"{message}{between}{more}" if message else more
    for name in ("error", "errors", "fault"):
        inner = _words(body.get(name), depth + 1)
        code, message = code or inner.code, message or inner.message
    field = _field_of(body) if depth else ""
    return Words(code, f"{field}: {message}" if field and message else message or _of_fields(body, depth + 1))


def _of_fields(said: object, depth: int) -> str:
    """What is wrong with each field, `name: must not be blank`, where an object has texts in a list for each, or a list
    has an object for each; empty for anything else."""
    if isinstance(said, list):
        return _words(cast("list[object]", said), depth).message
    if not isinstance(said, dict):
        return ""
    fields = cast("dict[str, object]", said)
    lists = {name: cast("list[object]", texts) for name, texts in fields.items() if isinstance(texts, list)}
    found = {name: "; ".join(text for text in texts[:5] if isinstance(text, str)) for name, texts in lists.items()}
    named = [words if name in _OF_ALL else f"{name}: {words}" for name, words in found.items() if words]
    return "; ".join(named[:5])


def _field_of(body: Mapping[str, object]) -> str:
    """The field of which one error of several speaks."""
    place = body.get("loc")
    last = cast("list[object]", place)[-1] if isinstance(place, list) and place else None
    return next((text for one in (body.get("field"), body.get("propertyName"), last) if (text := _text(one))), "")


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(text for text in cast("list[object]", value)[:5] if isinstance(text, str))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def raw_text(answer: Answer, secret: Secret | None) -> str:
    """Status, the telling headers, and the first of the body, without the key, for the journal and the details view."""
    telling = ("content-type", "retry-after", "date", "location", "x-request-id")
    lines = [
        f"HTTP {answer.status}",
        *(f"{name}: {answer.headers[name]}" for name in telling if name in answer.headers),
    ]
    body = redact(secret, answer.body.decode("utf-8", errors="replace"))
    return "\n".join([redact(secret, "\n".join(lines)), "", body[:RAW_CHARACTERS]]).rstrip()


_BY_STATUS: Mapping[int, type[ServiceError]] = {
    401: KeyRejected,
    403: Forbidden,
    404: NotFound,
    408: ServiceFailed,
    409: Conflicted,
    410: NotFound,
    412: Conflicted,
    421: NotYet,
    423: NotYet,
    425: NotYet,
    429: RateLimited,
}


def error_of(answer: Answer, op: Op | None, secret: Secret | None, *, limited: bool) -> ShopError | None:
    """The error that a status stands for, None for 2xx and 304. `limited`: the gate takes it for a limit or a ban, and
    waits; the error must agree, since a limited request is sent again as soon as the gate lets it."""
    status = answer.status
    if 200 <= status < 300 or status == 304:
        return None
    operation = None if op is None else op.value
    if 300 <= status < 400:
        leads = resolved(answer.url, answer.headers.get("location", ""))
        target, circle = redact(secret, leads)[:MESSAGE_CHARACTERS], leads == answer.url
        return AnswerUnusable("redirected", status=status, target=target, circle=circle, operation=operation)
    words = words_of(answer, secret)
    kind = _BY_STATUS.get(status) or (ServiceFailed if status >= 500 else Refused)
    return (RateLimited if limited else kind)(
        status=status,
        message=words.message,
        raw=raw_text(answer, secret),
        service_code=redact(secret, words.code)[:CODE_CHARACTERS],
        operation=operation,
    )


def document_error(error: ShopError, url: str) -> DocumentUnusable:
    """Why there is no document at that address."""
    codes = {"redirected": "document-redirected", "too-large": "document-too-large"}
    said = {**error.params, "path": url, "megabytes": RECORD_CAP // 1_048_576}
    return DocumentUnusable(codes.get(error.code, "document-missing"), **{"why": str(error), **said})

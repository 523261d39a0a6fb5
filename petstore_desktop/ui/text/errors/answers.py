"""Texts for unusable or incomplete answers, one for each cause."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import AnswerUnusable, ShopError
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.translate import quoted, tr

Told = Mapping[str, str]
"""What the error says beside its cause: type, encoding, why, asked, got, mb, most; never empty."""
Say = Callable[[Told], str]
Words = tuple[Say, Callable[[], str]]
"""What happened, and what to do."""

_LONGEST = 200
"""Letters of a service's own words that are shown."""


def _ask() -> str:
    return tr("Try again. If it fails again, ask the service’s provider.")


def _between() -> str:
    return tr("A proxy or a sign-in page may stand in between: open the address in a browser to see what answers.")


def _network() -> str:
    return tr("Try again. If it happens often, check the network or the proxy.")


def _other_list() -> str:
    return tr("Check the address, and what the document in the connection’s settings says about this list.")


def _endless(told: Mapping[str, str]) -> str:
    if told.get("total"):
        return tr("the list does not end: the service announced {total} records, and sent {met}. Reading stopped; the "
                  "rows that came stay.", **told)  # fmt: skip
    return tr("the list does not end: {met} records came. Reading stopped; these rows stay.", **told)


_UNUSABLE: Mapping[str, Words] = {
    "empty": (lambda _: tr("the service sent an empty answer instead of data."), _ask),
    "web-page": (lambda _: tr("a web page came back instead of data."), _between),
    "not-json": (lambda told: tr("the answer is not JSON, as data must be ({type}).", **told), _ask),
    "bad-text": (lambda _: tr("the answer is not in UTF-8, the only encoding of JSON."), _ask),
    "cut-short": (lambda _: tr("the answer stops before its end."), _network),
    "too-deep": (lambda _: tr("the answer is nested deeper than anything that can be read."), _ask),
    "too-large": (lambda told: tr("the answer is larger than {mb} MB; reading was stopped there.", **told), _ask),
    "too-many": (
        lambda told: tr("the answer holds more than {most} records; reading was stopped there.", **told),
        _ask,
    ),
    "endless": (_endless, _ask),
    "bad-encoding": (
        lambda told: tr("the answer is packed in a way that cannot be unpacked ({encoding}).", **told),
        _network,
    ),
    "not-a-list": (lambda _: tr("the answer holds no list of records."), _other_list),
    "two-lists": (lambda _: tr("the answer holds two lists, and does not say which one is meant."), _other_list),
    "bad-record": (lambda told: tr("the record in the answer cannot be read: {why}.", **told), _ask),
    "another-record": (
        lambda told: tr("asked for #{asked}, the service answered with #{got}.", **told),
        _ask,
    ),
}
_BROKEN: Mapping[str, Words] = {
    "deadline": (lambda _: tr("the answer was not complete in the time that a request has."), _ask),
    "timeout": (lambda _: tr("the service stopped answering before the answer was complete."), _network),
    "protocol": (
        lambda _: tr("the answer is not valid HTTP: it broke off, or its head is too large."),
        _between,
    ),
    "cancelled": (lambda _: tr("it was cancelled before the answer came."), lambda: tr("Try again.")),
    "broken": (lambda _: tr("the connection broke before the answer came."), _network),
}
_READS = ("list", "read")


def unusable_words(error: AnswerUnusable) -> tuple[str, str, str]:
    """The three sentences (what happened, what is safe, what to do) about an unusable answer."""
    code = "web-page" if error.code == "not-json" and "html" in str(error.params.get("content_type")) else error.code
    return _words(error, _UNUSABLE.get(code, (lambda _: tr("the answer is not one of this service."), _ask)))


def interrupted_words(error: ShopError) -> tuple[str, str, str]:
    """The same about an answer that did not come, or not to its end."""
    return _words(error, _BROKEN.get(str(error.params.get("why")), _BROKEN["broken"]))


def _words(error: ShopError, words: Words) -> tuple[str, str, str]:
    what, do = words
    said = what(_told(error))
    operation = next((op for op in Op if op == error.params.get("operation")), None)
    if operation is None:
        said = said[:1].upper() + said[1:]
    else:
        from petstore_desktop.ui.text.errors.operations import (
            operation_title,  # late: nothing fails before the first paint
        )

        said = f"{quoted(operation_title(operation))}: {said}"
    if operation is not None and operation.value.rpartition(".")[2] in _READS:
        safe = tr("Nothing here was removed or overwritten; the rows read before stay.")
    else:
        safe = tr("It may be done or not; nothing is sent twice by itself.")
        do = _look
    return said, safe, do()


def _look() -> str:
    return tr("Check the record live.")


def _told(error: ShopError) -> Told:
    params = error.params
    unsaid = {"type": tr("unknown type"), "encoding": tr("not said"), "why": tr("not said")}
    said = {name: _short(params.get(name)) or text for name, text in unsaid.items()}
    said["type"] = _short(params.get("content_type")) or unsaid["type"]
    cap, most = params.get("cap"), params.get("most")
    return {
        **said,
        "asked": _short(params.get("asked")),
        "got": _short(params.get("got")),
        "mb": str(cap // 2**20) if isinstance(cap, int) else "?",
        "most": f"{most:,}" if isinstance(most, int) else "?",
        **{name: f"{value:,}" for name in ("met", "total") if isinstance(value := params.get(name), int)},
    }


def _short(value: object) -> str:
    text = "" if value is None else plain(str(value))
    return isolate(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…") if text else ""

"""What answers say about an operation's end: the Deprecation (RFC 9745) and Sunset (RFC 8594) headers, and its absence
after the day that was named."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from petstore_desktop import log
from petstore_desktop.api.headers.header_values import moment
from petstore_desktop.api.http.transport import Answer
from petstore_desktop.contract.lifecycle.dates import iso_day
from petstore_desktop.contract.lifecycle.sunset import Notice, heard, refusal, service_day
from petstore_desktop.contract.model import Contract, Operation
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import NotFound, Refused, ShopError


class Notices:
    """Listens to every answer. `contract` is what is known of the operations; `tell` gets each that an answer has
    changed, and is to bring a contract with it."""

    def __init__(self) -> None:
        self.contract: Contract | None = None
        self.tell: Callable[[Operation], object] = lambda _: None
        self._missed: dict[Op, set[str]] = {}
        """The records that were answered with 404 since the operation last worked."""

    def hear(self, op: Op | None, url: str, answer: Answer, error: ShopError | None, wall: float) -> ShopError | None:
        """Take an answer in; returns its error, which is Refused `removed` or `gone-or-removed` where it is the
        operation that is gone, or may be, and not the record. `wall`: UTC epoch seconds here; the service's own time
        goes before it, since the day is the service's too."""
        operation = None if op is None or self.contract is None else self.contract.operations.get(op)
        if operation is None:
            return error
        date = moment(answer.headers.get("date", ""))
        now = wall if date is None else date
        notice = notice_of(answer)
        said = operation if notice is None else heard(operation, notice, now)
        if isinstance(error, NotFound):
            error, said = self._judge(said, url, error, now)
        elif error is None:
            self._missed.pop(said.op, None)
            said = replace(said, removed=False)
        if said != operation:
            self.tell(said)
        return error

    def _judge(self, operation: Operation, url: str, error: NotFound, now: float) -> tuple[ShopError, Operation]:
        missed = self._missed.setdefault(operation.op, set())
        if len(missed) < 2:
            missed.add(url.partition("?")[0])
        code = refusal(operation, error.status, service_day(now, None), len(missed))
        if not code:
            missed.clear()
            return error, operation
        about = {name: value for name, value in error.params.items() if name not in ("status", "message", "raw")}
        about |= {"request": f"{operation.method} {operation.path}", "day": operation.sunset}
        refused = Refused(code, status=error.status, message=error.message, raw=error.raw, **about)
        return refused, replace(operation, removed=operation.removed or code == "removed")


def notice_of(answer: Answer) -> Notice | None:
    """The notice that an answer carries, if it carries one."""
    said = answer.headers.get("deprecation", "").strip()
    sunset = _day(answer.headers.get("sunset", ""))
    deprecated = bool(said) and said.lower() != "false"
    if not deprecated and sunset is None:
        return None
    return Notice(
        deprecated, _deprecated_at(said), sunset, log.redact(answer.links.get("successor-version") or "")[:200] or None
    )


def _day(said: str) -> str | None:
    """Of several values (two proxies, each with its own) the first."""
    return (iso_day(said) or iso_day(said.split(",")[0])) if said else None


def _deprecated_at(said: str) -> float | None:
    digits = said.removeprefix("@")
    if said.startswith("@") and digits.isascii() and digits.isdigit() and len(digits) < 13:
        return float(digits)
    return moment(said)  # the drafts before RFC 9745 had a date, or the word true

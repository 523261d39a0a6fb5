"""What the answers that a check got mean for the key, the document and the operations: how a list begins that is too
long to be read whole, and what a good answer's headers tell of the limits and of the service's clock."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import cast

from msgspec import Struct, field

from petstore_desktop import log
from petstore_desktop.api.check.findings import Findings, code_of
from petstore_desktop.api.check.other_keys import key_names, key_places
from petstore_desktop.api.check.samples import read_records
from petstore_desktop.api.headers.limit_headers import WindowFacts, answer_facts
from petstore_desktop.api.http.error_responses import json_of
from petstore_desktop.api.http.transport import Answer, BodyReader
from petstore_desktop.api.lists.envelope import Listing, read_listing
from petstore_desktop.contract.model import Contract, KeyPlace
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.checks import About
from petstore_desktop.domain.errors import AnswerUnusable, Forbidden, KeyRejected, NotFound, ShopError
from petstore_desktop.domain.records import Resource

SKEW_S = 300.0
"""Seconds by which two clocks may differ without its being worth a word."""
_SHOWN = 80
_SIGN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|([{}\[\],])|(")', re.DOTALL)
"""A whole text; what gives structure; a text that has not come to its end."""
_ENDS = {b"{": b"}", b"[": b"]"}


class CheckProgress(Struct):
    """What a check has come to.

    `absent`: why there is no document; `came`: what was read of each list; `read` and `refused`: the lists that were
    asked for; `unreadable`: why none of the records of a list can be used; `keys_refused`: the further keys by which
    nothing can be asked; `answered`: a record was asked for, where there is no list; `instead`: where the service was
    found; `heard`: the last good answer, and when it came.
    """

    contract: Contract
    keyed: bool
    base: str
    absent: ShopError | None = None
    came: dict[Resource, Sequence[object]] = field(default_factory=dict[Resource, Sequence[object]])
    read: list[Resource] = field(default_factory=list[Resource])
    refused: dict[Resource, ShopError] = field(default_factory=dict[Resource, ShopError])
    unreadable: dict[Resource, str] = field(default_factory=dict[Resource, str])
    keys_refused: list[KeyRejected] = field(default_factory=list["KeyRejected"])
    answered: bool = False
    instead: str = ""
    heard: tuple[float, Answer] | None = None

    @property
    def accepted(self) -> str:
        """What a good answer says of the key."""
        return "key-accepted" if self.keyed and self.contract.key.place is not KeyPlace.NONE else "key-not-needed"


def why_unreadable(contract: Contract, resource: Resource, values: Sequence[object]) -> str:
    """Why none of these records can be used, in words; empty if one can be, or there is none. An order needs none of
    its fields; but where not one of all orders has any, they are something else."""
    fields, decoded = read_records(contract, resource, values)
    if decoded.records:
        strange = all(_is_other(value, fields.begins(resource)) for value in values)
        return f"{resource.value}: none of the fields of one" if strange else ""
    return next(iter(decoded.set_aside), "")


def _is_other(value: object, known: frozenset[str]) -> bool:
    return bool(value) and isinstance(value, dict) and known.isdisjoint(cast("dict[str, object]", value))


def judge(found: Findings, progress: CheckProgress, plan: str) -> None:
    """All that was not told on the way."""
    _judge_key(found, progress)
    _judge_document(found, progress)
    _judge_operations(found, progress)
    if progress.heard is not None:
        wall, answer = progress.heard
        limits = answer_facts(answer.status, answer.headers.multi_items(), wall=wall).limits
        judge_limits(found, answer, limits.windows, plan)
        judge_clock(found, limits.skew)


def _judge_key(found: Findings, progress: CheckProgress) -> None:
    works = progress.read or progress.answered
    if progress.keys_refused:
        error = progress.keys_refused[0]
        code, same = code_of(error), [one for one in progress.keys_refused if one.code == error.code]
        names = ", ".join(dict.fromkeys(str(one.params.get("key")) for one in same))
        told = {"key": names, **key_names(progress.contract, names)}
        found.bad(About.KEY, f"{code}-for-some" if works else code, error, **told)
    elif works:
        found.good(About.KEY, progress.accepted, **key_places(progress.contract, unless_said=True))
    elif progress.refused and all(isinstance(error, Forbidden) for error in progress.refused.values()):
        found.bad(About.KEY, "forbidden", next(iter(progress.refused.values())))
    elif not progress.refused:
        found.open(About.KEY, "key-untried")


def _judge_document(found: Findings, progress: CheckProgress) -> None:
    if found.has(About.DOCUMENT):
        return
    if progress.read:
        found.good(About.DOCUMENT, "default" if isinstance(progress.absent, NotFound) else "default-unread")
    elif not progress.instead and not found.is_bad(About.KEY):
        error = next(iter(progress.refused.values()), None) or progress.absent or ShopError("no-document")
        code = "no-document" if isinstance(error, NotFound) else code_of(error)
        found.bad(About.DOCUMENT, code, error, url=progress.base)


def _judge_operations(found: Findings, progress: CheckProgress) -> None:
    if progress.instead:
        found.bad(About.OPERATIONS, "base-path", url=progress.instead, given=progress.base)
    elif progress.unreadable:
        lists = tuple(one for one in Resource if one in progress.unreadable)
        found.bad(About.OPERATIONS, "records-unreadable", lists=lists, why=next(iter(progress.unreadable.values())))
    elif progress.read and progress.refused:
        error = next(iter(progress.refused.values()))
        found.bad(About.OPERATIONS, "some-refused", error, **_unread(progress), **_counts(progress))
    elif not progress.contract.operations:
        found.bad(About.OPERATIONS, "operations-unnamed", None, **_counts(progress))
    elif progress.read and (counts := _counts(progress))["alike"]:
        found.bad(About.OPERATIONS, "operations-alike", None, **counts)
    elif progress.read or not progress.refused:
        found.good(About.OPERATIONS, "operations" if progress.read else "operations-untried", **_counts(progress))
    elif not (found.is_bad(About.DOCUMENT) or found.is_bad(About.KEY)):
        error = next(iter(progress.refused.values()))
        code = "lists-not-found" if isinstance(error, NotFound) else code_of(error)
        found.bad(About.OPERATIONS, code, error, url=progress.base)


def _unread(progress: CheckProgress) -> dict[str, object]:
    """The lists that could not be read, by the reason."""
    sorts = {one: _sort_of(error) for one, error in progress.refused.items()}
    return {sort: tuple(one for one in sorts if sorts[one] == sort) for sort in ("absent", "forbidden", "refused")}


def _counts(progress: CheckProgress) -> dict[str, object]:
    operations, survey = progress.contract.operations, progress.contract.survey
    missing = tuple(op.value for op in Op if op not in operations)
    alike = () if survey is None else tuple((one.op.resource.value, one.alike) for one in survey.alike)
    return {"offered": len(operations), "of": len(Op), "missing": missing, "alike": alike}


def _sort_of(error: ShopError) -> str:
    if isinstance(error, NotFound):
        return "absent"
    return "forbidden" if isinstance(error, Forbidden) else "refused"


def judge_limits(found: Findings, answer: Answer, windows: Sequence[WindowFacts], plan: str) -> None:
    """`plan`: what a person said of the limits; then the service need not. `windows`: what the answer says of them."""
    headers = answer.headers.multi_items()
    said = [(name, value) for name, value in headers if "ratelimit" in name.lower().replace("-", "")]
    if not said:
        if plan:
            found.good(About.LIMITS, "limits-by-plan", plan=plan)
        else:
            found.bad(About.LIMITS, "limits-absent")
        return
    resets = any("reset" in name.lower() or "reset" in value.lower() for name, value in said)
    if not windows or any(_is_odd(window, resets) for window in windows):
        shown = log.redact(
            "; ".join(f"{name}: {value}" for name, value in said)
        )  # before it is cut: a name may hold it
        found.bad(About.LIMITS, "limits-odd", header=shown[:_SHOWN] + ("…" if len(shown) > _SHOWN else ""))
        return
    code = "limits-left" if windows[0].limit is None else "limits"
    found.good(About.LIMITS, code, limit=windows[0].limit, remaining=windows[0].remaining)


def _is_odd(window: WindowFacts, resets: bool) -> bool:
    """Whether the program cannot reckon with it."""
    beyond = window.limit is not None and window.remaining is not None and window.remaining > window.limit
    return window.remaining is None or beyond or (resets and window.reset_in is None)


def judge_clock(found: Findings, skew: float | None) -> None:
    """By the answer's Date (RFC 9110, 6.6.1)."""
    if skew is None:
        found.open(About.CLOCK, "clock-unknown")
    elif abs(skew) > SKEW_S:
        found.bad(About.CLOCK, "clock-off", skew=round(skew))
    else:
        found.good(About.CLOCK, "clock", skew=round(skew))


class Beginning(BodyReader):
    """Keeps the first `most` bytes, and then stops the reading (AnswerUnusable `too-large`)."""

    def __init__(self, most: int) -> None:
        self.body = bytearray()
        self._most = most

    async def take(self, piece: bytes) -> None:
        self.body += piece[: self._most - len(self.body) + 1]
        if len(self.body) > self._most:
            raise AnswerUnusable("too-large", cap=self._most)


def read_beginning(resource: Resource, cut: Answer) -> Listing:
    """The list as far as it came. Raises AnswerUnusable where that is no JSON, no list, or one without an object."""
    whole = Answer(cut.status, cut.headers, cut.url, closed(cut.body), cut.links)
    listing = read_listing(resource, json_of(whole))
    if not listing.items or not isinstance(listing.items[0], dict):
        raise AnswerUnusable("not-a-list")
    return listing


def closed(text: bytes) -> bytes:
    """Complete a JSON text that breaks off: cut it after its last whole part and close what is open. Text that is not
    JSON stays invalid."""
    signs = list(takewhile(lambda found: found[2] is None, _SIGN.finditer(text)))
    while signs and signs[-1][1] is None:
        signs.pop()
    open_: list[bytes] = []
    for sign in (found[1] for found in signs if found[1] is not None):
        if sign in _ENDS:
            open_.append(_ENDS[sign])
        elif sign != b",":
            if len(open_) < 2:  # what follows the end of it all must be nothing
                return text
            open_.pop()
    if not open_:
        return text
    end = signs[-1].start() if signs[-1][1] == b"," else signs[-1].end()
    return text[:end] + b"".join(reversed(open_))

"""Is there a service, does it take the key, and what can be done there? A few requests, all of them reads, each through
the gate of that origin; writes are bound, never tried.

Where no document is published, the list of orders tells whether the address is right: it is one of the two operations
that the specification names.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from urllib.parse import urlsplit, urlunsplit

from petstore_desktop.api import address
from petstore_desktop.api.admission import Admission, GateLocked
from petstore_desktop.api.answers import json_of
from petstore_desktop.api.base_paths import candidates, pointed
from petstore_desktop.api.beginning import Beginning, read_beginning
from petstore_desktop.api.client import DOCUMENT_NAMES
from petstore_desktop.api.findings import Findings, code_of, place_of
from petstore_desktop.api.gateway import Gateway, Sending
from petstore_desktop.api.judging import judge_clock, judge_limits
from petstore_desktop.api.listing import read_listing
from petstore_desktop.api.paging import Walk
from petstore_desktop.api.transport import RECORD_CAP, Answer, Request, Taker
from petstore_desktop.contract.load import default, load, parse
from petstore_desktop.contract.model import Contract, KeyPlace, Op, Operation, Verb
from petstore_desktop.contract.servers import base_path
from petstore_desktop.domain.checks import About, Check, Report
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    DocumentUnusable,
    Forbidden,
    Interrupted,
    KeyRejected,
    NotFound,
    RateLimited,
    Refused,
    ServiceFailed,
    ShopError,
    Unreachable,
)
from petstore_desktop.domain.quota import GatePhase, GateView, RequestClass
from petstore_desktop.domain.records import Resource

BUDGET = 6
"""Requests for one check."""
LIST_BYTES = 256 * 1024
"""Of a list so much is read; of one that is longer the beginning is judged."""
_LONG_S = 48 * 3600.0
"""Seconds: nobody who counts requests by the day asks to wait for longer."""
_CLOSED = {GatePhase.PAUSED: "paused", GatePhase.SPENT: "spent", GatePhase.BANNED: "banned"}
_SAYS_NO = (Forbidden, NotFound, Refused, AnswerUnusable, ServiceFailed)
"""The service is there, and says no to this one question."""
_EVERYWHERE = ("html", "redirected", "redirect-circle", "redirect-nowhere", "service-failed")
"""Who answers so to one question does so to the next."""
_CHEAP_FIRST = (Resource.CATEGORIES, Resource.ORDERS, Resource.PETS, Resource.INVENTORY)


@dataclass(frozen=True, slots=True)
class Target:
    """What is known of a connection beforehand.

    `document` brings a chosen one; `bindings` are by hand; `known` is the contract that is in use; `plan`: a person has
    said the limits; `search`: look for the service elsewhere below its origin if it is not where it should be; `proxy`:
    what stands in between, without its password; `ca_file`: a file of certificates that are trusted.
    """

    keyed: bool = True
    document: Callable[[], Awaitable[Learnt]] | None = None
    known: Contract | None = None
    plan: str = ""
    bindings: Mapping[str, object] | None = None
    search: bool = True
    proxy: str = ""
    ca_file: str = ""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What the service offers, and the bytes of its own document, where it has one."""

    contract: Contract
    data: bytes | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """`learnt`: None where nothing was."""

    report: Report
    learnt: Learnt | None = None


class Checkup:
    """One check. The gateway is the caller's to make and to close; `tell` hears each check as it is finished."""

    def __init__(
        self,
        gateway: Gateway,
        admission: Admission,
        wall: Callable[[], float],
        target: Target,
        tell: Callable[[Check], object],
    ) -> None:
        """`wall`: our clock, in UTC epoch seconds."""
        self._gateway, self._admission, self._wall, self._target = gateway, admission, wall, target
        self._found = Findings(expected(target), tell)
        self._left = BUDGET
        self._reached = False
        self._at = About.ADDRESS
        """What is being found out."""
        self._contract = target.known or default(target.bindings)
        gateway.place = self._contract.key
        self._learnt: Learnt | None = None
        self._absent: ShopError | None = None
        """Why there is no document."""
        self._read: list[Resource] = []
        self._refused: dict[Resource, ShopError] = {}
        self._instead = ""
        self._heard: tuple[float, Answer] | None = None
        """The last good answer, and when it came."""

    async def run(self) -> None:
        """Find out. What goes wrong is in the report, never raised as a ShopError."""
        try:
            self._look_at_the_gate()
            await self._read_document()
            await self._read_lists()
            self._judge()
        except ShopError as error:
            self._stopped(error)

    def give_up(self) -> None:
        """It takes too long; perhaps because the gate has closed meanwhile."""
        waits = RateLimited("paused-before", status=self._admission.view.status or 429)
        self._stopped(waits if self._closed() else Interrupted(why="deadline"))

    def checked(self) -> Checked:
        """What was found; what was not is told as not reached."""
        return Checked(Report(self._found.finish(), BUDGET - self._left, self._instead), self._learnt)

    # ------------------------------------------------------------ the document

    async def _read_document(self) -> None:
        self._at = About.DOCUMENT
        if self._target.document is not None:
            self._use(await self._target.document())
            return
        for name in DOCUMENT_NAMES:
            data = await self._published(name)
            if data is not None:
                self._bind(data)
                return
            if code_of(self._absent or ShopError()) in _EVERYWHERE:
                return

    async def _published(self, name: str) -> bytes | None:
        """What lies there, if it is a document."""
        try:
            answer = await self._ask(None, f"{self._gateway.base_url}/{name}", RECORD_CAP)
        except _SAYS_NO as error:
            why: ShopError = error
        else:
            with suppress(DocumentUnusable):
                if {"openapi", "swagger"} & parse(answer.body).keys():
                    return answer.body
            why = AnswerUnusable("no-document", content_type=answer.headers.get("content-type", ""))
        if self._absent is None or isinstance(self._absent, NotFound):
            self._absent = why  # that something is there, and is no document, tells more than that nothing is
        return None

    def _bind(self, data: bytes) -> None:
        try:
            self._use(Learnt(load(data, source="published", bindings=self._target.bindings), data))
        except DocumentUnusable as error:
            self._found.bad(About.DOCUMENT, error.code, error)

    def _use(self, learnt: Learnt) -> None:
        contract = learnt.contract
        self._learnt, self._absent = learnt, None
        if self._target.known is None:
            self._contract = contract
            self._gateway.place = contract.key
        self._found.good(
            About.DOCUMENT, contract.source, title=contract.title, version=contract.version, warnings=contract.warnings
        )

    # ------------------------------------------------------------ the lists

    async def _read_lists(self) -> None:
        self._at = About.OPERATIONS
        if self._absent is None:
            await self._try(self._lists())
        else:
            await self._try((Resource.ORDERS,))
            if self._read or any(isinstance(error, Forbidden) for error in self._refused.values()):
                await self._try(resource for resource in self._lists() if resource is not Resource.ORDERS)
        if not self._read and self._elsewhere():
            await self._search()

    def _lists(self) -> list[Resource]:
        """Those that can be read, the cheapest first."""
        return [resource for resource in _CHEAP_FIRST if self._contract.offers(resource, Verb.LIST)]

    async def _try(self, resources: Iterable[Resource]) -> None:
        """Ask for a little of each, as far as the requests go. One that is not there is taken to mean that none is, if
        it is the first."""
        for resource in resources:
            operation = self._contract.find(resource, Verb.LIST)
            if operation is None or self._left == 0 or (self._read and self._closed()):
                continue
            try:
                await self._list(operation, self._gateway.base_url)
                self._read.append(resource)
            except _SAYS_NO as error:
                self._refused[resource] = error
                if not self._read and not isinstance(error, Forbidden):
                    return

    async def _list(self, operation: Operation, base: str) -> None:
        """Raises what speaks against its being a list."""
        path = base_path(self._contract.servers, base) + operation.path
        url = address.with_query(base + path, Walk(operation).smallest().params)
        came, resource = Beginning(LIST_BYTES), operation.op.resource
        try:
            head = await self._ask(operation.op, url, RECORD_CAP, came)
            answer = replace(head, body=bytes(came.body))
            read_listing(resource, json_of(answer))
        except AnswerUnusable as error:
            if error.code != "too-large" or came.head is None:
                raise
            answer = replace(came.head, body=bytes(came.body))
            read_beginning(resource, answer)
        self._heard = self._wall(), answer

    def _elsewhere(self) -> bool:
        """Whether the service may be somewhere else below this origin."""
        missing = (isinstance(error, NotFound) or code_of(error) == "html" for error in self._refused.values())
        return self._target.search and any(missing)

    async def _search(self) -> None:
        operation = next(
            (found for one in (Resource.ORDERS, *self._lists()) if (found := self._contract.find(one, Verb.LIST))), None
        )
        base = self._gateway.base_url
        for path in candidates(urlsplit(base).path, self._contract.servers, address.origin_text(base)):
            if operation is None or self._left == 0 or self._closed():
                return
            other = urlunsplit((*urlsplit(base)[:2], path, "", ""))
            try:
                await self._list(operation, other)
                self._found.good(About.KEY, self._accepted())
            except KeyRejected as error:  # who asks for a key there has something there
                self._admission.key_changed()  # a guess of ours must not lock those who share this gate
                self._found.bad(About.KEY, "key-rejected" if self._target.keyed else "key-wanted", error)
            except _SAYS_NO:
                continue
            self._instead = other
            return

    # ------------------------------------------------------------ asking

    async def _ask(self, op: Op | None, url: str, cap: int, taker: Taker | None = None) -> Answer:
        self._look_at_the_gate()
        self._left -= 1
        try:
            request = Request("GET", url, cap=cap, taker=taker)
            answer = await self._gateway.send(op, request, Sending(RequestClass.PERSON))
        except ShopError as error:
            if error.code == "redirected":
                error.params.update(pointed(self._gateway.base_url, url, str(error.params.get("target") or "")))
            if not isinstance(error, Unreachable | GateLocked):
                self._is_there()
            raise
        self._is_there()
        return answer

    def _closed(self) -> str:
        return _CLOSED.get(self._admission.view.phase, "")

    def _look_at_the_gate(self) -> None:
        """A pause would be waited for as long as the service said, and nobody watches a check for that long."""
        view: GateView = self._admission.view
        if self._closed():
            raise RateLimited("paused-before", status=view.status or 429, message=view.reason or "")

    def _is_there(self) -> None:
        if self._reached:
            return
        self._reached = True
        base, target = self._gateway.base_url, self._target
        self._found.good(About.ADDRESS, "address", url=base)
        self._found.good(About.PROXY, "proxy-passes", proxy=target.proxy)
        if urlsplit(base).scheme == "http":
            self._found.good(About.TLS, "tls-not-needed")
        else:
            self._found.good(About.TLS, "tls-by-file" if target.ca_file else "tls", file=target.ca_file)

    # ------------------------------------------------------------ what it means

    def _stopped(self, error: ShopError) -> None:
        """Nothing more can be asked."""
        if isinstance(error, RateLimited):
            view = self._admission.view
            code = self._closed() or "paused"
            about = About.KEY if code == "banned" else About.LIMITS
            if code == "paused" and view.until is not None and view.until - self._wall() > _LONG_S:
                code = "paused-long"
            self._found.bad(about, code, error, until=view.until, message=view.reason or error.message)
        elif isinstance(error, KeyRejected):
            self._found.bad(About.KEY, "key-rejected" if self._target.keyed else "key-wanted", error)
        elif isinstance(error, Unreachable) and not self._reached:
            about = place_of(error)
            host = error.params.get("host") or urlsplit(self._gateway.base_url).netloc
            if about is not About.ADDRESS:
                self._found.open(About.ADDRESS, "address-untried", url=self._gateway.base_url)
            self._found.bad(about, code_of(error), error, host=host, proxy=self._target.proxy)
        else:
            self._found.bad(self._at, code_of(error), error)

    def _judge(self) -> None:
        self._judge_key()
        self._judge_document()
        self._judge_operations()
        if self._heard is not None:
            wall, answer = self._heard
            judge_limits(self._found, answer, wall, self._target.plan)
            judge_clock(self._found, answer, wall)

    def _judge_key(self) -> None:
        if self._read:
            self._found.good(About.KEY, self._accepted())
        elif self._refused and all(isinstance(error, Forbidden) for error in self._refused.values()):
            self._found.bad(About.KEY, "forbidden", next(iter(self._refused.values())))
        elif not self._refused:
            self._found.open(About.KEY, "key-untried")

    def _accepted(self) -> str:
        wanted = self._gateway.place.place is not KeyPlace.NONE
        return "key-accepted" if self._target.keyed and wanted else "key-not-needed"

    def _judge_document(self) -> None:
        if self._found.has(About.DOCUMENT):
            return
        if self._read:
            self._learnt = Learnt(self._contract)
            self._found.good(About.DOCUMENT, "default" if isinstance(self._absent, NotFound) else "default-unread")
        elif not self._instead and not self._found.is_bad(About.KEY):
            error = next(iter(self._refused.values()), self._absent or ShopError("no-document"))
            code = "no-document" if isinstance(error, NotFound) else code_of(error)
            self._found.bad(About.DOCUMENT, code, error, url=self._gateway.base_url)

    def _judge_operations(self) -> None:
        if self._instead:
            self._found.bad(About.OPERATIONS, "base-path", url=self._instead, given=self._gateway.base_url)
        elif self._read and self._refused:
            error = next(iter(self._refused.values()))
            self._found.bad(About.OPERATIONS, "some-refused", error, **self._unread(), **self._counts())
        elif self._read or not self._refused:
            code = "operations" if self._read else "operations-untried"
            self._found.good(About.OPERATIONS, code, **self._counts())
        elif not (self._found.is_bad(About.DOCUMENT) or self._found.is_bad(About.KEY)):
            error = next(iter(self._refused.values()))
            code = "lists-not-found" if isinstance(error, NotFound) else code_of(error)
            self._found.bad(About.OPERATIONS, code, error, url=self._gateway.base_url)

    def _unread(self) -> dict[str, object]:
        """The lists that could not be read, by the reason."""
        sorts = {one: _sort_of(error) for one, error in self._refused.items()}
        return {sort: tuple(one for one in sorts if sorts[one] == sort) for sort in ("absent", "forbidden", "refused")}

    def _counts(self) -> dict[str, object]:
        operations = self._contract.operations
        missing = tuple(op.value for op in Op if op not in operations)
        return {"offered": len(operations), "of": len(Op), "missing": missing}


def _sort_of(error: ShopError) -> str:
    if isinstance(error, NotFound):
        return "absent"
    return "forbidden" if isinstance(error, Forbidden) else "refused"


def expected(target: Target) -> tuple[About, ...]:
    """What is checked."""
    return tuple(about for about in About if about is not About.PROXY or target.proxy)

"""Is there a service, does it take the key, and what can be done there? A few requests, all of them reads, each through
the gate of that origin; writes are bound, never tried.

Where no document is published, the list of orders tells whether the address is right, which is one of the two
operations that the specification names; where there is none, that of pets does.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import cast
from urllib.parse import urlsplit, urlunsplit

from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.api import address
from petstore_desktop.api.check import other_keys
from petstore_desktop.api.check.base_paths import candidates, pointed
from petstore_desktop.api.check.findings import Findings, Wanted, code_of, place_of
from petstore_desktop.api.check.header_checks import Beginning, CheckProgress, judge, read_beginning, why_unreadable
from petstore_desktop.api.check.samples import CATEGORIES, PETS, sample_of
from petstore_desktop.api.client import is_document_of
from petstore_desktop.api.gate.model import MAIN
from petstore_desktop.api.gate.unauthorized import GateLocked
from petstore_desktop.api.http.body import RECORD_CAP
from petstore_desktop.api.http.error_responses import document_error, json_of
from petstore_desktop.api.http.gateway import Gateway, Sending
from petstore_desktop.api.http.transport import Answer, BodyReader, Request
from petstore_desktop.api.lists.envelope import read_listing
from petstore_desktop.api.lists.paging import PageRequest, PageWalk
from petstore_desktop.contract.binding.comparing import compared
from petstore_desktop.contract.binding.load import default, load
from petstore_desktop.contract.binding.servers import root_of
from petstore_desktop.contract.model import FROM_PROFILE, Contract, KeyPlace, Operation
from petstore_desktop.contract.operations import Op, Verb
from petstore_desktop.domain.checks import About, Check, CheckReport
from petstore_desktop.domain.commands import ServiceKey, ServiceValue
from petstore_desktop.domain.errors import (
    AnswerUnusable,
    DocumentUnusable,
    Forbidden,
    Interrupted,
    KeyRejected,
    NotFound,
    RateLimited,
    ShopError,
    Unreachable,
)
from petstore_desktop.domain.quota import TOO_MANY_REQUESTS, GatePhase, GateView, RequestClass
from petstore_desktop.domain.records import Resource
from petstore_desktop.off_loop import off_loop

BUDGET = 5
"""Requests for one check, besides those that look for the document (`Gateway.places_for_document`)."""
LIST_BYTES = 256 * 1024
"""How much of a list is read; of a longer one the beginning is judged."""
_LONG_S = 48 * 3600.0
"""Seconds: a service that counts requests by the day does not ask to wait for longer."""
_CLOSED = {GatePhase.PAUSED: "paused", GatePhase.SPENT: "spent", GatePhase.BANNED: "banned"}
_GUESS = "guess"
"""Stands in for the security scheme where the service is only guessed to be: a refusal there locks nothing else."""
_PUBLISHED = "published"
"""Stands for that of documents which the service publishes."""
_EVERYWHERE = ("html", "redirected", "redirect-circle", "redirect-nowhere", "service-failed")
"""Who answers so to one question does so to the next."""
_WANTED = {Resource.PETS: PETS, Resource.CATEGORIES: CATEGORIES, Resource.ORDERS: 1, Resource.INVENTORY: 1}
"""How many records are asked for."""
_KNOWN_BY = (Resource.ORDERS, Resource.PETS)
"""Where no document is published, one of these lists tells whether the address is right."""
_CHEAP_FIRST = (Resource.CATEGORIES, Resource.ORDERS, Resource.PETS, Resource.INVENTORY)


class Learnt(Struct, frozen=True):
    """What the service offers, and the bytes of its own document, where it has one."""

    contract: Contract
    data: bytes | None = None


class CheckResult(Struct, frozen=True):
    """`learnt`: None where nothing was."""

    report: CheckReport
    learnt: Learnt | None = None


class ServiceCheck:
    """One check. The gateway is the caller's to make and to close; `tell` hears each check as it is finished."""

    def __init__(
        self,
        gateway: Gateway,
        wanted: Wanted,
        document: Callable[[], Awaitable[Learnt]] | None,
        proxy: str,
        tell: Callable[[Check], object],
    ) -> None:
        """`document` fetches the chosen one, if any; `proxy`: what stands in between, without its password."""
        self._gateway, self._admission, self._wanted = gateway, gateway.admission, wanted
        self._document, self._proxy = document, proxy
        self._found = Findings(tell, proxied=bool(proxy), encrypted=urlsplit(gateway.base_url).scheme != "http")
        self._left, self._sent = BUDGET, 0
        self._reached = False
        self._at = About.ADDRESS
        """What the present step is about."""
        self._progress = CheckProgress(wanted.known or default(wanted.bindings), bool(wanted.key), gateway.base_url)
        gateway.use_contract(self._progress.contract)
        self._learnt: Learnt | None = None
        self._values: tuple[ServiceValue, ...] = ()
        self._keys: tuple[ServiceKey, ...] = ()

    async def run(self) -> None:
        """Find out, step by step; each says what it has found, and True where that is all. What goes wrong is in the
        report, never raised as a ShopError."""
        steps = (
            (About.ADDRESS, self._look_at_the_gate),
            (About.DOCUMENT, self._read_document),
            (About.KEY, self._need_a_key),
            (About.OPERATIONS, self._read_lists),
            (About.OPERATIONS, self._search),
            (About.OPERATIONS, self._ask_anything),
            (About.OPERATIONS, self._judge),
        )
        try:
            for self._at, step in steps:
                if await step():
                    break
        except ShopError as error:
            self._stopped(error)

    def give_up(self) -> None:
        """It takes too long; perhaps because the gate has closed meanwhile."""
        waits = RateLimited("paused-before", status=self._admission.view.status or TOO_MANY_REQUESTS)
        self._stopped(waits if self._closed() else Interrupted(why="deadline"))

    def checked(self) -> CheckResult:
        """The findings; subjects that were not checked are reported as not reached."""
        progress, url = self._progress, self._gateway.base_url
        if progress.read or progress.answered:
            self._found.good(About.ADDRESS, "address", url=url)
        elif self._reached:
            self._found.open(About.ADDRESS, "address-empty", url=url)
        if self._learnt is None and progress.absent is not None and progress.read:
            self._learnt = Learnt(progress.contract)
        contract = self._offered
        sample = sample_of(contract, progress.came)
        checks, values = self._found.finish(), contract.values or self._values
        asked = self._keys or contract.keys, values
        return CheckResult(CheckReport(checks, self._sent, progress.instead, sample, *asked), self._learnt)

    @property
    def _offered(self) -> Contract:
        """What the service offers, as far as it is known by now."""
        return self._progress.contract if self._learnt is None else self._learnt.contract

    # ------------------------------------------------------------ the document

    async def _read_document(self) -> None:
        if self._document is not None:
            learnt = await self._document()
            if learnt.contract.source == FROM_PROFILE:
                if self._wanted.known is None:  # the key goes where the profile says
                    self._gateway.use_contract(other_keys.with_key_left(learnt.contract, self._wanted))
                learnt = replace(learnt, contract=await self._compared(learnt.contract))
            self._use(learnt)
            return
        base, bindings = self._gateway.base_url, self._wanted.bindings
        for url in self._gateway.places_for_document():
            try:
                data = await self._published(url)
                if data is not None:
                    read = partial(load, data, source="published", bindings=bindings, address=base, place=url)
                    self._use(Learnt(await off_loop(read, "document"), data))
                    return
            except DocumentUnusable as error:
                if error.code in ("document-place", "document-values"):
                    raise  # it is the right service, of which something has to be said
                self._progress.absent = None
                self._found.bad(About.DOCUMENT, error.code, error)
                return
            if code_of(self._progress.absent or ShopError()) in _EVERYWHERE:
                return

    async def _compared(self, profile: Contract) -> Contract:
        """The profile with what the service's own document says otherwise, where it publishes one."""
        for url in self._gateway.places_for_document():
            with suppress(DocumentUnusable):
                data = await self._published(url)
                if data is not None:
                    work = partial(compared, profile, data, self._gateway.base_url, url)
                    return await off_loop(work, "document")
            if code_of(self._progress.absent or ShopError()) in _EVERYWHERE:
                break
        return profile

    async def _published(self, url: str) -> bytes | None:
        """What lies there, if it is a document. Raises DocumentUnusable where it is too large."""
        try:
            answer = await self._ask(None, url, RECORD_CAP, scheme=_PUBLISHED)
        except (*other_keys.SAYS_NO, KeyRejected) as error:
            if error.code == "too-large":
                raise document_error(error, url) from error
            why: ShopError = error
        else:
            with suppress(DocumentUnusable):
                if await is_document_of(answer.body, url, self._gateway.base_url):
                    return answer.body
            why = AnswerUnusable("no-document", content_type=answer.headers.get("content-type", ""))
        if self._progress.absent is None or isinstance(self._progress.absent, NotFound):
            self._progress.absent = why  # that something is there, and is no document, tells more than that nothing is
        return None

    def _use(self, learnt: Learnt) -> None:
        contract = other_keys.with_key_left(learnt.contract, self._wanted)
        self._learnt, self._progress.absent = replace(learnt, contract=contract), None
        if self._wanted.known is None:
            self._progress.contract = contract
            self._gateway.use_contract(contract)
        differs = contract.source == FROM_PROFILE and contract.warnings
        self._found.good(
            About.DOCUMENT,
            "profile-differs" if differs else contract.source,
            title=contract.title,
            version=contract.version,
            warnings=contract.warnings,
            differences=contract.warnings if differs else (),
        )

    async def _need_a_key(self) -> bool:
        """Without a key nothing more is asked, unless none is wanted."""
        missing = None if self._offered.key.place is KeyPlace.NONE else self._wanted.missing
        if missing is not None:
            self._found.bad(About.KEY, missing.code, missing)
        return missing is not None

    # ------------------------------------------------------------ the lists

    async def _read_lists(self) -> None:
        if self._progress.absent is None:
            await self._try(self._lists())
        else:
            for first in _KNOWN_BY:
                if not self._is_found():
                    await self._try((first,))
            if self._is_found():
                asked = {*self._progress.read, *self._progress.refused}
                await self._try(resource for resource in self._lists() if resource not in asked)

    def _is_found(self) -> bool:
        """Whether a list tells that the service is at this address."""
        refusals = self._progress.refused.values()
        return bool(self._progress.read) or any(isinstance(error, Forbidden) for error in refusals)

    def _lists(self) -> list[Resource]:
        """Those that can be read, the cheapest first."""
        contract = self._progress.contract
        return [one for one in _CHEAP_FIRST if contract.offers(one, Verb.LIST) and not contract.is_gathered(one)]

    async def _try(self, resources: Iterable[Resource]) -> None:
        """Ask for a little of each, as far as the requests go. One that is not there is taken to mean that none is, if
        it is the first."""
        for resource in resources:
            operation = self._progress.contract.find(resource, Verb.LIST)
            if operation is None or self._left == 0 or (self._progress.read and self._closed()):
                continue
            try:
                await self._look_into(operation)
            except other_keys.SAYS_NO as error:
                self._progress.refused[resource] = error
                if not self._progress.read and not isinstance(error, Forbidden):
                    return
            except KeyRejected as error:
                if not error.params.get("key"):
                    raise
                self._progress.keys_refused.append(error)  # others have other keys

    async def _look_into(self, operation: Operation) -> None:
        """Read a little of a list; more of it where what came cannot be used, which may be one bad record."""
        resource, walk = operation.op.resource, PageWalk(operation)
        why = await self._first(operation, walk.smallest(_WANTED[resource]))
        self._progress.read.append(resource)
        if why and self._left > 0:
            with suppress(*other_keys.SAYS_NO):
                why = await self._list(operation, self._gateway.base_url, walk.first(None))
        if why:
            self._progress.unreadable[resource] = why

    async def _first(self, operation: Operation, ask: PageRequest) -> str:
        """`_list`; the first that is read also with the key in the other places that the document has for one."""
        before, read = self._progress.contract, partial(self._list, operation, self._gateway.base_url, ask)
        try:
            return await read()
        except (KeyRejected, Forbidden) as error:
            others = () if self._progress.read else other_keys.other_places(self._wanted, before, operation.op, error)
            why = await other_keys.read_with_first(others[: self._left], self._use_keys_of, read)
            if why is None:
                self._use_keys_of(before, unlock=bool(others) and isinstance(error, Forbidden))
                raise
            return why

    def _use_keys_of(self, contract: Contract, *, unlock: bool = True) -> None:
        if unlock:
            self._admission.unlock()
        self._progress.contract = contract
        self._gateway.use_contract(contract)
        self._learnt = self._learnt and replace(self._learnt, contract=contract)

    async def _list(self, operation: Operation, base: str, ask: PageRequest) -> str:
        """Why none of the records can be used, if there are any. Raises what speaks against its being a list."""
        below = root_of(self._progress.contract, base, operation)
        url = address.with_query(below + operation.path, {**operation.always_query, **ask.params})
        came, resource = Beginning(LIST_BYTES), operation.op.resource
        try:
            scheme = MAIN if base == self._gateway.base_url else _GUESS
            head = await self._ask(operation.op, url, RECORD_CAP, came, scheme)
            answer = replace(head, body=bytes(came.body))
            items = read_listing(resource, json_of(answer)).items
        except AnswerUnusable as error:
            if error.code != "too-large" or came.head is None:
                raise
            answer = replace(came.head, body=bytes(came.body))
            items = read_beginning(resource, answer).items[:-1]  # the last one may be cut
        self._progress.heard = self._gateway.clock.now().wall, answer
        self._progress.came[resource] = items
        return why_unreadable(self._progress.contract, resource, items)

    async def _ask_anything(self) -> None:
        """Where there is no list, one record, or the address itself: whether there is a service is never assumed."""
        if self._progress.read or self._progress.refused or self._left == 0:
            return
        contract = self._progress.contract
        found = next((one for resource in Resource if (one := contract.find(resource, Verb.READ))), None)
        if found is None and self._reached:
            return  # it has its document from there
        below = root_of(contract, self._gateway.base_url, found)
        try:
            url = below if found is None else below + address.fill(found.path, 1)  # that there is none is an answer too
            answer = await self._ask(None if found is None else found.op, url, RECORD_CAP)
            self._progress.heard = self._gateway.clock.now().wall, answer
        except other_keys.SAYS_NO as error:
            if found is not None and code_of(error) in _EVERYWHERE:
                raise
        self._progress.answered = found is not None

    def _elsewhere(self) -> bool:
        """Whether the service may be somewhere else below this origin."""
        missing = (isinstance(error, NotFound) or code_of(error) == "html" for error in self._progress.refused.values())
        return self._wanted.search and any(missing)

    async def _search(self) -> None:
        if self._progress.read or not self._elsewhere():
            return
        lists = (self._progress.contract.find(each, Verb.LIST) for each in (Resource.ORDERS, *self._lists()))
        operation = next(filter(None, lists), None)
        base = self._gateway.base_url
        for path in candidates(urlsplit(base).path, self._progress.contract.servers, address.origin_text(base)):
            if operation is None or self._left == 0 or self._closed():
                return
            other = urlunsplit((*urlsplit(base)[:2], path, "", ""))
            try:
                await self._list(operation, other, PageWalk(operation).smallest())
                accepted = self._progress.accepted
                there = "key-accepted-elsewhere" if accepted == "key-accepted" else accepted
                self._found.good(About.KEY, there, url=other)
            except KeyRejected as error:  # who asks for a key there has something there
                self._found.bad(About.KEY, "key-rejected" if self._wanted.key else "key-wanted", error)
            except other_keys.SAYS_NO:
                continue
            self._progress.instead = other
            return

    # ------------------------------------------------------------ asking

    async def _ask(
        self, op: Op | None, url: str, cap: int, reader: BodyReader | None = None, scheme: str = MAIN
    ) -> Answer:
        await self._look_at_the_gate()
        self._sent += 1
        self._left -= op is not None
        try:
            request = Request("GET", url, self._headers(op), cap=cap, reader=reader)
            sending = Sending(RequestClass.PERSON, scheme=scheme)
            if scheme == _PUBLISHED:
                answer = await self._gateway.send_for_document(request, sending)
            else:
                answer = await self._gateway.send(op, request, sending)
        except ShopError as error:
            if error.code == "redirected":
                error.params.update(pointed(self._gateway.base_url, url, str(error.params.get("target") or "")))
            if not isinstance(error, Unreachable | GateLocked):
                self._is_there(not isinstance(error, NotFound) and url.startswith(self._gateway.base_url))
            raise
        page = "html" in answer.headers.get("content-type", "")
        self._is_there(not page and url.startswith(self._gateway.base_url))
        return answer

    def _headers(self, op: Op | None) -> Mapping[str, str]:
        operation = self._progress.contract.operations.get(op) if op else None
        return operation.always_headers if operation else dict[str, str]()

    def _closed(self) -> str:
        return _CLOSED.get(self._admission.view.phase, "")

    async def _look_at_the_gate(self) -> None:
        """A pause would be waited for as long as the service said, which is longer than a person watches a check."""
        view: GateView = self._admission.view
        if self._closed():
            raise RateLimited("paused-before", status=view.status or TOO_MANY_REQUESTS, message=view.reason or "")

    def _is_there(self, as_service: bool) -> None:
        """Something answered. `as_service`: as the service at this address may; "not found" and a page do not."""
        base, ca_file = self._gateway.base_url, self._wanted.ca_file or ""
        if as_service:
            self._found.good(About.ADDRESS, "address", url=base)
        if self._reached:
            return
        self._reached = True
        self._found.good(About.PROXY, "proxy-passes", proxy=self._proxy)
        self._found.good(About.TLS, "tls-by-file" if ca_file else "tls", file=ca_file)

    # ------------------------------------------------------------ what it means

    async def _judge(self) -> None:
        self._progress.keys_refused += filter(None, map(self._admission.locked, self._admission.missing))
        judge(self._found, self._progress, self._wanted.plan)

    def _stopped(self, error: ShopError) -> None:
        """Nothing more can be asked."""
        self._values = cast("tuple[ServiceValue, ...]", error.params.get("values") or ())
        self._keys = cast("tuple[ServiceKey, ...]", error.params.get("keys") or ())
        other_keys.tell_lacking(self._found, self._keys, self._wanted)
        if isinstance(error, RateLimited):
            view = self._admission.view
            code = self._closed() or "paused"
            about = About.KEY if code == "banned" else About.LIMITS
            if code == "paused" and view.until is not None and view.until - self._gateway.clock.now().wall > _LONG_S:
                code = "paused-long"
            self._found.bad(about, code, error, until=view.until, message=view.reason or error.message)
        elif isinstance(error, KeyRejected):
            told = {**other_keys.key_places(self._progress.contract), "documented": self._learnt is not None}
            self._found.bad(About.KEY, code_of(error) if self._wanted.key else "key-wanted", error, **told)
        elif isinstance(error, Unreachable) and not self._reached:
            about = place_of(error)
            if about is not About.ADDRESS:
                self._found.open(About.ADDRESS, "address-untried", url=self._gateway.base_url)
            self._found.bad(about, code_of(error), error, host=self._host(error), proxy=self._proxy)
        else:
            self._found.bad(self._at, code_of(error), error, host=self._host(error))

    def _host(self, error: ShopError) -> object:
        return error.params.get("host") or urlsplit(self._gateway.base_url).netloc

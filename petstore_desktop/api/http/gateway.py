"""The one way out: every request to the service waits here for the gate, gets its key, and its answer is judged."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeAlias
from uuid import NAMESPACE_URL, uuid5

import httpx
from msgspec import Struct
from msgspec.structs import replace

from petstore_desktop.api import address
from petstore_desktop.api.gate.admission import Admission, Ticket
from petstore_desktop.api.gate.answers import FORBIDDEN, is_limit, may_wait_in_body
from petstore_desktop.api.gate.model import DOCUMENT, MAIN
from petstore_desktop.api.headers.limit_headers import answer_facts
from petstore_desktop.api.http.connection_errors import reason_of
from petstore_desktop.api.http.deprecation import Notices
from petstore_desktop.api.http.error_responses import Words, doubt_of, error_of, naming, raw_text, waits_of, words_of
from petstore_desktop.api.http.secret import Secret, redact
from petstore_desktop.api.http.transport import DEADLINE_S, Answer, Exchange, GateShut, LookTooOld, Request, Transport
from petstore_desktop.clock import Clock
from petstore_desktop.contract.binding.places import OF_SPRING, document_places
from petstore_desktop.contract.model import Contract, KeyPlace
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import AnswerUnusable, Interrupted, KeyRejected, RateLimited, Unreachable
from petstore_desktop.domain.quota import TOO_MANY_REQUESTS, GatePhase, RequestClass, SentRequest

_Ended: TypeAlias = Callable[[int | None, BaseException | None], None]
"""Takes the status, and why no answer, or not the whole of it, came."""
PATH_CHARACTERS = 200
COOKIE = "Cookie"
_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_MOST_REFUSED = 2
"""Places of a document that refuse who comes without a key, after which the others are not asked."""
_NOT_THERE = (404, 410)
"""What says that there is no such record, as good an answer to a look as the record."""


class Sending(Struct, frozen=True):
    """How one request is to leave.

    `ticket`: the gate's admission, if the caller has it already; it ends with the answer, unless `more` says that it is
    good for another request. `on_start` is called right before the request leaves, after any waiting; `stored` when the
    answer comes from a cache, which kept it for so many seconds, before what it shows is taken. `retry`: the same
    came to nothing before; the gateway itself repeats nothing that may have left. `scheme`: the security scheme, where
    it is not that of the operation. `in_time` is asked right before the first byte, when there is a connection: where
    it says no, nothing leaves, and LookTooOld is raised. `act` names the act of a person that a write carries out.
    `keyless`: the gate's key does not go along.
    """

    cls: RequestClass
    ticket: Ticket | None = None
    more: bool = False
    on_start: Callable[[], object] = lambda: None
    stored: Callable[[float], object] = lambda _: None
    retry: bool = False
    scheme: str = MAIN
    in_time: Callable[[], bool] = lambda: True
    act: str = ""
    keyless: bool = False


class Gateway:
    """Sends for one service with one key. `requests` counts what has left, answered or not; `tell_sent` hears of each
    of these once, when it has ended; `ca_file` holds certificates that are trusted beside the system's (see
    `certificates.trust`). Belongs to one asyncio loop."""

    def __init__(
        self,
        base_url: str,
        key: str | None,
        admission: Admission,
        clock: Clock,
        user_agent: str,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        deadline_s: float = DEADLINE_S,
        tell_sent: Callable[[SentRequest], object] = lambda _: None,
        ca_file: str | None = None,
    ) -> None:
        """Raise BadInput for an address that may not be used (see `address.clean_base_url`) or an unusable key."""
        self.base_url = address.clean_base_url(base_url)
        self._contract = Contract({})
        self.notices = Notices()
        self.requests = 0
        self.admission = admission
        self.clock = clock
        self._secret, self._further = Secret.of(key), dict[str, Secret]()
        self._entered: Mapping[str, str] = {}
        self._tell_sent = tell_sent
        self._documents_keyless = False
        self._keyless_refused = 0
        """The service has refused the key for a document: the next ones are asked for without it."""
        self._half_used = 0
        """The number of the last ticket that was to serve another request."""
        self._transport = Transport(self.base_url, user_agent, transport, deadline_s, ca_file)

    def hear_silence(self, tell: Callable[[bool], object]) -> None:
        """Tell this when a request is without an answer for some seconds (see `Transport.tell_silent`)."""
        self._transport.tell_silent = tell

    def use_key(self, key: str | None) -> None:
        """Send this key from now on; the caller sees to it that the admission is at that key's gate."""
        self._secret, self._documents_keyless = Secret.of(key), False
        self._mask_all()

    def use_keys(self, key: str, further: Mapping[str, str]) -> bool:
        """Send this main key ("": as before), and these beside it; whether there is a main one."""
        if key:
            self.use_key(key)
        self.use_further(further)
        return self._secret is not None

    def use_further(self, keys: Mapping[str, str]) -> None:
        """Send these keys beside it from now on, by their security schemes. Raises BadInput for one that cannot be
        sent."""
        self._entered = keys
        self._name_further()

    def _name_further(self) -> None:
        named = self._contract.named_keys(self._entered)
        self._further = {scheme: Secret(key.strip()) for scheme, key in named.items()}
        self._mask_all()
        self._note_missing()

    def _mask_all(self) -> None:
        if self._secret is not None:
            self._secret.beside = tuple(self._further.values())

    def use_contract(self, contract: Contract) -> None:
        """Send the keys where this contract puts them, and know which operations have a security scheme of their
        own."""
        self._contract = contract
        self._name_further()

    def _note_missing(self) -> None:
        """What wants a key that nobody has entered does not leave."""
        contract, missing = self._contract, dict[str, str]()
        wanted = {operation.scheme: operation.key for operation in contract.asked if operation.key}
        for scheme, places in {MAIN: contract.beside, **wanted}.items():
            lacking = [place.scheme for place in places if place.scheme and place.scheme not in self._further]
            missing.update({scheme: ", ".join(lacking)} if lacking else {})
        self.admission.missing = missing

    def cancel_in_flight(self) -> None:
        """Give up on all that is on the wire; each such call raises Interrupted."""
        self._transport.cancel_in_flight()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()

    def without_key(self, url: str) -> str:
        """An address as it may be kept: without the parameters that carry keys."""
        for name in dict.fromkeys(place.name for place in self._contract.places if place.place is KeyPlace.QUERY):
            url = address.without_query(url, name)
        return url

    def _with_keys(self, op: Op | None, request: Request) -> Request:
        """The request as it leaves. A next address of an earlier walk may be of another service: checked here, once."""
        if address.origin_of(request.url) != address.origin_of(self.base_url):
            raise Unreachable("another-origin")
        for place in self._contract.sent(op):
            secret = self._further.get(place.scheme) if place.scheme else self._secret
            if secret is None or place.place is KeyPlace.NONE:
                continue
            key = {place.name: secret.value_for(place)}
            if place.place is KeyPlace.QUERY:
                request = replace(request, url=address.with_query(request.url, key))
            elif place.name == COOKIE and COOKIE in request.headers:
                both = f"{request.headers[COOKIE]}; {key[COOKIE]}"
                request = replace(request, headers={**request.headers, COOKIE: both})
            else:
                request = replace(request, headers={**request.headers, **key})
        return request

    async def send(self, op: Op | None, request: Request, sending: Sending) -> Answer:
        """Wait for the gate, send, tell the gate, and raise what the answer stands for."""
        operation = self._contract.operation(op)
        if operation is not None and sending.scheme == MAIN:
            sending = replace(sending, scheme=operation.scheme)
        further = operation is not None and any(place.scheme for place in operation.key or ())
        request = _told_apart(request, sending.act)
        with naming(op), naming_key(sending.scheme if further else ""):
            answer, limited = await self._admitted(op, request, sending)
            error = error_of(answer, op, self._secret, limited=limited) or answer.failure
            error = self.notices.hear(op, request.url, answer, error, self.clock.now().wall)
            if request.method in _WRITES:
                error = doubt_of(request.method, answer, error, self._secret) or error
            if error is not None:
                raise error
            return answer

    async def send_for_document(self, request: Request, sending: Sending) -> Answer:
        """Ask for a document. Most are for everybody: where the key is refused, that says nothing of anything else, and
        it is asked for without one. Raises what `send` raises."""
        sending = replace(sending, scheme=f"{DOCUMENT} {request.url}")
        if self._secret is not None and self.admission.locked() is None and not self._documents_keyless:
            try:
                return await self.send(None, request, sending)
            except KeyRejected:
                self._documents_keyless = True
        try:
            keyless = self._secret is not None or bool(self._further)
            return await self.send(None, request, replace(sending, scheme=f"{sending.scheme} keyless", keyless=keyless))
        except KeyRejected:
            self._keyless_refused += 1
            raise

    def places_for_document(self) -> Iterator[str]:
        """Where to ask for the document, the likeliest place first. After two that want a key which is not taken there
        only those of Spring Security follow: it alone wants one where nothing lies, and shows its document all the
        same; others may lock out who comes without a key."""
        self._keyless_refused = 0
        for url in document_places(self.base_url):
            if self._keyless_refused < _MOST_REFUSED or url.endswith(f"/{OF_SPRING}"):
                yield url

    async def _admitted(self, op: Op | None, request: Request, sending: Sending) -> tuple[Answer, bool]:
        """The answer, and whether the gate takes it for a limit or a ban."""
        began = self.clock.now().steady
        while True:
            ticket = sending.ticket or await self.admission.admit(
                sending.cls,
                write=request.method in _WRITES,
                idempotent=request.method != "POST",
                retry=sending.retry,
                scheme=sending.scheme,
                place=self.place_of(request),
            )
            try:
                return await self._exchange(op, request, ticket, sending, began)
            except GateShut:
                # The gate closed while the connection was being made. Back into the queue, if it is ours to do so.
                if sending.ticket is not None:
                    raise RateLimited("gate-shut", status=TOO_MANY_REQUESTS) from None

    async def _exchange(
        self, op: Op | None, request: Request, ticket: Ticket, sending: Sending, began: float
    ) -> tuple[Answer, bool]:
        """`began`: steady second at which the caller began to wait."""
        exchange = Exchange(may_send=lambda: self._may_send(ticket, sending), tell_stored=sending.stored)
        ended: _Ended | None = None
        try:
            if (rejected := self.admission.locked(sending.scheme)) is not None:
                raise rejected  # the ticket may have been got for what has another scheme
            if not exchange.may_send():
                raise GateShut
            keyed = request if sending.keyless else self._with_keys(op, request)
            sending.on_start()
            ended = self._leaving(request, ticket, sending, began)
            answer = await self._transport.send(keyed, exchange)
        except BaseException as error:  # not made, broken, or cancelled by the caller
            self._failed(ticket, exchange, ended, error, request, sending)
            raise
        cut = isinstance(answer.failure, Interrupted) and not exchange.cancelled
        limited = self._tell_gate(ticket, answer, request, sending, more=sending.more, cut=cut)
        ended(answer.status, answer.failure)
        return answer, limited

    def _may_send(self, ticket: Ticket, sending: Sending) -> bool:
        if not sending.in_time():
            raise LookTooOld
        return self.admission.may_send(ticket)

    def _leaving(self, request: Request, ticket: Ticket, sending: Sending, began: float) -> _Ended:
        """Begin the record of a request; returns what completes and tells it. The second request of a ticket has not
        waited."""
        now = self.clock.now()
        asked = now.steady if ticket.number == self._half_used else min(began, ticket.asked)
        if sending.more:
            self._half_used = ticket.number
        path = path_of(self.base_url, self.without_key(request.url), self._secret)
        waited = max(0.0, now.steady - asked)
        record = SentRequest(now.wall, sending.cls, request.method, path, None, waited, probe=ticket.probe)

        def ended(status: int | None, error: BaseException | None) -> None:
            self.requests += 1
            took = max(0.0, self.clock.now().steady - now.steady)
            self._tell_sent(replace(record, status=status, took_s=took, lost=why_lost(error)))

        return ended

    def _failed(
        self,
        ticket: Ticket,
        exchange: Exchange,
        ended: _Ended | None,
        error: BaseException,
        request: Request,
        sending: Sending,
    ) -> None:
        if ended is None or isinstance(error, GateShut | LookTooOld):
            self.admission.unused(ticket)
            return
        head, sent = exchange.head, exchange.may_be_sent and not isinstance(error, Unreachable)
        if head is not None:
            self._tell_gate(ticket, head, request, sending)
        else:
            given_up = exchange.cancelled or not isinstance(error, Interrupted | Unreachable)
            self.admission.broke(ticket, sent=sent, given_up=given_up)
        if head is not None or sent:
            ended(None if head is None else head.status, error)

    def probe_rank(self, request: Request) -> int:
        """How little this would show as a probe, 0 for the most: see the gate's `request_order`."""
        return self.admission.probe_rank(self.place_of(request))

    def place_of(self, request: Request) -> str:
        """What the gate knows this request by: method and address, without query and key. Who may not change a record
        may well read it."""
        path = path_of(self.base_url, request.url.partition("?")[0], self._secret)
        return f"{request.method} {path}"

    def _tell_gate(
        self,
        ticket: Ticket,
        answer: Answer,
        request: Request,
        sending: Sending,
        *,
        more: bool = False,
        cut: bool = False,
    ) -> bool:
        """Whether the gate takes the answer for a limit or a ban."""
        failed = answer.status >= 400
        words = words_of(answer, self._secret) if failed else Words()
        facts = answer_facts(
            answer.status,
            answer.headers.multi_items(),
            wall=self.clock.now().wall,
            known=self.admission.service_time,
            code=words.code or None,
            message=words.message or None,
            raw=raw_text(answer, self._secret) if failed else None,
            said=waits_of(answer, words) if may_wait_in_body(answer.status, words.code, words.message) else (),
        )
        more = more and (not failed or answer.status in _NOT_THERE)
        scheme, place, keyless = sending.scheme, self.place_of(request), sending.keyless
        self.admission.answered(ticket, facts, more=more, cut=cut, scheme=scheme, place=place, keyless=keyless)
        return is_limit(facts) or (answer.status == FORBIDDEN and self.admission.view.phase is GatePhase.BANNED)


@contextmanager
def naming_key(name: str) -> Generator[None]:
    """Say in what is raised which key was rejected, where it is not the main one."""
    try:
        yield
    except KeyRejected as error:
        if name:
            error.params.setdefault("key", name)
        raise


def path_of(base_url: str, url: str, secret: Secret | None) -> str:
    """Path and query below the base address (the whole path where it lies beside), with every known key masked, and
    cut. What a service puts into the next address of a list is its own: it may repeat a key, an earlier one too."""
    below = url[len(base_url) :] if url.startswith((f"{base_url}/", f"{base_url}?")) else address.below_origin(url)
    # Masked before the cut: half a key is still half a key.
    path = redact(secret, below, likely=True)
    return path if len(path) <= PATH_CHARACTERS else f"{path[:PATH_CHARACTERS]}…"


def why_lost(error: BaseException | None) -> str:
    """One word: why no answer, or not the whole of it, came; empty where all is well."""
    if error is None:
        return ""
    if isinstance(error, asyncio.CancelledError):
        return "cancelled"
    if isinstance(error, Interrupted):
        return str(error.params.get("why") or "broken")
    return "unusable" if isinstance(error, AnswerUnusable) else reason_of(error)


def _told_apart(request: Request, act: str) -> Request:
    """The write with a key by which the service tells a second copy of it from another write that looks the same, as
    it comes where something on the way repeats it or its answer was lost (draft-ietf-httpapi-idempotency-key-header).
    The same for as long as the same act asks the same of the same state, and unguessable for others."""
    if not act:
        return request
    asked = (act, request.method, request.url, request.headers.get("If-Match", ""), (request.content or b"").hex())
    return replace(request, headers={**request.headers, "Idempotency-Key": str(uuid5(NAMESPACE_URL, "\n".join(asked)))})

"""The one way out: every request to the service waits here for the gate, gets its key, and its answer is judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import httpx

from petstore_desktop.api import address
from petstore_desktop.api.gate.admission import Admission, Ticket
from petstore_desktop.api.gate.answers import FORBIDDEN, is_limit
from petstore_desktop.api.gate.model import MAIN
from petstore_desktop.api.headers.limit_headers import answer_facts
from petstore_desktop.api.http.deprecation import Notices
from petstore_desktop.api.http.error_responses import doubt_of, error_of, naming, raw_text, words_of
from petstore_desktop.api.http.request_record import Leaving, path_of, why_lost
from petstore_desktop.api.http.secret import Secret, headers_for, params_for
from petstore_desktop.api.http.transport import DEADLINE_S, Answer, Exchange, GateShut, Request, TooLate, Transport
from petstore_desktop.clock import Clock
from petstore_desktop.contract.model import KeyPlace, KeyPlacement
from petstore_desktop.contract.operations import Op
from petstore_desktop.domain.errors import Interrupted, RateLimited, Unreachable
from petstore_desktop.domain.quota import GatePhase, RequestClass, SentRequest

_WRITES = frozenset({"POST", "PUT", "PATCH", "DELETE"})


def nothing() -> None:
    """Do nothing."""


def ignore(_: SentRequest) -> None:
    """Ignore it."""


@dataclass(frozen=True, slots=True)
class Sending:
    """How one request is to leave.

    `ticket`: the gate's admission, if the caller has it already; it ends with the answer, unless `more` says that it is
    good for another request. `on_start` is called right before the request leaves, after any waiting. `retry`: the same
    came to nothing before; the gateway itself repeats nothing that may have left. `scheme`: the security scheme, where
    it is not that of the operation. `in_time` is asked right before the first byte, when there is a connection: where
    it says no, nothing leaves, and TooLate is raised.
    """

    cls: RequestClass
    ticket: Ticket | None = None
    more: bool = False
    on_start: Callable[[], object] = nothing
    retry: bool = False
    scheme: str = MAIN
    in_time: Callable[[], bool] = lambda: True


class Gateway:
    """Sends for one service with one key. `place` is where the key travels, `schemes` are those of operations that do
    not have the main one, `requests` counts what has left, `ca_file`
    holds certificates that are trusted beside the system's (see `trust.read_certificates`), and
    `tell_sent` hears of each of these once, when it has ended. Belongs to one asyncio loop."""

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
        tell_sent: Callable[[SentRequest], object] = ignore,
        ca_file: str | None = None,
    ) -> None:
        """Raise BadInput for an address that may not be used (see `address.clean_base_url`) or an unusable key."""
        self.base_url = address.clean_base_url(base_url)
        self.place = KeyPlacement()
        self.schemes: Mapping[Op, str] = {}
        self.notices = Notices()
        self.requests = 0
        self._admission = admission
        self._clock = clock
        self._secret = Secret.of(key)
        self._tell_sent = tell_sent
        self._half_used = 0
        """The number of the last ticket that was to serve another request."""
        self._transport = Transport(self.base_url, user_agent, transport, deadline_s, ca_file)

    def use_key(self, key: str | None) -> None:
        """Send this key from now on."""
        self._secret = Secret.of(key)

    def cancel_in_flight(self) -> None:
        """Give up on all that is on the wire."""
        self._transport.cancel_in_flight()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._transport.aclose()

    def without_key(self, url: str) -> str:
        """An address as it may be kept: without the parameter that carries the key."""
        place = self.place
        return address.without_query(url, place.name) if place.place is KeyPlace.QUERY else url

    def _with_key(self, request: Request) -> Request:
        """The request as it leaves. A next address of an earlier walk may be of another service: checked here, once."""
        if address.origin_of(request.url) != address.origin_of(self.base_url):
            raise Unreachable("another-origin")
        place = self.place
        params = params_for(self._secret, place)
        return Request(
            request.method,
            address.with_query(request.url, params) if params else request.url,
            {**request.headers, **headers_for(self._secret, place)},
            request.content,
            request.cap,
            request.patient,
            request.taker,
        )

    async def send(self, op: Op | None, request: Request, sending: Sending) -> Answer:
        """Wait for the gate, send, tell the gate, and raise what the answer stands for."""
        if op is not None and sending.scheme == MAIN:
            sending = replace(sending, scheme=self.schemes.get(op, MAIN))
        with naming(op):
            answer, limited = await self._admitted(request, sending)
            error = error_of(answer, op, self._secret, limited=limited) or answer.failure
            error = self.notices.hear(op, request.url, answer, error, self._clock.now().wall)
            if request.method in _WRITES:
                error = doubt_of(request.method, answer, error, self._secret) or error
            if error is not None:
                raise error
            return answer

    async def _admitted(self, request: Request, sending: Sending) -> tuple[Answer, bool]:
        """The answer, and whether the gate takes it for a limit or a ban."""
        began = self._clock.now().steady
        while True:
            ticket = sending.ticket or await self._admission.admit(
                sending.cls,
                write=request.method in _WRITES,
                idempotent=request.method != "POST",
                retry=sending.retry,
                scheme=sending.scheme,
            )
            try:
                return await self._exchange(request, ticket, sending, began)
            except GateShut:
                # The gate closed while the connection was being made. Back into the queue, if it is ours to do so.
                if sending.ticket is not None:
                    raise RateLimited("gate-shut", status=429) from None

    async def _exchange(self, request: Request, ticket: Ticket, sending: Sending, began: float) -> tuple[Answer, bool]:
        """`began`: steady second at which the caller began to wait."""
        exchange = Exchange(may_send=lambda: self._may_send(ticket, sending))
        leaving: Leaving | None = None
        try:
            if (rejected := self._admission.locked(sending.scheme)) is not None:
                raise rejected  # the ticket may have been got for what has another scheme
            if not exchange.may_send():
                raise GateShut
            keyed = self._with_key(request)
            sending.on_start()
            leaving = self._leaving(request, ticket, sending, began)
            answer = await self._transport.send(keyed, exchange)
        except BaseException as error:  # not made, broken, or cancelled by whoever waited
            self._failed(ticket, exchange, leaving, error, sending.scheme)
            raise
        self.requests += 1
        cut = isinstance(answer.failure, Interrupted) and not exchange.cancelled
        limited = self._tell_gate(ticket, answer, sending.scheme, more=sending.more, cut=cut)
        self._tell_sent(leaving.ended(self._clock.now(), answer.status, why_lost(answer.failure)))
        return answer, limited

    def _may_send(self, ticket: Ticket, sending: Sending) -> bool:
        if not sending.in_time():
            raise TooLate
        return self._admission.may_send(ticket)

    def _leaving(self, request: Request, ticket: Ticket, sending: Sending, began: float) -> Leaving:
        """The record of a finished request. The second request of a ticket has not waited."""
        now = self._clock.now()
        asked = now.steady if ticket.number == self._half_used else min(began, ticket.asked)
        if sending.more:
            self._half_used = ticket.number
        path = path_of(self.base_url, self.without_key(request.url), self._secret)
        return Leaving(now, asked, sending.cls, request.method, path, ticket.probe)

    def _failed(
        self, ticket: Ticket, exchange: Exchange, leaving: Leaving | None, error: BaseException, scheme: str
    ) -> None:
        if leaving is None or isinstance(error, GateShut | TooLate):
            self._admission.unused(ticket)
            return
        head, sent = exchange.head, exchange.may_be_sent and not isinstance(error, Unreachable)
        if head is not None:
            self._tell_gate(ticket, head, scheme)
        else:
            given_up = exchange.cancelled or not isinstance(error, Interrupted | Unreachable)
            self._admission.broke(ticket, sent=sent, given_up=given_up)
        if head is not None or sent:
            self.requests += 1
            status = None if head is None else head.status
            self._tell_sent(leaving.ended(self._clock.now(), status, why_lost(error)))

    def _tell_gate(self, ticket: Ticket, answer: Answer, scheme: str, *, more: bool = False, cut: bool = False) -> bool:
        """Whether the gate takes the answer for a limit or a ban."""
        wall, known = self._clock.now().wall, self._admission.service_time
        headers = answer.headers.multi_items()
        if answer.status < 400:
            self._admission.answered(
                ticket, answer_facts(answer.status, headers, wall=wall, known=known), more=more, cut=cut, scheme=scheme
            )
            return False
        words = words_of(answer, self._secret)
        facts = answer_facts(
            answer.status,
            headers,
            wall=wall,
            known=known,
            code=words.code or None,
            message=words.message or None,
            raw=raw_text(answer, self._secret),
        )
        self._admission.answered(ticket, facts, cut=cut, scheme=scheme)
        return is_limit(facts) or (answer.status == FORBIDDEN and self._admission.view.phase is GatePhase.BANNED)

"""The shop's door: every request is let in, counted, logged, and given the time and its limit headers here."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from typing import TextIO

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from petstore_desktop.demo.books.quota import Arrival, KeyQuota, QuotaDecision, Verdict
from petstore_desktop.demo.books.shop import KeyAccount, Shop, key_id
from petstore_desktop.demo.connections import Connections
from petstore_desktop.demo.operations.answers import Refusal, error_answer
from petstore_desktop.demo.operations.service import BASE, DOCUMENTS

WRITES = ("POST", "PUT", "PATCH", "DELETE")
LOOKS_S = 0.05
"""Seconds between two looks at a switch."""
MOST_LOGGED = 2_000
"""Bytes of a body."""


@dataclass(slots=True)
class Visit:
    """A request on its way through the shop; `key`: the key it brought, `account`: the key's owner, `body`: the part
    read so far."""

    scope: Scope
    arrived: float
    key: str | None
    account: KeyAccount | None
    verdict: Verdict
    body: bytes = b""

    @property
    def path(self) -> str:
        """Path and query as they came."""
        query = self.scope["query_string"].decode("latin-1")
        return self.scope["path"] + (f"?{query}" if query else "")

    def keeping(self, receive: Receive) -> Receive:
        """`receive`, and the body it reads is kept as far as it is logged."""

        async def receive_and_keep() -> Message:
            message = await receive()
            if len(self.body) < MOST_LOGGED:
                self.body += message.get("body", b"")
            return message

        return receive_and_keep


async def _read_all(receive: Receive) -> None:
    while (await receive()).get("more_body"):
        pass


def bearer(scope: Scope) -> str | None:
    """The key of `Authorization: Bearer` (RFC 6750, section 2.1)."""
    scheme, _, key = Headers(scope=scope).get("authorization", "").partition(" ")
    return key.strip() or None if scheme.lower() == "bearer" else None


class Door:
    """The ASGI application around the service; `control` answers below /control where it is given."""

    def __init__(
        self, shop: Shop, service: ASGIApp, control: ASGIApp | None, connections: Connections, log: TextIO | None
    ) -> None:
        self._shop = shop
        self._service = service
        self._control = control
        self._connections = connections
        self._log = log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        path = scope["path"]
        if self._control is not None and (path == "/control" or path.startswith("/control/")):
            await self._control(scope, receive, send)
            return
        visit = self._receive(scope)
        if self._shop.switches.offline:
            self._write(visit, None)
            await self._connections.cut(scope, receive)
            return
        try:
            await self._serve(visit, receive, send)
        finally:
            self._connections.answered(scope, self._shop.now(), visit.key)

    def _receive(self, scope: Scope) -> Visit:
        """Whose request it is, and what the limits say to it."""
        now = self._shop.now()
        key = bearer(scope)
        account = self._shop.accounts.get(key) if key is not None else None
        if account is None or account.revoked or self._shop.switches.offline:
            ledger = account.ledger if account is not None else KeyQuota(self._shop.rules)
            return Visit(scope, now, key, None, ledger.look(now))
        opened, answered = self._connections.times(scope)
        verdict = account.ledger.admit(Arrival(now, opened, answered, self._connections.others(scope, key, now)))
        return Visit(scope, now, key, account, verdict)

    async def _serve(self, visit: Visit, receive: Receive, send: Send) -> None:
        await self._delay()
        stand_in = self._stand_in(visit)
        answer: ASGIApp = stand_in or self._service
        losing = self._loses(visit)
        kept = visit.keeping(receive)
        if stand_in is not None:
            await _read_all(kept)  # it would answer unread; the log tells what was refused

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = self._shop.voice.headers(visit.verdict, self._shop.now())
                message = {**message, "headers": [*message["headers"], *headers]}
                self._write(visit, message["status"], lost=losing)
            if not losing:
                await send(message)

        await answer(visit.scope, kept, send_with_headers)
        if losing:
            await self._connections.cut(visit.scope, receive)

    async def _delay(self) -> None:
        """Keep an answer back as long as the switch says, or until that is turned off."""
        loop, switches = asyncio.get_running_loop(), self._shop.switches
        over = loop.time() + switches.delay
        while switches.delay and (left := over - loop.time()) > 0:  # noqa: ASYNC110 -- switches are plain data
            await asyncio.sleep(min(left, LOOKS_S))

    def _stand_in(self, visit: Visit) -> Response | None:
        """The answer to a request that does not reach the service."""
        refusal = self._refusal(visit)
        if refusal is not None:
            return error_answer(refusal)
        canned = self._shop.switches.canned
        if canned is None or canned.left < 1 or (canned.writes and visit.scope["method"] not in WRITES):
            return None
        canned.left -= 1
        return Response(canned.body, canned.status, canned.headers)

    def _refusal(self, visit: Visit) -> Refusal | None:
        seconds = visit.verdict.retry_after or 0
        wait = self._shop.voice.wait(seconds, visit.arrived)
        match visit.verdict.decision:
            case QuotaDecision.BANNED:
                return Refusal(403, "this key is banned for a while: it sent on after a 429", "key_banned", wait)
            case QuotaDecision.PAUSED:
                return Refusal(429, f"too many requests: wait {seconds} s", headers=wait)
            case QuotaDecision.ADMITTED:
                return self._not_allowed(visit)

    def _not_allowed(self, visit: Visit) -> Refusal | None:
        path = visit.scope["path"]
        if visit.account is None:
            if path in DOCUMENTS or not path.startswith(f"{BASE}/"):
                return None
            said = "send your key as Authorization: Bearer" if visit.key is None else "this key is wrong or was revoked"
            return Refusal(401, said, headers={"WWW-Authenticate": 'Bearer realm="pet store"'})
        refused = self._shop.switches.refuse_writes
        if refused is not None and visit.scope["method"] in WRITES:
            return Refusal(refused.status, refused.message, refused.code)
        return None

    def _loses(self, visit: Visit) -> bool:
        """Whether this write's answer is to be lost on its way back."""
        switches = self._shop.switches
        if switches.lose_answers < 1 or visit.account is None or visit.scope["method"] not in WRITES:
            return False
        if visit.verdict.decision is not QuotaDecision.ADMITTED:
            return False
        switches.lose_answers -= 1
        return True

    def _write(self, visit: Visit, status: int | None, lost: bool = False) -> None:
        """One line of the log, on disk before the answer leaves; a status of null: no answer was given."""
        if self._log is None:
            return
        line = {
            "time": visit.arrived,
            "method": visit.scope["method"],
            "path": visit.path,
            "status": status,
            "remaining": visit.verdict.minute.remaining,
            "inside_pause": visit.verdict.inside_pause,
            "key_id": key_id(visit.key),
            "client": Headers(scope=visit.scope).get("user-agent"),
        }
        if lost:
            line["lost"] = True
        if visit.body:
            line["body"] = visit.body[:MOST_LOGGED].decode(errors="replace")
        self._log.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._log.flush()

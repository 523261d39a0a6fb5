"""One request over httpx: deadline, bounded body, no redirects, and the truth about what left this computer."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeAlias, cast

import httpx

from petstore_desktop.api.address import is_loopback
from petstore_desktop.api.body import ACCEPTED, Body
from petstore_desktop.domain.errors import AnswerUnusable, Interrupted, ShopError, Unreachable

# Their debug lines carry addresses, and an address may carry the key.
for _name in ("httpx", "httpcore"):
    logging.getLogger(_name).setLevel(logging.WARNING)

Network: TypeAlias = httpx.AsyncBaseTransport
"""What carries requests."""

DEADLINE_S = 30.0
"""Seconds for one request from the first byte to the last."""
CONNECT_S = 10.0
RECORD_CAP = 8 * 1024 * 1024
LIST_CAP = 256 * 1024 * 1024
ERROR_CAP = 256 * 1024
"""Bytes of decoded body that are read of an answer with a record, with a list, and with an error."""
LIVELY = 1024 * 1024
"""A list may take longer than the deadline as long as so many more bytes come within each deadline."""


@dataclass(frozen=True, slots=True)
class Request:
    """What to send. `url` is absolute; `cap` bounds the decoded body; `patient`: a large list may take its time."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    content: bytes | None = None
    cap: int = RECORD_CAP
    patient: bool = False

    def __repr__(self) -> str:
        return f"Request({self.method})"  # address and headers may hold the key


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back. `failure`: the head came, but its body could not be read. `links` by their rel (RFC 8288)."""

    status: int
    headers: httpx.Headers
    url: str
    body: bytes = b""
    links: Mapping[str, str] = field(default_factory=dict[str, str])
    failure: ShopError | None = None


class GateShut(Exception):
    """The gate closed while the connection was being made; nothing was sent."""


@dataclass(slots=True)
class Exchange:
    """How far one request came; read it after a failure. `may_send` is asked right before the first byte."""

    may_send: Callable[[], bool] = lambda: True
    head: Answer | None = None
    cancelled: bool = False
    _traced: bool = False
    _sent: bool = False

    async def saw(self, event: str, _: object) -> None:
        """Hear of an event inside the transport."""
        self._traced = True
        if event.endswith("send_request_headers.started") and not self._sent:
            if not self.may_send():
                raise GateShut
            self._sent = True

    @property
    def may_be_sent(self) -> bool:
        """Whether a byte may have left. A transport that tells nothing is taken to have sent."""
        return self._sent or not self._traced

    def lost(self, why: str) -> ShopError:
        """The error for a request without an answer."""
        return Interrupted(why=why) if self.may_be_sent else Unreachable(why=why)


class Transport:
    """Sends requests to one service. Belongs to one asyncio loop."""

    def __init__(
        self,
        base_url: str,
        user_agent: str,
        transport: httpx.AsyncBaseTransport | None = None,
        deadline_s: float = DEADLINE_S,
    ) -> None:
        self._deadline_s = deadline_s
        self._running: dict[asyncio.Timeout, Exchange] = {}
        url = httpx.URL(base_url)
        trust = _trust() if url.scheme == "https" and transport is None else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)

        def client(kept: int) -> httpx.AsyncClient:
            return httpx.AsyncClient(
                transport=transport,
                verify=trust,
                # Plain http goes to this computer only; through a proxy it would not.
                trust_env=transport is None and not is_loopback(url.host),
                follow_redirects=False,
                timeout=httpx.Timeout(deadline_s, connect=min(CONNECT_S, deadline_s)),
                limits=httpx.Limits(max_connections=8, max_keepalive_connections=kept, keepalive_expiry=30),
                headers={"User-Agent": user_agent, "Accept": "application/json", "Accept-Encoding": ACCEPTED},
            )

        self._client = client(4)
        # A write has a connection of its own. On one that was used before, what is left of an earlier answer would be
        # taken for the answer to the write, and a service that closes it while idle (RFC 9112, 9.5) would leave the
        # write in the unknown.
        self._writing = client(0)

    async def send(self, request: Request, exchange: Exchange) -> Answer:
        """Send and read the answer.

        Raises Unreachable where nothing was sent, Interrupted where something may have been, GateShut. An answer whose
        body failed is returned with its `failure`, because its head still counts.
        """
        try:
            async with asyncio.timeout(self._deadline_s) as limit:
                self._running[limit] = exchange
                try:
                    return await self._exchange(request, exchange, limit)
                finally:
                    del self._running[limit]
        except TimeoutError:
            lost = exchange.lost("cancelled" if exchange.cancelled else "deadline")
        except _NO_CONNECTION as error:
            raise Unreachable(why=reason_of(error)) from None
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            lost = exchange.lost(reason_of(error))
        if exchange.head is not None:
            return replace(exchange.head, failure=lost)
        raise lost

    async def _exchange(self, request: Request, exchange: Exchange, limit: asyncio.Timeout) -> Answer:
        client = self._client if request.method in _READS else self._writing
        response = await client.send(
            client.build_request(
                request.method,
                request.url,
                headers=dict(request.headers),
                content=request.content,
                extensions={"trace": exchange.saw},
            ),
            stream=True,
        )
        exchange.head = Answer(response.status_code, response.headers, request.url, links=_links(response))
        try:
            return replace(exchange.head, body=await self._body(response, request, limit))
        except AnswerUnusable as failure:
            return replace(exchange.head, failure=failure)
        finally:
            await response.aclose()

    async def _body(self, response: httpx.Response, request: Request, limit: asyncio.Timeout) -> bytes:
        body = Body(
            response.headers.get("content-encoding", ""),
            request.cap if response.status_code < 300 else min(request.cap, ERROR_CAP),
        )
        lively = LIVELY
        # Not aiter_bytes: httpx would unpack a whole piece at once, however much is in it.
        async for raw in cast("httpx.AsyncByteStream", response.stream):
            body.feed(raw)
            if request.patient and len(body) >= lively:
                lively = len(body) + LIVELY
                limit.reschedule(asyncio.get_running_loop().time() + self._deadline_s)
        return body.finish()

    def cancel_in_flight(self) -> None:
        """Give up on everything that is on the wire now; each such request ends as Interrupted or Unreachable."""
        for limit, exchange in tuple(self._running.items()):
            exchange.cancelled = True
            if not limit.expired():
                limit.reschedule(asyncio.get_running_loop().time())

    async def aclose(self) -> None:
        """Close all connections."""
        await self._client.aclose()
        await self._writing.aclose()


_READS = ("GET", "HEAD")

_NO_CONNECTION = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)


def _links(response: httpx.Response) -> dict[str, str]:
    return {rel: link["url"] for rel, link in response.links.items() if rel and "url" in link}


def _trust() -> ssl.SSLContext:
    import truststore  # 35 ms, and only https needs it

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def reason_of(error: BaseException) -> str:
    """Why no connection or no answer came, in one word: proxy, tls, name, refused, timeout, network, protocol, broken.

    Never the error's own text: it may hold an address or a header.
    """
    chain = tuple(_chain(error, 0))
    kinds: tuple[tuple[type[BaseException], str], ...] = (
        (httpx.ProxyError, "proxy"),
        (ssl.SSLError, "tls"),
        (socket.gaierror, "name"),
        (ConnectionRefusedError, "refused"),
        (httpx.TimeoutException, "timeout"),
        (TimeoutError, "timeout"),
        (httpx.ConnectError, "network"),
        (httpx.ProtocolError, "protocol"),
    )
    return next((word for kind, word in kinds if any(isinstance(link, kind) for link in chain)), "broken")


def _chain(error: BaseException, depth: int) -> list[BaseException]:
    """An error with all that caused it."""
    found = [error]
    if depth > 8:
        return found
    causes = [error.__cause__ or error.__context__]
    if isinstance(error, BaseExceptionGroup):
        causes += cast("tuple[BaseException, ...]", error.exceptions)
    for cause in causes:
        if cause is not None:
            found += _chain(cause, depth + 1)
    return found

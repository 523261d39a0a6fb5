"""One request over httpx: deadline, bounded body, no redirects, and the truth about what left this computer."""

from __future__ import annotations

import asyncio
import logging
import ssl
import sys
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from functools import partial
from http.cookiejar import CookieJar, DefaultCookiePolicy
from importlib.util import find_spec
from typing import Any, Protocol, TypeAlias, cast

import httpx
from msgspec import Struct, field
from msgspec.structs import replace

from petstore_desktop import log
from petstore_desktop.api.address import origin_of
from petstore_desktop.api.http.body import ACCEPTED, ERROR_CAP, RECORD_CAP, Unpacking
from petstore_desktop.api.http.certificates import forget_presented, read_again, trust
from petstore_desktop.api.http.connection_errors import ServiceRoute, reason_of, unreachable
from petstore_desktop.api.http.proxies import Proxy, proxy_for
from petstore_desktop.api.withheld import telling
from petstore_desktop.domain.errors import AnswerUnusable, BadInput, Interrupted, ShopError, Unreachable

if find_spec("sniffio") is None:
    # httpcore tries to import it time and again: what is known to be missing is not looked for on the disk.
    cast("dict[str, object]", sys.modules)["sniffio"] = None

# Their debug lines carry addresses, and an address may carry the key.
for _name in ("httpx", "httpcore"):
    logging.getLogger(_name).setLevel(logging.WARNING)

Network: TypeAlias = httpx.AsyncBaseTransport
"""What carries requests."""

DEADLINE_S = 30.0
SILENT_S = 4.0
"""After so many seconds without an answer that is told."""
"""Seconds for one request from the first byte to the last."""
CONNECT_S = 10.0
CLOSING_S = 1.0
"""Seconds that a close waits for cancelled requests to end."""
TYPES = "application/json, application/problem+json, application/*+json;q=0.9, */*;q=0.1"
"""Accept every type: a service may answer 406 for types not asked for (RFC 9110, 12.5.1), its own error texts too."""
ANEW = {"Cache-Control": "no-cache"}
"""What a cache on the way has kept is asked of the service itself (RFC 9111, 5.2.1.4): a look shows what is there now,
or it proves nothing, and a number is counted up from what is there."""
LIVELY = 1024 * 1024
"""A list may take longer than the deadline while at least this many bytes come within each deadline."""


class Request(Struct, frozen=True):
    """What to send. `url` is absolute; `cap` bounds the decoded body; `patient`: a large list may take its time;
    `reader` gets the body of a 2xx answer as it comes, and the answer itself has none then."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    content: bytes | None = None
    cap: int = RECORD_CAP
    patient: bool = False
    reader: BodyReader | None = None

    def __repr__(self) -> str:
        return f"Request({self.method})"  # address and headers may hold the key


class Answer(Struct, frozen=True):
    """What came back. `failure`: the head came, but its body could not be read. `links` by their rel (RFC 8288)."""

    status: int
    headers: httpx.Headers
    url: str
    body: bytes = b""
    links: Mapping[str, str] = field(default_factory=dict[str, str])
    failure: ShopError | None = None


class BodyReader:
    """Reads a body while it arrives; this one keeps only the head, however long the body is. An AnswerUnusable that it
    raises becomes the answer's `failure`; its time does not count as the service's."""

    head: Answer | None = None

    def begin(self, head: Answer) -> None:
        """The head has come."""
        self.head = head

    async def take(self, piece: bytes) -> None:
        """The next decoded bytes."""

    async def end(self) -> None:
        """All has come."""


class _Stream(Protocol):
    """A connection, as httpcore has it."""

    def get_extra_info(self, info: str) -> Any: ...

    async def aclose(self) -> None: ...


def _is_open(stream: _Stream) -> bool:
    socket = stream.get_extra_info("socket")
    return socket is not None and socket.fileno() >= 0


class GateShut(Exception):
    """The gate closed while the connection was being made; nothing was sent."""


class LookTooOld(Unreachable):
    """What the request rests on was too old when it was about to leave; nothing was sent."""

    code = "too-late"


class Exchange(Struct):
    """How far one request came; read it after a failure. `may_send` is asked right before the first byte."""

    may_send: Callable[[], bool] = lambda: True
    tell_stored: Callable[[float], object] = lambda _: None
    """Hears, before anything of the body is read, for how many seconds a cache had kept the answer."""
    head: Answer | None = None
    cancelled: bool = False
    silent: bool = False
    """Whether it was told that no answer comes."""
    tunnelled: bool = False
    """Whether it came past the proxy."""
    securing: bool = False
    """Whether the TLS handshake had begun."""
    _traced: bool = False
    _sent: bool = False

    async def saw(self, event: str, info: Mapping[str, object]) -> None:
        """Hear of an event inside the transport."""
        self._traced = True
        if event.endswith("start_tls.started"):
            self.securing, self.tunnelled = True, event.startswith("proxy.")
        elif event.endswith("send_request_headers.started") and not self._sent and not _asks_proxy(info):
            if not self.may_send():
                raise GateShut
            self._sent = True

    @property
    def may_be_sent(self) -> bool:
        """Whether a byte may have left. A transport that tells nothing is taken to have sent."""
        return self._sent or not self._traced


def _asks_proxy(info: Mapping[str, object]) -> bool:
    """Whether these are the headers that ask a proxy for a tunnel: nothing of the request is in them."""
    return getattr(info.get("request"), "method", b"") == b"CONNECT"


class Transport:
    """Sends requests to one service. Belongs to one asyncio loop."""

    def __init__(
        self,
        base_url: str,
        user_agent: str,
        transport: httpx.AsyncBaseTransport | None = None,
        deadline_s: float = DEADLINE_S,
        ca_file: str | None = None,
    ) -> None:
        """`ca_file`: certificates that are trusted beside the system's. It is read when the first request leaves."""
        self._base_url = base_url
        self._user_agent = user_agent
        self._network = transport
        self._deadline_s = deadline_s
        self._ca_file = ca_file
        self.tell_silent: Callable[[bool], object] = lambda _: None
        """Hears that a request is without an answer for SILENT_S; with False, that it was given up after that."""
        self._running: dict[asyncio.Timeout, Exchange] = {}
        self._closed = False
        self._idle = asyncio.Event()
        """While nothing is on the wire, if anything ever was."""
        self._streams: list[_Stream] = []
        """The connections that were open when the last one was made, and that one."""
        self._clients: _Clients | None = None
        self._distrusted = False
        """Whether the last handshake failed: a person may have mended the CA file since."""

    async def send(self, request: Request, exchange: Exchange) -> Answer:
        """Send and read the answer.

        Raises Unreachable where nothing was sent, Interrupted where something may have been, GateShut. An answer whose
        body failed is returned with its `failure`, because its head still counts.
        """
        clients = self._opened()
        forget_presented()
        silence = asyncio.get_running_loop().call_later(SILENT_S, self._silent, exchange)
        try:
            async with asyncio.timeout(self._deadline_s) as limit:
                self._running[limit] = exchange
                self._idle.clear()
                try:
                    return await self._exchange(clients, request, exchange, limit)
                finally:
                    del self._running[limit]
                    if not self._running:
                        self._idle.set()
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:  # TimeoutError is an OSError
            lost = self._lost(error, exchange)
        except asyncio.CancelledError:
            if exchange.silent:
                self.tell_silent(False)
            raise
        finally:
            silence.cancel()
        if exchange.head is not None:
            return replace(exchange.head, failure=lost)
        raise lost

    def _silent(self, exchange: Exchange) -> None:
        if exchange.head is None:
            exchange.silent = True
            self.tell_silent(True)

    def _lost(self, error: Exception, exchange: Exchange) -> ShopError:
        """The error for a request without an answer."""
        if exchange.may_be_sent and not isinstance(error, _NO_CONNECTION):
            late = "cancelled" if exchange.cancelled else "deadline"
            return Interrupted(why=late if isinstance(error, TimeoutError) else reason_of(error))
        if exchange.cancelled:
            return Unreachable(why="cancelled")
        self._distrusted = exchange.securing
        proxy = None if self._clients is None else self._clients.proxy
        return unreachable(error, ServiceRoute(_place(self._base_url), proxy, exchange.tunnelled, exchange.securing))

    def _opened(self) -> _Clients:
        """What sends; made when it is first needed. Raises Unreachable while the CA file or the proxy cannot be
        used: each request looks again."""
        if self._closed:
            raise Unreachable(why="cancelled")
        if self._clients is None:
            place = _place(self._base_url)
            proxy = None if self._network is not None else proxy_for(self._base_url)
            if proxy is not None and not proxy.usable:
                raise Unreachable(why="proxy-unusable", host=place, proxy=proxy.shown)
            try:
                self._clients = self._open(proxy)
            except BadInput as error:
                raise Unreachable(**{**error.params, "host": place, "why": error.code}) from None
        elif self._distrusted and self._ca_file is not None:
            self._distrusted = False
            read_again(self._clients.trusted, self._ca_file)
        return self._clients

    def _open(self, proxy: Proxy | None) -> _Clients:
        secure = self._network is None and self._base_url.startswith("https:")
        # To load authorities takes time, and without TLS they are not needed.
        trusted = trust(self._ca_file) if secure else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        deadline = self._deadline_s
        through = None if proxy is None else httpx.Proxy(proxy.url, ssl_context=_if_https(proxy, trusted))

        def client(kept: int) -> httpx.AsyncClient:
            return httpx.AsyncClient(
                transport=self._network,
                verify=trusted,
                proxy=through,
                trust_env=False,  # what httpx would take from there is decided above, and can be shown
                follow_redirects=False,
                # Before the deadline: httpx leaves a socket open that is cancelled in its handshake.
                timeout=httpx.Timeout(deadline, connect=min(CONNECT_S, deadline / 2)),
                limits=httpx.Limits(max_connections=8, max_keepalive_connections=kept, keepalive_expiry=30),
                headers={"User-Agent": self._user_agent, "Accept": TYPES, "Accept-Encoding": ACCEPTED, **ANEW},
                # None is ever kept: set under one key, it would be told under the next.
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=())),
            )

        # A write has a connection of its own. On one that was used before, what is left of an earlier answer would be
        # taken for the answer to the write, and a service that closes it while idle (RFC 9112, 9.5) would leave the
        # write in the unknown.
        return _Clients(proxy, trusted, client(4), client(0))

    async def _exchange(
        self, clients: _Clients, request: Request, exchange: Exchange, limit: asyncio.Timeout
    ) -> Answer:
        client = clients.reading if request.method in _READS else clients.writing
        leaving = client.build_request(
            request.method,
            request.url,
            headers=dict(request.headers),
            content=request.content,
            extensions={"trace": partial(self._saw, exchange)},
        )
        if origin_of(str(leaving.url)) != origin_of(self._base_url):  # as httpx reads it, who sends it there
            raise Unreachable("another-origin")
        response = await client.send(leaving, stream=True)
        exchange.head = Answer(response.status_code, telling(response.headers), request.url, links=_links(response))
        if stored_s := seconds_stored(response.headers):
            exchange.tell_stored(stored_s)
        try:
            return await self._read(exchange.head, response, request, limit)
        except AnswerUnusable as failure:
            about(failure, exchange.head)
            return replace(exchange.head, failure=failure)
        finally:
            await response.aclose()

    async def _saw(self, exchange: Exchange, event: str, info: Mapping[str, object]) -> None:
        if event.endswith("connect_tcp.complete"):
            self._streams = [stream for stream in self._streams if _is_open(stream)]
            self._streams.append(cast("_Stream", info["return_value"]))
        await exchange.saw(event, info)

    async def _read(self, head: Answer, response: httpx.Response, request: Request, limit: asyncio.Timeout) -> Answer:
        good = 200 <= head.status < 300
        reader = request.reader if good else None
        cap = request.cap if head.status < 300 else min(request.cap, ERROR_CAP)
        body, unpacking = bytearray(), Unpacking(head.headers.get("content-encoding", ""), cap)
        if reader is not None:
            reader.begin(head)
        lively = LIVELY
        # Not aiter_bytes: httpx would unpack a whole piece at once, however much is in it.
        async for raw in cast("httpx.AsyncByteStream", response.stream):
            for piece in unpacking.pieces(raw):
                if reader is None:
                    body += piece
                else:
                    await _unhurried(reader.take(piece), limit)
            if request.patient and unpacking.size >= lively:
                lively = unpacking.size + LIVELY
                limit.reschedule(asyncio.get_running_loop().time() + self._deadline_s)
        unpacking.finish()
        if reader is not None:
            await _unhurried(reader.end(), limit)
        return replace(head, body=bytes(body))

    def cancel_in_flight(self) -> None:
        """Give up on everything that is on the wire now; each such request ends as Interrupted or Unreachable."""
        for limit, exchange in tuple(self._running.items()):
            exchange.cancelled = True
            if not limit.expired():
                limit.reschedule(asyncio.get_running_loop().time())

    async def aclose(self) -> None:
        """Cancel all requests on the wire and close all connections.

        httpcore forgets a connection that is still being made when its pool is closed, and one whose handshake is
        cancelled: these are closed here. What is to be sent later raises Unreachable.
        """
        self._closed = True
        self.cancel_in_flight()
        if self._running:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._idle.wait(), CLOSING_S)
        clients, self._clients = self._clients, None
        if clients is not None:
            await clients.reading.aclose()
            await clients.writing.aclose()
        for stream in self._streams:
            await stream.aclose()


async def _unhurried(work: Coroutine[None, None, None], limit: asyncio.Timeout) -> None:
    """Our own work, while which the deadline stands still."""
    loop = asyncio.get_running_loop()
    ends, began = limit.when(), loop.time()
    limit.reschedule(None)
    await work
    if ends is not None and limit.when() is None:  # else it has been given up meanwhile
        limit.reschedule(ends + loop.time() - began)


def about(failure: AnswerUnusable, head: Answer) -> None:
    """Say with the failure what the answer claimed to be."""
    failure.params.setdefault("content_type", log.redact(head.headers.get("content-type", ""))[:80])
    failure.params.setdefault("status", head.status)


_READS = ("GET", "HEAD")

_NO_CONNECTION = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.InvalidURL,
    httpx.PoolTimeout,
    httpx.ProxyError,
    httpx.UnsupportedProtocol,
)


def seconds_stored(headers: httpx.Headers) -> float:
    """For how many seconds a cache on the way has kept an answer (RFC 9111, 5.1); 0 where none says so. Some answer so
    though every request tells them not to."""
    said = headers.get("age", "").strip()
    return float(said) if said.isascii() and said.isdecimal() and len(said) <= _MOST_DIGITS else 0.0


_MOST_DIGITS = 10


def _links(response: httpx.Response) -> dict[str, str]:
    return {rel: link["url"] for rel, link in response.links.items() if rel and "url" in link}


def _if_https(proxy: Proxy, trusted: ssl.SSLContext) -> ssl.SSLContext | None:
    return trusted if proxy.url.startswith("https:") else None


def _place(url: str) -> str:
    """Host, and port if it is not the usual one, for people."""
    return httpx.URL(url).netloc.decode("ascii", "replace")


class _Clients(Struct, frozen=True):
    """What sends reads and writes, the proxy that both go through, and whom both trust."""

    proxy: Proxy | None
    trusted: ssl.SSLContext
    reading: httpx.AsyncClient
    writing: httpx.AsyncClient

"""What a broken, careless or hostile server can do to a good answer: as data, and as bytes on a socket.

A `Fault` takes the bytes of a whole good answer and gives a `Spoilt` one, which `send` puts on a connection.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import socket
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

BOMB_MB = 300
HEADER = 2**20


class End(StrEnum):
    """What becomes of the connection after the bytes."""

    CLOSED = "closed"
    RESET = "reset"
    SILENT = "left open without a word"
    DRIP = "one blank at a time for ever"


class Means(StrEnum):
    """What a program may make of it."""

    BROKEN = "no answer, or not all of it: whether a write was done is not known"
    USELESS = "an answer from which nothing can be learnt"
    HARMLESS = "an answer that can be read as it was meant"
    CHANGED = "an answer that can be read, and says something else than the good one, or names what it cannot say"


@dataclass(frozen=True, slots=True)
class Spoilt:
    """What goes back."""

    data: bytes = b""
    end: End = End.CLOSED


@dataclass(frozen=True, slots=True)
class Fault:
    """`spoil` makes it of status line, headers and body of a good answer. `endless`: only a deadline ends it."""

    means: Means
    spoil: Callable[[Good], Spoilt]
    endless: bool = False


@dataclass(frozen=True, slots=True)
class Good:
    """A good answer, taken apart. `headers` without those that another body cannot have."""

    status: str
    headers: tuple[str, ...]
    body: bytes

    @staticmethod
    def of(answer: bytes) -> Good:
        """Take the bytes of an answer apart."""
        head, _, body = answer.partition(b"\r\n\r\n")
        status, *headers = head.decode("latin-1").split("\r\n")
        kept = [line for line in headers if line.partition(":")[0].strip().lower() not in _NOT_OF_ANOTHER]
        return Good(status.partition(" ")[2], tuple(kept), body)

    @property
    def value(self) -> Any:
        """The body as JSON; None where there is none."""
        return json.loads(self.body) if self.body else None

    def said(self, body: bytes | None = None, *more: str, status: str = "", length: int | None = None) -> bytes:
        """The answer with another body, or more headers; `length` is what it claims."""
        body = self.body if body is None else body
        claimed = len(body) if length is None else length
        replaced = {line.partition(":")[0].lower() for line in more}
        kept = [line for line in self.headers if line.partition(":")[0].lower() not in replaced]
        lines = [f"HTTP/1.1 {status or self.status}", *kept, *more, f"Content-Length: {claimed}", "Connection: close"]
        return "\r\n".join([*lines, "", ""]).encode("latin-1") + body


_NOT_OF_ANOTHER = ("content-length", "transfer-encoding", "connection", "etag")


async def send(writer: asyncio.StreamWriter, spoilt: Spoilt) -> None:
    """Put it on the connection, and end that as it says. It ends with the client for what never ends."""
    for start in range(0, len(spoilt.data), 2**16):
        writer.write(spoilt.data[start : start + 2**16])
        await writer.drain()
    if spoilt.end is End.RESET:
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()
    while spoilt.end in (End.SILENT, End.DRIP) and not writer.transport.is_closing():
        await asyncio.sleep(0.02)  # the server's own pace
        if spoilt.end is End.DRIP:
            writer.write(b" ")
            await writer.drain()


# ---------------------------------------------------------------- records that are odd


def records(good: Good, change: Callable[[dict[str, Any]], Mapping[str, Any]]) -> bytes:
    """The body with each of its records changed."""
    value = good.value

    def changed(item: Any) -> Any:
        return dict(change(item)) if isinstance(item, dict) else item

    if isinstance(value, list):
        value = [changed(item) for item in value]
    elif isinstance(value, dict) and isinstance(value.get("data"), list):
        value = {**value, "data": [changed(item) for item in value["data"]]}
    else:
        value = changed(value)
    return b"" if value is None else json.dumps(value).encode()


def _id_as(text: str) -> Callable[[Good], Spoilt]:
    """Every id is this JSON."""

    def spoil(good: Good) -> Spoilt:
        marked = records(good, lambda item: {n: "@" if n in ("id", "petId") else v for n, v in item.items()})
        return Spoilt(good.said(marked.replace(b'"@"', text.encode())))

    return spoil


def _all(**fields: Any) -> Callable[[Good], Spoilt]:
    return lambda good: Spoilt(good.said(records(good, lambda item: {**item, **fields})))


def _nulls(good: Good) -> Spoilt:
    ids = ("id", "petId")
    return Spoilt(good.said(records(good, lambda item: {n: v if n in ids else None for n, v in item.items()})))


def _twice(good: Good) -> Spoilt:
    value = good.value
    return Spoilt(good.said(json.dumps([*value, *value]).encode() if isinstance(value, list) else good.body))


def _double_keys(good: Good) -> Spoilt:
    """The id twice in each record; only the last counts, as in every reader of JSON."""
    body = good.body
    for name in (b'"id": ', b'"petId": '):
        body = body.replace(b"{" + name, b"{" + name + b"77, " + name)
    return Spoilt(good.said(body))


def _deep(good: Good) -> Spoilt:
    return Spoilt(
        good.said(records(good, lambda item: {**item, "x": "@"}).replace(b'"@"', b"[" * 90_000 + b"]" * 90_000))
    )


# ---------------------------------------------------------------- the table


def _body(body: bytes, *headers: str, length: int | None = None, status: str = "") -> Callable[[Good], Spoilt]:
    return lambda good: Spoilt(good.said(body, *headers, length=length, status=status))


def _packed(pack: Callable[[bytes], bytes], name: str = "gzip") -> Callable[[Good], Spoilt]:
    return lambda good: Spoilt(good.said(pack(good.body), f"Content-Encoding: {name}"))


def _bomb(filling: bytes) -> Callable[[Good], Spoilt]:
    """A body of 300 MB in 300 KB, in members of 1 MB."""
    return _body(gzip.compress(filling * 2**20) * BOMB_MB, "Content-Encoding: gzip")


def _chunked(tail: bytes) -> Callable[[Good], Spoilt]:
    def spoil(good: Good) -> Spoilt:
        head = good.said(b"").partition(b"Content-Length: 0")
        return Spoilt(head[0] + b"Transfer-Encoding: chunked" + head[2] + tail)

    return spoil


PAGE = b"<!DOCTYPE html><title>Sign in</title><a href='https://elsewhere.example/'>Sign in</a>"
BROKEN, USELESS, HARMLESS, CHANGED = Means.BROKEN, Means.USELESS, Means.HARMLESS, Means.CHANGED

FAULTS: dict[str, Fault] = {
    # no answer, or not all of it
    "closes without a word": Fault(BROKEN, lambda _: Spoilt()),
    "resets without a word": Fault(BROKEN, lambda _: Spoilt(end=End.RESET)),
    "never answers": Fault(BROKEN, lambda _: Spoilt(end=End.SILENT), endless=True),
    "speaks no HTTP": Fault(BROKEN, lambda _: Spoilt(b"220 mail.example ESMTP\r\n\r\n")),
    "a header of 1 MB": Fault(BROKEN, lambda good: Spoilt(good.said(None, "X-Long: " + "a" * HEADER))),
    "headers without end": Fault(BROKEN, lambda good: Spoilt(good.said(None, *[f"X-{n}: a" for n in range(60_000)]))),
    "breaks off in mid-body": Fault(BROKEN, lambda good: Spoilt(good.said(length=len(good.body) + 100))),
    "resets in mid-body": Fault(BROKEN, lambda good: Spoilt(good.said(length=len(good.body) + 100), End.RESET)),
    "falls silent in mid-body": Fault(
        BROKEN, lambda good: Spoilt(good.said(length=len(good.body) + 100), End.SILENT), endless=True
    ),
    "drips for ever": Fault(BROKEN, lambda good: Spoilt(good.said(length=2**30), End.DRIP), endless=True),
    "two lengths": Fault(BROKEN, lambda good: Spoilt(good.said(None, "Content-Length: 1"))),
    "a negative length": Fault(BROKEN, lambda good: Spoilt(good.said(length=-1))),
    "broken chunks": Fault(BROKEN, _chunked(b"zz\r\n[]\r\n0\r\n\r\n")),
    "a chunk that claims a terabyte": Fault(BROKEN, _chunked(b"fffffffffff\r\n[]")),
    # an answer from which nothing can be learnt
    "a page for browsers": Fault(USELESS, _body(PAGE, "Content-Type: text/html")),
    "a page that claims to be JSON": Fault(USELESS, _body(PAGE)),
    "JSON that stops": Fault(USELESS, lambda good: Spoilt(good.said(good.body[:-1] or b"[{"))),
    "JSON and more": Fault(USELESS, lambda good: Spoilt(good.said(good.body + b"{}]"))),
    "bad UTF-8": Fault(USELESS, _body(b'[{"id": 5, "petId": 5, "quantity": 1, "name": "\xff\xfe"}]')),
    "UTF-16": Fault(USELESS, lambda good: Spoilt(good.said((good.body or b"[]").decode().encode("utf-16")))),
    "90,000 brackets": Fault(USELESS, _body(b"[" * 90_000)),
    "a number alone": Fault(USELESS, _body(b"7.5")),
    "a text alone": Fault(USELESS, _body(b'"pets"')),
    "an empty object": Fault(USELESS, _body(b'{"count": 0}')),
    "an empty 200": Fault(USELESS, _body(b"", status="200 OK")),
    "an empty 201": Fault(USELESS, _body(b"", status="201 Created")),
    "204": Fault(USELESS, lambda good: Spoilt(good.said(b"", status="204 No Content"))),
    "bad gzip": Fault(USELESS, _packed(lambda body: b"not gzip!" + body)),
    "half a gzip": Fault(USELESS, _packed(lambda body: gzip.compress(body + b" " * 999)[:-9])),
    "an encoding nobody asked for": Fault(USELESS, _packed(bytes, "br")),
    "a gzip bomb of zeros": Fault(USELESS, _bomb(b"\x00")),
    "a gzip bomb of blanks": Fault(USELESS, _bomb(b" ")),
    "a redirect": Fault(USELESS, _body(b"", "Location: https://elsewhere.example/key", status="302 Found")),
    "a redirect in a circle": Fault(USELESS, _body(b"", "Location: /v1/pets", status="308 Permanent Redirect")),
    "fails in HTML": Fault(USELESS, _body(PAGE, "Content-Type: text/html", status="500 Oops")),
    "fails with a bomb": Fault(USELESS, lambda good: Spoilt(_bomb(b"x")(good).data.replace(b"20", b"50", 1))),
    "a status of its own": Fault(USELESS, _body(b"{}", status="599 Whatever")),
    # records that cannot be told
    "ids that are NaN": Fault(CHANGED, _id_as("NaN")),
    "ids of 5,000 digits": Fault(CHANGED, _id_as("9" * 5_000)),
    "ids beyond int64": Fault(CHANGED, _id_as("9223372036854775808")),
    "ids that are floats": Fault(CHANGED, _id_as("5.0")),
    "ids that are true": Fault(CHANGED, _id_as("true")),
    "ids that are half a letter": Fault(CHANGED, _id_as('"\\ud800"')),
    "ids of another": Fault(CHANGED, _id_as("4711")),
    "nothing but nulls": Fault(CHANGED, _nulls),
    "a field that is nested 90,000 deep": Fault(CHANGED, _deep),
    "texts that are numbers": Fault(CHANGED, _all(name=5, status=5, quantity="5")),
    # what was meant can be read all the same
    "a byte order mark": Fault(
        HARMLESS, lambda good: Spoilt(good.said(b"\xef\xbb\xbf" + good.body if good.body else b""))
    ),
    "a wrong content type": Fault(HARMLESS, lambda good: Spoilt(good.said(None, "Content-Type: image/png"))),
    "no content type": Fault(HARMLESS, lambda good: Spoilt(good.said(None, "Content-Type: "))),
    "gzip in two members": Fault(
        HARMLESS, _packed(lambda body: gzip.compress(body[:9]) + gzip.compress(body[9:]) if body else b"")
    ),
    "each record twice": Fault(HARMLESS, _twice),
    "each id twice": Fault(HARMLESS, _double_keys),
    "a thousand early hints": Fault(
        HARMLESS, lambda good: Spoilt(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 1_000 + good.said())
    ),
    "a second answer": Fault(HARMLESS, lambda good: Spoilt(good.said() + good.said(b'{"id": 1}'))),
}

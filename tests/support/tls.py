"""Servers with certificates of our own making, good and bad, and a proxy: real sockets, each in a thread of its own.

authority = Authority(tmp_path)
with Server(answering(200, []), authority.context("localhost")) as server:
    server.url; server.heard; authority.file
"""

from __future__ import annotations

import asyncio
import base64
import json
import socket
import ssl
import threading
import warnings
from collections.abc import Callable, Coroutine
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Self, TypeVar

import trustme
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.support.patience import PATIENCE_S

T = TypeVar("T")
Answer = Callable[[str, str], bytes]
"""From method and target to the whole answer."""


# ---------------------------------------------------------------- certificates


class Authority:
    """A certificate authority, and the file that holds its certificate."""

    def __init__(self, folder: Path, name: str = "Our own authority") -> None:
        self._ca = trustme.CA(organization_name=name)
        self.file = folder / f"{name}.pem"
        self._ca.cert_pem.write_to_path(str(self.file))

    def context(
        self, *names: str, since: timedelta = timedelta(days=-30), until: timedelta = timedelta(days=30)
    ) -> ssl.SSLContext:
        """What a server for these names shows; valid from and until so long from now."""
        now = datetime.now(UTC)
        issued = self._ca.issue_cert(*names, not_before=now + since, not_after=now + until)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        issued.configure_cert(context)
        return context


def self_signed(folder: Path, name: str) -> tuple[ssl.SSLContext, Path]:
    """A server that vouches for itself, and the file with its certificate."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(subject, subject, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    shown, both = folder / "self-signed.pem", folder / "self-signed-and-key.pem"
    shown.write_bytes(certificate.public_bytes(pem))
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    both.write_bytes(secret + shown.read_bytes())
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(both)
    return context, shown


# ---------------------------------------------------------------- servers


def answering(status: int, body: object = None, **headers: str) -> Answer:
    """One answer to everything."""
    content = b"" if body is None else json.dumps(body).encode()
    named = {"content-length": str(len(content)), "content-type": "application/json", **headers}
    lines = [f"HTTP/1.1 {status} So", *(f"{name}: {value}" for name, value in named.items())]
    whole = "\r\n".join([*lines, "", ""]).encode() + content
    return lambda _, __: whole


class _Listening:
    """Something that listens on a port of this computer. `heard`: every byte that came in, after decryption."""

    def __init__(self, context: ssl.SSLContext | None) -> None:
        self.heard = bytearray()
        self.connections = 0
        self._context = context
        self._open: set[asyncio.Task[None] | None] = set()
        """A loop itself holds no task: one that waits for nothing would be collected."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="listening", daemon=True)
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self._first(context)))
        self.port: int = self._server.sockets[0].getsockname()[1]

    def _first(self, context: ssl.SSLContext | None) -> ssl.SSLContext | None:
        if context is not None:
            context.sni_callback = lambda shaking, _, __: setattr(shaking, "context", self._context)
        return context

    def show(self, context: ssl.SSLContext) -> None:
        """Use another certificate from now on."""
        self._context = context

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        task = asyncio.current_task()
        self._open.add(task)
        try:
            await self.serve(reader, writer)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            with suppress(AttributeError):  # from Python 3.11.2, where the connection is gone
                writer.transport.abort()  # the program went, or the test is over
        finally:
            self._open.discard(task)
            writer.close()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Do what it is for on one connection."""
        raise NotImplementedError

    async def _head(self, reader: asyncio.StreamReader) -> bytes:
        head = await reader.readuntil(b"\r\n\r\n")
        self.heard += head
        return head

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: int) -> None:
        """Carry bytes to and from another port until one side has had enough."""
        to_reader, to_writer = await asyncio.open_connection("127.0.0.1", port)

        async def pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter, *, inwards: bool) -> None:
            try:
                while data := await source.read(65_536):
                    if inwards:
                        self.heard += data
                    sink.write(data)
                    await sink.drain()
            finally:
                sink.close()

        await asyncio.gather(
            pump(reader, to_writer, inwards=True), pump(to_reader, writer, inwards=False), return_exceptions=True
        )

    async def _close(self) -> None:
        self._server.close()
        await asyncio.sleep(0)
        while rest := asyncio.all_tasks() - {asyncio.current_task()}:  # handshakes that have not come to an end, too
            for task in rest:
                task.cancel()
            await asyncio.wait(rest)
            for _ in range(3):
                await asyncio.sleep(0)  # what was aborted closes its socket in the next turn, what was accepted begins

    def close(self) -> None:
        """Listen no more, and cut what is open."""
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE_S)
        self._loop.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Server(_Listening):
    """A service of one function. `context` None: it speaks plain http. `asked`: method and target of each request."""

    def __init__(self, answer: Answer, context: ssl.SSLContext | None = None, host: str = "localhost") -> None:
        self.answer = answer
        self.asked: list[str] = []
        super().__init__(context)
        self.origin = f"{'http' if context is None else 'https'}://{host}:{self.port}"
        self.url = f"{self.origin}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = await self._head(reader)
            method, target, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
            self.asked.append(f"{method} {target}")
            for line in head.lower().split(b"\r\n"):
                if line.startswith(b"content-length:"):
                    self.heard += await reader.readexactly(int(line.partition(b":")[2]))
            writer.write(self.answer(method, target))
            await writer.drain()


class Front(_Listening):
    """TLS before a service that has none."""

    def __init__(self, port: int, context: ssl.SSLContext, host: str = "localhost") -> None:
        self._behind = port
        super().__init__(context)
        self.url = f"https://{host}:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await self.pass_on(reader, writer, self._behind)


class Outdated:
    """A server as it was twenty years ago: TLS 1.1 at best. OpenSSL itself writes to the socket here: asyncio's servers
    leave out the farewell that says why."""

    def __init__(self, context: ssl.SSLContext) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # that it is outdated is the point
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = ssl.TLSVersion.TLSv1_1
        self.heard = bytearray()
        self._context = context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = f"https://localhost:{self.port}/v1"
        self._thread = threading.Thread(target=self._serve, name="outdated", daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                taken, _ = self._listener.accept()
            except OSError:
                return  # the test is over
            try:
                with self._context.wrap_socket(taken, server_side=True) as secure:
                    self.heard += secure.recv(65_536)
            except OSError:
                continue  # what a client of today does

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # wakes the thread, which close alone does not
        self._listener.close()
        self._thread.join(PATIENCE_S)


class Rude(_Listening):
    """Something that is no TLS server. `says` None: it says nothing until it is closed; else this, and then it goes."""

    def __init__(self, says: bytes | None) -> None:
        self._says = says
        super().__init__(None)
        self.url = f"https://localhost:{self.port}/v1"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.heard += await reader.read(65_536)
        if self._says is None:
            await asyncio.Event().wait()
        elif self._says:
            writer.write(self._says)
            await writer.drain()


class ConnectProxy(_Listening):
    """A proxy that makes tunnels (CONNECT, RFC 9110, 9.3.6) to this computer, whatever name it is asked for.

    `refuses` is the status with which it answers everybody; `login`: `name:password` that it demands. `asked`: the
    targets, in order. `heard` has all that it could read, the bytes in the tunnels included.
    """

    def __init__(self, *, refuses: int = 0, login: str = "", context: ssl.SSLContext | None = None) -> None:
        self.refuses = refuses
        self._login = login
        self.asked: list[str] = []
        super().__init__(context)
        self.address = f"localhost:{self.port}"
        self.url = f"{'http' if context is None else 'https'}://{self.address}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await self._head(reader)
        method, target, _ = head.split(b"\r\n", 1)[0].decode("latin-1").split(" ")
        self.asked.append(f"{method} {target}")
        status = self.refuses or self._admits(head)
        writer.write(f"HTTP/1.1 {status} So\r\nContent-Length: 0\r\n\r\n".encode() if status != 200 else _GRANTED)
        await writer.drain()
        if status == 200:
            await self.pass_on(reader, writer, int(target.rpartition(":")[2]))

    def _admits(self, head: bytes) -> int:
        wanted = f"Proxy-Authorization: Basic {base64.b64encode(self._login.encode()).decode()}".lower()
        return 200 if not self._login or wanted.encode() in head.lower() else 407


_GRANTED = b"HTTP/1.1 200 Go on\r\n\r\n"

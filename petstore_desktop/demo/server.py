"""The shop on a socket of this machine, until it is told to end."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import TextIO

import uvicorn

from petstore_desktop.demo.books.shop import Shop
from petstore_desktop.demo.connections import Connections
from petstore_desktop.demo.control import make_control
from petstore_desktop.demo.door import Door
from petstore_desktop.demo.operations.service import make_service

HOST = "127.0.0.1"
STDIN = 0
KEEP_ALIVE = 75
"""Seconds that an idle connection stays open."""
GRACE_S, _LOOK_S = 1.0, 0.005
"""How long an answer that is under way may take at the end."""


class Server(uvicorn.Server):
    """Serves one shop on a socket that listens. In the main thread a signal ends it in order, and the process ends as
    after any other job."""

    def __init__(self, shop: Shop, listening: socket.socket, control: bool, log: TextIO | None) -> None:
        connections = Connections()
        door = Door(shop, make_service(shop), make_control(shop) if control else None, connections, log)
        config = uvicorn.Config(
            door,
            http=connections.protocol(),
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=False,  # the door gives the time
            timeout_keep_alive=KEEP_ALIVE,
        )
        super().__init__(config)
        self._listening = listening
        self._wake: Callable[[], object] = lambda: None
        self.origin = f"http://{HOST}:{listening.getsockname()[1]}"
        """Scheme, host and port."""
        # What clients send is in the log file, not on stderr.
        logging.getLogger("uvicorn.error").setLevel(logging.ERROR)

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        handled = (signal.SIGINT, signal.SIGTERM)
        before = {number: signal.signal(number, self.handle_exit) for number in handled}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def serve_here(self) -> None:
        """Serve in this thread until it is told to end (`end`, or a signal)."""
        asyncio.run(self.serve(sockets=[self._listening]))

    def end(self) -> None:
        """Serve no more; any thread."""
        self.should_exit = True
        self._wake()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal came."""
        super().handle_exit(sig, frame)
        self._wake()

    async def main_loop(self) -> None:
        """Serve until told to end; uvicorn's own looks ten times a second, whether anybody asks for anything or not."""
        told, loop = asyncio.Event(), asyncio.get_running_loop()
        self._wake = lambda: loop.call_soon_threadsafe(told.set)
        await self.on_tick(0)
        if not self.should_exit:
            await told.wait()
        self._wake = lambda: None

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close what is idle, and give what is answered just now a moment; uvicorn's own takes a tenth of a second at
        least."""
        for listening in (*self.servers, *(sockets or ())):
            listening.close()
        state, loop = self.server_state, asyncio.get_running_loop()
        for connection in [*state.connections]:
            connection.shutdown()
        ends = loop.time() + GRACE_S
        while (state.connections or state.tasks) and not (self.force_exit or loop.time() > ends):  # noqa: ASYNC110 -- uvicorn
            await asyncio.sleep(_LOOK_S)  # tells nobody when a connection has gone
        for task in state.tasks:
            task.cancel()


def listen(port: int) -> socket.socket:
    """A listening socket of the loopback; `port` 0 takes any that is free. Raises OSError if it is taken."""
    # The protocol is named because asyncio sets TCP_NODELAY only on sockets that name it; else an answer takes 40 ms.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":  # there it would let two shops share the port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen(512)
    except OSError:
        listening.close()
        raise
    return listening


def read_line_of_stdin() -> str:
    """The first line of stdin, byte by byte, so that nothing behind it is taken."""
    line = b""
    while not line.endswith(b"\n") and (byte := os.read(STDIN, 1)):
        line += byte
    return line.decode().strip()


def serve(server: Server, until_stdin_closes: bool) -> None:
    """Serve until a signal comes, or until stdin ends where that is asked for."""
    if until_stdin_closes:
        threading.Thread(target=_end_with_stdin, args=(server,), name="stdin", daemon=True).start()
    server.serve_here()


def _end_with_stdin(server: Server) -> None:
    """os.read, not sys.stdin: a thread inside a buffered read would hold up the interpreter's end."""
    try:
        while os.read(STDIN, 4096):
            pass
    except OSError:
        pass  # a stdin that cannot be read is as good as closed
    server.end()

"""The open connections: when each was opened and last answered, and how to cut one without an answer."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from starlette.types import Receive, Scope
from uvicorn.protocols.http.h11_impl import H11Protocol

LATELY = 10.0
"""Seconds."""


@dataclass(slots=True)
class ClientConnection:
    """One connection; times in epoch seconds, `answered` 0.0 until the first answer, `key` that of the last request."""

    transport: asyncio.Transport
    opened: float
    answered: float = 0.0
    key: str | None = None


class Connections:
    """The connections of one server, by the address of the other side."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, int], ClientConnection] = {}

    def protocol(self) -> type[H11Protocol]:
        """uvicorn's own protocol, which also tells us of each connection."""
        known = self._open

        class WatchedProtocol(H11Protocol):
            def connection_made(self, transport: asyncio.Transport) -> None:
                super().connection_made(transport)
                if self.client is not None:
                    known[self.client] = ClientConnection(transport, time.time())

            def connection_lost(self, exc: Exception | None) -> None:
                if self.client is not None:
                    known.pop(self.client, None)
                super().connection_lost(exc)

        return WatchedProtocol

    def times(self, scope: Scope) -> tuple[float, float]:
        """When a request's connection was opened, and when it was last answered."""
        connection = self._of(scope)
        return (0.0, 0.0) if connection is None else (connection.opened, connection.answered)

    def answered(self, scope: Scope, now: float, key: str | None) -> None:
        """Keep that a request's connection was answered."""
        if (connection := self._of(scope)) is not None:
            connection.answered, connection.key = now, key

    def others(self, scope: Scope, key: str | None, now: float) -> bool:
        """Whether the key uses another connection at the same time: one that is open and was answered lately."""
        this = self._of(scope)
        return any(
            connection is not this and connection.key == key and now - connection.answered < LATELY
            for connection in self._open.values()
        )

    async def cut(self, scope: Scope, receive: Receive) -> None:
        """Close a request's connection without an answer, and wait until it is closed."""
        if (connection := self._of(scope)) is not None:
            connection.transport.abort()
        while (await receive())["type"] != "http.disconnect":
            pass

    def _of(self, scope: Scope) -> ClientConnection | None:
        host, port = scope["client"]
        return self._open.get((host, port))

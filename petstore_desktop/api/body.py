"""Reading a body with a bound on its decoded size: 292 KB of gzip can hold 300 MB."""

from __future__ import annotations

import zlib

from petstore_desktop.domain.errors import AnswerUnusable

PIECE = 256 * 1024
"""Decoded bytes that are made at once, so that a bomb is noticed before it has gone off."""

_ANY = 32 + zlib.MAX_WBITS
"""zlib or gzip, by its first bytes."""

ACCEPTED = "gzip, deflate"


class Body:
    """Collects decoded bytes. Raises AnswerUnusable: `too-large`, `bad-encoding`, `cut-short`."""

    def __init__(self, encoding: str, cap: int) -> None:
        self._cap = cap
        self._bytes = bytearray()
        self._named = encoding.strip().lower()
        if self._named not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise AnswerUnusable("bad-encoding", encoding=self._named[:40])
        self._inflate = None if self._named in ("", "identity") else zlib.decompressobj(_ANY)

    def __len__(self) -> int:
        return len(self._bytes)

    def feed(self, raw: bytes) -> None:
        """Take bytes as they came over the wire."""
        if self._inflate is None:
            self._add(raw)
            return
        try:
            while raw:
                self._add(self._inflate.decompress(raw, PIECE))
                raw = self._inflate.unconsumed_tail
                if self._inflate.eof and (raw := self._inflate.unused_data):
                    self._inflate = zlib.decompressobj(_ANY)  # a gzip body may have several members (RFC 1952, 2.2)
        except zlib.error:
            raise AnswerUnusable("bad-encoding", encoding=self._named) from None

    def _add(self, piece: bytes) -> None:
        if len(self._bytes) + len(piece) > self._cap:
            raise AnswerUnusable("too-large", cap=self._cap)
        self._bytes += piece

    def finish(self) -> bytes:
        """All of it."""
        if self._inflate is not None and self._bytes and not self._inflate.eof:
            raise AnswerUnusable("cut-short")
        return bytes(self._bytes)

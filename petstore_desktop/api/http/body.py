"""A body as it comes: unpacked piece by piece, with a bound on its size; 292 KB of gzip can hold 300 MB."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from petstore_desktop.domain.errors import AnswerUnusable

PIECE = 256 * 1024
"""Decoded bytes that are made at once, so that a bomb is noticed before it has gone off."""

_ANY = 32 + zlib.MAX_WBITS
"""zlib or gzip, by its first bytes."""

ACCEPTED = "gzip, deflate"
RECORD_CAP = 8 * 1024 * 1024
LIST_CAP = 256 * 1024 * 1024
ERROR_CAP = 256 * 1024
"""Bytes of decoded body that are read of an answer with a record, with a list, and with an error."""


class Unpacking:
    """Turns what comes over the wire into decoded pieces. Raises AnswerUnusable: `too-large`, `bad-encoding`,
    `cut-short`. `size`: decoded bytes so far."""

    def __init__(self, encoding: str, cap: int) -> None:
        self.size = 0
        self._cap = cap
        self._named = encoding.strip().lower()
        if self._named not in ("", "identity", "gzip", "x-gzip", "deflate"):
            raise AnswerUnusable("bad-encoding", encoding=self._named[:40])
        self._inflate = None if self._named in ("", "identity") else zlib.decompressobj(_ANY)

    def pieces(self, raw: bytes) -> Iterator[bytes]:
        """What these bytes hold, in pieces of at most PIECE bytes where they were packed."""
        if self._inflate is None:
            yield self._counted(raw)
            return
        try:
            while raw:
                yield self._counted(self._inflate.decompress(raw, PIECE))
                raw = self._inflate.unconsumed_tail
                if self._inflate.eof and (raw := self._inflate.unused_data):
                    self._inflate = zlib.decompressobj(_ANY)  # a gzip body may have several members (RFC 1952, 2.2)
        except zlib.error:
            raise AnswerUnusable("bad-encoding", encoding=self._named) from None

    def _counted(self, piece: bytes) -> bytes:
        self.size += len(piece)
        if self.size > self._cap:
            raise AnswerUnusable("too-large", cap=self._cap)
        return piece

    def finish(self) -> None:
        """There is no more."""
        if self._inflate is not None and self.size and not self._inflate.eof:
            raise AnswerUnusable("cut-short")

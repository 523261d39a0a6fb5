"""Finds commits in a log (`-wal` file) behind a place that SQLite cannot read.

SQLite takes a log up to the first frame with a wrong checksum for all there is (sqlite.org, "WAL-mode File Format",
"Recovery Algorithm"). That is right for the end that a power cut tore, and silently forgets what was said to be saved
where an older frame is damaged. A frame's checksum goes on from the one before it, which is written beside that: so a
frame behind a broken one can still be judged.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Generator, Iterable
from operator import mul
from pathlib import Path
from typing import Final

from msgspec import Struct

from petstore_desktop.regular_files import read_regular

_HEAD: Final = 32
"""Bytes: magic, format, page size, sequence, two salts, two sums."""
_FRAME: Final = 24
"""Bytes before each page: its number, pages after the commit (0: none), two salts, two sums."""
_MAGIC: Final = {b"\x37\x7f\x06\x82": "<", b"\x37\x7f\x06\x83": ">"}
"""The order of the bytes in the words that are summed."""
_PAGE: Final = 4096
_MASK: Final = 0xFFFF_FFFF
MOST_READ: Final = 1 << 30
"""Bytes of a log that are looked at; this program never lets one become so long."""
_MOST_RUNS: Final = 1_000
"""How many runs may be in one log."""


class Frame(Struct, frozen=True):
    """`page` counts from 1; `size`: pages of the file after this commit, 0 where it is none; `whole`: as written;
    `ours`: of the latest run, as far as that can be read."""

    page: int
    size: int
    data: bytes
    whole: bool
    ours: bool


class _Head(Struct, frozen=True):
    """`whole`: SQLite would believe it."""

    order: str
    salts: bytes
    sums: bytes
    whole: bool


def hides_commits(log: Path, content: Callable[[], bytes]) -> bool:
    """Whether commits lie behind a broken place. `content`: the database without its log, asked for where the head of
    the log is broken. Raises OSError.

    A power cut leaves at most one commit there, the one that was being written, and its copy that fills the sector.
    """
    raw = content_of(log) if log.exists() else b""
    if len(raw) <= _HEAD or not _goes_on(_frames(raw), broken=not _head(raw).whole):
        return False
    # The head alone is written anew when all is in the database; a power cut may spoil that, and then nothing is lost.
    return _head(raw).whole or _differs(committed(_frames(raw)), content())


def breaks_off(log: Path) -> bool:
    """Whether the last commit in it is broken, so that SQLite passes over it. Its last frame is there twice, to fill
    the sector: one of them says that there was a commit. A commit that a power cut tore, and that was
    never said to be saved, looks like one that was damaged later. Raises OSError."""
    broken = False
    for frame in frames(log) if log.exists() else ():
        broken = broken or not frame.whole
        if broken and frame.ours and frame.size:
            return True
    return False


def frames(log: Path) -> Generator[Frame]:
    """Yield the frames of its latest run, in order. Raises OSError."""
    return _frames(content_of(log))


def content_of(log: Path) -> bytes:
    """The bytes of a log, or of a database. Raises OSError."""
    return read_regular(log, MOST_READ)


def committed(found: Iterable[Frame]) -> tuple[dict[int, bytes], int]:
    """The pages as the last whole commit left them, broken frames passed over; and how many pages the file had then."""
    pages: dict[int, bytes] = {}
    written: dict[int, bytes] = {}
    size = 0
    for frame in found:
        if frame.whole:
            written[frame.page] = frame.data
            if frame.size:
                pages |= written
                written, size = {}, frame.size
    return pages, size


def _goes_on(found: Iterable[Frame], *, broken: bool) -> bool:
    commit = None
    for frame in found:
        if not frame.whole:
            broken = True
        elif broken:
            if commit is not None and (frame.page, frame.data) != commit:
                return True
            if frame.size:
                commit = (frame.page, frame.data)
    return False


def _differs(last: tuple[dict[int, bytes], int], content: bytes) -> bool:
    return any(content[(page - 1) * _PAGE : page * _PAGE] != data for page, data in last[0].items())


def _frames(raw: bytes) -> Generator[Frame]:
    head = _head(raw)
    before = head.sums
    for at in range(_HEAD, len(raw) - _FRAME - _PAGE + 1, _FRAME + _PAGE):
        page, size = struct.unpack_from(">2I", raw, at)
        data = raw[at + _FRAME : at + _FRAME + _PAGE]
        sums = raw[at + 16 : at + _FRAME]
        ours = raw[at + 8 : at + 16] == head.salts and page > 0
        whole = ours and _sums(head.order, before, raw[at : at + 8] + data) == sums
        before = sums
        yield Frame(page, size, data, whole, ours)


def _head(raw: bytes) -> _Head:
    order = _MAGIC.get(raw[:4])
    size = int.from_bytes(raw[8:12], "big")
    if len(raw) >= _HEAD and order is not None and size == _PAGE and _sums(order, bytes(8), raw[:24]) == raw[24:32]:
        return _Head(order, raw[16:24], raw[24:32], True)
    return _Head(order or "<", _latest_salts(raw, order or "<"), raw[24:32], False)


def _latest_salts(raw: bytes, order: str) -> bytes:
    """The salts of the first valid frames; frames of earlier runs may follow. Each run increments the first salt by
    one. Frames of a later run that cannot be checked may come first."""
    before, seen = raw[24:32], list[bytes]()
    for at in range(_HEAD, len(raw) - _FRAME - _PAGE + 1, _FRAME + _PAGE):
        sums, salts = raw[at + 16 : at + _FRAME], raw[at + 8 : at + 16]
        seen.append(salts)
        if _sums(order, before, raw[at : at + 8] + raw[at + _FRAME : at + _FRAME + _PAGE]) == sums:
            first = int.from_bytes(salts[:4], "big")
            return max(seen, key=lambda one: _ahead(one, first))
        before = sums
    return b""


def _ahead(salts: bytes, first: int) -> int:
    """How many runs later than this first salt; -1 if it is not a salt."""
    runs = (int.from_bytes(salts[:4], "big") - first) & _MASK
    return runs if runs < _MOST_RUNS else -1


def _weights(words: int) -> tuple[list[int], int, int]:
    """How often each word is in the second sum at the end, and each of the two sums of the beginning: for each two
    words x, y it is s1 += x + s2; s2 += y + s1."""
    first, second = 0, 1
    found: list[int] = []
    for _ in range(words // 2):
        first = (first + second) & _MASK
        found += [second, first]
        second = (second + first) & _MASK
    return found[::-1], first, second


_WEIGHTS: Final = {words: _weights(words) for words in (6, 2 + _PAGE // 4)}


def _sums(order: str, before: bytes, data: bytes) -> bytes:
    """Both sums: the second alone would not notice a flip in the high bits of a word that counts in it an even number
    of times. What a word counts in the first is what the one after it counts in the second."""
    words = len(data) // 4
    weights, first, second = _WEIGHTS[words]
    one, two = struct.unpack(">2I", before)
    values = struct.unpack(f"{order}{words}I", data)
    lower = sum(map(mul, weights[1:], values)) + (second - first) * one + first * two
    upper = sum(map(mul, weights, values)) + first * one + second * two
    return struct.pack(">2I", lower & _MASK, upper & _MASK)

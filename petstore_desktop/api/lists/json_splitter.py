"""Splits the text of a list answer into its records while it arrives, so that the whole is never in memory. Pure: bytes
in, texts of some records out.

Why not a parser that streams: that of ijson's C backend (3.6) ends the whole program at a number of more than 4,300
digits, puts a question mark for half a character, and knows no bound on depth. Here only the places are found where one
record ends; what is between them is read, and judged, by `wire`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple, cast

from petstore_desktop.domain.errors import AnswerUnusable
from petstore_desktop.domain.records import plain

ROWS = 500
"""Records in one text at most."""
TEXT = 256 * 1024
"""A text is handed on once it is this long, in bytes, however few records it holds."""
RECORD = 8 * 1024 * 1024
"""Bytes of one record at most, and of all that stands beside the list."""
DEPTH = 200
"""Objects and lists in one another around the list."""
LEAST = 16 * 1024
"""Bytes that are waited for before they are looked at, so that a drip of single ones costs little."""

_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TOKEN = re.compile(rb"(%b|\{(?:[^\"{}\[\]]++|%b)*+\})|([{}\[\],])|(\")" % (_STRING, _STRING), re.DOTALL)
"""A whole text or an object without anything nested; what gives structure; a text that has not come to its end."""
_FLAT = re.compile(rb"\s*+\{[^\"{}\[\]]*+(?:%b[^\"{}\[\]]*+)*+\}\s*+," % _STRING, re.DOTALL)
"""A whole record without anything nested, and the comma behind it: most are such, and found at once."""
_WORD = re.compile(rb"(%b)|([{}\[\]:])|(\")" % _STRING, re.DOTALL)
_BEGINS_JSON = b'[{"-0123456789tfnNI'
_BOM = b"\xef\xbb\xbf"


class Cut(NamedTuple):
    """The text of some records, with commas in between, and where each of them ends in it."""

    text: bytes
    ends: list[int]


class Cutter:
    """One answer. `may_hold` is told the names that lead to a list, normalized (`params.plain`), outermost first, and
    says whether that list is the one with the records; the first one is. A bare list has no names.

    `count`: records that were cut off so far; `found`: whether the list has come. Raises AnswerUnusable: `not-json`,
    `bad-text`, `too-deep`, `too-large` (with `cap`), `cut-short`.
    """

    def __init__(self, may_hold: Callable[[tuple[str, ...]], bool]) -> None:
        self.count = 0
        self.found = False
        self._may_hold = may_hold
        self._rest = b""
        self._came: list[bytes] = []
        self._size = 0
        self._need = LEAST
        self._began = False
        self._in_list = False
        self._at = 0
        """Where to go on looking in the rest."""
        self._from = 0
        """The offset of the next record in the remaining text, or the missing part of the frame."""
        self._depth = 0
        self._ends: list[int] = []
        self._names: list[str | None] = []
        """Around the list: the name at which each open object stands, None for a list."""
        self._last = b""
        self._frame = bytearray()

    def feed(self, piece: bytes) -> Iterator[Cut]:
        """More of the text; what can be cut off now."""
        self._came.append(piece)
        self._size += len(piece)
        if self._size >= self._need:
            yield from self._look()

    def finish(self) -> Iterator[Cut]:
        """There is no more text."""
        yield from self._look()
        if self._in_list:
            raise AnswerUnusable("cut-short")

    @property
    def frame(self) -> bytes:
        """After the end: the text around the records, with an empty list in their place."""
        return bytes(self._frame) + self._rest[self._from :]

    # -- looking

    def _look(self) -> Iterator[Cut]:
        data = self._rest + b"".join(self._came)
        self._came.clear()
        if not self._began:
            data = self._begin(data)
        at = -1
        while at != self._at:  # a change from one to the other leaves the rest to be looked at again
            at = self._at
            if self._in_list:
                yield from self._cut(data)
            else:
                self._look_around(data)
        self._keep(data)

    def _begin(self, data: bytes) -> bytes:
        data = data.removeprefix(_BOM)
        first = data.lstrip()[:1]
        if first and first not in _BEGINS_JSON:
            raise AnswerUnusable("not-json")
        self._began = bool(first)
        return data

    def _keep(self, data: bytes) -> None:
        if not self._in_list:
            self._frame += data[self._from : self._at]
            self._from = self._at
        if max(len(data) - self._from, len(self._frame)) > RECORD:
            raise AnswerUnusable("too-large", cap=RECORD)
        self._rest = data[self._from :]
        self._at -= self._from
        self._ends = [end - self._from for end in self._ends]
        self._from = 0
        # A long text that has not come to its end is looked at anew when there is twice as much of it.
        waits = len(self._rest) - self._at
        self._size, self._need = 0, max(LEAST, waits)

    def _cut(self, data: bytes) -> Iterator[Cut]:
        while True:
            if not self._depth and self._at == (self._ends[-1] + 1 if self._ends else self._from):
                yield from self._flat(data)
            found = _TOKEN.search(data, self._at)
            if found is None:
                break
            kind = found.lastindex
            if kind == 3:
                self._at = found.start()  # the text's end has not come
                return
            self._at = found.end()
            if kind == 2:
                cut = self._structure(data, found.start())
                if cut is not None:
                    yield cut
                if not self._in_list:
                    return
        self._at = len(data)

    def _flat(self, data: bytes) -> Iterator[Cut]:
        """Records without anything nested, from where one begins; others are left."""
        while (found := _FLAT.match(data, self._at)) is not None:
            self._at = found.end()
            self._ends.append(self._at - 1)
            if len(self._ends) >= ROWS or self._at - 1 - self._from >= TEXT:
                yield self._off(data, self._at - 1)

    def _structure(self, data: bytes, at: int) -> Cut | None:
        """One sign between the records, or deep in one of them."""
        sign = data[at : at + 1]
        if sign in b"{[":
            self._depth += 1
        elif sign == b"," and not self._depth:
            self._ends.append(at)
            if len(self._ends) >= ROWS or at - self._from >= TEXT:
                return self._off(data, at)
        elif sign in b"}]" and self._depth:
            self._depth -= 1
        elif sign == b"}":
            raise AnswerUnusable("not-json")
        elif sign == b"]":
            return self._over(data, at)
        return None

    def _over(self, data: bytes, at: int) -> Cut | None:
        """The list ends here."""
        empty = not self.count and not self._ends and not data[self._from : at].strip()
        self._ends.append(at)
        cut = None if empty else self._off(data, at)
        self._ends = []
        self._in_list, self._from, self._at = False, at, at + 1
        return cut

    def _off(self, data: bytes, at: int) -> Cut:
        cut = Cut(data[self._from : at], [end - self._from for end in self._ends])
        self.count += len(self._ends)
        self._ends = []
        self._from = at + 1
        return cut

    # -- around the list

    def _look_around(self, data: bytes) -> None:
        while (found := _WORD.search(data, self._at)) is not None:
            if found.lastindex == 3:
                self._at = found.start()
                return
            self._at = found.end()
            if found.lastindex == 1:
                self._last = found[0]
            elif self._leads_in(found[0]):
                self._frame += data[self._from : self._at]
                self._from = self._at
                self._check_frame()
                self.found = self._in_list = True
                return
        self._at = len(data)

    def _leads_in(self, sign: bytes) -> bool:
        """Whether the list begins here."""
        if sign == b":" and self._names and self._names[-1] is not None:
            self._names[-1] = _name(self._last)
        elif sign in b"}]" and self._names:
            self._names.pop()
        elif sign in b"{[":
            if sign == b"[" and not self.found and self._is_the_list():
                return True
            self._names.append("" if sign == b"{" else None)
            if len(self._names) > DEPTH:
                raise AnswerUnusable("too-deep")
        return False

    def _check_frame(self) -> None:
        """What leads to the list must be JSON, or nothing of what follows means what it seems to."""
        closing = b"".join(b"]" if name is None else b"}" for name in reversed(self._names))
        try:
            json.loads((bytes(self._frame) + b"]" + closing).decode(), parse_int=len)
        except UnicodeDecodeError:
            raise AnswerUnusable("bad-text") from None
        except ValueError:
            raise AnswerUnusable("not-json") from None
        except RecursionError:
            raise AnswerUnusable("too-deep") from None

    def _is_the_list(self) -> bool:
        return None not in self._names and self._may_hold(cast("tuple[str, ...]", tuple(self._names)))


def _name(text: bytes) -> str:
    try:
        return plain(str(json.loads(text)))
    except ValueError:
        return ""  # what is no JSON is found out when the frame is read

"""The names of one resource for the palette: a few thousand folded names in one text each, made when first searched.

The texts of 100,000 names take some 20 ms to make, in steps; so they are let go of whenever rows move, and made anew.
A caller reads the record itself again before it shows a result.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from petstore_desktop.desk.model.row_store import RowStore
from petstore_desktop.desk.values.text import fold

_ROWS = 1024
"""Rows of one text: making it takes a quarter of a millisecond."""

_LONGEST = 300
"""How many characters of a name are searched; folding a million of them takes a third of a second."""

_HOLE = "\0"
"""Stands where a name goes."""


class RowLines:
    """One line of text for each row of a store, as it was at the last `forget`; kept in blocks of rows, between line
    breaks. `make` says the lines from a slot to before another."""

    def __init__(self, store: RowStore, make: Callable[[RowStore, int, int], str]) -> None:
        self._store, self._make = store, make
        self._kept: dict[int, tuple[int, str]] = {}

    def forget(self) -> None:
        """Rows came, went, or changed."""
        self._kept.clear()

    def find(self, *wanted: str) -> Iterator[int | None]:
        """The slots whose line holds all of this, each once, and None after some thousands of rows, to pause at. A line
        break in front of a word stands for the beginning of the line."""
        capacity = self._store.capacity
        for start in range(0, capacity, _ROWS):
            stop = min(start + _ROWS, capacity)
            made, text = self._kept.get(start, (0, ""))
            if made != stop:
                text = f"\n{self._make(self._store, start, stop)}\n"
                self._kept[start] = (stop, text)
            for line in _lines_with(wanted, text):
                yield start + line
            yield None


def _lines_with(wanted: Sequence[str], text: str) -> Iterator[int]:
    """The numbers of the lines that contain all words, searched by the rarest one."""
    rarest = wanted[0] if len(wanted) == 1 else min(wanted, key=text.count)
    line, counted, at = 0, 1, text.find(rarest)
    while at >= 0:
        inside = at + 1 if rarest[0] == "\n" else at
        end = text.find("\n", inside)
        line += text.count("\n", counted, inside)
        counted = inside
        begin = text.rfind("\n", 0, inside)
        if all(text.find(word, begin, end) >= 0 for word in wanted):
            yield line
        at = text.find(rarest, end)


def names_of(store: RowStore, start: int, stop: int) -> str:
    """The folded names of some rows, a line for each."""
    names = [name if isinstance(name, str) else "" for name in store.columns["name"][start:stop]]
    text = "\n".join(names)
    if text.count("\n") != len(names) - 1 or len(text) > _LONGEST * len(names) or _HOLE in text:
        return "\n".join([one_line(name) for name in names])
    if text.isascii():
        return text.lower()
    folded = _fold_all("\n".join([name for name in names if not name.isascii()])).split("\n")
    plain = "\n".join([name if name.isascii() else _HOLE for name in names]).lower().split(_HOLE)
    whole = [""] * (2 * len(folded) + 1)  # plain names at once, and between them the others
    whole[::2], whole[1::2] = plain, folded
    return "".join(whole)


def ids_of(store: RowStore, start: int, stop: int) -> str:
    """The ids of some rows, a line for each."""
    return "\n".join([str(key) if isinstance(key, int | str) else "" for key in store.keys[start:stop]])


def one_line(name: str) -> str:
    """A name folded, on one line; of a very long one the beginning."""
    return fold(name[:_LONGEST]).replace("\n", " ")


def _fold_all(text: str) -> str:
    """What `fold` makes of many names, in a fraction of the time: the marks to drop are looked up once for each."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    marks = "".join(letter for letter in set(decomposed) if unicodedata.combining(letter))
    return (re.sub(f"[{re.escape(marks)}]", "", decomposed) if marks else decomposed).casefold()

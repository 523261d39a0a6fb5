"""The names of one resource for the palette: a few thousand folded names in one text each, made when first searched.

Nothing is kept between two openings of the palette: making the texts of 100,000 names takes some 20 ms, in steps, and
what is made anew is never out of date. Whoever takes a hit looks at the record itself again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from petstore_desktop.desk.text import fold

if TYPE_CHECKING:
    from petstore_desktop.desk.rows import RowStore

_ROWS = 2048
"""Rows of one text: making it takes half a millisecond, and some 4 where no name is ASCII."""

_LONGEST = 300
"""So many signs of a name are searched: nobody types more, and to fold a million of them takes a third of a second."""


class _Texts:
    """One line for each slot, with a line break before and after it, in texts of so many rows."""

    def __init__(self, lines: Callable[[int, int], list[str]], capacity: Callable[[], int]) -> None:
        self._lines = lines
        self._capacity = capacity
        self._kept: dict[int, tuple[int, str]] = {}

    def forget(self) -> None:
        """The lines are others now."""
        self._kept.clear()

    def find(self, wanted: Sequence[str]) -> Iterator[int | None]:
        """See `Names.find`."""
        capacity = self._capacity()
        for start in range(0, capacity, _ROWS):
            stop = min(start + _ROWS, capacity)
            made, text = self._kept.get(start, (0, ""))
            if made != stop:
                text = "\n{}\n".format("\n".join(self._lines(start, stop)))
                self._kept[start] = (stop, text)
            for line in _lines_with(wanted, text):
                yield start + line
            yield None


def _lines_with(wanted: Sequence[str], text: str) -> Iterator[int]:
    """The numbers of the lines that hold all of this, looked for by what is rarest."""
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


class Names:
    """The folded names and the ids of all rows, as they were at the last `forget`."""

    def __init__(self, store: RowStore) -> None:
        self._store = store
        self._names = _Texts(self._folded, lambda: store.capacity)
        self._ids = _Texts(self._digits, lambda: store.capacity)

    def forget(self) -> None:
        """Rows came, went, or changed their names."""
        self._names.forget()
        self._ids.forget()

    def find(self, wanted: Sequence[str]) -> Iterator[int | None]:
        """The slots whose name holds all of this, each once, and None after some thousands of rows, to pause at. A line
        break in front of a word stands for the beginning of the name."""
        return self._names.find(wanted)

    def find_id(self, digits: str) -> Iterator[int | None]:
        """The slots whose id begins with these digits, and None to pause at."""
        return self._ids.find((f"\n{digits}",))

    def _folded(self, start: int, stop: int) -> list[str]:
        column = self._store.columns["name"]
        return [one_line(name) if isinstance(name, str) else "" for name in column[start:stop]]

    def _digits(self, start: int, stop: int) -> list[str]:
        return [str(key) if isinstance(key, int) else "" for key in self._store.keys[start:stop]]


def one_line(name: str) -> str:
    """A name folded, on one line; of a very long one the beginning."""
    return fold(name[:_LONGEST]).replace("\n", " ")

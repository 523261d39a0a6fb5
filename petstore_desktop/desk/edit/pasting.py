"""What a clipboard holds, as rows of texts, and how that fits into the cells that are selected."""

from __future__ import annotations

import re
from html.parser import HTMLParser

Grid = list[list[str]]
"""Rows of texts; they may differ in length."""
_END = re.compile("[\t\n\r]")
_HARD = "\u00a0"
"""A space that HTML keeps; programs write it for any space that it would drop."""


def cells_of_text(text: str) -> Grid:
    """Lines with tabs between their fields, as spreadsheets put them on the clipboard: a field in quotes may hold tabs,
    line breaks and doubled quotes; one line break at the end belongs to the last line. A quote that is never closed, or
    closed in the middle of a field, is a sign like any other."""
    if '"' not in text:  # a tenth of the time, which a hundred thousand cells take
        plain = text.replace("\r\n", "\n").replace("\r", "\n").removesuffix("\n")
        return [line.split("\t") for line in plain.split("\n")]
    rows: Grid = [[]]
    place, end = 0, len(text)
    while True:
        field, place = _field(text, place)
        rows[-1].append(field)
        if place >= end:
            break
        tab = text[place] == "\t"
        place += 2 if text.startswith("\r\n", place) else 1
        if not tab:
            if place >= end:
                break
            rows.append([])
    return rows


def _field(text: str, start: int) -> tuple[str, int]:
    """The field that begins here, and where it ends."""
    if text.startswith('"', start):
        quoted = _quoted(text, start)
        if quoted is not None:
            return quoted
    found = _END.search(text, start)
    end = len(text) if found is None else found.start()
    return text[start:end], end


def _quoted(text: str, start: int) -> tuple[str, int] | None:
    place = start + 1
    while (place := text.find('"', place)) >= 0:
        if text.startswith('""', place):
            place += 2
            continue
        after = place + 1
        if after == len(text) or text[after] in "\t\n\r":
            return text[start + 1 : place].replace('""', '"'), after
        return None
    return None


class _Table(HTMLParser):
    """Reads the first table of a document."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: Grid = []
        self._cell: list[str] | None = None
        self._figure: str | None = None
        self._width = 1
        self._over = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._over:
            return
        if tag == "tr":
            self._end_cell()
            self.rows.append([])
        elif tag in ("td", "th") and self.rows:
            self._end_cell()
            told = dict(attrs)
            text = "@" in (told.get("sdnum") or "")
            self._cell, self._figure = [], None if text else told.get("sdval")
            width = told.get("colspan") or "1"
            self._width = min(int(width), 1000) if width.isdecimal() else 1
        elif tag == "br" and self._cell is not None:
            self._cell.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th", "tr", "table"):
            self._end_cell()
        self._over = self._over or tag == "table"

    def handle_data(self, data: str) -> None:
        if self._cell is not None:
            self._cell.append(_END.sub(" ", data).replace(_HARD, "\0"))

    def _end_cell(self) -> None:
        if self._cell is None:
            return
        lines = "".join(self._cell).split("\n")
        text = "\n".join(" ".join(line.split()) for line in lines).strip("\n").replace("\0", " ")
        self.rows[-1] += [self._figure or text, *[""] * (self._width - 1)]
        self._cell = None


def cells_of_html(markup: str) -> Grid:
    """The first table of an HTML document; empty where there is none. LibreOffice says the plain number of a cell
    beside the one that is shown (`sdval`): that is taken."""
    table = _Table()
    table.feed(markup)
    table.close()
    return [row for row in table.rows if row]


def fitted(cells: Grid, rows: int, columns: int) -> Grid:
    """What goes into a selection of so many rows and columns: one text fills it, a block whose sides go into those of
    the selection repeats; any other block goes in once, however much is selected."""
    height, width = len(cells), max(map(len, cells), default=0)
    if not height or not width or rows % height or columns % width:
        return cells
    down, across = rows // height, columns // width
    if down == across == 1:
        return cells
    wide = [(row + [""] * (width - len(row))) * across for row in cells]
    return wide * down

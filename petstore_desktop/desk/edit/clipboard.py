"""What a clipboard holds, as rows of texts, and how that fits into the cells that are selected; and cells as other
programs take them from a clipboard: as lines with tabs, and as an HTML table; or from a file: as CSV.

Texts are marked as texts in HTML, so that a spreadsheet makes no number of an id of 19 digits and no formula of a name:
`mso-number-format` is read by Excel, `sdnum` by LibreOffice. Both are what these programs write themselves.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from html.parser import HTMLParser

from petstore_desktop.exchange.spreadsheet import cell_text, is_formula

Grid = list[list[str]]
"""Rows of texts; they may differ in length."""
_END = re.compile("[\t\n\r]")
_FIELD = re.compile(r'(?:"((?:[^"]++|"")*+)"|([^\t\n\r]*+))(\t|\r\n|\n|\r|\Z)')
"""A field in quotes, or as it is; and what ends it."""
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
    for found in _FIELD.finditer(text):
        quoted, plain, end = found.groups()
        rows[-1].append(plain if quoted is None else quoted.replace('""', '"'))
        if found.end() == len(text) and end != "\t":
            break
        if end != "\t":
            rows.append([])
    return rows


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
    """Fit a copied block to a selection: one text fills it; a block repeats if its sides divide the selection's; any
    other block is pasted once."""
    height, width = len(cells), max(map(len, cells), default=0)
    if not height or not width or rows % height or columns % width:
        return cells
    down, across = rows // height, columns // width
    if down == across == 1:
        return cells
    wide = [(row + [""] * (width - len(row))) * across for row in cells]
    return wide * down


_LONGEST = 15
"""How many digits a spreadsheet keeps of a number (an IEEE double)."""
HTML_HEAD = (
    '<html><head><meta charset="utf-8"><style>.t{mso-number-format:"\\@"}'
    "br{mso-data-placement:same-cell}</style></head><body><table>\n"
)
HTML_TAIL = "</table></body></html>"
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "<br>", "\r": "", "\t": " "})
_BREAKS = frozenset("\t\n\r")


def tsv_field(text: str) -> str:
    """One field of a line; in quotes, as spreadsheets do it, where it could not be read back otherwise.

    LibreOffice overlooks spaces before a quote, so that one begins a quoted text there too.
    """
    if text.lstrip()[:1] != '"' and _BREAKS.isdisjoint(text):
        return text
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def tsv_line(texts: Iterable[str]) -> str:
    """The fields with tabs between them, without a line break at the end."""
    return "\t".join(map(tsv_field, texts))


def is_figure(text: str) -> bool:
    """Whether a spreadsheet can keep this as a number, digit by digit."""
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) <= _LONGEST and (digits[0] != "0" or digits == "0")


def changes_in_spreadsheets(text: str) -> bool:
    """Whether a spreadsheet would make something else of this text: of what begins like a formula, and of a number that
    it cannot keep."""
    if is_figure(text):
        return False
    return is_formula(text.lstrip()) or (text.isascii() and text.isdigit())


def html_cell(text: str, figure: bool, tag: str = "td") -> str:
    """A cell; `figure`: its column holds numbers."""
    if figure and is_figure(text):
        return f"<{tag}>{text}</{tag}>"
    return f'<{tag} class="t" sdnum="1033;0;@">{_markup(text)}</{tag}>'


def _markup(text: str) -> str:
    """HTML drops spaces at the ends and in a row: there hard ones stand in for them."""
    if "  " in text or text[:1] == " " or text[-1:] == " ":
        text = text.replace("  ", " \u00a0")
        text = "\u00a0" + text[1:] if text[0] == " " else text
        text = text[:-1] + "\u00a0" if text[-1] == " " else text
    return text.translate(_ENTITIES)


def html_row(cells: Iterable[str]) -> str:
    """A row of cells that are markup already."""
    return f"<tr>{''.join(cells)}</tr>\n"


class CopiedTable:
    """Rows on their way to the clipboard: as text with tabs between the fields, and as a table in which a spreadsheet
    takes no text for a formula or a number. Made row by row, since there may be very many."""

    def __init__(self) -> None:
        self._lines: list[bytes] = []
        self._markup = [HTML_HEAD.encode()]

    def __len__(self) -> int:
        return len(self._lines)

    def add_titles(self, titles: Sequence[str]) -> None:
        """The titles, which come first."""
        self._add(titles, (html_cell(title, False, "th") for title in titles))

    def add(self, texts: Sequence[str], figures: Iterable[bool]) -> None:
        """One row; `figures`: whether the column of each text holds numbers."""
        self._add(texts, (html_cell(text, figure) for text, figure in zip(texts, figures, strict=True)))

    def _add(self, texts: Iterable[str], cells: Iterable[str]) -> None:
        self._lines.append(tsv_line(texts).encode("utf-8", "replace"))
        self._markup.append(html_row(cells).encode("utf-8", "replace"))

    def forms(self) -> Iterator[tuple[str, bytes]]:
        """The forms in which it goes to the clipboard, each by its media type."""
        yield "text/plain", b"\n".join(self._lines)
        yield "text/html", b"".join((*self._markup, HTML_TAIL.encode()))


def csv_file(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """Rows below their titles as CSV (RFC 4180) with the mark of UTF-8, in which no text becomes a formula."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow(titles)
    writer.writerows([cell_text(value) for value in row] for row in rows)
    return file.getvalue().encode("utf-8-sig", "replace")

"""Cells as other programs take them from a clipboard: as lines with tabs, and as an HTML table.

Texts are marked as texts in HTML, so that a spreadsheet makes no number of an id of 19 digits and no formula of a name:
`mso-number-format` is read by Excel, `sdnum` by LibreOffice. Both are what these programs write themselves.
"""

from __future__ import annotations

from collections.abc import Iterable

from petstore_desktop.exchange.spreadsheet import is_formula

_LONGEST = 15
"""So many digits a spreadsheet keeps of a number (an IEEE double)."""
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

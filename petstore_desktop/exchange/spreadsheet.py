"""Texts in files that a spreadsheet opens: one that begins like a formula would be worked out there."""

from __future__ import annotations

import re
from typing import Final

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Beginnings of formulas: "CSV Injection", owasp.org, full-width forms included."""
_MARK: Final = "'"
"""What makes a text of anything in a spreadsheet's cell."""


_UNWRITABLE: Final = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|_(?=x[0-9A-Fa-f]{4}_)")
"""Signs that XML cannot hold, or changes (a carriage return: XML 1.0, 2.2 and 2.11), and what begins like one that is
written out."""
_WRITTEN: Final = re.compile("_x([0-9A-Fa-f]{4})_")


EXACT: Final = 10**15
"""Spreadsheets keep 15 digits of a number: of one with more the last ones may be others when they save it."""


def is_formula(text: str) -> bool:
    """Whether a spreadsheet would work it out."""
    return text.startswith(_FORMULA)


def written_out(text: str) -> str:
    """The text with each sign that XML cannot hold as `_xHHHH_` (ECMA-376 part 1, 22.9.2.19)."""
    return _UNWRITABLE.sub(lambda found: f"_x{ord(found[0]):04X}_", text)


def read_back(text: str) -> str:
    """The inverse of `written_out`."""
    return _WRITTEN.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


_LOST: Final = re.compile("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f]")
"""What spreadsheets drop from a text when they save it; and they write every end of a line in the same way."""


def kept(text: str) -> str:
    """The part of a text that survives saving in any spreadsheet: texts equal in this are equal in a file."""
    if text.isprintable():
        return text
    return _LOST.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def disarmed(text: str) -> str:
    """The text as it is harmless in a cell. One that begins with the mark gets another, so that `armed` is exact."""
    return f"{_MARK}{text}" if text.startswith((_MARK, *_FORMULA)) else text


def cell_text(value: object) -> object:
    """A value as it stands in a cell of a CSV file: nothing for None, texts disarmed, numbers as they are."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else disarmed(value) if isinstance(value, str) else value


def armed(text: str) -> str:
    """The inverse of `disarmed`, for texts that came out of it; others stay as they are."""
    return text[1:] if text.startswith(_MARK) and text[1:].startswith((_MARK, *_FORMULA)) else text

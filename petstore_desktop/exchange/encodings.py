"""In which encoding a text file is written: by its mark, else by what its bytes can be."""

from __future__ import annotations

import codecs
from typing import Final

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark is its beginning
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE: Final = 65_536
_ZEROS: Final = 0.2
"""Of UTF-16 text that is mostly Latin every second byte is zero; of other scripts at least separators, digits are."""


def encoding_of(data: bytes) -> str:
    """The encoding that these bytes are most likely in: a mark, UTF-16 by its zeros, UTF-8 where all of it is that,
    else Windows-1252, or Latin-1 where that has no sign for a byte."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return encoding
    wide = _wide(data[:_SAMPLE])
    if wide:
        return wide
    for encoding in ("utf-8", "windows-1252"):
        if _fits(data, encoding):
            return encoding
    return "iso-8859-1"


def _fits(data: bytes, encoding: str) -> bool:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for begin in range(0, len(data), _SAMPLE):  # piece by piece: as a text it may be four times as long
            decoder.decode(data[begin : begin + _SAMPLE])
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    return True


def _wide(sample: bytes) -> str:
    """UTF-16 without a mark: zeros at one of every two bytes, and hardly any at the other."""
    half = len(sample) // 2
    if not half:
        return ""
    first, second = sample[0::2].count(0) / half, sample[1::2].count(0) / half
    if second > _ZEROS and first < second / 4:
        return "utf-16-le"
    return "utf-16-be" if first > _ZEROS and second < first / 4 else ""

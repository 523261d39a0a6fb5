"""Codes as patterns of dark modules: Code 128 by python-barcode, QR codes by segno. Both draw too; only their patterns
are used, so that a bar is a whole number of a printer's dots."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby
from typing import Final, Literal

import segno
from barcode.codex import Code128
from msgspec import Struct

CodeKind = Literal["code128", "qr", "none"]
QUIET: Final = 10
"""Modules that stay white at either side of bars."""
_QR_QUIET: Final = 4
"""Modules that stay white round a QR code."""
_KEPT: Final = 4096
_PRINTABLE: Final = re.compile(r"[ -~]{1,120}")
"""What Code 128 can say without control characters; longer ones fit no label."""


class CodePattern(Struct, frozen=True):
    """Dark runs of modules as (column, row, length). Bars have one row, and are as high as there is room."""

    kind: CodeKind
    width: int
    height: int
    runs: tuple[tuple[int, int, int], ...]

    @property
    def quiet(self) -> int:
        """Modules that stay white at its sides."""
        return QUIET if self.kind == "code128" else _QR_QUIET


@lru_cache(_KEPT)
def pattern(kind: CodeKind, text: str) -> CodePattern | None:
    """The code of a text; None where this kind of code cannot hold it."""
    if kind == "none" or not text:
        return None
    return _bars(text) if kind == "code128" else _squares(text)


class _Code128(Code128):
    """Keeps the pair 99 at the beginning of a text: the library takes its value for a change of set, and drops it."""

    def _try_to_optimize(self, encoded: list[int]) -> list[int]:
        return encoded if self.code.startswith("99") else super()._try_to_optimize(encoded)


def _bars(text: str) -> CodePattern | None:
    """Digits in pairs (set C) where there are enough of them, else set B; other letters than those of ASCII have no
    bars."""
    if not _PRINTABLE.fullmatch(text):
        return None
    modules = [sign == "1" for sign in _Code128(text).build()[0]]
    return CodePattern("code128", len(modules), 1, tuple(_runs(0, modules)))


def _squares(text: str) -> CodePattern:
    """With error correction M or better. The mask is fixed: to find the best one takes eight times as long."""
    code = segno.make(text, error="m", micro=False, mask=0, encoding=None if text.isascii() else "utf-8")
    rows = [[bool(module) for module in row] for row in code.matrix]
    runs = (run for number, row in enumerate(rows) for run in _runs(number, row))
    return CodePattern("qr", len(rows[0]), len(rows), tuple(runs))


def _runs(row: int, modules: Iterable[bool]) -> Iterator[tuple[int, int, int]]:
    """Yield each run of dark modules of one row."""
    column = 0
    for dark, group in groupby(modules):
        length = sum(1 for _ in group)
        if dark:
            yield column, row, length
        column += length

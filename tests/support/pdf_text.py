"""Reads back a PDF that Qt wrote: its title, the texts of each page with their place and size, and its fonts."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

import pypdf

Matrix = tuple[float, float, float, float, float, float]
"""a to f, as the PDF Reference has them: x' = a x + c y + e, y' = b x + d y + f."""


@dataclass(frozen=True, slots=True)
class PdfText:
    """A run of text. `x` and `y` in points from the lower left corner, `end` where its last letter begins; `size` in
    points."""

    text: str
    x: float
    y: float
    end: float
    size: float


class PdfReader:
    """One file."""

    def __init__(self, content: bytes) -> None:
        self._pdf: Any = pypdf.PdfReader(io.BytesIO(content), strict=True)

    @property
    def title(self) -> str:
        """The title in its information."""
        return self._pdf.metadata.title

    @property
    def embedded(self) -> list[bool]:
        """Of each font whether its shapes are in the file."""
        shapes = (font["/DescendantFonts"][0]["/FontDescriptor"] for font in self._fonts())
        return ["/FontFile2" in one or "/FontFile3" in one for one in shapes]

    @property
    def fonts(self) -> int:
        """How many fonts the pages use."""
        return len(self.embedded)

    @property
    def sheet(self) -> tuple[float, float]:
        """Width and height of the pages in points."""
        box = self._pdf.pages[0].mediabox
        return float(box.width), float(box.height)

    def pages(self) -> list[list[PdfText]]:
        """The texts of all pages in their order."""
        return [_runs(page) for page in self._pdf.pages]

    def words(self) -> list[str]:
        """All texts of each page in one string, a line for each run."""
        return ["\n".join(run.text for run in page) for page in self.pages()]

    def _fonts(self) -> Iterator[Any]:
        seen: set[int] = set()
        for page in self._pdf.pages:
            for font in page["/Resources"].get("/Font", {}).values():
                if font.indirect_reference.idnum not in seen:
                    seen.add(font.indirect_reference.idnum)
                    yield font.get_object()


def _runs(page: Any) -> list[PdfText]:
    """What stands between BT and ET was drawn at once: Qt writes it glyph by glyph."""
    found: list[PdfText] = []
    last = 0.0

    def before(operator: bytes, _operands: object, now: Matrix, text: Matrix) -> None:
        nonlocal last
        if operator in (b"Tj", b"TJ"):
            last = _place(text, now)[0]

    def take(text: str, now: Matrix, own: Matrix, _font: object, size: float) -> None:
        said = normalize("NFKC", text).replace("\t", " ").strip("\n")  # spaces and tabulators share a glyph
        if said:
            found.append(PdfText(said, *_place(own, now), last, round(size * (now[1] ** 2 + now[3] ** 2) ** 0.5, 2)))

    page.extract_text(visitor_text=take, visitor_operand_before=before)
    return found


def _place(text: Matrix, now: Matrix) -> tuple[float, float]:
    x, y = text[4], text[5]
    return now[0] * x + now[2] * y + now[4], now[1] * x + now[3] * y + now[5]

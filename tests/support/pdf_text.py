"""Reads back a PDF that Qt wrote: its title, the texts of each page with their place and size, and its fonts."""

from __future__ import annotations

import re
import zlib
from dataclasses import dataclass
from unicodedata import normalize

_OBJECT = re.compile(rb"(?:^|\n)(\d+) 0 obj\s(.*?)\nendobj", re.DOTALL)
_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.DOTALL)
_NUMBER = rb"-?\d*\.?\d+"
_WORD = re.compile(rb"<([0-9A-Fa-f]*)>|\[|\]|/([\w.+-]+)|(" + _NUMBER + rb")|([A-Za-z*']+)|\((?:\\.|[^\\)])*\)")


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
        self._content = content
        self._objects = {int(number): body for number, body in _OBJECT.findall(content)}

    @property
    def title(self) -> str:
        """The title in its information."""
        found = re.search(rb"/Title \(((?:\\.|[^\\)])*)\)", self._content, re.DOTALL)
        assert found is not None
        raw = re.sub(rb"\\([()\\])", rb"\1", found[1])
        return raw[2:].decode("utf-16-be") if raw.startswith(b"\xfe\xff") else raw.decode("latin-1")

    @property
    def embedded(self) -> list[bool]:
        """Of each font whether its shapes are in the file."""
        told = [body for body in self._objects.values() if b"/Type /FontDescriptor" in body]
        return [b"/FontFile2" in body or b"/FontFile3" in body for body in told]

    @property
    def fonts(self) -> int:
        """How many fonts the pages use."""
        return sum(b"/Subtype /Type0" in body for body in self._objects.values())

    @property
    def sheet(self) -> tuple[float, float]:
        """Width and height of the pages in points."""
        found = re.search(rb"/MediaBox \[([\d. -]+)\]", self._content)
        assert found is not None
        left, bottom, right, top = map(float, found[1].split())
        return right - left, top - bottom

    def pages(self) -> list[list[PdfText]]:
        """The texts of all pages in their order."""
        return [self._texts(body) for body in self._objects.values() if re.search(rb"/Type /Page\b(?!s)", body)]

    def words(self) -> list[str]:
        """All texts of each page in one string, a line for each run."""
        return ["\n".join(run.text for run in page) for page in self.pages()]

    def _stream(self, number: int) -> bytes:
        found = _STREAM.search(self._objects[number])
        assert found is not None
        data = found[1]
        # The line end before `endstream` is no part of it, but its own last byte may look like one.
        packed = b"/FlateDecode" in self._objects[number]
        return zlib.decompressobj().decompress(data) if packed else data

    def _maps(self, page: bytes) -> dict[bytes, dict[int, str]]:
        resources = re.search(rb"/Resources (\d+) 0 R", page)
        body = self._objects[int(resources[1])] if resources else page
        found = re.search(rb"/Font <<(.*?)>>", body, re.DOTALL)
        return {} if found is None else {
            name: self._letters(int(number)) for name, number in re.findall(rb"/([\w.+-]+) (\d+) 0 R", found[1])
        }  # fmt: skip

    def _letters(self, font: int) -> dict[int, str]:
        told = re.search(rb"/ToUnicode (\d+) 0 R", self._objects[font])
        if told is None:
            return {}
        table = self._stream(int(told[1])).decode("latin-1")
        letters: dict[int, str] = {}
        for part in re.findall(r"beginbfrange(.*?)endbfrange", table, re.DOTALL):
            letters |= _ranges(part)
        for part in re.findall(r"beginbfchar(.*?)endbfchar", table, re.DOTALL):
            letters |= {int(code, 16): _said(to) for code, to in re.findall(r"<(\w+)>\s*<(\w+)>", part)}
        return letters

    def _texts(self, page: bytes) -> list[PdfText]:
        contents = re.search(rb"/Contents (\d+) 0 R", page)
        assert contents is not None
        return list(_Runs(self._maps(page)).read(self._stream(int(contents[1]))))


def _said(codes: str) -> str:
    return bytes.fromhex(codes).decode("utf-16-be")


def _ranges(part: str) -> dict[int, str]:
    found: dict[int, str] = {}
    for first, last, to in re.findall(r"<(\w+)>\s*<(\w+)>\s*<(\w+)>", part):
        low, high = int(first, 16), int(last, 16)
        found |= {code: chr(int(to, 16) + code - low) for code in range(low, high + 1)}
    for first, many in re.findall(r"<(\w+)>\s*<\w+>\s*\[(.*?)\]", part, re.DOTALL):
        found |= {int(first, 16) + place: _said(to) for place, to in enumerate(re.findall(r"<(\w+)>", many))}
    return found


Matrix = tuple[float, float, float, float, float, float]
_ONE: Matrix = (1, 0, 0, 1, 0, 0)


def _times(one: Matrix, other: Matrix) -> Matrix:
    a, b, c, d, e, f = one
    g, h, i, j, k, m = other
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


class _Runs:
    """Follows the operators that move and write."""

    def __init__(self, maps: dict[bytes, dict[int, str]]) -> None:
        self._maps = maps
        self._stack: list[Matrix] = []
        self._now, self._text = _ONE, _ONE
        self._font, self._size = b"", 0.0
        self._glyphs: list[PdfText] = []
        self._found: list[PdfText] = []

    def read(self, content: bytes) -> list[PdfText]:
        operands: list[bytes] = []
        for word in _WORD.finditer(content):
            if word[4] is None:
                operands.append(word[0])
            else:
                self._do(word[4], operands)
                operands = []
        return self._found

    def _do(self, operator: bytes, operands: list[bytes]) -> None:
        numbers: list[float] = [float(one) for one in operands if re.fullmatch(_NUMBER, one)]
        if operator in (b"q", b"Q", b"cm"):
            self._move(operator, numbers)
        elif operator == b"BT":
            self._text = _ONE
        elif operator == b"Tm":
            self._text = (*numbers,)
        elif operator in (b"Td", b"TD"):
            self._text = _times((1, 0, 0, 1, *numbers[-2:]), self._text)
        elif operator == b"Tf":
            self._font, self._size = operands[0][1:], numbers[-1]
        elif operator in (b"Tj", b"TJ"):
            self._write(operands)
        elif operator == b"ET":
            self._end()

    def _move(self, operator: bytes, numbers: list[float]) -> None:
        if operator == b"q":
            self._stack.append(self._now)
        elif operator == b"Q":
            self._now = self._stack.pop() if self._stack else _ONE
        else:
            self._now = _times((*numbers,), self._now)

    def _write(self, operands: list[bytes]) -> None:
        letters = self._maps.get(self._font, {})
        codes = [part[1:-1] for part in operands if part.startswith(b"<")]
        text = "".join(letters.get(int(code[at : at + 4], 16), "?") for code in codes for at in range(0, len(code), 4))
        place = _times(self._text, self._now)
        size = self._size * (place[1] ** 2 + place[3] ** 2) ** 0.5
        self._glyphs.append(PdfText(text, place[4], place[5], place[4], round(size, 2)))

    def _end(self) -> None:
        """What stands between BT and ET was drawn at once: Qt writes it glyph by glyph."""
        glyphs, self._glyphs = self._glyphs, []
        if glyphs:
            text = normalize("NFKC", "".join(one.text for one in glyphs)).replace("\t", " ")  # they share a glyph
            first = glyphs[0]
            self._found.append(PdfText(text, first.x, first.y, glyphs[-1].x, first.size))

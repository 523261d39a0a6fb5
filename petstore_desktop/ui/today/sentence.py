"""The sentence at the top of Today: large words that wrap, in which the counts are links."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import ceil

from msgspec import Struct, field
from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.today.section import STOP
from petstore_desktop.ui.widgets.labels import PaintedButton
from petstore_desktop.ui.widgets.paint import Brush, brush_on, elided, is_rtl, line_brush

_SIZE, _WEIGHT = 24, 500
_LEADING = 34
_ROOM = 4
"""Room for the ring about a link's words."""
_BEGIN, _END = "\ue000", "\ue001"
_ATOMS = re.compile(f"{_BEGIN}[^{_END}]*{_END}|[^{_BEGIN}\\s]+|\\s+")


def linked(words: str) -> str:
    """Words that become a link inside a sentence."""
    return f"{_BEGIN}{words}{_END}"


class _Piece(Struct):
    """Words that are not broken, and where they stand; `glued`: no space before them."""

    words: str
    link: SentenceLink | None
    glued: bool
    place: QRect = field(default_factory=QRect)


class SentenceLink(PaintedButton):
    """A count in the sentence. `behind`: what it leaves free behind its words."""

    ring = 5
    behind = _ROOM

    def __init__(self, words: str, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(f"{STOP}{name}")
        self.show_words(words)

    def draw(self, brush: Brush) -> None:
        theme = brush.theme
        lively = self.underMouse() or self.isDown()
        words = elided(theme, self.text().replace("&&", "&"), self.width() - _ROOM - self.behind, _SIZE, _WEIGHT)
        width = brush.text(_ROOM, words, theme.color("accent" if lively else "text"), _SIZE, _WEIGHT)
        strong = lively or theme.high_contrast
        line = QRect(round(brush.at(_ROOM, width)), brush.base + 5, round(width), 1)
        brush.painter.fillRect(line, theme.color("accent" if strong else "bar"))


class TodaySentence(QWidget):
    """Words at 24 of base 13; a screen reader hears the whole, and each link by itself."""

    _pieces: tuple[_Piece, ...] = ()
    _names: tuple[str, ...] = ()
    _said = ""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("todaySentence")
        self._goes: Mapping[str, Callable[[], object]] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def show_words(self, words: str, goes: Mapping[str, Callable[[], object]] | None = None) -> None:
        """Show `words`; those marked by `linked` lead where `goes` says, by the links' names in their order."""
        self._goes = goes or {}
        if (words, tuple(self._goes)) == (self._said, self._names):
            return
        self._said, self._names = words, tuple(self._goes)
        before = self.links()
        self._pieces = tuple(self._read(words))
        self._take_focus(before)
        for link in before:
            link.hide()
            link.deleteLater()
        self.setAccessibleName(to_say(words.replace(_BEGIN, "").replace(_END, "")))
        self.updateGeometry()
        self._place()

    def _take_focus(self, before: list[SentenceLink]) -> None:
        """Give the keyboard from a link that goes to the one of its name, or to the first."""
        held = next((link.objectName() for link in before if link.hasFocus()), None)
        if held is not None and (links := self.links()):
            same = (link for link in links if link.objectName() == held)
            next(same, links[0]).setFocus(Qt.FocusReason.OtherFocusReason)

    def words(self) -> str:
        """The sentence as it is read."""
        return self._said.replace(_BEGIN, "").replace(_END, "")

    def links(self) -> list[SentenceLink]:
        """The links, in their order."""
        return [piece.link for piece in self._pieces if piece.link is not None]

    def _read(self, words: str) -> list[_Piece]:
        pieces: list[_Piece] = []
        names, glued = iter(self._names), True
        for atom in _ATOMS.findall(words):
            if atom.isspace():
                glued = False
            elif atom.startswith(_BEGIN):
                pieces.append(_Piece(atom[1:-1], self._link(atom[1:-1], next(names, "")), glued))
                glued = True
            else:
                pieces.append(_Piece(atom, None, glued))
                glued = True
        return pieces

    def _link(self, words: str, name: str) -> SentenceLink:
        link = SentenceLink(words, f"sentence.{name}", self)
        link.clicked.connect(lambda: self._goes[name]())
        link.show()
        return link

    # -- places

    def _places(self, width: int) -> tuple[list[QRect], int]:
        """Where each piece stands in lines of this width, and the height of all."""
        theme = current()
        space, step = theme.advance(" ", _SIZE, _WEIGHT), theme.scaled(_LEADING)
        x, y, places = 0.0, 0, list[QRect]()
        for group in self._groups():
            widths = [ceil(theme.advance(piece.words, _SIZE, _WEIGHT)) for piece in group]
            if x and x + space + sum(widths) > width:
                x, y = 0.0, y + step
            x += space if x else 0.0
            for wide in widths:
                places.append(QRect(round(x), y, min(wide, max(1, width - round(x))), step))
                x += wide
        return places, y + step

    def _groups(self) -> list[list[_Piece]]:
        """Pieces without a space between them stay together."""
        groups: list[list[_Piece]] = []
        for piece in self._pieces:
            if piece.glued and groups:
                groups[-1].append(piece)
            else:
                groups.append([piece])
        return groups

    def _place(self) -> None:
        places = self._places(self.width() - 2 * _ROOM)[0]
        for piece, place, following in zip(self._pieces, places, (*self._pieces, None)[1:], strict=True):
            piece.place = place
            if piece.link is not None:
                ends = following is None or not following.glued  # else its ring would hide the full stop behind it
                piece.link.behind = _ROOM if ends else 0
                wide = _ROOM + place.width() + piece.link.behind
                left = self.width() - place.left() - wide if is_rtl(self) else place.left()
                piece.link.setGeometry(left, place.top(), wide, place.height())
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._places(width - 2 * _ROOM)[1]

    def sizeHint(self) -> QSize:
        return QSize(current().scaled(600), self.heightForWidth(max(self.width(), current().scaled(200))))

    def minimumSizeHint(self) -> QSize:
        return QSize(current().scaled(200), current().scaled(_LEADING))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.ApplicationFontChange, QEvent.Type.LayoutDirectionChange):
            self.updateGeometry()
            self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as whole:
            color = whole.theme.color("text")
            for piece in self._pieces:
                if piece.link is None:
                    line = QRect(0, piece.place.top(), self.width(), piece.place.height())
                    words = elided(whole.theme, piece.words, piece.place.width() + 1, _SIZE, _WEIGHT)
                    brush = line_brush(whole.painter, line, whole.rtl)
                    brush.text(piece.place.left() + _ROOM, words, color, _SIZE, _WEIGHT)

"""What a desk says of the pet that was scanned last: its name, and what is counted of it."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent, QTextLayout, QTextOption
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from petstore_desktop.ui.base.building import in_column, in_row, named
from petstore_desktop.ui.base.theme import Theme, current, to_say, tooltip
from petstore_desktop.ui.text.translate import listed, tr
from petstore_desktop.ui.widgets.labels import PlainLabel, announce
from petstore_desktop.ui.widgets.paint import brush_on, elided

_NAME, _WEIGHT, _STEP, _LINES = 24, 500, 30, 2
_LABEL = 112


class FigureLine(Struct, frozen=True):
    """A line below the name: what is counted, how many (large, where `large`), what it becomes, and a muted word on it,
    before which an icon may stand."""

    label: str
    figure: str
    note: str = ""
    after: str = ""
    large: bool = False
    icon: str = ""


class ScannedPet(Struct, frozen=True):
    """The pet that was scanned last. `about`: its category and id; `at`: the time of day."""

    name: str
    about: str
    at: str
    lines: tuple[FigureLine, ...] = ()

    def words(self) -> str:
        """All of it for a screen reader."""
        said = (" ".join(filter(None, (one.label, one.figure, one.after, one.note))) for one in self.lines)
        return listed((self.name, self.about, *said))


class _Name(QWidget):
    """A large name on two lines at most; where they are too few its end is left out."""

    def __init__(self) -> None:
        super().__init__()
        self.words = ""
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_words(self, words: str) -> None:
        """Show this name."""
        self.words = words
        self.setAccessibleName(to_say(words))
        self.setToolTip(tooltip(words))
        self.updateGeometry()
        self.update()

    def lines(self) -> list[str]:
        """The lines as they are shown."""
        theme, room = current(), max(1, self.width())
        layout = QTextLayout(self.words, theme.font(_NAME, _WEIGHT))
        layout.setTextOption(_wrapping())
        layout.beginLayout()
        line = layout.createLine()
        cut = len(self.words)
        if line.isValid():
            line.setLineWidth(room)
            cut = line.textLength()
        layout.endLayout()
        first, rest = self.words[:cut].rstrip(), self.words[cut:].lstrip()
        lines = [first, elided(theme, rest, room, _NAME, _WEIGHT)] if rest else [first]
        return lines[:_LINES]

    def heightForWidth(self, width: int) -> int:
        two = current().advance(self.words, _NAME, _WEIGHT) > width
        return current().scaled(_STEP) * (2 if two else 1)

    def sizeHint(self) -> QSize:
        return QSize(round(current().advance(self.words, _NAME, _WEIGHT)) + 1, self.heightForWidth(self.width()))

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            step = brush.theme.scaled(_STEP)
            for number, line in enumerate(self.lines()):
                brush.base = round(number * step + (step + _caps(brush.theme)) / 2)
                brush.text(0, line, brush.theme.tone("text"), _NAME, _WEIGHT)


def _caps(theme: Theme) -> float:
    return theme.metrics(_NAME, _WEIGHT).capHeight()


def _wrapping() -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option


class _Figure(QWidget):
    """One line: the label in its own column, then the figure, the arrow with what it becomes, and the note."""

    def __init__(self) -> None:
        super().__init__()
        self._line = FigureLine("", "")

    def set_line(self, line: FigureLine) -> None:
        """Show this line."""
        self._line = line
        self.setAccessibleName(to_say(" ".join(filter(None, (line.label, line.figure, line.after, line.note)))))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        line, theme = self._line, current()
        size = 24 if line.large else 13
        room = theme.scaled(_LABEL) + theme.advance(line.figure, size, 600) + theme.advance(line.note) + 40
        return QSize(round(room + theme.advance(line.after)), theme.scaled(34) if line.large else theme.scaled(26))

    def paintEvent(self, event: QPaintEvent) -> None:
        line = self._line
        with brush_on(self) as brush:
            theme = brush.theme
            muted, text = theme.tone("muted"), theme.tone("text")
            size, weight = (24, 600) if line.large else (13, 400)
            if line.large:
                brush.base = round((self.height() + theme.metrics(24, 600).capHeight()) / 2)
            brush.text(0, line.label, muted)
            x = float(theme.scaled(_LABEL))
            if line.icon:
                side = theme.scaled(14)
                brush.icon(line.icon, x, muted, side)
                x += side + 8
            if line.figure:
                x += brush.text(x, line.figure, muted if line.after else text, size, weight, tnum=True) + 10
            if line.after:
                side = theme.scaled(14)
                brush.icon("arrow", x, muted, side)
                x += side + 10
                x += brush.text(x, line.after, text, 13, 500, tnum=True) + 10
            brush.text(x, elided(theme, line.note, self.width() - x), muted)


class LastScanned(QWidget):
    """The part of the station that says what was scanned last; a hint before anything was."""

    def __init__(self, hint: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, "lastScanned", tr("Last scanned"))
        self._title = PlainLabel(tr("Last scanned"), "muted", 12, 600)
        self._at = PlainLabel("", "muted", 12)
        self._name, self._about = _Name(), PlainLabel("", "muted", elide=True)
        self._hint = PlainLabel(hint, "muted", wrap=True)
        self._figures = [_Figure(), _Figure()]
        self._head = QWidget()
        in_row(self._head, self._title, "stretch", self._at)
        self._who = QWidget()
        in_column(self._who, self._name, 4, self._about, "stretch")
        self._what = QWidget()
        in_column(self._what, *self._figures, "stretch")
        self._both = in_row(None, (self._who, 1), (self._what, 0))
        in_column(self, self._hint, self._head, 4, self._both)
        self.set_narrow(False)
        self.show_pet(None)

    def set_narrow(self, narrow: bool) -> None:
        """Whether it stands above the list, in one row."""
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._both.setDirection(across if narrow else down)
        self._both.setSpacing(24 if narrow else 22)
        self._both.setAlignment(self._what, Qt.AlignmentFlag.AlignTop)

    def show_pet(self, pet: ScannedPet | None) -> None:
        """Show what was scanned; None: nothing yet."""
        self._hint.setVisible(pet is None)
        for part in (self._head, self._who, self._what):
            part.setVisible(pet is not None)
        if pet is None:
            return
        self._at.set_text(pet.at)
        self._name.set_words(pet.name)
        self._about.set_text(pet.about)
        for place, figure in enumerate(self._figures):
            figure.setVisible(place < len(pet.lines))
            if place < len(pet.lines):
                figure.set_line(pet.lines[place])

    def shown(self) -> bool:
        """Whether something is in hand."""
        return not self._head.isHidden()

    def hint(self) -> str:
        """What stands there while there is nothing to show."""
        return self._hint.text()

    def set_hint(self, words: str) -> None:
        """Say this while there is nothing to show."""
        if words != self._hint.text():
            self._hint.set_text(words)

    def tell(self, pet: ScannedPet) -> None:
        """Have a screen reader say what was scanned."""
        announce(self, pet.words())

"""What the sections of Today are built on: a title, and below it lines, each of which links to the rows it counts;
and their common words: since when, how old the data are, and lists of names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QEnterEvent, QFocusEvent, QFontInfo
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.desk.today.rows import NotCounted
from petstore_desktop.desk.today.standing import Standing
from petstore_desktop.domain.records import Resource
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.base.building import in_column, in_row, named
from petstore_desktop.ui.base.theme import BASE_SIZE, Tone, current, isolate, to_say
from petstore_desktop.ui.text.loading import goes_on_words
from petstore_desktop.ui.text.orders import untold_open_words
from petstore_desktop.ui.text.times import as_of, clock_time, day, local, moment
from petstore_desktop.ui.text.translate import locale, number, resource_title, tr
from petstore_desktop.ui.widgets.labels import LINK_PAD, LinkLabel, PaintedButton, PlainLabel, say, set_tip
from petstore_desktop.ui.widgets.paint import Brush, elided, fill_round

if TYPE_CHECKING:
    pass


_NAMED = 2
"""How many names a line has before it counts the others."""
_PLACE = "\ue000"
"""Stands for the names while the words around them are put together."""
_WEEK = 7
"""From so many days on a weekday alone would be taken for the later one."""


def names_words(names: Sequence[str], others: int | None = None) -> str:
    """`Koi, Lovebird and 2 more`; see `names_parts`."""
    return "".join(names_parts(names, others))


def names_parts(names: Sequence[str], others: int | None = None) -> tuple[str, str]:
    """`Koi, Lovebird` and ` and 2 more`, each name kept apart in its direction; empty without a name. `others`: how
    many are not named, where `names` are not all of them. Names that have commas stand between semicolons."""
    named = tuple(dict.fromkeys(names[:_NAMED]))
    comma = any("," in name for name in named)
    between = tr("; ", "between names that have commas") if comma else tr(", ", "between names")
    listed = between.join(isolate(name) for name in named)
    more = len(names) - _NAMED if others is None else others
    if not listed or more <= 0:
        return listed, ""
    said = (
        tr("{names}; and {n} more", "", more, names=_PLACE)
        if comma
        else tr("{names} and {n} more", "", more, names=_PLACE)
    )
    before, _, after = said.partition(_PLACE)
    return before + listed, after


def since_words(since: float, now: float) -> str:
    """When an absence began: `08:10`, `yesterday 18:02`, `Friday 18:02`, `Mon 16 Nov 18:02`."""
    then, today = local(since).date(), local(now).date()
    if today - timedelta(days=1) <= then <= today:
        return moment(since, now)
    near = timedelta(0) < today - then < timedelta(days=_WEEK)
    name = tr("{day} {time}", day=weekday(since), time=clock_time(since))
    return name if near else tr("{day} {time}", day=day(then, today), time=clock_time(since))


def weekday(epoch_s: float) -> str:
    """`Friday`."""
    return locale().dayName(local(epoch_s).isoweekday())


def age_words(standing: Standing, now: float) -> str:
    """How old the oldest list is: `as of 08:58`; or since when nothing answers."""
    if standing.offline is not None:
        return tr("offline since {time}", time=moment(standing.offline, now))
    return as_of(standing.oldest, now)


def not_counted_words(reason: NotCounted) -> str:
    """In the place of numbers of lists that are not here whole, or of orders that do not say whether they are open."""
    if not reason.lists:
        return untold_open_words()
    names = tr(", ", "between parts of a line").join(resource_title(one) for one in Resource if one in reason.lists)
    return tr("Not counted, because not all of it is here: {lists}.", lists=names)


def standing_words(standing: Standing, blocked: SendBlock | None, now: float) -> str:
    """The sentence while the shop is not read yet, or has nothing in it; else empty. `blocked`: why nothing leaves."""
    if standing.stage == "loading":
        read = tr("Reading the shop: {done}", done=number(standing.done))
        if standing.total is not None:
            read = tr("Reading the shop: {done} of {total}", done=number(standing.done), total=number(standing.total))
        waits = goes_on_words(blocked, now)
        return tr(" · ", "between parts of a line").join((read, waits)) if waits else read
    if standing.stage == "empty":
        return tr("This shop is empty. Add its first pet under Pets.")
    if standing.stage == "unread":
        return tr("This shop has not been read yet: what is in it is not known.")
    return ""


PAD = 8
"""By how much a line is wider than its texts on either side."""
STOP = "today."
"""How the names begin of all that the keyboard stops at on the page."""
LINE, SIDE_LINE = 28, 24
"""Heights of a line in the main column and in the side column."""
_ICON, _ICON_GAP, _GAP = 16, 8, 16
_BAR_WIDTH, _BAR_HEIGHT, _END_WIDTH = 96, 5, 80
_HALF, _HALF_BAR, _HALF_END = 500, 72, 48
"""Below this width of a line, its bar and the number at its end have less room."""
_NAME = 110
"""So much of the names (px at base 13) is read before the words for those that are not named have room."""


def wide(base: float) -> int:
    """A width that grows with the size of the text, `base` at 13 px."""
    return round(base * max(1.0, QFontInfo(current().font()).pixelSize() / BASE_SIZE))


class Line(Struct, frozen=True):
    """What a line says and where it leads. `key` tells it from the other lines of the page, whatever it says.

    `head` is the count or the words that are read first, in `tone`, as icon and end are unless they have a tone of
    their own; `note` stands small beside it; `names` are what it is about, and `more` is said after them, whole where
    they are cut; `end` is a number and `act` a verb at the far side; `bar` the share of its tiny bar and the token of
    its colour. `spoken` is the line for screen readers, and its tool tip.
    """

    key: str
    spoken: str
    go: Callable[[], object]
    icon: str = ""
    tone: Tone = "text"
    head: str = ""
    note: str = ""
    note_tone: Tone = "muted"
    names: str = ""
    more: str = ""
    names_tone: Tone = "muted"
    end: str = ""
    act: str = ""
    bar: tuple[float, str] | None = None
    icon_tone: Tone | None = None
    end_tone: Tone | None = None


class LineButton(PaintedButton):
    """One line, painted: one stop of the keyboard, opened by Enter, Space or a click.

    A subclass that paints something else overrides `paint_line` and `head_width`.
    """

    ring = 6
    _line: Line | None = None
    _head = 0.0
    _base = LINE

    def __init__(self, line: Line, base: int = LINE) -> None:
        super().__init__(across=QSizePolicy.Policy.Expanding)
        self._base = base
        self.clicked.connect(self._go)
        self.set_line(line)

    @property
    def line(self) -> Line:
        """What it says."""
        if self._line is None:
            raise AttributeError("line")
        return self._line

    def set_line(self, line: Line) -> None:
        """Say this from now on."""
        changed = self._line is None or line != replace(self._line, go=line.go)
        self._line = line
        if changed:
            self.setObjectName(f"{STOP}{line.key}")
            self.show_words(line.spoken)
            set_tip(self, line.spoken)
            if line.act:
                self.setAccessibleDescription(to_say(line.act))
            self.update()

    def set_head_width(self, width: float) -> None:
        """Begin the names of all lines of a section at the same place."""
        if width != self._head:
            self._head = width
            self.update()

    def head_width(self) -> float:
        """The room that its first words take, with the icon."""
        line, theme = self.line, current()
        icon = theme.scaled(_ICON) + _ICON_GAP if line.icon else 0
        note = PAD + theme.advance(line.note, 12) if line.note else 0
        return icon + theme.advance(line.head, 13, 600, True) + note

    def _go(self) -> None:
        self.line.go()

    def sizeHint(self) -> QSize:
        return QSize(wide(240), current().height(self._base))

    def minimumSizeHint(self) -> QSize:
        return QSize(wide(120), current().height(self._base))

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def draw(self, brush: Brush) -> None:
        theme, hovered = brush.theme, self.underMouse()
        if hovered:
            brush.panel(theme.color("hover"), 6)
        if self._line is not None:
            self.paint_line(brush)
            if hovered and not (self._line.end or self._line.act):
                side = theme.scaled(14)
                brush.icon("chevron-right", self.width() - PAD - side, theme.color("muted"), side)

    def paint_line(self, brush: Brush) -> None:
        """Paint the texts of the line; planes and ring are there already."""
        line, theme = self.line, brush.theme
        self._paint_head(brush)
        taken = self._paint_end(brush)
        right = self.width() - PAD - (taken if line.bar is None else self._paint_bar(brush, line.bar))
        left = PAD + max(self._head, self.head_width()) + _GAP
        more, rest = line.more, theme.advance(line.more)
        if right - left - rest < min(theme.scaled(_NAME), theme.advance(line.names)):
            more, rest = "", 0.0  # a name says more than that there are others
        words = elided(theme, line.names, right - left - rest)
        if line.names and right - left - rest > theme.scaled(24):
            left += brush.text(left, words, theme.tone(line.names_tone))
            brush.text(left, more, theme.tone(line.names_tone))

    def _paint_head(self, brush: Brush) -> None:
        line, theme, x = self.line, brush.theme, float(PAD)
        color = theme.tone(line.tone)
        if line.icon:
            brush.icon(line.icon, x, theme.tone(line.icon_tone or line.tone), theme.scaled(_ICON))
            x += theme.scaled(_ICON) + _ICON_GAP
        x += brush.text(x, line.head, color, 13, 600 if line.act else 500, True)
        if line.note:
            brush.text(x + PAD, line.note, theme.tone(line.note_tone), 12)

    def _paint_end(self, brush: Brush) -> float:
        """The number or the verb at the far side; returns the room it takes."""
        line, theme = self.line, brush.theme
        width = 0.0
        if line.end:
            color = theme.tone(line.end_tone or line.tone)
            width = brush.ending(self.width() - PAD, line.end, color, 13, 600) + _GAP
        elif line.act:
            width = brush.ending(self.width() - PAD, line.act, theme.color("accent"), 13, 500, False) + _GAP
            if theme.high_contrast:
                left = brush.at(self.width() - PAD - width + _GAP, width - _GAP)
                brush.painter.fillRect(QRectF(left, brush.base + 2, width - _GAP, 1), theme.color("accent"))
        return width

    def _paint_bar(self, brush: Brush, bar: tuple[float, str]) -> float:
        """The tiny bar before the number; returns the room it takes."""
        theme, (share, token) = brush.theme, bar
        half = self.width() < wide(_HALF)
        whole, end = wide(_HALF_BAR if half else _BAR_WIDTH), wide(_HALF_END if half else _END_WIDTH)
        high = theme.scaled(_BAR_HEIGHT)
        width = max(high, whole * share)
        x = brush.at(self.width() - PAD - end - whole, width)
        fill_round(brush.painter, QRectF(x, brush.middle - high / 2, width, high), high / 2, theme.color(token))
        return end + whole + _GAP


class Due(Struct, frozen=True):
    """What matters now, for the sentence at the top of the page: how much of it (0: none), in words, and the rows."""

    count: int
    words: str
    go: Callable[[], object]


class TodaySection(QWidget):
    """A title with a muted note and a link beside it, and below it lines; hidden while it has nothing to say.

    What is not a line (a chart) is added to `body`, which stands below the lines. `due`: what matters now, None where
    that was not counted.
    """

    due: Due | None = None

    def __init__(self, name: str, title: str, base: int = LINE, size: float = 15) -> None:
        """`base`: the height of its lines, `size`: of its title, both at base 13."""
        super().__init__()
        named(self, f"{name}TodaySection", title)
        self._base = base
        self._buttons: dict[str, LineButton] = {}
        self.title = PlainLabel(title, "text", size, 600)
        self.note = PlainLabel("", "muted")
        self.link = named(LinkLabel(), f"{name}Link")
        self.empty = PlainLabel("", "muted", wrap=True)
        self.body = in_column(None)
        self._lines = in_column(None)
        head = in_row(
            None, self.title, self.note, "stretch", self.link, margins=(PAD, 0, PAD - LINK_PAD, 0), spacing=10
        )
        self.empty.setContentsMargins(PAD, 4, PAD, 4)
        in_column(self, head, 4, self.empty, self._lines, self.body, "stretch")
        for label in (self.note, self.link, self.empty):
            label.hide()

    def buttons(self) -> list[LineButton]:
        """Its lines, from the top down."""
        return list(self._buttons.values())

    def stops(self) -> list[QWidget]:
        """Where the keyboard stops, in order; each has a name (objectName) that begins with STOP."""
        return [*self._buttons.values()]

    def refresh(self) -> None:
        """Bring everything up to date; asked for while the page is shown."""
        raise NotImplementedError

    def set_note(self, words: str) -> None:
        """What stands beside the title; empty for nothing."""
        say(self.note, words)

    def set_lines(self, lines: Sequence[Line], empty: str = "") -> None:
        """Show these lines, or where there are none `empty`; a line that was there keeps the keyboard."""
        wanted = {line.key: line for line in lines}
        for key in [key for key in self._buttons if key not in wanted]:
            self._remove(self._buttons.pop(key))
        buttons = {key: self._button(line) for key, line in wanted.items()}
        for place, button in enumerate(buttons.values()):
            if self._lines.indexOf(button) != place:
                self._lines.insertWidget(place, button)
                button.show()  # at once: what is not seen cannot get the keyboard
        self._buttons = buttons
        widest = max((button.head_width() for button in buttons.values()), default=0.0)
        for before, button in zip([None, *buttons.values()], buttons.values(), strict=False):
            button.set_head_width(widest)
            if before is not None:
                QWidget.setTabOrder(before, button)
        say(self.empty, "" if lines else empty)

    def make(self, line: Line) -> LineButton:
        """A new line; a section with lines of its own kind overrides this."""
        return LineButton(line, self._base)

    def _button(self, line: Line) -> LineButton:
        button = self._buttons.get(line.key)
        if button is None:
            return self.make(line)
        button.set_line(line)
        return button

    def _remove(self, button: LineButton) -> None:
        self._lines.removeWidget(button)
        button.hide()
        button.deleteLater()

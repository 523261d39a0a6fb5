"""The rows a details pane is made of: a fact, a change with its sentence, a numbered item of the queue; and in them
a record's state, a person's change, and a stock figure with both."""

from __future__ import annotations

from msgspec import Struct
from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from petstore_desktop.ui.base.building import add, in_column, in_row, set_margins
from petstore_desktop.ui.base.theme import Tone, current, to_say
from petstore_desktop.ui.text.cell import MARK_ICONS, MARK_TONES, Cell, Mark, chip_tone, mark_words, spoken
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.labels import LINK_PAD, IconLabel, LinkLabel, PlainLabel, set_tip
from petstore_desktop.ui.widgets.paint import PILL_HEIGHT, brush_on, chip_width, draw_chip, draw_pill, pill_width


class _Painted(QWidget):
    """A fixed-size painted word: not focusable, named for a screen reader."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Pill(_Painted):
    """The state of a record: icon and word on its tint."""

    def __init__(self, text: str = "", icon: str = "", tone: Tone = "done") -> None:
        super().__init__()
        self.set_pill(text, icon, tone)

    def set_pill(self, text: str, icon: str, tone: Tone) -> None:
        """Show another state."""
        self._pill: tuple[str, str, Tone] = (text, icon, tone)
        self.setAccessibleName(to_say(text))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        theme = current()
        return QSize(pill_width(theme, self._pill[0], self._pill[1]), theme.height(PILL_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            draw_pill(brush.painter, brush.theme, 0, brush.middle, *self._pill, brush.rtl)


class StockLine(_Painted):
    """``24 [+12] → 36`` from the left; without a change only the figure."""

    def __init__(self, cell: Cell, header: str = "") -> None:
        super().__init__()
        self._cell = cell
        self.setAccessibleName(to_say(spoken(cell, header)))
        set_tip(self, cell.tip)

    def sizeHint(self) -> QSize:
        theme, cell = current(), self._cell
        width = theme.advance(cell.result or cell.text, 13, 500, True)
        if cell.chip:
            width += theme.advance(cell.base, 13, 400, True) + 8 + chip_width(theme, cell.chip) + 6 + 14 + 6
        return QSize(round(width) + 2, theme.height(PILL_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        cell, x = self._cell, 0.0
        with brush_on(self) as brush:
            theme, muted, color = brush.theme, brush.theme.tone("muted"), brush.theme.tone(cell.tone)
            if not cell.chip:
                brush.text(0, cell.text, color, tnum=True)
                return
            x += brush.text(x, cell.base, muted, tnum=True) + 8
            chip = chip_width(theme, cell.chip)
            draw_chip(brush.painter, theme, brush.at(x, chip), brush.middle, cell.chip, chip_tone(cell.mark))
            x += chip + 6
            brush.icon("arrow", x, muted, 14)
            brush.text(x + 14 + 6, cell.result, color, 13, 500, True)


_LABEL_COLUMN, _ROW, _LONG, _LINKS = 112, 28, 24, 264


class DetailField(Struct, frozen=True):
    """A labelled value, painted as its cell says; with a target it is a link that hands the target back."""

    label: str
    cell: Cell
    target: object = None


class ChangeEntry(Struct, frozen=True):
    """One change: what it changes, from and to, how it stands in one sentence, and what one can do about it.

    actions: pairs of a key (handed back) and the link's words.   ref: handed back with the key.
    icon: an icon's name and its words, where the change is none of ours or has no mark any more.
    """

    mark: Mark | None
    what: str
    before: str
    after: str
    sentence: str
    tone: Tone = "muted"
    actions: tuple[tuple[str, str], ...] = ()
    ref: object = None
    icon: tuple[str, str] = ("", "")


def indent(part: QWidget | QHBoxLayout, top: int) -> None:
    """Bring words in line with the words of the links below them."""
    set_margins(part, (LINK_PAD, top, 0, 0))


class FactRow(QWidget):
    """Label column and value.

    Signals:
        used(): the value is a link and was used.
    """

    used = Signal()

    def __init__(self, fact: DetailField) -> None:
        super().__init__()
        self.fact = fact
        self._value: QWidget
        row = in_row(self, spacing=6)
        label = PlainLabel(fact.label, "muted", elide=True)
        label.setFixedWidth(current().scaled(_LABEL_COLUMN) - row.spacing())
        row.addWidget(label)
        self._add_value(row, fact)
        row.addStretch(1)
        self.setMinimumHeight(current().height(_ROW))

    def _add_value(self, row: QHBoxLayout, fact: DetailField) -> None:
        cell, kind = fact.cell, _shape(fact)
        if kind == "link":
            self._value = link = LinkLabel("", 13, 400)
            link.clicked.connect(lambda: self.used.emit())
            row.setSpacing(6 - LINK_PAD)
        elif kind == "pill":
            self._value = Pill()
        elif kind == "stock":
            self._value = StockLine(cell, fact.label)
        else:
            self._value = PlainLabel("", wrap=kind == "long", elide=kind != "long")
        row.addWidget(self._value, 100 if kind == "long" else 0)
        if cell.ref_id and kind in ("long", "short"):
            row.addWidget(PlainLabel(f"#{cell.ref_id}", "faint", 12, tnum=True))
        if cell.note:
            row.addWidget(PlainLabel(cell.note, "wait", 12))
        self._say(fact)

    def _say(self, fact: DetailField) -> None:
        self.fact, cell, value = fact, fact.cell, self._value
        if isinstance(value, LinkLabel):
            value.set_tone("accent" if cell.tone == "text" else cell.tone)
            if cell.ref_id:
                value.set_text(cell.text, f" (#{cell.ref_id})")
            else:
                value.set_text(cell.result or cell.text)
            set_tip(value, cell.tip)
        elif isinstance(value, Pill):
            value.set_pill(cell.text, cell.icon, cell.tone)
        elif isinstance(value, PlainLabel):
            value.set_tone("muted" if cell.muted else cell.tone)
            value.set_text(cell.text)
            set_tip(value, cell.tip or (cell.text if _shape(fact) == "short" else ""))
        self.setAccessibleName(to_say(spoken(cell, fact.label)))

    def try_set(self, fact: DetailField) -> bool:
        """Show another value in the same row; whether that can be, or a row of its own is needed."""
        old, new = self.fact, fact
        if old != new:
            extra = any((one.cell.note or one.cell.ref_id) and one.target is None for one in (old, new))
            kind = _shape(new)
            if extra or old.cell.note or kind != _shape(old) or kind == "stock" or old.label != new.label:
                return False
            self._say(new)
        return True


def _shape(fact: DetailField) -> str:
    """What a value is shown by."""
    if fact.target is not None:
        return "link"
    if fact.cell.kind in ("pill", "stock"):
        return fact.cell.kind
    return "long" if len(fact.cell.text) > _LONG else "short"


class ChangeRow(QWidget):
    """The mark, "In stock 24 → 36", the sentence, and links.

    Signals:
        used(str): the key of the link that was used.
    """

    used = Signal(str)

    def __init__(self, entry: ChangeEntry) -> None:
        super().__init__()
        mark = _mark(entry)
        title = in_row(None, PlainLabel(entry.what, "text", 13, 500), spacing=5)
        indent(title, 0)
        words = in_column(None, title, spacing=1)
        if len(entry.before) + len(entry.after) > _LONG:
            self._add_long(words, entry)
        elif entry.before or entry.after:
            self._add_values(title, entry)
        add(title, "stretch")
        sentence = PlainLabel(entry.sentence, entry.tone, 12, wrap=True)
        indent(sentence, 2)
        words.addWidget(sentence)
        if entry.actions:
            add(words, self._links(entry))
        column = in_column(None, mark, "stretch", margins=(0, 2, 0, 0))
        in_row(self, column, (words, 1), margins=(0, 2, 0, 10), spacing=10 - LINK_PAD)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _add_values(self, title: QHBoxLayout, entry: ChangeEntry) -> None:
        if entry.before:
            add(title, 5, PlainLabel(entry.before, "muted", tnum=True, elide=True), self._arrow())
        add(title, PlainLabel(entry.after, "text", 13, 500, tnum=True, elide=True))

    def _add_long(self, words: QVBoxLayout, entry: ChangeEntry) -> None:
        """Long values stand whole below each other: cut off, two of them may look the same."""
        before = PlainLabel(entry.before, "muted", tnum=True, wrap=True)
        after = in_row(
            None, self._arrow(), (PlainLabel(entry.after, "text", 13, 500, tnum=True, wrap=True), 1), spacing=5
        )
        indent(before, 1)
        indent(after, 1)
        if entry.before:
            words.addWidget(before)
        add(words, after)
        both = tr("{what}: {before}, then {after}").format(what=entry.what, before=entry.before, after=entry.after)
        self.setAccessibleName(to_say(both))
        set_tip(self, both)

    def _arrow(self) -> IconLabel:
        return IconLabel("arrow", "muted", tr("changes to"), 12)

    def _links(self, entry: ChangeEntry) -> QVBoxLayout:
        """In as many lines as they need in this language."""
        lines, gap, left = list[list[LinkLabel]](), 16 - 2 * LINK_PAD, 0
        for key, words in entry.actions:
            link = LinkLabel(words, 12)
            link.clicked.connect(lambda _checked=False, key=key: self.used.emit(key))
            width = link.sizeHint().width() + gap
            if not lines or width > left:
                lines.append([])
                left = current().scaled(_LINKS) + gap
            lines[-1].append(link)
            left -= width
        return in_column(None, *(in_row(None, *line, "stretch", spacing=gap) for line in lines), spacing=1)


def _mark(entry: ChangeEntry) -> IconLabel:
    if entry.mark is None:
        icon, words = entry.icon
        return IconLabel(icon, "muted", words)
    return IconLabel(MARK_ICONS[entry.mark], MARK_TONES[entry.mark], mark_words(entry.mark))

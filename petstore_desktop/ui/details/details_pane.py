"""The pane beside a list: one record's title, age, facts and changes; the answer card and the queue too."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.ui.base.building import add, in_column, in_row, named, on_click, replace
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.cells.pane_parts import ChangeEntry, ChangeRow, DetailField, FactRow
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.button_rows import ButtonRows
from petstore_desktop.ui.widgets.labels import LEADING_ANSWER, Divider, LinkLabel, PlainLabel, drop, say, set_tip
from petstore_desktop.ui.widgets.paint import brush_on
from petstore_desktop.ui.widgets.scrolled import Scrolling

if TYPE_CHECKING:
    from petstore_desktop.ui.charts.step_line import StepLine

__all__ = ["ChangeEntry", "DetailField", "DetailsPane"]
_EDGE = 16
_COPY_KEY = QKeySequence("Ctrl+Shift+C")
"""Copies the sentence while the keyboard is in the pane; elsewhere it copies cells with their headers."""


class DetailsPane(QWidget):
    """Everything about one record, from top to bottom; parts that were not set take no room.

    Signals:
        liveRequested(): "Check live" was used.
        copyRequested(): "Copy" beside the sentence was used.
        closeRequested(): the close button was used.
        linkActivated(object): the target of a fact or a queue item.
        changeAction(object, str): an entry's ref and the key of its link.
        historyWanted(): the link below the history was used: all of it.
    """

    liveRequested = Signal()
    copyRequested = Signal()
    closeRequested = Signal()
    linkActivated = Signal(object)
    changeAction = Signal(object, str)
    historyWanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("detailsPane")
        self._title = PlainLabel("", "text", 15, 600, elide=True)
        self._subtitle = PlainLabel("", "faint", 13, tnum=True)
        self._age, self._age_key = (
            PlainLabel("", "muted", 12, tnum=True, elide=True),
            PlainLabel("", "muted", 11, elide=True),
        )
        self._live = on_click(LinkLabel("", 12), lambda: self.liveRequested.emit(), "checkLive")
        self._live.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)  # a long id is cut instead
        self._copy = on_click(LinkLabel("", 12), lambda: self.copyRequested.emit(), "copySentence")
        close = Button(tr("Close details"), "icon", "close")
        self._close = on_click(close, lambda: self.closeRequested.emit(), "closeDetails")
        self._sentence = PlainLabel("", "text", 17, 500, wrap=True, leading=LEADING_ANSWER)
        self._sentence.setContentsMargins(0, 5, 0, 11)
        self._actions, self._actions_note = ButtonRows(), PlainLabel("", "muted", 12, wrap=True)
        self._actions_note.setContentsMargins(0, 7, 0, 0)
        self._facts, self._changes = (_Section() for _ in range(2))
        self._sections: dict[str, _Section] = {}
        self._history = named(_Section(), "historySection")
        self._stock = named(_Section(), "stockSection")
        self._line: tuple[StepLine | None, str] = (None, "")
        self._shown: dict[str, object] = {}
        """What each part shows, and the theme that it was made in: what is shown already is not laid out again."""
        self._build()
        self.set_heading("")
        self.set_age("")
        self.set_sentence("")
        self.set_actions(())

    def _build(self) -> None:
        head = (self._title, 4, self._subtitle, "stretch", self._close)
        self._head = in_row(None, *head, margins=(_EDGE, 11, 9, 6), spacing=4)
        age = in_row(None, self._age, self._live, self._age_key, self._copy, "stretch", spacing=6)
        body, actions = QWidget(), (self._actions, self._actions_note)
        sections = (self._facts, self._changes, self._stock, self._history)
        parts = (self._sentence, 2, age, 12, *actions, *sections, "stretch")
        self._body = in_column(body, *parts, margins=(_EDGE, 0, _EDGE - 1, _EDGE))
        self._scroll = Scrolling(body)
        # The line towards the table is on one of the two edges.
        in_column(self, self._head, (self._scroll, 1), margins=(1, 0, 1, 0))

    def set_heading(self, title: str, subtitle: str = "") -> None:
        """The record's name, and its id ("#1234") or a summary in muted."""
        self._title.set_text(title)
        self._subtitle.set_text(subtitle)
        self._subtitle.set_tone("faint" if subtitle.startswith("#") else "muted")
        self.setAccessibleName(to_say(f"{title} {subtitle}".strip()))

    def set_age(self, text: str, link: str = "", key: str = "") -> None:
        """How old the data is; `link` ("Check live") emits liveRequested."""
        for label, words in ((self._age, text), (self._live, link), (self._age_key, key)):
            say(label, words)

    def set_sentence(self, text: str) -> None:
        """The answer to read out; empty for none."""
        say(self._sentence, text)
        say(self._copy, tr("Copy") if text else "")
        set_tip(
            self._copy, tr("Copy the sentence ({key})", key=_COPY_KEY.toString(QKeySequence.SequenceFormat.NativeText))
        )

    def set_actions(self, actions: Sequence[QAction], note: str = "") -> None:
        """Buttons below the age, the first filled, and what they cost."""
        if not self._is_new("actions", (*actions, note)):
            return
        buttons = [Button("", "plain" if index else "primary") for index in range(len(actions))]
        self._actions.set_buttons(buttons)
        for button, action in zip(buttons, actions, strict=True):
            button.bind(action)
        self._actions.setVisible(bool(actions))
        say(self._actions_note, note)

    def set_facts(self, facts: Sequence[DetailField]) -> None:
        """The rows of the record itself."""
        self._facts.fill_facts("", facts, self._fact_row, bool(self._sentence.text()), 8)

    def set_changes(self, entries: Sequence[ChangeEntry], note: str = "") -> None:
        """Show the changes made here and their states; `note` at the right of the section's title."""
        if not self._is_new("changes", (*entries, note)):
            return
        rows: list[QWidget] = [_Gap(6)] if entries else []
        for entry in entries:
            row = ChangeRow(entry)
            row.used.connect(partial(self.changeAction.emit, entry.ref))
            rows.append(row)
        self._changes.fill(tr("Changes"), note, rows, divided=True)

    def set_history(self, entries: Sequence[ChangeEntry], link: str = "") -> None:
        """What happened before, the newest first; `link` leads to more."""
        if not self._is_new("history", (*entries, link)):
            return
        rows: list[QWidget] = [_Gap(6)] if entries else []
        rows += [ChangeRow(entry) for entry in entries]
        if rows and link:
            more = on_click(LinkLabel(link, 12), lambda: self.historyWanted.emit(), "allChanges")
            line = QWidget()
            in_row(line, 20, more, "stretch")
            rows.append(line)
        self._history.fill(tr("History"), "", rows, divided=True)

    def _is_new(self, part: str, content: object) -> bool:
        """Whether a part is to show something else than it does."""
        wanted = (content, current())
        if self._shown.get(part) == wanted:
            return False
        self._shown[part] = wanted
        return True

    def set_stock_line(self, line: StepLine | None, instead: str = "") -> None:
        """Show the stock over time, or a sentence instead of the line; None takes it away."""
        if (line, instead) == self._line:
            return
        self._line, rows = (line, instead), list[QWidget]()
        if instead:
            rows = [named(PlainLabel(instead, "muted", 12, wrap=True), "stockWords")]
        elif line is not None:
            from petstore_desktop.ui.charts.chart import Chart  # late: few records have a past at the start

            rows = [Chart(line, "stockLine")]
        self._stock.fill("" if line is None else line.title, "", rows, divided=True)

    def show_history(self) -> None:
        """Scroll to the history, and put the keyboard on its link."""
        self._body.activate()
        self._scroll.ensureWidgetVisible(self._history, 0, 0)
        for link in self._history.findChildren(LinkLabel):
            link.setFocus(Qt.FocusReason.OtherFocusReason)
        bar = self._scroll.verticalScrollBar()
        bar.setValue(min(bar.maximum(), self._history.y()))

    def set_section(self, title: str, facts: Sequence[DetailField]) -> None:
        """A further section of facts under `title`; without facts it goes away."""
        section = self._sections.get(title)
        if section is None:
            section = self._sections[title] = _Section()
            self._body.insertWidget(self._body.count() - 3, section)  # above the past, which is the longest
        section.fill_facts(title, facts, self._fact_row, divided=True)

    def keep_sections(self, titles: Container[str]) -> None:
        """Take away all further sections but these."""
        for title, section in self._sections.items():
            if title not in titles:
                section.fill("", "", [], divided=False)

    def add_title_button(self, icon: str, name: str) -> Button:
        """An icon button before the close button."""
        button = Button(name, "icon", icon)
        self._head.insertWidget(self._head.count() - 1, button)
        return button

    def _fact_row(self, fact: DetailField) -> FactRow:
        row = FactRow(fact)
        row.used.connect(lambda: self.linkActivated.emit(row.fact.target))
        return row

    def sizeHint(self) -> QSize:
        return QSize(current().scaled(320), 400)

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            brush.painter.fillRect(self.rect(), brush.theme.color("content"))
            brush.painter.fillRect(QRectF(brush.at(0, 1), 0, 1, self.height()), brush.theme.color("line"))


class _Gap(QWidget):
    def __init__(self, height: int) -> None:
        super().__init__()
        self.setFixedHeight(height)


class _Section(QWidget):
    """A titled group of rows; hidden while it has none."""

    def __init__(self) -> None:
        super().__init__()
        self._column = in_column(self)
        self._facts: list[FactRow] = []
        self._dress: object = None
        """What stands around these rows, and the theme that they were made in."""
        self._empty = True
        self.hide()

    def fill_facts(
        self,
        title: str,
        facts: Sequence[DetailField],
        make: Callable[[DetailField], FactRow],
        divided: bool,
        gap: int = 11,
    ) -> None:
        """Show facts as rows. If their number is unchanged, only changed ones are rebuilt: walking along a list mostly
        changes values."""
        dress = (title, divided, gap, current())
        if not facts or len(facts) != len(self._facts) or dress != self._dress:
            rows = [make(fact) for fact in facts]
            self.fill(title, "", rows, divided, gap)
            self._facts, self._dress = rows, dress
            return
        for place, (row, fact) in enumerate(zip(self._facts, facts, strict=True)):
            if not row.try_set(fact):
                self._facts[place] = make(fact)
                replace(self._column, row, self._facts[place])
                self._facts[place].show()  # else only in a later turn
                row.hide()
                row.deleteLater()

    def fill(self, title: str, note: str, rows: Sequence[QWidget], divided: bool, gap: int = 11) -> None:
        """Replace everything; a divider goes `gap` pixels below what stands above, where `divided`."""
        if self._empty and not rows:
            return
        self._facts, self._dress, self._empty = [], None, not rows
        drop(self._column)
        if divided and rows:
            add(self._column, gap, Divider(token="hair"))
        if title and rows:
            words, aside = PlainLabel(title, "muted", 12, 600), PlainLabel(note, "muted", 12, tnum=True)
            add(self._column, in_row(None, words, "stretch", aside, margins=(0, 14, 0, 6)))
        elif divided and rows:
            self._column.addSpacing(9)
        add(self._column, *rows)
        self.setVisible(bool(rows))

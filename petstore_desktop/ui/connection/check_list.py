"""The checks of a connection, with their marks as they are finished: in full for the doctor, or in a few lines for the
form of a connection. Their words are those of `desk/checks/check_words.py`, in the person's language."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from petstore_desktop import log
from petstore_desktop.desk.checks import check_words
from petstore_desktop.desk.checks.check_words import PETS_READ
from petstore_desktop.domain.checks import About, Check, CheckReport, Sample
from petstore_desktop.domain.commands import ServiceValue
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.base.building import forget_items, in_column, in_row, named, replace
from petstore_desktop.ui.base.theme import Tone, current, isolate, plain, to_say
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.times import duration, near_moment
from petstore_desktop.ui.text.translate import listed, number, sentences, tr
from petstore_desktop.ui.widgets.labels import IconLabel, PlainLabel, drop, say


class WindowVoice:
    """How the window says it."""

    def say(self, text: str, **params: object) -> str:
        """In the person's language, if there is a translation."""
        return tr(text).format(**params) if params else tr(text)

    def number(self, value: int) -> str:
        """By locale."""
        return number(value)

    def moment(self, epoch_s: float) -> str:
        """By locale; another day is named."""
        return near_moment(epoch_s, time.time())

    def length(self, seconds: float) -> str:
        """`2 h 0 min`."""
        return duration(seconds)

    def foreign(self, text: str) -> str:
        """What others have written, plain and kept apart in its direction."""
        return isolate(plain(log.redact(text)))

    def other(self, error: ShopError) -> tuple[str, str]:
        """In the words that the window has for the error."""
        words = error_words(error)
        return log.redact_sentence(words.what), log.redact_sentence(words.do)


_VOICE = WindowVoice()


def said_words(check: Check) -> str:
    """The finding."""
    return check_words.said(check, _VOICE)


def advice_words(check: Check) -> str:
    """What to do; empty where nothing is to be done."""
    return check_words.advice(check, _VOICE)


def title_words(about: About) -> str:
    """The subject."""
    return check_words.title(about, _VOICE)


def summary_words(report: CheckReport) -> str:
    """What can and what cannot be done there; empty where that is not known."""
    return check_words.summary(report, _VOICE)


def sample_rows(sample: Sample) -> list[list[str]]:
    """The titles of the columns, and a row of values for each pet."""
    return [check_words.titles(_VOICE), *(check_words.cells(pet, _VOICE, sample.categories) for pet in sample.pets)]


def sample_remarks(sample: Sample) -> list[str]:
    """The sentences about fields that were not understood and operations that cannot be done."""
    return check_words.remarks(sample, _VOICE)


def value_notes(value: ServiceValue) -> tuple[str, str]:
    """What a value is, in the document's own words and by what needs it; and an example of it."""
    needed = listed(check_words.missing_words(value.operations, _VOICE))
    words = plain(value.description).strip()
    ended = words.endswith((".", "!", "?", "…", "。"))
    described = words and (isolate(words) if ended else tr("{sentence}.", sentence=isolate(words)))
    note = tr("Not possible without it: {what}.", what=needed) if needed else ""
    example = tr("for example {example}", example=isolate(plain(value.example))) if value.example else ""
    return sentences(described, note), example


def took_words(report: CheckReport) -> str:
    """How many requests it took."""
    if not report.requests:
        return tr("Nothing was sent.")
    return tr("It took {n} requests, all of them reads.", "", report.requests, one="It took one request, a read.")


def support_words(name: str, url: str, report: CheckReport) -> str:
    """All of it as text to copy, without any secret."""
    lines = [log.redact_sentence(f"{plain(name)}  {plain(url)}")]
    for check in report.checks:
        words = sentences(said_words(check), advice_words(check))
        lines.append(f"{check_words.mark(check):5}  {title_words(check.about)}: {words}")
    lines += sample_remarks(report.sample)
    isolates = {0x2068: None, 0x2069: None}  # marks for the eye, not for a text that is pasted elsewhere
    return "\n".join([*lines, took_words(report)]).translate(isolates) + "\n"


_SIDE = 14


class RunningCheck:
    """The check that runs for one widget, and is stopped when that goes; what a stopped one still tells is ignored."""

    def __init__(self, widget: QObject) -> None:
        self._stop: Callable[[], object] | None = None
        self._run = object()
        """Another one for each check, and after it."""
        widget.destroyed.connect(lambda: self.stop())

    @property
    def runs(self) -> bool:
        """Whether one is under way."""
        return self._stop is not None

    def begin(
        self,
        check: Callable[[Callable[[Check], None], Callable[[CheckReport], None]], Callable[[], None]],
        told: Callable[[Check], None],
        done: Callable[[CheckReport], None],
    ) -> None:
        """Start `check`, which returns what stops it; `told` gets each part, and `done` the whole."""
        self._run = run = object()

        def tell(part: Check) -> None:
            if self._run is run:
                told(part)

        def end(report: CheckReport) -> None:
            if self._run is run:
                self._stop, self._run = None, object()
                done(report)

        self._stop = lambda: None  # what ends at once must find it running
        stop = check(tell, end)
        if self._run is run:
            self._stop = stop

    def stop(self) -> None:
        """End it; requests already sent are not recalled."""
        stop, self._stop, self._run = self._stop, None, object()
        if stop is not None:
            stop()


def line_mark(icon: str, tone: Tone, name: str = "") -> IconLabel:
    """A mark in line with words of size 13 beside it."""
    made = IconLabel(icon, tone, name, _SIDE, tipped=False)
    made.setFixedHeight(current().height(20))
    return made


def mark_of(check: Check | None) -> tuple[str, Tone, str]:
    """Icon, tone, and the word for it."""
    if check is None:
        return "open", "faint", tr("not checked yet")
    if check.ok is None:
        return "unknown", "faint", tr("not reached")
    if check.ok:
        return "complete", "ok", tr("OK")
    return ("refused", "bad", tr("problem")) if check.stands_in_the_way else ("warning", "wait", tr("note"))


class CheckList(QWidget):
    """One row for each check: mark, subject, finding and advice."""

    def __init__(self, expected: Iterable[About], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("checkList")
        self._rows: dict[About, _Row] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(10)
        self._grid.setColumnStretch(2, 1)
        for about in expected:
            self._add(about)

    def _add(self, about: About) -> _Row:
        row = self._rows[about] = _Row(about)
        number = self._grid.rowCount()
        top = Qt.AlignmentFlag.AlignTop
        self._grid.addWidget(row.mark, number, 0, top)
        self._grid.addWidget(row.title, number, 1, top)
        self._grid.addLayout(row.words, number, 2)
        forget_items(row.words)
        return row

    def clear(self) -> None:
        """None is finished."""
        for row in self._rows.values():
            row.show(None)

    def add(self, check: Check) -> None:
        """One is finished."""
        (self._rows.get(check.about) or self._add(check.about)).show(check)


class _Row:
    def __init__(self, about: About) -> None:
        self.mark = line_mark(*mark_of(None))
        self.title = PlainLabel(title_words(about), "text", 13, 500)
        self.title.setMinimumWidth(current().scaled(84))
        self.title.setFixedHeight(current().height(20))
        self.said = PlainLabel("", "text", 13, wrap=True)
        self.advice = PlainLabel("", "muted", 13, wrap=True)
        self.words = in_column(None, self.said, self.advice, spacing=2)
        self.show(None)

    def show(self, check: Check | None) -> None:
        self.mark.set_icon(*mark_of(check))
        self.said.set_tone("faint" if check is None or check.ok is None else "text")
        self.said.set_text("…" if check is None else said_words(check))
        say(self.advice, "" if check is None or check.ok else advice_words(check))


class CheckLine(QWidget):
    """The checks that went well, one after the other in a line."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("checkLine")
        self._done: list[About] = []
        self.mark = line_mark("complete", "ok", tr("OK"))
        self.words = PlainLabel("", "muted", 12, wrap=True)
        in_row(self, (self.mark, Qt.AlignmentFlag.AlignTop), (self.words, 1), spacing=6)
        self.hide()

    def clear(self) -> None:
        """None went well yet."""
        self._done.clear()
        self.hide()

    def add(self, check: Check) -> None:
        """One is finished."""
        if check.ok:
            self._done.append(check.about)
            self._done.sort(key=list(About).index)
            self.words.set_text(tr("OK: {checks}", checks=listed(title_words(one) for one in self._done)))
            self.show()


class SampleView(QWidget):
    """What a check read: pets in the program's columns, and what was not understood. Hidden where that is nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sampleView")
        self.title = PlainLabel(tr(PETS_READ), "muted", 12)
        self.table = named(QWidget(), "samplePets")
        self._remarks = QVBoxLayout()
        self._remarks.setSpacing(4)
        in_column(self, self.title, self.table, self._remarks, spacing=6)
        self.hide()

    def show_sample(self, sample: Sample) -> None:
        """Show this one in the place of another."""
        rows, remarks = sample_rows(sample), sample_remarks(sample)
        self.title.setVisible(bool(sample.pets))
        self._fill(rows if sample.pets else [])
        drop(self._remarks)
        for words in remarks:
            self._remarks.addWidget(PlainLabel(words, "muted", 12, wrap=True))
        self.setVisible(bool(sample.pets or remarks))

    def _fill(self, rows: list[list[str]]) -> None:
        table = named(QWidget(), "samplePets")
        table.setAccessibleName(to_say("; ".join(map(listed, rows))))
        grid = QGridLayout(table)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(4)
        for row, cells in enumerate(rows):
            tone: Tone = "text" if row else "faint"
            for column, words in enumerate(cells):
                grid.addWidget(PlainLabel(words, tone, 12, elide=True), row, column)
                grid.setColumnStretch(column, 2 if column == 1 else 1)
        layout = self.layout()
        if layout is not None:
            replace(layout, self.table, table)
        self.table.deleteLater()
        self.table = table
        table.setVisible(bool(rows))

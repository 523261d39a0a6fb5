"""Every open change, in the order of sending, and what one can do about it; above them the jobs that go on, and how far
each has come."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtCore import QObject
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from petstore_desktop.clock import unique
from petstore_desktop.desk.changes.outbox_lines import Job, OutboxLine
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.commands import CancelBatch, Retry, SteerBatch
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.activity.list_page import ListPage
from petstore_desktop.ui.bars.tool_bar import page_action
from petstore_desktop.ui.base.building import in_column, in_row, named
from petstore_desktop.ui.base.theme import current, to_say
from petstore_desktop.ui.cells.cell_model import CellColumn, CellModel
from petstore_desktop.ui.context.action_set import read_only_words
from petstore_desktop.ui.questions.confirm import open_discard
from petstore_desktop.ui.questions.price import PriceWatch
from petstore_desktop.ui.questions.raw_answer import open_raw
from petstore_desktop.ui.text.cell import MARK_TONES, Cell, chip_text, gutter_cell, record_cell
from petstore_desktop.ui.text.changes.batches import cancelled_words, job_words, name_words
from petstore_desktop.ui.text.changes.change import change_sentence
from petstore_desktop.ui.text.changes.history import step_words
from petstore_desktop.ui.text.loading import goes_on_words
from petstore_desktop.ui.text.prices import waiting_cost_words
from petstore_desktop.ui.text.translate import counted_changes, needs_words, number, plain_lines, tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import Divider, PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.domain.records import Ref
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.edits import Edits
    from petstore_desktop.ui.context.message import Say


_SHOWN = 3
"""How many jobs have a strip; others follow as those end."""


JobCommand: TypeAlias = Literal["pause", "resume", "cancel", "first", "retry"]
"""What a person does to a job."""


class JobStrip(QWidget):
    """One job. `steer` is called with what a person wants of it."""

    def __init__(self, steer: Callable[[Job, JobCommand], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("jobStrip")
        self._steer = steer
        self.job: Job | None = None
        self.label = named(PlainLabel("", elide=True), "jobText")
        self.retry = self._button("retryJob", "refresh", lambda: "retry")
        self.pause = self._button("pauseJob", "pause", lambda: "resume" if self._paused() else "pause")
        self.first = self._button("firstJob", "chevron-up", lambda: "first")
        self.cancel = self._button("cancelJob", "close", lambda: "cancel")
        buttons = (self.retry, self.pause, self.first, self.cancel)
        in_row(self, (self.label, 1), *buttons, margins=(12, 4, 12, 4), spacing=6)

    def _button(self, name: str, icon: str, command: Callable[[], JobCommand]) -> Button:
        button = named(Button("", "quiet", icon, parent=self), name)
        button.clicked.connect(lambda _checked=False: self._want(command()))
        return button

    def _want(self, command: JobCommand) -> None:
        if self.job is not None:
            self._steer(self.job, command)

    def _paused(self) -> bool:
        return self.job is not None and self.job.paused

    def show_job(self, job: Job, seconds: float | None, again: int, goes_on: str) -> None:
        """Show a job's progress; `seconds` until its last request is sent; `again`: how many refused changes can be
        sent again; `goes_on`: when, if nothing is sent now."""
        self.job = job
        words = job_words(job, seconds, goes_on)
        self.label.set_text(words)
        self.setAccessibleName(to_say(words))
        name = name_words(job.sentence)
        for button, text in (
            (self.pause, tr("Resume") if job.paused else tr("Pause")),
            (self.first, tr("Send first")),
            (self.cancel, tr("Stop")),
            (self.retry, tr("Send {n} again", "", again)),
        ):
            button.set_text(text)
            button.setAccessibleName(to_say(tr("{action}: {job}", action=text, job=name)))
        self.pause.setObjectName("resumeJob" if job.paused else "pauseJob")
        self.pause.set_icon_name("arrow" if job.paused else "pause")
        self.pause.setVisible(not job.stuck)
        self.first.setVisible(not job.stuck and not job.first)
        self.cancel.setVisible(not job.stuck)
        self.retry.setVisible(again > 0)


class JobStrips(QWidget):
    """Those of all jobs, each in the order of sending."""

    def __init__(self, shop: LiveShop, edits: Edits, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("jobs")
        self.setAccessibleName(tr("Jobs"))
        self._shop, self._edits = shop, edits
        self._wanted = True
        self._jobs: tuple[Job, ...] = ()
        self._ends: Mapping[str, float] = {}
        self.strips: list[JobStrip] = []
        self.more = PlainLabel("", "muted")
        self.more.setContentsMargins(12, 0, 12, 4)
        self._column = in_column(self, self.more, Divider())
        self.hide()

    def set_wanted(self, wanted: bool) -> None:
        """Whether the page that they belong to is shown."""
        self._wanted = wanted
        self.setVisible(wanted and bool(self._jobs))

    def set_ends(self, ends: Mapping[str, float]) -> None:
        """In how many seconds the last request of each batch leaves, as far as that is known."""
        self._ends = ends
        self._show()

    def show_jobs(self, jobs: tuple[Job, ...]) -> None:
        """These go on."""
        self._jobs = jobs
        self._show()

    def _show(self) -> None:
        shown, desk = self._jobs[:_SHOWN], self._shop.desk
        goes_on = goes_on_words(desk.send_block(), desk.now()) if shown else ""
        while len(self.strips) < len(shown):
            strip = JobStrip(self._steer, self)
            self._column.insertWidget(len(self.strips), strip)
            self.strips.append(strip)
        for strip in self.strips[len(shown) :]:
            strip.hide()
        for strip, job in zip(self.strips, shown, strict=False):
            again = len(self._refused(job.batch)) if job.refused else 0
            strip.show_job(job, self._ends.get(job.batch), again, goes_on)
            strip.show()
        others = len(self._jobs) - len(shown)
        self.more.set_text(tr("and {n} more", "", others))
        self.more.setVisible(others > 0)
        self.setVisible(self._wanted and bool(self._jobs))

    def _refused(self, batch: str) -> tuple[int, ...]:
        changes = self._shop.desk.outbox.of_batches((batch,))
        return tuple(one.id for one in changes if one.state is ChangeState.REFUSED)

    def _steer(self, job: Job, command: JobCommand) -> None:
        shop = self._shop
        if command == "retry":
            shop.submit(Retry(self._refused(job.batch)))
        elif command == "cancel":
            self._edits.decide(CancelBatch(job.batch, unique()), cancelled_words(job), "info", job.batch)
        else:
            shop.submit(SteerBatch(job.batch, command))


GUTTER, PLACE, RECORD, WHAT, CHANGE, STATE = range(6)


class ActivityModel(CellModel[tuple[int, OutboxLine]]):
    """One row for each open change, with its place in the order of sending."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent, lambda row: row[1].change_id)
        self.columns = (
            CellColumn("", lambda row: gutter_cell(row[1].mark)),
            CellColumn(tr("No."), lambda row: Cell(text=number(row[0]), kind="number", tone="muted"), is_figure=True),
            CellColumn(tr("Record"), lambda row: record_cell(row[1].ref.resource, row[1].title, row[1].ref_id)),
            CellColumn(tr("What"), lambda row: Cell(text=step_words(row[1].ref.resource, row[1].field), tone="muted")),
            CellColumn(tr("Change"), lambda row: Cell(text=chip_text(row[1].chip), tone="accent")),
            CellColumn(tr("Status"), self._state),
        )
        self._blocked: SendBlock | None = None
        self._now = 0.0
        self.held = False
        """Nothing leaves, because the connection is read-only."""

    def set_lines(self, lines: tuple[OutboxLine, ...], blocked: SendBlock | None, now: float) -> None:
        """The changes as they are now; rows of the same changes stay the same rows."""
        self._blocked, self._now = blocked, now
        self.show(tuple(enumerate(lines, 1)))

    def line(self, row: int) -> OutboxLine:
        """One change."""
        return self.rows[row][1]

    def sentence(self, line: OutboxLine) -> str:
        """How a change stands."""
        if self.held and line.mark == "unsent":
            return tr("Saved on this computer. Not sent: this connection is read-only.")
        return change_sentence(line.sentence.code, line.sentence.params, self._now, self._blocked)

    def _state(self, row: tuple[int, OutboxLine]) -> Cell:
        line, mark = row[1], row[1].mark
        tone = MARK_TONES[mark] if mark in ("refused", "conflict", "uncertain") else "muted"
        return Cell(text=self.sentence(line), tone=tone)


_WIDTHS = {PLACE: 52, RECORD: 260, WHAT: 110, CHANGE: 120}
_NAME_LEAST, _NAME_MOST, _SAID = 220, 440, 480
"""So wide is the column of names at least and at most, and so much (px at base 13) has how it stands before the names
get more: until when a change waits is read whole."""
_PRICED_MS = 1500
"""While changes go out, their price is asked for no more often than this."""


class WaitingPage(ListPage):
    """The outbox."""

    def __init__(
        self, shop: LiveShop, edits: Edits, say: Say, open_record: Callable[[Ref], None], parent: QWidget
    ) -> None:
        self.model = ActivityModel()
        self._shop, self._edits, self._open_record = shop, edits, open_record
        super().__init__(shop.desk, self.model, "waiting", tr("Outbox"), parent)
        self.view.setObjectName("activityView")
        self.model.held = shop.connection.read_only
        self.jobs = JobStrips(shop, edits)
        """Stands above the page."""
        self.retry = page_action(self, "retryWaiting", tr("Send again"), "refresh", self._retry)
        self.discard = page_action(self, "discardWaiting", tr("Discard"), "undo", self._discard)
        self.raw = page_action(self, "waitingRaw", tr("Server response"), "info", self._raw)
        self.go = page_action(self, "waitingGo", tr("Go to the record"), "external", self._go)
        self.tools = (self.go, self.raw, self.discard, self.retry)
        self._menu = ((self.go, self.retry, self.discard, self.raw),)
        self._cost = ""
        self._price = PriceWatch(edits, self._asked, self, _PRICED_MS)
        self._price.priced.connect(self._show_price)
        self._choose_rows(GUTTER, STATE)
        self._set_widths(_WIDTHS)
        self.view.openRequested.connect(self._go)
        self._refresh()

    def _fit(self, width: object) -> None:
        """In a wide window the names are read whole."""
        if isinstance(width, int):
            theme, header = current(), self.view.horizontalHeader()
            rest = sum(header.sectionSize(section) for section in (GUTTER, PLACE, WHAT, CHANGE)) + theme.scaled(_SAID)
            wide = max(theme.scaled(_NAME_LEAST), min(theme.scaled(_NAME_MOST), width - rest))
            header.resizeSection(RECORD, wide)

    # -- what the desk says

    def desk_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        if moved.outbox or moved.gate or moved.rows:
            self.refresh_shown()
        if moved.outbox or moved.gate or moved.quota:
            self._price.again()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._price.now()

    def _asked(self) -> tuple[()] | None:
        """The changes to price beside those that wait: none, so that the price is that of the outbox."""
        return () if self.isVisible() and len(self._desk.outbox) else None

    def _show_price(self, price: Price | None) -> None:
        self._cost = "" if price is None else waiting_cost_words(price, self._desk.now())
        self.jobs.set_ends({} if price is None else price.ends)
        self._count()

    def _count(self) -> None:
        outbox = self._desk.outbox
        needs = outbox.needs_person
        counts = [counted_changes(len(outbox))] if len(outbox) else []
        if needs:
            counts.append(needs_words(needs))
        if counts and self.model.held:
            counts.append(tr("not sent: this connection is read-only"))
        elif counts and self._cost:
            counts.append(self._cost)
        self.counts = tr(", ", "between parts of a line").join(counts)
        self.countsChanged.emit()

    def _refresh(self) -> None:
        kept = [line.change_id for line in self._selected()]
        lines = self._desk.outbox.lines()
        self.model.set_lines(lines, self._desk.send_block(), self._desk.now())
        self._show_list(bool(lines))
        self.jobs.show_jobs(self._desk.outbox.jobs())
        self._count()
        self.empty.set_content(
            tr("The outbox is empty"),
            tr("Every change is sent and confirmed."),
            tr("New changes show here until they are sent."),
        )
        if kept and not self._selected():
            self._select(kept)
        self._update_actions()

    def _select(self, change_ids: list[int]) -> None:
        rows = [row for row in map(self.model.row_of, change_ids) if row >= 0]
        if rows:
            self.view.setCurrentIndex(self.model.index(rows[0], RECORD))  # selectRow does nothing from right to left

    # -- what a person does

    def _selected(self) -> list[OutboxLine]:
        return [self.model.line(row) for row in self._selected_rows()]

    def _with(self, action: str) -> list[OutboxLine]:
        stuck = ("refused", "conflict", "uncertain")
        marks = stuck if action == "retry" else (*stuck, "unsent")
        return [line for line in self._selected() if line.mark in marks]

    def _update_actions(self) -> None:
        self.retry.setEnabled(bool(self._with("retry")) and not self.model.held)
        if self.model.held:
            self.retry.setToolTip(read_only_words())
        self.discard.setEnabled(bool(self._with("discard")))
        self.raw.setEnabled(self._raw_text() is not None)
        self.go.setEnabled(len(self._selected()) == 1)

    def _raw_text(self) -> str | None:
        ids = {line.change_id for line in self._selected()}
        changes = [change for change in self._desk.outbox.those(ids) if change.reason is not None]
        if len(changes) != 1 or changes[0].reason is None:
            return None
        return changes[0].reason.raw

    def _retry(self) -> None:
        lines = self._with("retry")
        if lines:
            self._shop.submit(Retry(tuple(line.change_id for line in lines)))

    def _discard(self) -> None:
        lines = self._with("discard")
        if lines:
            ids = tuple(line.change_id for line in lines)
            open_discard(self.window(), len(ids), lambda: self._edits.discard(ids))

    def _raw(self) -> None:
        raw = self._raw_text()
        if raw is not None:
            open_raw(self.window(), self.model.sentence(self._selected()[0]), plain_lines(raw))

    def _go(self) -> None:
        lines = self._selected()
        if lines:
            self._open_record(lines[0].ref)

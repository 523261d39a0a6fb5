"""The jobs that go on, above the list of what waits: how far each has come, and what one can do to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from PySide6.QtWidgets import QWidget

from petstore_desktop.clock import unique
from petstore_desktop.domain.changes import ChangeState
from petstore_desktop.domain.commands import CancelBatch, Retry, SteerBatch
from petstore_desktop.ui.base.building import in_column, in_row, named
from petstore_desktop.ui.base.theme import to_say
from petstore_desktop.ui.text.changes.batches import cancelled_words, job_words, name_words
from petstore_desktop.ui.text.loading import goes_on_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.labels import Divider, PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.desk.changes.outbox_lines import Job
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.edits import Edits

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

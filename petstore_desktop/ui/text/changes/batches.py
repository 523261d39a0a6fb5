"""Words for batches at work: how far a job has come, and what an undo did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from petstore_desktop.domain.records import Resource
from petstore_desktop.ui.text.changes.undo import undo_words
from petstore_desktop.ui.text.times import about
from petstore_desktop.ui.text.translate import counted, counted_changes, needs_words, number, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.changes.outbox_lines import Job
    from petstore_desktop.desk.model.ripple import Undone
    from petstore_desktop.desk.values.cells import Sentence


_NONE: Final[Mapping[Resource, int]] = MappingProxyType({})


def name_words(sentence: Sentence) -> str:
    """What a batch did, outside menus: `40 pets: sold`."""
    return undo_words(sentence).replace("&&", "&")


def job_words(job: Job, seconds: float | None, goes_on: str = "") -> str:
    """One line about a job: `40 pets: sold: 12 of 40 sent, 2 need attention, about 1 min`.

    `seconds` until the last change has left, None if not known; `goes_on` replaces them while sending is stopped.
    """
    parts = [tr("{sent} of {n} sent", sent=number(job.sent), n=number(job.total))]
    if job.refused:
        parts.append(needs_words(job.refused))
    if job.unknown:
        parts.append(tr("{n} unconfirmed", "", job.unknown))
    if job.paused and not job.stuck:
        parts.append(tr("paused"))
    elif goes_on and not job.stuck:
        parts.append(goes_on)
    elif seconds is not None and not job.stuck:
        parts.append(about(seconds))
    done = tr(", ", "between parts of a line").join(parts)
    return tr("{job}: {done}", job=name_words(job.sentence), done=done)


def cancelled_words(job: Job) -> str:
    """The message when a job is stopped."""
    return stopped_words(name_words(job.sentence), job.sent, job.total)


def stopped_words(what: str, sent: int, n: int) -> str:
    """How far something came that was stopped."""
    return tr("Stopped: {what}. {sent} of {n} were sent, and stay", what=what, sent=number(sent), n=number(n))


def paused_words(n: int) -> str:
    """The message about paused jobs when the window closes."""
    return tr(
        "{n} changes are saved on this computer and stay paused until you resume them.",
        "",
        n,
        one="{n} change is saved on this computer and stays paused until you resume it.",
    )


_IMPOSSIBLE: Mapping[str, Callable[[], str]] = {
    "undo-order-cancelled": lambda: tr("a deleted order stays deleted"),
    "undo-no-delete": lambda: tr("this service does not delete what was created"),
    "undo-no-create": lambda: tr("this service does not bring back what was deleted"),
    "undo-no-change": lambda: tr("this service no longer takes such changes"),
    "undo-not-bound": lambda: tr("no operation does it now; choose one in “Operations of this service”"),
    "undo-no-image": lambda: tr("the old value is not known"),
    "undo-not-sent": lambda: tr("it was not sent from here"),
    "undo-before-start": lambda: tr("they were entered before the program was started; change or remove a line itself"),
}


def stays_words(what: str, code: str) -> str:
    """That a batch cannot be undone, and why."""
    why = _IMPOSSIBLE[code]() if code in _IMPOSSIBLE else code
    return tr("Cannot be undone: {what} ({why})", what=what, why=why)


def undone_words(undone: Undone, what: str, sent: bool = False, left: Mapping[Resource, int] = _NONE) -> str:
    """The result of an undo or redo of `what`; `sent`: its changes are sent; `left`: how many records name what comes
    back by its old id."""
    reasons = {_IMPOSSIBLE[code]() if code in _IMPOSSIBLE else code for _, code in undone.impossible}
    lost = tr(", ", "between parts of a line").join(sorted(reasons))
    if not (undone.discarded or undone.sends or undone.waits or undone.again):
        return _nothing_words(undone.redo, what, lost)
    parts = [tr("Redone: {what}", what=what) if undone.redo else tr("Undone: {what}", what=what)]
    if undone.sends:
        parts += _sending_words(undone, sent)
    elif undone.discarded and not undone.waits:
        parts.append(tr("nothing was sent") if not undone.redo else tr("nothing to send"))
    if undone.waits:
        parts.append(
            tr(
                "{n} follow when the service has answered",
                "",
                undone.waits,
                one="{n} follows when the service has answered",
            )
        )
    back = len(undone.anew)
    if any(ref.resource is Resource.PETS for ref in undone.anew):
        parts.append(
            tr(
                "{n} come back with new ids and without their stock",
                "",
                back,
                one="{n} comes back with a new id and without its stock",
            )
        )
    elif back:
        parts.append(tr("{n} come back with new ids", "", back, one="{n} comes back with a new id"))
    for resource, n in left.items():
        names = counted(resource, n)
        words = tr("{records} still name the old id", "", n, one="{records} still names the old id", records=names)
        parts.append(words)
    if lost:
        n = len(undone.impossible)
        words = tr("{n} cannot be redone: {why}", "", n, why=lost)
        parts.append(words if undone.redo else tr("{n} cannot be undone: {why}", "", n, why=lost))
    return tr(", ", "between parts of a line").join(parts)


def _nothing_words(redo: bool, what: str, why: str) -> str:
    """That an undo or redo did nothing, and why."""
    if redo:
        said = tr("Cannot be redone: {what} ({why})", what=what, why=why)
        return said if why else tr("There is nothing left of it to redo")
    return (
        tr("Cannot be undone: {what} ({why})", what=what, why=why) if why else tr("There is nothing left of it to undo")
    )


def _sending_words(undone: Undone, sent: bool) -> list[str]:
    """How many changes go out, where that is not all of it, and whether they are sent."""
    if not (undone.discarded or undone.again or undone.waits or undone.impossible):
        return [tr("sent")] if sent else []
    changes = counted_changes(undone.sends)
    return [tr("{changes} sent", changes=changes) if sent else tr("{changes} to send", changes=changes)]

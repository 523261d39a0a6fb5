"""The few questions before something that cannot be taken back: each names the act, the number, what depends on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.quota import GatePhase, GateView
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.ui.theme import current, isolate, plain
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.words import counted, counted_changes, service_words, tr
from petstore_desktop.ui.words_time import moment

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk

_MARGIN, _LISTED = 20, 8


def _question(
    name: str, title: str, consequence: str, lines: list[str], verb: str, accept: Callable[[], None], parent: QWidget
) -> Dialog:
    dialog = Dialog(title, consequence, parent)
    dialog.setObjectName(name)
    dialog.body.setContentsMargins(_MARGIN, 0, _MARGIN, 12)
    dialog.body.setSpacing(4)
    for line in lines[:_LISTED]:
        dialog.body.addWidget(PlainLabel(line, "muted", wrap=True))
    if len(lines) > _LISTED:
        dialog.body.addWidget(PlainLabel(tr("and {n} more", "", len(lines) - _LISTED), "muted"))
    dialog.setMinimumWidth(current().scaled(440))
    dialog.set_divided(False)
    cancel = dialog.set_cancel(tr("Keep"))
    dialog.set_primary(verb)
    cancel.setFocus()
    dialog.accepted.connect(accept)
    return dialog


def _record(desk: Desk, ref: Ref) -> str:
    name = isolate(plain(desk.title(ref)) or tr("(no name)"))
    return name if isinstance(ref.key, LocalId) else tr("{name} (#{id})", name=name, id=ref.key)


def delete_dialog(desk: Desk, refs: tuple[Ref, ...], accept: Callable[[], None], parent: QWidget) -> Dialog:
    """Delete records: lists what depends on them, as far as this computer knows."""
    things = _record(desk, refs[0]) if len(refs) == 1 else counted(refs[0].resource, len(refs))
    lines: list[str] = []
    for ref in refs:
        for resource, count in desk.acts.dependants(ref):
            words = counted(resource, count)
            lines.append(words if len(refs) == 1 else tr("{record}: {things}", record=_record(desk, ref), things=words))
    what = tr("These depend on it and will name a record that is gone:") if lines else tr("Nothing here depends on it.")
    sent = tr("Ctrl+Z takes it back until it is sent; afterwards the service cannot bring it back.")
    return _question(
        "deleteDialog", tr("Delete {things}?", things=things), f"{sent} {what}", lines, tr("Delete"), accept, parent
    )


def cancel_orders_dialog(desk: Desk, refs: tuple[Ref, ...], accept: Callable[[], None], parent: QWidget) -> Dialog:
    """Cancel orders."""
    title = tr("Cancel order {id}?", id=refs[0].key) if len(refs) == 1 else tr("Cancel {n} orders?", "", len(refs))
    lines: list[str] = []
    for ref in refs:
        pet = desk.tables[Resource.ORDERS].cell_of(ref.key, "pet")
        named = isolate(plain(pet.text)) if pet.text else tr("no pet")
        lines.append(tr("Order {id}: {pet}", id=ref.key, pet=named))
    words = tr("Ctrl+Z takes it back until it is sent; afterwards a cancelled order stays cancelled.")
    return _question("cancelOrderDialog", title, words, lines, tr("Cancel order"), accept, parent)


def discard_dialog(count: int, accept: Callable[[], None], parent: QWidget) -> Dialog:
    """Discard changes that are not sent."""
    title = tr("Discard {changes}?", changes=counted_changes(count))
    words = tr("What is not sent is given up; the records show again what the service has.")
    return _question("discardDialog", title, words, [], tr("Discard"), accept, parent)


def resume_dialog(gate: GateView, now: float, accept: Callable[[], None], parent: QWidget) -> Dialog:
    """End a pause before the service's time is up; names the ban."""
    until = moment(gate.until, now) if gate.until is not None else tr("a time it did not name")
    said = service_words(gate.reason or "", gate.status)
    words = tr("The service answered {said} and asks to wait until {until}.", said=said, until=until)
    ban = tr(
        "A key that goes on sending after such an answer may be banned: then nothing works for this key, for hours."
    )
    if gate.phase is GatePhase.BANNED:
        ban = tr("This key is banned already; another request may make the ban longer.")
    return _question("resumeDialog", tr("Risk a ban and resume now?"), words, [ban], tr("Resume now"), accept, parent)

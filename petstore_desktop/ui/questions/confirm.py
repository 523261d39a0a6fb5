"""The questions before acts that cannot be undone: each names the act, the number and what depends on it; and the
dialog about the clocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from petstore_desktop.domain.quota import Cause
from petstore_desktop.domain.records import LocalId, Ref, Resource
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.theme import current, isolate, plain, to_say
from petstore_desktop.ui.questions.price import PriceBox, show_price
from petstore_desktop.ui.text.changes.undo import deletion_words, lost_words, record_words
from petstore_desktop.ui.text.pause import clock_words, send_block_words
from petstore_desktop.ui.text.prices import batch_title, much_words
from petstore_desktop.ui.text.translate import (
    DASH,
    counted,
    counted_changes,
    listed,
    number,
    resource_title,
    sentences,
    tr,
)
from petstore_desktop.ui.widgets.dialogs import MARGIN, Dialog, PriceLine, show
from petstore_desktop.ui.widgets.labels import PlainLabel
from petstore_desktop.ui.widgets.paint import elided

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.ui.context.edits import Edits

_LISTED = 8
_WIDTH, _LEAST_NAME = 440, 60


def _statement(
    name: str, title: str, consequence: str, lines: Sequence[str], parent: QWidget, *, wrap: bool = True, of: int = 0
) -> Dialog:
    """`of`: how many lines there would be, if these are the first ones; `wrap`: they are sentences. Else each names
    a record, and has one line however long its name is: on two lines each they left no room for the buttons.
    """
    dialog = Dialog(title, consequence, parent, name=name, width=_WIDTH, spacing=4)
    for line in lines[:_LISTED]:
        dialog.body.addWidget(PlainLabel(line, "muted", wrap=wrap, elide=not wrap))
    if (more := max(of, len(lines)) - _LISTED) > 0:
        dialog.body.addWidget(PlainLabel(tr("and {n} more", "", more), "muted"))
    dialog.body.addStretch(1)
    return dialog


def _question(dialog: Dialog, verb: str, accept: Callable[[], object], keep: str = "") -> Dialog:
    """Make it ask: `verb` accepts, `keep` (as a rule "Keep"), which has the focus, changes nothing."""
    cancel = dialog.set_cancel(keep or tr("Keep"))
    dialog.set_primary(verb)
    cancel.setFocus()
    dialog.accepted.connect(accept)
    return dialog


def _record(desk: Desk, ref: Ref) -> str:
    return record_words(desk.title(ref), None if isinstance(ref.key, LocalId) else ref.key)


def _with_price(dialog: Dialog, edits: Edits, refs: tuple[Ref, ...]) -> Dialog:
    """The price, unless nothing has to be sent."""
    changes = edits.desk.acts.delete(refs).changes
    if changes:
        box = PriceBox(edits, lambda: changes)
        dialog.body.addSpacing(8)
        dialog.body.addWidget(box)
        box.watch.now()
    return dialog


def ask_to_delete(edits: Edits, refs: tuple[Ref, ...], accept: Callable[[], None], parent: QWidget) -> None:
    """Delete records: lists what depends on them, as far as this computer knows."""
    desk = edits.desk
    things = _record(desk, refs[0]) if len(refs) == 1 else counted(refs[0].resource, len(refs))
    belongs = [(ref, depends) for ref in refs if (depends := desk.acts.dependants(ref))]
    said = [(ref, [_dependant(desk, ref, *one) for one in depends]) for ref, depends in belongs[:_LISTED]]
    lines = said[0][1] if len(refs) == 1 and said else [_belongings(desk, *one) for one in said]
    nothing = tr("Nothing here belongs to them.", "", len(refs), one="Nothing here belongs to it.")
    what = lost_words(refs[0].resource, len(refs)) if lines else nothing
    if untold := desk.acts.untold_dependants(refs[0].resource):
        more = tr(
            "More may belong to them, because not all of it was read: {lists}.",
            "",
            len(refs),
            one="More may belong to it, because not all of it was read: {lists}.",
            lists=tr(", ", "between parts of a line").join(map(resource_title, untold)),
        )
        what = f"{more} {what}" if lines else more
    sent = deletion_words(desk, refs[0].resource, len(refs))
    title = tr("Delete {things}?", things=things)
    dialog = _statement("deleteDialog", title, f"{sent} {what}", lines, parent, wrap=False, of=len(belongs))
    show(_with_price(_question(dialog, tr("Delete"), accept), edits, refs))


def _belongings(desk: Desk, ref: Ref, things: Sequence[str]) -> str:
    """`Koi (#1234): 1 order, 24 in stock`; of a long name there is as much as leaves room for what belongs to it."""

    def line(title: str) -> str:
        record = record_words(title, None if isinstance(ref.key, LocalId) else ref.key)
        return tr("{record}: {things}", record=record, things=listed(things))

    theme, title = current(), desk.title(ref)
    room = theme.scaled(_WIDTH) - 2 * MARGIN - theme.advance(line("-"), 13)
    return line(elided(theme, plain(title), max(room, theme.scaled(_LEAST_NAME)), 13))


def _dependant(desk: Desk, ref: Ref, resource: Resource, count: int) -> str:
    return _stock(desk, ref) if resource is Resource.INVENTORY else counted(resource, count)


def _stock(desk: Desk, pet: Ref) -> str:
    stock = desk.tables[Resource.INVENTORY].cell_of(pet.key, "stock").stock
    result = None if stock is None else stock.result
    return tr("{n} in stock", n=DASH if result is None else number(result))


def ask_to_cancel_orders(edits: Edits, refs: tuple[Ref, ...], accept: Callable[[], None], parent: QWidget) -> None:
    """Cancel orders: what is sent is a DELETE, and that is said."""
    desk = edits.desk
    n = len(refs)
    things = counted(Resource.ORDERS, n)
    title = tr("Delete order {id}?", id=refs[0].key) if n == 1 else tr("Delete {things}?", things=things)
    lines: list[str] = []
    for ref in refs:
        pet = desk.tables[Resource.ORDERS].cell_of(ref.key, "pet")
        name = isolate(plain(pet.text)) if pet.text else tr("no pet")
        lines.append(tr("Order {id}: {pet}", id=ref.key, pet=name))
    lost = tr(
        "The service is told to delete the orders, not to mark them as cancelled.",
        "",
        n,
        one="The service is told to delete the order, not to mark it as cancelled.",
    )
    back = tr("This cannot be undone.") if desk.sends_at_once() else tr("Ctrl+Z undoes it only until it is sent.")
    words = sentences(lost, back)
    dialog = _statement("cancelOrderDialog", title, words, lines, parent, wrap=False)
    show(_with_price(_question(dialog, tr("Delete"), accept), edits, refs))


def ask_price(
    changes: Sequence[NewChange], price: Price, desk: Desk, accept: Callable[[], None], parent: QWidget
) -> None:
    """Undo with over half of the day's remaining requests."""
    title, verb = batch_title(changes)
    dialog = Dialog(title, much_words(price), parent, name="priceDialog", width=480)
    dialog.body.setContentsMargins(MARGIN, 4, MARGIN, 8)
    line = named(PriceLine(), "priceLine")
    show_price(line, price, desk.now(), rehearsed=desk.rehearsed)
    dialog.setAccessibleDescription(to_say(f"{line.accessibleName()}. {much_words(price)}"))
    dialog.body.addWidget(line)
    show(_question(dialog, verb, accept, tr("Cancel")))


def ask_to_go_past(parent: QWidget, stays: str, before: str, accept: Callable[[], object]) -> None:
    """Ask before undo goes past what cannot be undone (`stays` says so) to what was done `before` it."""
    words = tr("{stays}. What you did before it can still be undone:", stays=stays)
    dialog = _statement("goPastDialog", tr("The last act cannot be undone"), words, (before,), parent)
    show(_question(dialog, tr("Undo what was before"), accept))


def open_discard(parent: QWidget, count: int, accept: Callable[[], None]) -> None:
    """Ask before unsent changes are taken back for good."""
    title = tr("Discard {changes}?", changes=counted_changes(count))
    words = tr("Unsent changes are discarded; the records show the service’s values again.")
    show(_question(_statement("discardDialog", title, words, (), parent), tr("Discard"), accept))


def ask_before_leaving(parent: QWidget, name: str, title: str, mended: int, leave: Callable[[], object]) -> None:
    """Call `leave`; where a dialog has this many corrected cells that would be lost, once a person has confirmed that.
    `name`: the question's object name."""
    if not mended:
        leave()
        return
    words = tr("You corrected {n} cells.", "", mended, one="You corrected one cell.")
    words = f"{words} {tr('The corrections will be lost.')}"
    show(_question(_statement(name, title, words, (), parent), tr("Close"), lambda: leave(), tr("Keep editing")))


def ask_to_drop(parent: QWidget, leave: Callable[[], object]) -> None:
    """Call `leave`, which closes a form in which something is typed, once a person has confirmed that."""
    words = tr("What you typed will be lost.")
    dialog = _statement("formLeaveDialog", tr("Close without saving?"), words, (), parent)
    show(_question(dialog, tr("Close"), lambda: leave(), tr("Keep editing")))


def ask_about_lost(
    parent: QWidget, lost: Sequence[str], then: int | None, total: int, accept: Callable[[], object]
) -> None:
    """Ask before operations that are used now cannot be used any more: their names, and how many of `total` can be used
    `then`; None if nobody knows."""
    if then is None:
        words = tr("How many operations can be used with this choice is not known before the service is asked again.")
    else:
        words = tr("{then} of {n} operations can be used with this choice. No longer:", "", total, then=number(then))
    dialog = _statement("lostOperationsDialog", tr("Save this choice of operations?"), words, lost, parent)
    show(_question(dialog, tr("Save"), accept, tr("Keep editing")))


def ask_to_resume(blocked: SendBlock, unsent: int, now: float, accept: Callable[[], None], parent: QWidget) -> None:
    """End a pause before the service's time is up; names the ban."""
    words = send_block_words(blocked, unsent, now)
    risk = tr("If you send now, the key may be banned. Then nothing works with it for hours.")
    if blocked.cause is Cause.BANNED:
        risk = tr("This key is banned already; another request may make the ban longer.")
    safe = tr("Nothing is lost by waiting. {saved}", saved=words.safe)
    consequence = tr("{title}. {why}", title=words.title, why=words.why).rstrip()
    title = tr("Risk a ban and resume now?")
    dialog = _statement("resumeDialog", title, consequence, [risk, safe], parent)
    show(_question(dialog, tr("Resume now"), accept, tr("Keep waiting")))


def open_clocks(parent: QWidget, skew: float) -> None:
    """Explain that the service's clock is `skew` seconds ahead of this computer's."""
    words = clock_words(skew)
    dialog = _statement("clocksDialog", words.title, words.safe, [words.do], parent)
    dialog.set_primary(tr("Close"))
    show(dialog)

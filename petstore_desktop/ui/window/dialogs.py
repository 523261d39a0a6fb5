"""Opens dialogs. Most of their modules are imported here when they are first used. A dialog is shown without blocking
(`QDialog.open`) and is kept until it is closed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from petstore_desktop.domain.records import Key, Ref, Resource, key_to_text
from petstore_desktop.ui.questions.confirm import ask_price
from petstore_desktop.ui.widgets.dialogs import Dialog, show

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog, QWidget

    from petstore_desktop.desk.preview import Preview
    from petstore_desktop.domain.batches import Price
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.ui.context.edits import Unpriced
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.preview.preview_dialog import PreviewDialog
    from petstore_desktop.ui.widgets.form import Field, FormDialog
    from petstore_desktop.ui.window.main_window import MainWindow

    Made = Callable[[tuple[Ref, ...]], object]


def _nothing(_: object) -> None:
    """Who opened the dialog need not know what it made."""


def _show_drafted(
    window: MainWindow, dialog: Dialog, form: str, fields: Mapping[str, Field], makes: FormDialog | None = None
) -> None:
    """Show a dialog whose draft is kept, and filled in again: who is quick opens it before the journal is read.
    `makes`: the same dialog, where it ends the draft with the records that it makes."""
    from petstore_desktop.ui.records.form_drafts import Drafting

    if makes is not None:
        makes.draft = form
    window.parts.draftsCame.connect(Drafting(dialog, window.shop, form, fields).offer)
    show(dialog)


def open_new_pet(
    window: MainWindow, category: Key | None, made: Made = _nothing, name: str = "", over: QWidget | None = None
) -> None:
    """One or several new pets, of the category that is likely meant; `made` is told which. `name`: of the first one;
    `over`: the dialog that asks for it."""
    from petstore_desktop.ui.records.record_dialogs import NewPetDialog

    dialog = NewPetDialog(window.parts.edits, category, over or window)
    dialog.names.setPlainText(name)
    dialog.added.connect(made)
    _show_drafted(window, dialog, "new-pet", dialog.fields(), dialog)


def open_new_order(window: MainWindow, pet: Ref | None, made: Made = _nothing, reserve: bool = False) -> None:
    """A new order, for a pet where that is known; `made` is told which. `reserve`: the pet is set aside with it."""
    from petstore_desktop.ui.ordering.new_order_dialog import NewOrderDialog

    def make_pet(wanted: tuple[str, Callable[[Ref], object]]) -> None:
        name, use = wanted
        open_new_pet(window, None, lambda pets: use(pets[0]), name, dialog)

    dialog = NewOrderDialog(window.parts.edits, pet, reserve, window)
    dialog.placed.connect(made)
    dialog.newPetWanted.connect(make_pet)
    window.parts.moved.connect(dialog.desk_changed)
    form = "reserve" if reserve else "new-order"
    named = form if pet is None else f"{form}:{key_to_text(pet.key)}"
    _show_drafted(window, dialog, named, dialog.fields(), dialog)


def open_record(window: MainWindow, ref: Ref | None, made: Made = _nothing) -> None:
    """Change a pet or a category; without `ref` make a category, of which `made` is told."""
    from petstore_desktop.ui.records.record_dialogs import RecordDialog

    def apply(changes: tuple[NewChange, ...]) -> None:
        if changes:
            window.parts.edits.apply_now(changes, drafts=dialog.drafts)
        else:
            dialog.draft = ""  # nothing is saved that would end it
        made(tuple(change.ref for change in changes) if ref is None else ())

    dialog = RecordDialog(window.shop.desk, ref, apply, window)
    form = "new-category"
    if ref is not None:
        form = f"edit-{'pet' if ref.resource is Resource.PETS else 'category'}:{key_to_text(ref.key)}"
    _show_drafted(window, dialog, form, dialog.fields(), dialog)


def open_key(window: MainWindow, unasked: bool = False) -> QDialog:
    """Ask for a key; `unasked` if it opens by itself."""
    from petstore_desktop.ui.connection.key import KeyDialog

    return show(KeyDialog(window.shop, window, unasked))


def open_connect(window: MainWindow) -> None:
    """Connect another shop."""
    from petstore_desktop.ui.connection.connect import ConnectDialog

    dialog = ConnectDialog(window.parts.app.welcome, window)
    _show_drafted(window, dialog, "connect", dialog.form.fields())


def open_doctor(window: MainWindow) -> None:
    """Check the present connection."""
    from petstore_desktop.ui.connection.doctor import DoctorDialog

    show(DoctorDialog(window.shop, window))


def open_connection(window: MainWindow) -> None:
    """The present connection's settings."""
    from petstore_desktop.ui.connection.connection import ConnectionDialog, DemoDialog

    if window.shop.connection.demo:
        show(DemoDialog(window.shop, window))
        return
    dialog = ConnectionDialog(window.parts.app.shops, window.shop, window)
    dialog.operationsWanted.connect(lambda: open_operations(window, dialog))
    show(dialog)


def open_look_up(parent: QWidget, resource: Resource, look: Callable[[Ref], object], texts: bool = False) -> None:
    """Ask for the id of a record to be read from the service; `texts`: it need not be a number."""
    from petstore_desktop.ui.records.number_dialogs import LookUpDialog

    show(LookUpDialog(resource, look, parent, texts=texts))


def open_operations(window: MainWindow, over: QWidget | None = None) -> None:
    """Show the operations of the service and their bindings. `over`: the dialog that leads there."""
    from petstore_desktop.ui.service.operations import OperationsDialog

    show(OperationsDialog(window.shop, over or window))


def open_preferences(window: MainWindow) -> None:
    """Theme, language, data folder."""
    from petstore_desktop.ui.program.program_dialogs import PreferencesDialog

    show(PreferencesDialog(window.parts.app, window.shop.data_folder, window))


def open_about(window: MainWindow) -> None:
    """Version, licences, data folder."""
    from petstore_desktop.ui.program.program_dialogs import AboutDialog

    show(AboutDialog(window.parts.app, window.shop.data_folder, window))


def open_manual(page: str = "", near: QWidget | None = None) -> None:
    """Show the manual at a page; without one at that which fits where the keyboard is, or else what is `near`."""
    from petstore_desktop.ui.manual import manual_window

    manual_window.open_manual(page, near)


def open_help(window: MainWindow) -> None:
    """Keys and marks."""
    from petstore_desktop.ui.program.program_dialogs import HelpDialog

    show(HelpDialog(window.parts.actions, window))


def open_preview(
    window: MainWindow,
    preview: Preview,
    title: str = "",
    note: str = "",
    done: Callable[[], object] | None = None,
) -> PreviewDialog:
    """Show many edits before they are saved. `title`: the act and the number, where the rows do not say it by
    themselves; `note`: what else is to be said; `done`: called when they are saved, not on Cancel."""
    from petstore_desktop.ui.preview.preview_dialog import PreviewDialog

    dialog = PreviewDialog(window.parts.edits, preview, title, note, done, window)
    window.parts.moved.connect(dialog.renew)
    show(dialog)
    return dialog


def confirm(window: MainWindow, act: Unpriced, price: Price) -> None:
    """Ask before an act that costs much: show it row by row where it edits records."""
    from petstore_desktop.desk.preview import Preview, inputs_of

    inputs = () if act.whole else inputs_of(act.changes)
    if inputs:
        open_preview(window, Preview(window.shop.desk, inputs), note=act.note)
    else:
        ask_price(act.changes, price, window.shop.desk, act.do, window)


def open_bulk_edit(window: MainWindow, refs: tuple[Ref, ...], first: str = "") -> None:
    """Ask for new values of several records of one kind, then show what they come to. `first`: the column whose field
    has the keyboard."""
    from petstore_desktop.ui.records.record_dialogs import BulkEditDialog

    shop = window.shop
    dialog = BulkEditDialog(shop.desk, shop.connection.name, refs, partial(open_preview, window), window)
    dialog.focus_field(first)
    show(dialog)


def open_export(window: MainWindow, tab: ResourceTab) -> None:
    """Write what a list shows to a file."""
    from petstore_desktop.ui.files.list_output import ExportDialog

    show(ExportDialog(tab, window.parts.app, window))


def open_print(parent: QWidget, tab: ResourceTab) -> None:
    """Put what a list shows on paper or into a PDF."""
    from petstore_desktop.ui.files.list_output import PrintDialog

    show(PrintDialog(tab, parent))


def open_rehearse(window: MainWindow) -> None:
    """Rehearse on a copy of the shop."""
    from petstore_desktop.ui.rehearsal import RehearseDialog

    dialog = RehearseDialog(window.shop, window.parts.app.shops.rehearsals, window.parts.say, window)
    dialog.offer_kept(
        window.after_paint.keeping.waiting, window.after_paint.keeping.show, window.after_paint.keeping.drop
    )
    show(dialog)


def open_report(window: MainWindow, kind: str = "") -> None:
    """Report on some days; `kind`: on which, else on those of last time."""
    from petstore_desktop.ui.report.report_dialog import ReportDialog

    show(ReportDialog(window.shop, window.parts.app, window.parts.say, window, kind))

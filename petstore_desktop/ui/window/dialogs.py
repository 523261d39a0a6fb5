"""Opens dialogs, and makes the parts of the window that its first paint need not wait for.

This is the one place of the window for late imports: each module named here is imported when it is first used. A
dialog is shown without blocking (`QDialog.open`) and is kept until it is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, cast

from PySide6.QtCore import Qt

from petstore_desktop.domain.records import key_to_text

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog, QWidget

    from petstore_desktop.contract.lifecycle.sunset import Ending
    from petstore_desktop.desk.columns.column import Column
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.load_state import Costs, Waits
    from petstore_desktop.desk.price import Price
    from petstore_desktop.desk.quota_forecast import Forecast
    from petstore_desktop.desk.values.cells import Sentence
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.domain.quota import Window
    from petstore_desktop.domain.records import Key, Ref, Resource
    from petstore_desktop.domain.send_block import Halt
    from petstore_desktop.ui.activity.activity_tab import ActivityTab
    from petstore_desktop.ui.cells.invalid_cells import InvalidCells
    from petstore_desktop.ui.context.action_set import ActionSet
    from petstore_desktop.ui.context.ports import ProfileFacts, ShopPort
    from petstore_desktop.ui.context.ports_shops import AppPort, ShopsPort
    from petstore_desktop.ui.context.pricing import Pricing
    from petstore_desktop.ui.context.tab_specs import TabSpec
    from petstore_desktop.ui.context.window_context import WindowParts
    from petstore_desktop.ui.details.details_side import DetailsSide
    from petstore_desktop.ui.lists.empty_overlay import InsteadOfRows
    from petstore_desktop.ui.lists.list_setup import TabExtras
    from petstore_desktop.ui.lists.list_state import ListState
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.status.quota_meter import MeterReading
    from petstore_desktop.ui.status.quota_popup import QuotaPopup, QuotaWords
    from petstore_desktop.ui.status.status_line import StatusLine
    from petstore_desktop.ui.views.views import Views
    from petstore_desktop.ui.window.after_first_paint import Later
    from petstore_desktop.ui.window.main_window import MainWindow

    Made = Callable[[tuple[Ref, ...]], object]

_open: set[QDialog] = set()


def show(dialog: QDialog) -> QDialog:
    """Show a dialog and keep it until it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    _open.add(dialog)

    def let_go() -> None:
        _open.discard(dialog)

    dialog.finished.connect(let_go)
    dialog.destroyed.connect(let_go)  # it may go with its window
    dialog.open()
    return dialog


def open_new_pet(parent: QWidget, parts: WindowParts, category: Key | None, made: Made = len) -> None:
    """One or several new pets, of the category that is likely meant; `made` is told which."""
    from petstore_desktop.ui.records.form_drafts import Drafting
    from petstore_desktop.ui.records.pet import NewPetDialog

    dialog = NewPetDialog(parts, category, parent)
    dialog.added.connect(made)
    Drafting(dialog, parts, "new-pet", dialog.fields())
    show(dialog)


def open_edit_pet(parent: QWidget, parts: WindowParts, ref: Ref) -> None:
    """Change one pet."""
    from petstore_desktop.ui.records.form_drafts import Drafting
    from petstore_desktop.ui.records.pet import EditPetDialog

    dialog = EditPetDialog(parts.shop.desk, ref, parts.apply, parent)
    Drafting(dialog, parts, f"edit-pet:{key_to_text(ref.key)}", dialog.fields())
    show(dialog)


def open_price(
    parent: QWidget, changes: tuple[NewChange, ...], price: Price, now: float, accept: Callable[[], None]
) -> None:
    """Ask before a batch that costs much."""
    from petstore_desktop.ui.questions.price import PriceDialog

    show(PriceDialog(changes, price, now, accept, parent))


def open_category(parent: QWidget, parts: WindowParts, ref: Ref | None, made: Made = len) -> None:
    """A new category, or change one; `made` is told of a new one."""
    from petstore_desktop.ui.records.category import CategoryDialog
    from petstore_desktop.ui.records.form_drafts import Drafting

    def apply(changes: tuple[NewChange, ...]) -> None:
        parts.apply(changes)
        made(tuple(change.ref for change in changes) if ref is None else ())

    dialog = CategoryDialog(parts.shop.desk, ref, apply, parent)
    form = "new-category" if ref is None else f"edit-category:{key_to_text(ref.key)}"
    Drafting(dialog, parts, form, dialog.fields())
    show(dialog)


def open_delete(parent: QWidget, parts: WindowParts, refs: tuple[Ref, ...], accept: Callable[[], None]) -> None:
    """Name what depends on these records, then delete them."""
    from petstore_desktop.ui.questions.confirm import delete_dialog

    show(delete_dialog(parts, refs, accept, parent))


def open_cancel_orders(parent: QWidget, parts: WindowParts, refs: tuple[Ref, ...], accept: Callable[[], None]) -> None:
    """A cancelled order cannot be brought back."""
    from petstore_desktop.ui.questions.confirm import cancel_orders_dialog

    show(cancel_orders_dialog(parts, refs, accept, parent))


def open_discard(parent: QWidget, count: int, accept: Callable[[], None]) -> None:
    """Take unsent changes back for good."""
    from petstore_desktop.ui.questions.confirm import discard_dialog

    show(discard_dialog(count, accept, parent))


def open_resume(parent: QWidget, halt: Halt, unsent: int, now: float, accept: Callable[[], None]) -> None:
    """End a pause while `unsent` changes wait, after the ban is named."""
    from petstore_desktop.ui.questions.confirm import resume_dialog

    show(resume_dialog(halt, unsent, now, accept, parent))


def open_clocks(parent: QWidget, skew: float) -> None:
    """The service's clock is so many seconds ahead of this computer's."""
    from petstore_desktop.ui.questions.confirm import clocks_dialog

    show(clocks_dialog(skew, parent))


def open_closing(parent: QWidget, words: str, close: Callable[[bool], None], look: Callable[[], None]) -> None:
    """Unsent changes at closing; `close` gets whether not to say it again."""
    from petstore_desktop.ui.program.closing import ClosingDialog

    show(ClosingDialog(words, close, look, parent))


def open_key(parent: QWidget, shop: ShopPort, error: ShopError | None, unasked: bool = False) -> QDialog:
    """Enter a key; `unasked` if nobody pressed anything for it."""
    from petstore_desktop.ui.connection.key import KeyDialog

    return show(KeyDialog(shop, error, parent, unasked))


def open_connect(parent: QWidget, parts: WindowParts) -> None:
    """Connect another shop."""
    from petstore_desktop.ui.connection.connect import ConnectDialog
    from petstore_desktop.ui.records.form_drafts import Drafting

    dialog = ConnectDialog(parts.app.welcome, parent)
    Drafting(dialog, parts, "connect", dialog.form.fields())
    show(dialog)


def open_doctor(parent: QWidget, shop: ShopPort) -> None:
    """Check the present connection."""
    from petstore_desktop.ui.connection.doctor import DoctorDialog

    show(DoctorDialog(shop, parent))


def open_connection(parent: QWidget, shop: ShopPort, port: ShopsPort) -> None:
    """The present connection's settings."""
    from petstore_desktop.ui.connection.connection import ConnectionDialog, DemoDialog

    show(DemoDialog(shop, parent) if shop.profile.demo else ConnectionDialog(port, shop, parent))


def open_forget(parent: QWidget | None, port: ShopsPort, profile: ProfileFacts) -> None:
    """Ask before a connection is forgotten."""
    from petstore_desktop.ui.connection.forget import ForgetDialog

    show(ForgetDialog(port, profile, parent))


def open_look_up(parent: QWidget, resource: Resource, look: Callable[[Ref], object]) -> None:
    """Ask for the id of a record to be read from the service."""
    from petstore_desktop.ui.records.look_up import LookUpDialog

    show(LookUpDialog(resource, look, parent))


def open_operations(parent: QWidget, shop: ShopPort) -> None:
    """What the service offers, and what it is bound to."""
    from petstore_desktop.ui.service.operations import OperationsDialog

    show(OperationsDialog(shop, parent))


def open_preferences(parent: QWidget, app: AppPort, shop: ShopPort) -> None:
    """Theme, language, data folder."""
    from petstore_desktop.ui.program.preferences import PreferencesDialog

    show(PreferencesDialog(app, shop.data_folder, parent))


def open_about(parent: QWidget, app: AppPort, shop: ShopPort) -> None:
    """Version, licences, data folder."""
    from petstore_desktop.ui.program.about import AboutDialog

    show(AboutDialog(app, shop.data_folder, parent))


def open_help(parent: QWidget, actions: ActionSet) -> None:
    """Keys and marks."""
    from petstore_desktop.ui.program.help import HelpDialog

    show(HelpDialog(actions, parent))


def open_raw(
    parent: QWidget, title: str, raw: str, advice: str = "", again: str = "", do: Callable[[], object] | None = None
) -> None:
    """The service's answer as it came, with a next step if there is one."""
    from petstore_desktop.ui.questions.raw_answer import RawDialog

    dialog = RawDialog(title, raw, advice, again, parent)
    if do is not None:
        dialog.accepted.connect(lambda: do())
    show(dialog)


def open_error(
    parent: QWidget | None,
    error: BaseException,
    report: str = "",
    lost: Sequence[str] = (),
    again: Callable[[], object] | None = None,
    seen: Callable[[], object] | None = None,
) -> None:
    """An error nobody expected: Copy and Continue, after those on the screen. `report` adds redacted details (a
    traceback) to what is copied; `lost` names the acts that it cost, which `again` does anew; `seen` is called when a
    person has closed it."""
    from petstore_desktop.ui.questions.error import show_error

    show_error(error, report, parent, lost, again, seen)


def open_failure(parent: QWidget, error: ShopError, again: str, do: Callable[[], object]) -> None:
    """Why something failed, what is safe, and a next step; what a service answered stands there raw."""
    from petstore_desktop.domain.errors import BadInput, StorageError
    from petstore_desktop.ui.text.errors.errors import error_words

    words = error_words(error)
    raw = "" if isinstance(error, BadInput | StorageError) else words.raw  # of a file, the words say all
    open_raw(parent, words.what, raw, f"{words.safe} {words.do}".strip(), again, do)


def error_sentence(error: BaseException) -> str:
    """An error in one paragraph."""
    from petstore_desktop.ui.text.errors.errors import error_words

    return error_words(error).sentence


def ending_words(ending: Ending) -> str:
    """How an operation ends: late, because most have no end."""
    from petstore_desktop.ui.text.errors.deprecations import ending_words as said

    return said(ending)


def waits_words(waits: Waits, desk: Desk, now: float) -> str:
    """When a list is read next, and why not now."""
    from petstore_desktop.ui.text.loading import waits_words as said

    return said(waits, desk.halt(), desk.outbox.unsent, now)


def costs_words(costs: Costs, now: float) -> str:
    """What the rest of a long reading costs."""
    from petstore_desktop.ui.text.loading import costs_words as said

    return said(costs, now)


def forecast_words(forecast: Forecast, now: float) -> tuple[str, str]:
    """When the day's requests end, and a sentence on how long they last; empty where there is nothing to say."""
    from petstore_desktop.ui.status.quota_texts import forecast_words as said

    return said(forecast, now)


def quota_details(desk: Desk, now: float, read: Callable[[Window, str, str], MeterReading]) -> QuotaWords:
    """What is left of both windows and who used it."""
    from petstore_desktop.ui.status.quota_texts import quota_details as said

    return said(desk, now, read)


def quota_popup(parent: QWidget) -> QuotaPopup:
    """What the meter opens; it lives until it is closed."""
    from petstore_desktop.ui.status.quota_popup import QuotaPopup

    return QuotaPopup(parent)


def stuck_words(desk: Desk, ref: Ref, column: Column) -> str:
    """What is stuck in a cell: mine, theirs, and why; empty where nothing is."""
    from petstore_desktop.ui.text.changes.review import stuck_words as said

    return said(desk, ref, column)


def undo_words(sentence: Sentence) -> str:
    """What Undo would take back."""
    from petstore_desktop.ui.text.changes.undo import undo_words as said

    return said(sentence)


def may_close(window: MainWindow) -> bool:
    """Whether the window may close now; if not, the question is on the screen."""
    from petstore_desktop.ui.window.closing import may_close as ask

    return ask(window)


def pricing(parts: WindowParts, window: QWidget) -> Pricing:
    """What asks for prices: late, because nothing is selected or done before the first paint."""
    from petstore_desktop.ui.context.pricing import Pricing

    return Pricing(parts, window)


def views(window: QWidget) -> Views:
    """The views of a window: late, because their names are not needed before the first paint."""
    from petstore_desktop.ui.views.views import Views

    return Views(cast("MainWindow", window))


def selection_price(parts: WindowParts, status: StatusLine) -> None:
    """Say beside the selection what it adds up to, and what a change of it costs."""
    from petstore_desktop.ui.status.selection_price import SelectionPrice
    from petstore_desktop.ui.status.selection_sums import SelectionSums

    SelectionPrice(parts, status)
    SelectionSums(parts, status)


def later(window: MainWindow) -> Later:
    """What the window gets after its first paint."""
    from petstore_desktop.ui.window.after_first_paint import Later

    return Later(window)


def tab_extras(tab: ResourceTab, parts: WindowParts) -> TabExtras:
    """What a list gets after the first paint."""
    from petstore_desktop.ui.lists.list_setup import TabExtras

    return TabExtras(tab, parts)


def details_side(spec: TabSpec, parts: WindowParts, tab: QWidget) -> DetailsSide:
    """The details beside a list, when a row is first selected."""
    from petstore_desktop.ui.details.details_side import DetailsSide

    return DetailsSide(spec, parts, tab)


def instead_of_rows(tab: ResourceTab, state: ListState) -> InsteadOfRows:
    """The page that stands where rows would, when there are none."""
    from petstore_desktop.ui.lists.empty_overlay import InsteadOfRows

    return InsteadOfRows(tab.view, tab.table, state, tab.parts.actions)


def invalid_cells() -> InvalidCells:
    """What was typed in a list and cannot be; made when that happens first."""
    from petstore_desktop.ui.cells.invalid_cells import InvalidCells

    return InvalidCells()


def activity_tab(parts: WindowParts, parent: QWidget) -> ActivityTab:
    """The Activity tab: late, because nobody sees it before the first paint."""
    from petstore_desktop.ui.activity.activity_tab import ActivityTab

    return ActivityTab(parts, parent)

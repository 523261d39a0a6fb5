"""Opens dialogs, and makes the parts of the window that its first paint need not wait for.

This is the one place of the window for late imports: each module named here is imported when it is first used. A
dialog is shown without blocking (`QDialog.open`) and is kept until it is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtWidgets import QDialog, QWidget

    from petstore_desktop.desk.cells import Sentence
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.domain.changes import NewChange
    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.domain.quota import GateView
    from petstore_desktop.domain.records import Key, Ref
    from petstore_desktop.ui.action_set import ActionSet
    from petstore_desktop.ui.later import Later
    from petstore_desktop.ui.main_window import MainWindow
    from petstore_desktop.ui.parts import WindowParts
    from petstore_desktop.ui.ports import AppPort, ShopPort, WelcomePort
    from petstore_desktop.ui.tabs.activity_tab import ActivityTab
    from petstore_desktop.ui.tabs.details_side import DetailsSide
    from petstore_desktop.ui.tabs.extras import TabExtras
    from petstore_desktop.ui.tabs.instead import InsteadOfRows
    from petstore_desktop.ui.tabs.list_state import ListState
    from petstore_desktop.ui.tabs.resource_tab import ResourceTab
    from petstore_desktop.ui.tabs.specs import TabSpec

Apply = Callable[["tuple[NewChange, ...]"], None]
_open: set[QDialog] = set()


def show(dialog: QDialog) -> QDialog:
    """Show a dialog and keep it until it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    _open.add(dialog)

    def let_go() -> None:
        _open.discard(dialog)

    dialog.finished.connect(let_go)
    dialog.open()
    return dialog


def open_new_pet(parent: QWidget, desk: Desk, category: Key | None, apply: Apply) -> None:
    """One or several new pets, of the category that is likely meant."""
    from petstore_desktop.ui.dialogs.pet import NewPetDialog

    show(NewPetDialog(desk, category, apply, parent))


def open_edit_pet(parent: QWidget, desk: Desk, ref: Ref, apply: Apply) -> None:
    """Change one pet."""
    from petstore_desktop.ui.dialogs.pet import EditPetDialog

    show(EditPetDialog(desk, ref, apply, parent))


def open_category(parent: QWidget, desk: Desk, ref: Ref | None, apply: Apply) -> None:
    """A new category, or change one."""
    from petstore_desktop.ui.dialogs.category import CategoryDialog

    show(CategoryDialog(desk, ref, apply, parent))


def open_delete(parent: QWidget, desk: Desk, refs: tuple[Ref, ...], accept: Callable[[], None]) -> None:
    """Name what depends on these records, then delete them."""
    from petstore_desktop.ui.dialogs.confirm import delete_dialog

    show(delete_dialog(desk, refs, accept, parent))


def open_cancel_orders(parent: QWidget, desk: Desk, refs: tuple[Ref, ...], accept: Callable[[], None]) -> None:
    """A cancelled order cannot be brought back."""
    from petstore_desktop.ui.dialogs.confirm import cancel_orders_dialog

    show(cancel_orders_dialog(desk, refs, accept, parent))


def open_discard(parent: QWidget, count: int, accept: Callable[[], None]) -> None:
    """Take unsent changes back for good."""
    from petstore_desktop.ui.dialogs.confirm import discard_dialog

    show(discard_dialog(count, accept, parent))


def open_resume(parent: QWidget, gate: GateView, now: float, accept: Callable[[], None]) -> None:
    """End a pause, after the ban is named."""
    from petstore_desktop.ui.dialogs.confirm import resume_dialog

    show(resume_dialog(gate, now, accept, parent))


def open_closing(parent: QWidget, words: str, close: Callable[[bool], None], look: Callable[[], None]) -> None:
    """Unsent changes at closing; `close` gets whether not to say it again."""
    from petstore_desktop.ui.dialogs.closing import ClosingDialog

    show(ClosingDialog(words, close, look, parent))


def open_key(parent: QWidget, shop: ShopPort, error: ShopError | None) -> QDialog:
    """Enter a key."""
    from petstore_desktop.ui.dialogs.key import KeyDialog

    return show(KeyDialog(shop, error, parent))


def open_connect(parent: QWidget, port: WelcomePort) -> None:
    """Connect another shop."""
    from petstore_desktop.ui.dialogs.connect import ConnectDialog

    show(ConnectDialog(port, parent))


def open_preferences(parent: QWidget, app: AppPort, shop: ShopPort) -> None:
    """Theme, language, data folder."""
    from petstore_desktop.ui.dialogs.preferences import PreferencesDialog

    show(PreferencesDialog(app, shop.data_folder, parent))


def open_about(parent: QWidget, app: AppPort, shop: ShopPort) -> None:
    """Version, licences, data folder."""
    from petstore_desktop.ui.dialogs.about import AboutDialog

    show(AboutDialog(app, shop.data_folder, parent))


def open_help(parent: QWidget, actions: ActionSet) -> None:
    """Keys and marks."""
    from petstore_desktop.ui.dialogs.help import HelpDialog

    show(HelpDialog(actions, parent))


def open_raw(
    parent: QWidget, title: str, raw: str, advice: str = "", again: str = "", do: Callable[[], object] | None = None
) -> None:
    """The service's answer as it came, with a next step if there is one."""
    from petstore_desktop.ui.dialogs.raw import RawDialog

    dialog = RawDialog(title, raw, advice, again, parent)
    if do is not None:
        dialog.accepted.connect(lambda: do())
    show(dialog)


def open_error(parent: QWidget | None, error: BaseException, report: str = "", lost: Sequence[str] = ()) -> None:
    """An error nobody expected: Copy and Continue, after those on the screen. `report` adds redacted details (a
    traceback) to what is copied; `lost` names the acts that it cost."""
    from petstore_desktop.ui.dialogs.error import show_error

    show_error(error, report, parent, lost)


def open_failure(parent: QWidget, error: ShopError, again: str, do: Callable[[], object]) -> None:
    """Why something failed, in words and raw, with a next step."""
    from petstore_desktop.ui.words_errors import error_words

    words = error_words(error)
    open_raw(parent, words.what, words.raw, words.do, again, do)


def error_sentence(error: BaseException) -> str:
    """An error in one paragraph."""
    from petstore_desktop.ui.words_errors import error_words

    return error_words(error).sentence


def undo_words(sentence: Sentence) -> str:
    """What Undo would take back."""
    from petstore_desktop.ui.words_undo import undo_words as said

    return said(sentence)


def may_close(window: MainWindow) -> bool:
    """Whether the window may close now; if not, the question is on the screen."""
    from petstore_desktop.ui.closing import may_close as ask

    return ask(window)


def load_later() -> None:
    """Load what the window gets right after its first paint, without making any of it."""
    import_module("petstore_desktop.ui.later")


def later(window: MainWindow) -> Later:
    """What the window gets after its first paint."""
    from petstore_desktop.ui.later import Later

    return Later(window)


def tab_extras(tab: ResourceTab, parts: WindowParts) -> TabExtras:
    """What a list gets after the first paint."""
    from petstore_desktop.ui.tabs.extras import TabExtras

    return TabExtras(tab, parts)


def details_side(spec: TabSpec, parts: WindowParts, tab: QWidget) -> DetailsSide:
    """The details beside a list, when a row is first selected."""
    from petstore_desktop.ui.tabs.details_side import DetailsSide

    return DetailsSide(spec, parts, tab)


def instead_of_rows(tab: ResourceTab, state: ListState) -> InsteadOfRows:
    """The page that stands where rows would, when there are none."""
    from petstore_desktop.ui.tabs.instead import InsteadOfRows

    return InsteadOfRows(tab.view, state, tab.parts.actions)


def activity_tab(parts: WindowParts, parent: QWidget) -> ActivityTab:
    """The Activity tab: late, because nobody sees it before the first paint."""
    from petstore_desktop.ui.tabs.activity_tab import ActivityTab

    return ActivityTab(parts, parent)

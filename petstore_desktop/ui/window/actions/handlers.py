"""What each action of a window does: one table, by the names that `ui/context/actions` gives them. Each either asks in
a dialog, or builds changes at the desk and applies them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeyEvent, QKeySequence

from petstore_desktop.domain.commands import CheckLive, Refresh, ResumeNow
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.quota import ONLY_CHANGES, Cause
from petstore_desktop.domain.records import FieldValue, Ref, Resource, key_to_text
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.action_set import obstacle_words
from petstore_desktop.ui.context.actions import STATIONS
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.context.navigation import ListTarget, StationLine
from petstore_desktop.ui.context.tab_specs import ACTIVITY, TABS
from petstore_desktop.ui.lists.list_hints import go_on, likely_category
from petstore_desktop.ui.questions.confirm import ask_to_cancel_orders, ask_to_delete, ask_to_resume
from petstore_desktop.ui.text.errors.errors import bad_input_words
from petstore_desktop.ui.text.pause import refresh_offline_words
from petstore_desktop.ui.text.translate import bare, tr
from petstore_desktop.ui.window import dialogs as opening
from petstore_desktop.ui.window.actions.list_actions import LIST_RUNS, on_list

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from PySide6.QtWidgets import QWidget

    from petstore_desktop.ui.context.edits import Edits
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.window.main_window import MainWindow


def selected(window: MainWindow) -> tuple[Ref, ...]:
    """The records of the selected rows, or of the current one."""
    tab = window.tab()
    return tab.selected_refs() if tab else ()


def _current(window: MainWindow) -> Ref | None:
    tab = window.tab()
    return tab.current_ref() if tab else None


def _pet(tab: ResourceTab) -> Ref | None:
    current = tab.current_ref()
    if current is not None and current.resource is Resource.ORDERS:
        return tab.table.cell_of(current.key, "pet").ref
    return None if current is None else Ref(Resource.PETS, current.key)


# ---- records


def _new_pet(window: MainWindow) -> None:
    opening.open_new_pet(window, likely_category(window.tab()), window.after_paint.new_rows.show)


def _new_order(window: MainWindow, reserve: bool = False) -> None:
    """Of the pet of the current row, where that has one; in the list of orders of any."""
    tab, allowed = window.tab(), window.shop.desk.allowed("new-order", field="pet_id")
    if not allowed.ok:
        words = obstacle_words(allowed.reason, isolate(plain(window.shop.connection.name)))
        window.parts.say(Message(words, "info"))
        return
    named = tab is not None and tab.resource in (Resource.PETS, Resource.INVENTORY)
    pet = _pet(tab) if tab is not None and named else None
    opening.open_new_order(window, pet, window.after_paint.new_rows.show, reserve)


def _edit(window: MainWindow) -> None:
    current, refs = _current(window), selected(window)
    if len(refs) > 1 or (refs and refs[0].resource in (Resource.ORDERS, Resource.INVENTORY)):
        opening.open_bulk_edit(window, refs)
    elif current is not None:
        opening.open_record(window, current)


def _set_status(kind: str, window: MainWindow) -> None:
    own = window.shop.desk.shop.own_status(kind)
    if own is not None:
        _set({"status": own}, window)


def _set(fields: dict[str, FieldValue], window: MainWindow) -> None:
    tab, refs = window.tab(), selected(window)
    made = window.shop.desk.acts.set_fields(refs, fields)
    if isinstance(made, BadInput):
        window.parts.say(Message(bad_input_words(made.code), "warning"))
    elif not made:
        window.parts.say(Message(tr("Nothing to change: it already has this value."), "info"))
    else:
        window.parts.edits.apply(made)
        if tab is not None:
            go_on(tab, refs, fields)


def _delete(ask: Callable[[Edits, tuple[Ref, ...], Callable[[], None], QWidget], None], window: MainWindow) -> None:
    refs = selected(window)
    if refs:
        ask(window.parts.edits, refs, lambda: _delete_now(window, refs), window)


def _delete_now(window: MainWindow, refs: tuple[Ref, ...]) -> None:
    deletion = window.shop.desk.acts.delete(refs)
    if deletion.discard:
        window.parts.edits.discard(deletion.discard)
    if deletion.changes:
        window.parts.edits.apply_now(deletion.changes)  # the price was shown with the question


# ---- lists


def _select_all(window: MainWindow) -> None:
    tab = window.tab()
    view = tab.view if tab else window.activity().page().view
    view.selectAll()
    greyed = 0 if tab is None else len(tab.table.greyed_rows())
    if tab is not None and greyed and greyed == tab.table.row_count:
        window.parts.say(Message(tr("None of these rows fits the filter any more. Refresh takes them away."), "info"))


def _find(window: MainWindow) -> None:
    """Go to the filter; in Activity only the page of changes has one."""
    tab = window.tab()
    if tab:
        tab.focus_filter()
    else:
        activity = window.activity()
        activity.show_page("changes")
        activity.changes.bar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)


def _copy_id(window: MainWindow) -> None:
    QGuiApplication.clipboard().setText("\n".join(key_to_text(ref.key) for ref in selected(window)))


def _refresh(window: MainWindow) -> None:
    tab, desk = window.tab(), window.shop.desk
    blocked = desk.send_block()
    if blocked is not None and blocked.cause is Cause.OFFLINE:
        window.parts.say(Message(refresh_offline_words(blocked, desk.now()), "offline", cause=blocked.cause))
    if tab is None:
        window.shop.submit(Refresh(tuple(Resource)))
        return
    tab.table.refresh()
    window.shop.submit(Refresh((tab.resource,)))


def _check_live(window: MainWindow) -> None:
    current = _current(window)
    if current is not None:
        read_now(window, current)


def read_now(window: MainWindow, ref: Ref) -> None:
    """Read one record from the service; say so where that must wait."""
    window.shop.submit(CheckLive(ref))
    blocked = window.shop.desk.send_block()
    if blocked is not None and blocked.cause not in (*ONLY_CHANGES, Cause.LOCKED, Cause.NO_KEY):
        offline = blocked.cause is Cause.OFFLINE
        waits = tr("It is checked when sending resumes")
        words = tr("Offline: the program tries again now; nothing has changed here") if offline else waits
        window.parts.say(Message(words, "offline" if offline else "pause", cause=blocked.cause))


def look_up_unlisted(window: MainWindow, ref: Ref) -> None:
    """Somebody went to a record that the lists of the service have not brought, and may never bring."""
    desk, name = window.shop.desk, ref.resource.value
    unknown = isinstance(ref.key, int | str) and ref.key not in desk.shop.stores[ref.resource]
    if unknown and desk.shop.may_lack(ref.resource) and desk.allowed(f"look-up-{name}").ok:
        read_now(window, ref)


def _look_up(window: MainWindow, tab: ResourceTab) -> None:
    shop = window.shop.desk.shop
    opening.open_look_up(window, tab.resource, partial(_look_up_now, window), shop.has_text_ids)


def _look_up_now(window: MainWindow, ref: Ref) -> None:
    tab = window.tab()
    if ref.key not in window.shop.desk.shop.stores[ref.resource]:
        window.after_paint.fetching.go(ref)
    elif tab is not None:
        tab.show_ref(ref)
        read_now(window, ref)


# ---- ways


def _labels(window: MainWindow) -> None:
    """One label for each selected pet, or for the pet of each selected stock entry; of a desk what it has."""
    tab, page = window.tab(), window.page()
    if tab is None or tab.resource not in (Resource.PETS, Resource.INVENTORY):
        lines = () if page is None else page.label_lines()
    else:
        lines = tuple(StationLine(Ref(Resource.PETS, ref.key), 1) for ref in tab.selected_refs())
    window.parts.navigation.open_station("labels", lines)


def _show_review(window: MainWindow) -> None:
    """What needs the person, at the current record if it does."""
    current = _current(window)
    window.show_activity("review")
    if current is not None:
        window.activity().review.show_ref(current)


def _turn(by: int, window: MainWindow) -> None:
    window.tabs.setCurrentIndex((window.tabs.currentIndex() + by) % window.tabs.count())


def _go(column_id: str, window: MainWindow, tab: ResourceTab) -> None:
    current = tab.current_ref()
    target = None if current is None else tab.table.cell_of(current.key, column_id).ref
    if target is not None:
        window.parts.navigation.open(target)


def _go_stock(window: MainWindow, tab: ResourceTab) -> None:
    pet = _pet(tab)
    if pet is not None:
        window.parts.navigation.open(Ref(Resource.INVENTORY, pet.key))


def _go_orders(window: MainWindow, tab: ResourceTab) -> None:
    pet = _pet(tab)
    if pet is not None:
        window.parts.navigation.open_list(ListTarget(Resource.ORDERS, f"#{key_to_text(pet.key)}"))


# ---- program


def _switch(window: MainWindow) -> None:
    window.after_paint.others.choose(window.status.shop, window.parts.actions["connectShop"])


def _resume(window: MainWindow) -> None:
    desk = window.shop.desk
    blocked, unsent = desk.send_block(), desk.outbox.unsent
    if blocked is not None:
        resume = partial(window.shop.submit, ResumeNow())
        ask_to_resume(blocked, unsent, desk.now(), resume, window)


def _manual(window: MainWindow) -> None:
    opening.open_manual(near=window.activity().page() if window.shown() == ACTIVITY else window.page())


def _copy_diagnostics(window: MainWindow) -> None:
    QGuiApplication.clipboard().setText(window.parts.app.diagnostics())
    window.parts.say(Message(tr("Diagnostics are on the clipboard."), "copy"))


def _show_folder(folder: object) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


RUNS: Mapping[str, Callable[[MainWindow], object]] = {
    **LIST_RUNS,
    "newPet": _new_pet,
    "newOrder": _new_order,
    "reserve": partial(_new_order, reserve=True),
    "newCategory": lambda window: opening.open_record(window, None, window.after_paint.new_rows.show),
    "edit": _edit,
    "delete": partial(_delete, ask_to_delete),
    "setAvailable": partial(_set_status, "available"),
    "setPending": partial(_set_status, "pending"),
    "setSold": partial(_set_status, "sold"),
    "completeOrder": partial(_set, {"complete": True}),
    "reopenOrder": partial(_set, {"complete": False}),
    "cancelOrder": partial(_delete, ask_to_cancel_orders),
    "minimumStock": lambda window: window.after_paint.minimum_stock.ask(selected(window)),
    "undo": lambda window: window.after_paint.undo_keys.press("undo"),
    "redo": lambda window: window.after_paint.undo_keys.press("redo"),
    "copyId": _copy_id,
    "refresh": _refresh,
    "checkLive": _check_live,
    "lookUp": on_list(_look_up),
    "selectAll": _select_all,
    "find": _find,
    "palette": lambda window: window.after_paint.palette.open(),
    # views
    "chooseView": on_list(lambda window, tab: window.after_paint.views_menu.open_for(tab)),
    "saveView": lambda window: window.after_paint.views_menu.ask_name(),
    "saveHere": lambda window: window.parts.views.save_here(),
    "backToView": lambda window: window.parts.views.back(),
    "renameView": lambda window: window.after_paint.views_menu.ask_rename(),
    "deleteView": lambda window: window.after_paint.views_menu.delete(),
    "moveViewUp": lambda window: window.after_paint.views_menu.move(-1),
    "moveViewDown": lambda window: window.after_paint.views_menu.move(1),
    "mendViews": lambda window: window.parts.views.use(window.parts.views.view_list.mended()),
    "exportViews": lambda window: window.after_paint.views_files.ask_where(),
    "importViews": lambda window: window.after_paint.views_files.ask_which(),
    # ways
    **{f"{name}Tab": lambda window, name=name: window.show_tab(name) for name in TABS},
    **{name: lambda window, name=name: window.parts.navigation.open_station(name) for name in STATIONS},
    "labels": _labels,
    "showWaiting": lambda window: window.show_activity("waiting"),
    "showReview": _show_review,
    "showChanges": lambda window: window.show_activity("changes"),
    "showRequests": lambda window: window.show_activity("requests"),
    "compareDays": lambda window: window.parts.navigation.open_compared(),
    "showQuota": lambda window: window.status.open_quota(),
    "nextTab": partial(_turn, 1),
    "previousTab": partial(_turn, -1),
    "back": lambda window: window.parts.navigation.back(),
    "forth": lambda window: window.parts.navigation.forth(),
    "openPet": on_list(partial(_go, "pet")),
    "openCategory": on_list(partial(_go, "category")),
    "openStock": on_list(_go_stock),
    "openOrders": on_list(_go_orders),
    # the program
    "switchShop": _switch,
    "connectShop": opening.open_connect,
    "connectionSettings": opening.open_connection,
    "operations": opening.open_operations,
    "checkConnection": opening.open_doctor,
    "changeKey": lambda window: window.after_paint.notifier.ask_key(),
    "resumeNow": _resume,
    "rehearse": opening.open_rehearse,
    "importFile": lambda window: window.after_paint.importing.ask(),
    "barCodes": lambda window: window.after_paint.scanning.show_codes(),
    "report": opening.open_report,
    "reportThisWeek": partial(opening.open_report, kind="this week"),
    "reportLastWeek": partial(opening.open_report, kind="last week"),
    "reportThisMonth": partial(opening.open_report, kind="this month"),
    "reportLastMonth": partial(opening.open_report, kind="last month"),
    "preferences": opening.open_preferences,
    "about": opening.open_about,
    "manual": _manual,
    "help": opening.open_help,
    "openLog": lambda window: _show_folder(window.shop.log_folder),
    "copyDiagnostics": _copy_diagnostics,
    "copyRequests": lambda window: window.activity().requests.copy(),
    "quit": lambda window: window.close(),
}


_DIGITS = range(Qt.Key.Key_1, Qt.Key.Key_9 + 1)


class UnusableKeys(QObject):
    """A key that no action and no widget took comes to the window: where its action cannot be used now, it says why."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._parts = window, window.parts
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.type() is not QEvent.Type.KeyPress:
            return False
        tab = self._window.tab()
        if event.key() == Qt.Key.Key_Escape and tab is not None and not tab.table.row_count:
            tab.view.escaped.emit()  # as the page says that stands in the place of the rows
            return True
        words = self._why(event)
        if words:
            self._parts.say(Message(words, "info"))
        return bool(words)

    def _why(self, event: QKeyEvent) -> str:
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        keys = QKeySequence(QKeyCombination(held, Qt.Key(event.key())))
        actions = self._parts.actions
        for name in actions.of_keys(keys):
            if not (actions[name].isEnabled() and actions[name].isVisible()):
                shop = isolate(plain(self._parts.shop.connection.name))
                from petstore_desktop.ui.palette.palette_texts import says_all, why_not  # late: few keys come this far

                why = why_not(name, actions, shop)
                return why if says_all(name) else tr("{action}: {why}", action=bare(actions.words(name)), why=why)
        if held == Qt.KeyboardModifier.ControlModifier and event.key() in _DIGITS:
            return tr("There is no view with the key {key}.", key=keys.toString(QKeySequence.SequenceFormat.NativeText))
        return ""

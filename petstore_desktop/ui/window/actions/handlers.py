"""What the window's actions do. Each either asks in a dialog, or builds changes at the desk and applies them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QKeyCombination, QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeyEvent, QKeySequence

from petstore_desktop.domain.commands import CheckLive, Refresh, ResumeNow
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.records import Ref, Resource, key_to_text
from petstore_desktop.domain.send_block import ONLY_CHANGES, Cause
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.action_set import obstacle_words
from petstore_desktop.ui.context.actions import DESKS
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.context.navigation import DeskLine, ListTarget
from petstore_desktop.ui.context.tab_specs import ACTIVITY, TABS
from petstore_desktop.ui.lists.list_hints import go_on, likely_category
from petstore_desktop.ui.text.errors.inputs import bad_input_words
from petstore_desktop.ui.text.pause import refresh_offline_words
from petstore_desktop.ui.text.translate import bare, tr
from petstore_desktop.ui.window import dialogs as opening
from petstore_desktop.ui.window.actions.list_actions import ListActions
from petstore_desktop.ui.window.actions.navigation import Fetching, NavigationHistory, NewRows
from petstore_desktop.ui.window.actions.palette_actions import PaletteWay
from petstore_desktop.ui.window.actions.undo_keys import UndoKeys

if TYPE_CHECKING:
    from collections.abc import Callable

    from petstore_desktop.domain.records import FieldValue
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.window.main_window import MainWindow

_REPORTS = {
    "reportThisWeek": "this week",
    "reportLastWeek": "last week",
    "reportThisMonth": "this month",
    "reportLastMonth": "last month",
}
"""The days of each action, as `PeriodKind` has them."""


class Handlers(QObject):
    """Connects the actions of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        parts = window.parts
        self._window, self._parts, self._tab, self._tabs = window, parts, window.tab, window.tabs
        self._shop, self._desk, self._edits = parts.shop, parts.shop.desk, parts.edits
        on = parts.actions.on
        self.places = NavigationHistory(window)
        made = NewRows(window).show
        on("newPet", lambda: opening.open_new_pet(window, likely_category(self._tab()), made))
        on("newOrder", lambda: self._order(made))
        on("reserve", lambda: self._order(made, reserve=True))
        on("newCategory", lambda: opening.open_record(window, None, made))
        on("edit", self._edit)
        on("delete", self._delete)
        for name, status in (("setAvailable", "available"), ("setPending", "pending"), ("setSold", "sold")):
            on(name, lambda status=status: self._set_status(status))
        on("completeOrder", lambda: self._set({"complete": True}))
        on("reopenOrder", lambda: self._set({"complete": False}))
        on("cancelOrder", self._cancel_order)
        self.undo_keys = UndoKeys(parts)
        on("undo", lambda: self.undo_keys.press("undo"))
        on("redo", lambda: self.undo_keys.press("redo"))
        ListActions(window)
        self._connect_list()
        self._connect_ways()
        self._connect_program()
        self._fetching = Fetching(parts, self._read_now)
        self.palette = PaletteWay(window, self._fetching.go)
        UnusableKeys(window)

    def _connect_list(self) -> None:
        on = self._parts.actions.on
        on("copyId", self._copy_id)
        on("refresh", self._refresh)
        on("checkLive", self._check_live)
        self._parts.navigation.shown.connect(self._look_up_unlisted)
        on("selectAll", self._select_all)
        on("find", self._find)
        on_list = self._parts.on_list
        on_list("editCell", lambda tab: tab.view.edit_cell())
        on_list("editStock", lambda tab: tab.view.edit_column(tab.model.quantity_column))
        on_list("details", lambda tab: tab.toggle_details())
        on_list("history", lambda tab: tab.show_history())
        on_list("fitColumns", lambda tab: tab.columns.fit_contents())
        on_list("exportList", lambda tab: opening.open_export(self._window, tab))
        on_list("print", lambda tab: opening.open_print(self._window, tab))
        on_list("lookUp", self._open_look_up)
        on_list("resetColumns", lambda tab: tab.columns.reset())

    def _connect_ways(self) -> None:
        on, navigation = self._parts.actions.on, self._parts.navigation
        for name in TABS:
            on(f"{name}Tab", partial(self._window.show_tab, name))
        on("showWaiting", partial(self._window.show_activity, "waiting"))
        on("showReview", self._show_review)
        on("showChanges", partial(self._window.show_activity, "changes"))
        on("showRequests", partial(self._window.show_activity, "requests"))
        on("compareDays", navigation.open_compared)
        for desk in DESKS:
            on(desk, partial(navigation.open_desk, desk))
        on("labels", lambda: navigation.open_desk("labels", self._label_lines()))
        on("showQuota", self._window.status.open_quota)
        on("nextTab", partial(self._turn, 1))
        on("previousTab", partial(self._turn, -1))
        on("back", navigation.back)
        on("forth", navigation.forth)
        on_list = self._parts.on_list
        on_list("openPet", lambda tab: self._go(tab, "pet"))
        on_list("openCategory", lambda tab: self._go(tab, "category"))
        on_list("openStock", self._go_stock)
        on_list("openOrders", self._go_orders)
        on("resumeNow", self._resume)

    def _connect_program(self) -> None:
        on, window, parts, shop = self._parts.actions.on, self._window, self._parts, self._shop
        on("switchShop", lambda: window.after_paint.others.choose(window.status.shop, parts.actions["connectShop"]))
        on("connectShop", lambda: opening.open_connect(window))
        on("connectionSettings", lambda: opening.open_connection(window, shop, parts.app.shops))
        on("operations", lambda: opening.open_operations(window, shop))
        on("checkConnection", lambda: opening.open_doctor(window, shop))
        on("changeKey", lambda: window.after_paint.notifier.ask_key())
        on("rehearse", lambda: opening.open_rehearse(window))
        on("report", lambda: opening.open_report(window))
        for name, kind in _REPORTS.items():
            on(name, partial(opening.open_report, window, kind))
        on("preferences", lambda: opening.open_preferences(window, parts.app, shop))
        on("about", lambda: opening.open_about(window, parts.app, shop))
        on("manual", self._open_manual)
        on("help", lambda: opening.open_help(window, parts.actions))
        on("openLog", lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(shop.log_folder))))
        on("openData", lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(shop.data_folder))))
        on("copyDiagnostics", self._copy_diagnostics)
        on("copyRequests", lambda: window.activity().requests.copy())
        on("quit", window.close)

    # -- lists

    def _label_lines(self) -> tuple[DeskLine, ...]:
        """One label for each selected pet, or for the pet of each selected stock entry; of a desk what it has."""
        tab, page = self._tab(), self._window.page()
        if tab is None or tab.resource not in (Resource.PETS, Resource.INVENTORY):
            return () if page is None else page.label_lines()
        return tuple(DeskLine(Ref(Resource.PETS, ref.key), 1) for ref in tab.selected_refs())

    def _select_all(self) -> None:
        tab = self._tab()
        view = tab.view if tab else self._window.activity().page().view
        view.selectAll()

    def _find(self) -> None:
        """Go to the filter; in Activity only the page of changes has one."""
        tab = self._tab()
        if tab:
            tab.focus_filter()
        else:
            activity = self._window.activity()
            activity.show_page("changes")
            activity.changes.bar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)

    # -- records

    def _order(self, made: Callable[[tuple[Ref, ...]], object], reserve: bool = False) -> None:
        """Of the pet of the current row, where that has one; in the list of orders of any."""
        tab, allowed = self._tab(), self._desk.allowed("new-order", field="pet_id")
        if not allowed.ok:
            words = obstacle_words(allowed.reason, isolate(plain(self._shop.profile.name)))
            self._parts.say(Message(words, "info"))
            return
        named = tab is not None and tab.resource in (Resource.PETS, Resource.INVENTORY)
        pet = _pet(tab) if tab is not None and named else None
        opening.open_new_order(self._window, pet, made, reserve)

    def _edit(self) -> None:
        current, refs = self._current(), self.selected()
        if len(refs) > 1 or (refs and refs[0].resource in (Resource.ORDERS, Resource.INVENTORY)):
            opening.open_bulk_edit(self._window, refs)
        elif current is not None:
            opening.open_record(self._window, current)

    def _set_status(self, kind: str) -> None:
        own = self._desk.shop.own_status(kind)
        if own is not None:
            self._set({"status": own})

    def _set(self, fields: dict[str, FieldValue]) -> None:
        tab, refs = self._tab(), self.selected()
        made = self._desk.acts.set_fields(refs, fields)
        if isinstance(made, BadInput):
            self._parts.say(Message(bad_input_words(made.code), "warning"))
        elif not made:
            self._parts.say(Message(tr("Nothing to change: it already has this value."), "info"))
        else:
            self._edits.apply(made)
            if tab is not None:
                go_on(tab, refs, fields)

    def _delete(self) -> None:
        refs = self.selected()
        if refs:
            opening.open_delete(self._window, refs, lambda: self._delete_now(refs))

    def _delete_now(self, refs: tuple[Ref, ...]) -> None:
        deletion = self._desk.acts.delete(refs)
        if deletion.discard:
            self._edits.discard(deletion.discard)
        if deletion.changes:
            self._edits.apply_now(deletion.changes)  # the price was shown with the question

    def _cancel_order(self) -> None:
        refs = self.selected()
        if refs:
            opening.open_cancel_orders(self._window, refs, lambda: self._delete_now(refs))

    def selected(self) -> tuple[Ref, ...]:
        """The records of the selected rows, or of the current one."""
        tab = self._tab()
        return tab.selected_refs() if tab else ()

    def _current(self) -> Ref | None:
        tab = self._tab()
        return tab.current_ref() if tab else None

    # -- lists

    def _copy_id(self) -> None:
        QGuiApplication.clipboard().setText("\n".join(key_to_text(ref.key) for ref in self.selected()))

    def _refresh(self) -> None:
        tab, blocked = self._tab(), self._desk.send_block()
        if blocked is not None and blocked.cause is Cause.OFFLINE:
            self._parts.say(Message(refresh_offline_words(blocked, self._desk.now()), "offline", cause=blocked.cause))
        if tab is None:
            self._shop.submit(Refresh(tuple(Resource)))
            return
        tab.table.refresh()
        self._shop.submit(Refresh((tab.resource,)))

    def _check_live(self) -> None:
        current = self._current()
        if current is not None:
            self._read_now(current)

    def _read_now(self, ref: Ref) -> None:
        self._shop.submit(CheckLive(ref))
        blocked = self._desk.send_block()
        if blocked is not None and blocked.cause not in (*ONLY_CHANGES, Cause.LOCKED, Cause.NO_KEY):
            offline = blocked.cause is Cause.OFFLINE
            waits = tr("It is checked when sending resumes")
            words = tr("Offline: the program tries again now; nothing has changed here") if offline else waits
            self._parts.say(Message(words, "offline" if offline else "pause", cause=blocked.cause))

    def _look_up_now(self, ref: Ref) -> None:
        tab = self._tab()
        if ref.key not in self._desk.shop.stores[ref.resource]:
            self._fetching.go(ref)
        elif tab is not None:
            tab.show_ref(ref)
            self._read_now(ref)

    def _open_look_up(self, tab: ResourceTab) -> None:
        opening.open_look_up(self._window, tab.resource, self._look_up_now, self._desk.shop.has_text_ids)

    def _look_up_unlisted(self, ref: Ref) -> None:
        """Somebody went to a record that the lists of the service have not brought, and may never bring."""
        desk, name = self._desk, ref.resource.value
        unknown = isinstance(ref.key, int | str) and ref.key not in desk.shop.stores[ref.resource]
        if unknown and desk.shop.may_lack(ref.resource) and desk.allowed(f"look-up-{name}").ok:
            self._read_now(ref)

    # -- ways

    def _show_review(self) -> None:
        """What needs the person, at the current record if it does."""
        current = self._current()
        self._window.show_activity("review")
        if current is not None:
            self._window.activity().review.show_ref(current)

    def _turn(self, by: int) -> None:
        self._tabs.setCurrentIndex((self._tabs.currentIndex() + by) % self._tabs.count())

    def _go(self, tab: ResourceTab, column_id: str) -> None:
        current = tab.current_ref()
        target = None if current is None else tab.table.cell_of(current.key, column_id).ref
        if target is not None:
            self._parts.navigation.open(target)

    def _go_stock(self, tab: ResourceTab) -> None:
        pet = _pet(tab)
        if pet is not None:
            self._parts.navigation.open(Ref(Resource.INVENTORY, pet.key))

    def _go_orders(self, tab: ResourceTab) -> None:
        pet = _pet(tab)
        if pet is not None:
            self._parts.navigation.open_list(ListTarget(Resource.ORDERS, f"#{key_to_text(pet.key)}"))

    # -- program

    def _resume(self) -> None:
        blocked, unsent = self._desk.send_block(), self._desk.outbox.unsent
        if blocked is not None:
            resume = partial(self._shop.submit, ResumeNow())
            opening.open_resume(self._window, blocked, unsent, self._desk.now(), resume)

    def _open_manual(self) -> None:
        window = self._window
        opening.open_manual(near=window.activity().page() if window.shown() == ACTIVITY else window.page())

    def _copy_diagnostics(self) -> None:
        QGuiApplication.clipboard().setText(self._parts.app.diagnostics())
        self._parts.say(Message(tr("Diagnostics are on the clipboard."), "copy"))


def _pet(tab: ResourceTab) -> Ref | None:
    current = tab.current_ref()
    if current is not None and current.resource is Resource.ORDERS:
        return tab.table.cell_of(current.key, "pet").ref
    return None if current is None else Ref(Resource.PETS, current.key)


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
                shop = isolate(plain(self._parts.shop.profile.name))
                from petstore_desktop.ui.palette.palette_texts import says_all, why_not  # late: few keys come this far

                why = why_not(name, actions, shop)
                return why if says_all(name) else tr("{action}: {why}", action=bare(actions.words(name)), why=why)
        if held == Qt.KeyboardModifier.ControlModifier and event.key() in _DIGITS:
            return tr("There is no view with the key {key}.", key=keys.toString(QKeySequence.SequenceFormat.NativeText))
        return ""

"""Ctrl+K and the field in the tab strip: opens the palette, goes where a person chose to go, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QApplication, QWidget

from petstore_desktop.desk.jump.palette import EntryKind
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import Ref, Resource, key_to_text
from petstore_desktop.domain.seen_changes import SeenChange, Who, end_of
from petstore_desktop.ui.base.building import still_there
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.window.dialogs import open_manual

if TYPE_CHECKING:
    from petstore_desktop.desk.jump.palette import SearchResult
    from petstore_desktop.ui.palette.palette import PalettePopup
    from petstore_desktop.ui.window.main_window import MainWindow

_REMEMBERED = 30


class PaletteWay(QObject):
    """One window's palette; made after the first paint, and its list when it is first opened. `look_up` goes to a
    record that is not here and asks the service for it."""

    def __init__(self, window: MainWindow, look_up: Callable[[Ref], object]) -> None:
        super().__init__(window)
        self._window, self._parts, self._look_up = window, window.parts, look_up
        self._field = window.palette_field
        self._popup: PalettePopup | None = None
        self._before: QWidget | None = None
        self._used: list[tuple[str, Ref | None]] = []
        self._parts.navigation.shown.connect(self._note_ref)
        self._field.asked.connect(self.open)
        self._field.textEdited.connect(self._open_list)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._focus_changed)

    def open(self) -> None:
        """The field gets the keyboard, and shows what can be gone to."""
        if not self._field.hasFocus():
            self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()
        self._open_list()

    def _open_list(self) -> None:
        if self._popup is None:
            from petstore_desktop.ui.palette.palette import PalettePopup  # late: after the first paint

            self._popup = PalettePopup(self._field, self._parts.shop, self._parts.actions, self._window)
            self._popup.chosen.connect(self._go)
            self._popup.left.connect(self._go_back)
            self._popup.worked.connect(self._let_lists_wait)
            self._window.after_paint.bridge.changed.connect(self._popup.desk_changed)
        if self._popup.isHidden():
            self._popup.open(tuple(self._used), self._parts.views.all())

    def _let_lists_wait(self, on: bool) -> None:
        for tab in self._window.built_tabs():
            tab.model.let_wait(on)

    def _focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        if new is self._field and old is not None and old.window() is self._window:
            self._before = old

    def _go_back(self) -> None:
        """The keyboard goes back to where it was."""
        if self._popup is not None:
            self._popup.close_up()
        before = still_there(self._before)
        if before is not None:
            before.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._window.focus_list()

    # -- going

    def _note_ref(self, ref: Ref) -> None:
        self._note(f"{ref.resource.value}:{key_to_text(ref.key)}", ref)

    def _note(self, used: str, ref: Ref | None) -> None:
        self._used = [(used, ref), *((one, its) for one, its in self._used if one != used)][:_REMEMBERED]

    def _go(self, result: SearchResult, other: bool) -> None:
        """Carry out the chosen result; `other`: only show the list that it is in."""
        text, (kind, _, name) = self._field.text(), result.id.partition(":")
        self._go_back()  # an action is about what was selected there
        self._note(result.id, result.ref)
        view = self._parts.views.view_list.view(name) if kind == "view" else None
        if view is not None:
            self._parts.views.open(view)
        elif kind == "manual":
            open_manual(name)
        elif result.ref is None:
            self._parts.actions[name].trigger()
        elif result.kind is EntryKind.GONE:
            self._parts.shop.past.changes_of(result.ref, partial(self._open_end, result.ref))
        elif result.is_here:
            self._open_record(result.ref, text, other)
        else:
            self._parts.details_wanted |= result.ref.resource is Resource.ORDERS
            self._look_up(result.ref)

    def _open_end(self, ref: Ref, changes: Sequence[SeenChange] | ShopError) -> None:
        """What was done here to a record that has gone, or that it went elsewhere."""
        known = () if isinstance(changes, ShopError) else changes
        end = end_of(ref, known)
        if end is not None and end.who is Who.HERE:
            self._parts.navigation.open_changes(f"#{key_to_text(ref.key)}")
            return
        from petstore_desktop.ui.text.changes.seen import gone_words  # late: few look for what has gone

        self._parts.say(Message(gone_words(ref, known, self._parts.shop.desk.now()), "info"))

    def _open_record(self, ref: Ref, text: str, other: bool) -> None:
        if other:
            from petstore_desktop.ui.palette.palette import list_of  # late: after the first paint

            self._parts.navigation.open_list(list_of(ref, text))
            return
        self._parts.navigation.open(ref)
        tab = self._window.tab()
        if ref.resource is Resource.ORDERS and tab is not None and tab.current_ref() == ref:
            tab.show_details(True)  # somebody waits for the sentence

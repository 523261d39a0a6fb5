"""The menus in the head of a stocktake: which part of the shop is counted, and what else can be done with a count."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu

from petstore_desktop.desk.stocktake.drafts import Scope
from petstore_desktop.domain.records import Key, Resource
from petstore_desktop.ui.base.building import on_click, short_lived
from petstore_desktop.ui.base.theme import plain
from petstore_desktop.ui.paper.printed_list import CsvSaving
from petstore_desktop.ui.stocktake.protocol import ProtocolDialog, file_name, rows_of, titles
from petstore_desktop.ui.stocktake.stocktake_texts import category_name, scope_words
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.button import Button, open_below
from petstore_desktop.ui.widgets.dialogs import show
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import FormDialog

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from petstore_desktop.ui.stocktake.stocktake_page import StocktakePage


class NoteDialog(FormDialog):
    """Asks for the note of a count."""

    def __init__(self, note: str, keep: Callable[[str], object], parent: QWidget) -> None:
        super().__init__(
            tr("Note on this count"), tr("It is kept in the history and in the protocol."), parent, name="noteDialog"
        )
        self._keep = keep
        self.note = FormField(tr("Note"), name="countNote")
        self.note.set_text(note)
        self.lay_out(self.note, accept=tr("Save"))

    def accept(self) -> None:
        self._keep(self.note.text().strip())
        super().accept()


class StocktakeMenus:
    """Two buttons with menus."""

    def __init__(self, page: StocktakePage) -> None:
        self._page = page
        self.scope_button = on_click(Button(tr("What to count"), "quiet", "labels"), self._open_scope, "countScope")
        self.scope_button.set_icon_name("tag")
        self.scope_button.set_chevron(True)
        self.more_button = on_click(Button(tr("More"), "icon", "more"), self._open_more, "countMore")

    # -- what is counted

    def _open_scope(self) -> None:
        open_below(self.scope_button, self.scope_menu())

    def scope_menu(self) -> QMenu:
        """All stock, what the stock list shows, or categories."""
        page, menu = self._page, short_lived(QMenu(self._page))
        now = page.count.head.scope
        everything = menu.addAction(scope_words(page.desk, Scope()), lambda: page.cover(Scope()))
        everything.setCheckable(True)
        everything.setChecked(now.kind == "all")
        view = page.listed()
        if view is not None:
            shown = tr("Only what the list shows: {view}", view=scope_words(page.desk, view)).replace("&", "&&")
            menu.addAction(shown, lambda: page.cover(view))
        menu.addSection(tr("Categories"))
        for key in self._categories():
            action = menu.addAction(category_name(page.desk, key).replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(now.kind == "categories" and key in now.keys)
            action.triggered.connect(partial(self._turn, key))
        menu.setEnabled(not page.count.ended)
        return menu

    def _categories(self) -> list[Key]:
        shop = self._page.desk.shop
        store = shop.stores[Resource.CATEGORIES]
        keys = [store.keys[slot] for slot in store.slots()]
        return sorted(keys, key=lambda key: category_name(self._page.desk, key).casefold())

    def _turn(self, category: Key, _checked: bool = False) -> None:
        """Count this category too, or no longer; without any, everything."""
        now = self._page.count.head.scope
        keys = now.keys if now.kind == "categories" else ()
        chosen = tuple(key for key in keys if key != category) if category in keys else (*keys, category)
        self._page.cover(Scope("categories", chosen) if chosen else Scope())

    # -- what else

    def _open_more(self) -> None:
        open_below(self.more_button, self.more_menu(), from_end=True)

    def more_menu(self) -> QMenu:
        """The note, labels, the protocol, and the end without booking."""
        page, menu = self._page, short_lived(QMenu(self._page))
        counted, ended = bool(page.count.lines), page.count.ended
        menu.addAction(tr("&Note…"), self.ask_note).setEnabled(not ended)
        menu.addAction(tr("&Labels of what was counted…"), page.print_labels).setEnabled(counted)
        menu.addSeparator()
        menu.addAction(tr("Protocol as &PDF…"), self.print_protocol).setEnabled(counted)
        menu.addAction(tr("Protocol as &CSV…"), self.save_protocol).setEnabled(counted)
        menu.addSeparator()
        menu.addAction(tr("Close the count &without booking"), page.count.close).setEnabled(counted and not ended)
        again = page.count.reopen if ended else None
        if again is not None and not page.count.head.booked:
            menu.addAction(tr("&Open this count again"), again)
        return menu

    def ask_note(self) -> None:
        """Ask for the note."""
        count = self._page.count
        show(NoteDialog(plain(count.head.note), lambda note: count.set_head(note=note), self._page.window()))

    def print_protocol(self) -> None:
        """Save the protocol as a PDF, or print it."""
        page = self._page
        show(ProtocolDialog(page.shop, page.ways.say, page.count, page.window()))

    def save_protocol(self) -> None:
        """Save the protocol as CSV."""
        page, count = self._page, self._page.count
        page.saving = CsvSaving(page, page.shop, page.ways.say, titles(), rows_of(page.shop, count))
        page.saving.ask(tr("Save the protocol as CSV"), file_name(count))

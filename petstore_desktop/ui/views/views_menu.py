"""The menus of views: behind the name above each list, and in the menu bar, with the keys of the first nine; the
rows of each view are counted while a menu is open. A view gets its name in a dialog: to save what a list shows under
it, or to call it otherwise."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from petstore_desktop.desk.jump.views import LONGEST_NAME, SavedView, counting, first_keys
from petstore_desktop.ui.base.building import named
from petstore_desktop.ui.base.icons import tint
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.text.views import counted_name
from petstore_desktop.ui.widgets.dialogs import show
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import FormDialog

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.ui.context.action_set import ActionSet
    from petstore_desktop.ui.lists.list_context import ShownLists
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.views.changed_today import ChangedToday
    from petstore_desktop.ui.views.views import Views


class ViewNameDialog(FormDialog):
    """Asks for a name. `taken` says which other view has it; `use` gets the name that was agreed to."""

    def __init__(
        self,
        title: str,
        name: str,
        taken: Callable[[str], SavedView | None],
        use: Callable[[str], object],
        *,
        replaces: bool,
        parent: QWidget | None = None,
    ) -> None:
        """`replaces`: a view that has the name already is replaced, which is said; else another name is wanted."""
        kept = tr("Saves the filter, sort and columns of this list on this computer.")
        super().__init__(title, kept if replaces else "", parent, name="viewNameDialog")
        self._taken, self._use, self._replaces = taken, use, replaces
        self.name = FormField(tr("Name"), name="viewNameField")
        self.name.edit.setMaxLength(LONGEST_NAME)
        self.name.changed.connect(self._typed)
        self.button = self.lay_out(self.name, accept=tr("Save") if replaces else tr("Rename"))
        self.name.set_text(name)
        self.name.edit.selectAll()
        self._typed()

    def _typed(self) -> None:
        """Say what Enter will do."""
        self.name.set_error("")
        known = self._taken(self.name.text())
        replaced = self._replaces and known is not None and not known.is_all
        words = tr("This replaces the view {name}.", name=_quoted(known)) if replaced and known is not None else ""
        self.name.set_note(words)
        if self._replaces:
            self.button.set_text(tr("Replace") if replaced else tr("Save"))

    def accept(self) -> None:
        known, name = self._taken(self.name.text()), self.name.text().strip()
        if not name:
            self.name.set_error(tr("Enter a name."))
        elif known is not None and (known.is_all or not self._replaces):
            self.name.set_error(tr("{name} already exists. Choose another name.", name=_quoted(known)))
        else:
            super().accept()
            self._use(name)
            return
        self.name.edit.setFocus()


def _quoted(view: SavedView) -> str:
    return tr("“{words}”", words=isolate(plain(view.name)))


_TURN_S = 0.004
"""Seconds that views are counted before other work has its turn."""
_SAVING = ("saveHere", "backToView")
_ARRANGING = ("saveView", "renameView", "deleteView", "moveViewUp", "moveViewDown")
_FILES = ("exportViews", "importViews", "mendViews")


class ViewsMenu(QObject):
    """For one window; made after its first paint. `menu`: that of the menu bar."""

    def __init__(
        self,
        desk: Desk,
        actions: ActionSet,
        views: Views,
        lists: ShownLists,
        changed_today: ChangedToday,
        menu: QMenu,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._shop, self._actions, self._views, self._lists = desk.shop, actions, views, lists
        self._menu, self._window = menu, window
        self._first = self._menu.actions()[0]
        """The views stand before it."""
        self._checks = named(QMenu(tr("Data chec&ks"), menu), "dataChecksMenu")
        self._menu.insertMenu(self._first, self._checks)
        self._open: dict[str, QAction] = {}
        self._told: tuple[tuple[str, str], ...] = ()
        """Id and name of each view, as they stand in the menu."""
        self._counts = SlicedWork(self, _TURN_S, self._show_count)
        self._changed_today, self._counted = changed_today, tuple[SavedView, ...]()
        changed_today.known.connect(self._count)
        self._views.changed.connect(changed_today.follow)
        self._views.changed.connect(self._rebuild)
        self._rebuild()
        self._views.tell_unread()

    def delete(self) -> None:
        """Delete the view that is shown."""
        if (view := self._views.here()) is not None:
            self._views.delete(view)

    def move(self, by: int) -> None:
        """Move the view that is shown up or down."""
        if (view := self._views.here()) is not None:
            self._views.move(view, by)

    # -- what they hold

    def _rebuild(self) -> None:
        """Other views, or in another order."""
        views = self._views.all()
        wanted, keys = {view.id: view for view in views}, first_keys(views)
        told = tuple((view.id, view.name) for view in views)
        if told == self._told:
            self.update()
            return
        self._told = told
        for id_ in [*self._open]:
            self._let_go(id_)
        for id_, view in wanted.items():
            action = named(QAction(_text(view), self._window), f"view:{id_}")
            action.setCheckable(True)
            if id_ in keys:
                action.setShortcut(QKeySequence(f"Ctrl+{keys[id_]}"))
            action.triggered.connect(partial(self._open_view, id_))
            self._window.addAction(action)
            if view.is_check:
                self._checks.addAction(action)
            else:
                self._menu.insertAction(self._checks.menuAction(), action)
            self._open[id_] = action
        self._checks.menuAction().setVisible(any(view.is_check for view in views))
        self.update()

    def _let_go(self, id_: str) -> None:
        action = self._open.pop(id_)
        self._window.removeAction(action)
        self._menu.removeAction(action)
        self._checks.removeAction(action)
        action.deleteLater()

    def _open_view(self, id_: str) -> None:
        view = self._views.view_list.view(id_)
        if view is not None:
            self._views.open(view)
        self.update()

    def update(self) -> None:
        """What can be done with the view of the list on the screen."""
        actions, tab, here = self._actions, self._lists.tab(), self._views.here()
        own = here is not None and not here.is_all
        changed = own and tab is not None and self._views.is_changed(tab)
        name = "" if here is None else tr("“{words}”", words=isolate(plain(here.name).replace("&", "&&")))
        for action, words, enabled in (
            ("saveHere", tr("Save {view}", view=name), changed),
            ("backToView", tr("Discard changes of {view}", view=name), changed),
            ("renameView", tr("Rename {view}…", view=name), own),
            ("deleteView", tr("Delete {view}", view=name), own),
            ("moveViewUp", tr("Move {view} up", view=name), own and self._can_move(here, -1)),
            ("moveViewDown", tr("Move {view} down", view=name), own and self._can_move(here, 1)),
        ):
            actions[action].setText(words if own else actions.words(action))
            actions[action].setEnabled(enabled)
        actions["saveView"].setEnabled(tab is not None)
        actions["mendViews"].setEnabled(bool(self._views.view_list.gone))
        actions["exportViews"].setEnabled(bool(self._views.view_list.own))
        for id_, action in self._open.items():
            action.setChecked(here is not None and id_ == here.id)

    def _can_move(self, view: SavedView | None, by: int) -> bool:
        return view is not None and self._views.view_list.moved(view, by) != self._views.view_list

    # -- the menu behind the name

    def open_for(self, tab: ResourceTab) -> None:
        """Open the menu of a list's views below their name."""
        self.update()
        menu = named(QMenu(tab), "viewsMenu")
        actions = self._actions
        if self._views.is_changed(tab):
            menu.addActions([actions[name] for name in _SAVING])
            menu.addSeparator()
        views = self._views.view_list.of(tab.resource)
        menu.addActions([self._open[view.id] for view in views if not view.is_check])
        if checks := [self._open[view.id] for view in views if view.is_check]:
            menu.addMenu(self._checks.title()).addActions(checks)
        menu.addSeparator()
        menu.addActions([actions[name] for name in _ARRANGING])
        menu.addSeparator()
        menu.addActions([actions[name] for name in _FILES if actions[name].isEnabled()])
        tint(menu.actions())
        menu.aboutToHide.connect(self._forget_counts)
        menu.aboutToHide.connect(menu.deleteLater)
        tab.bar.open_below(menu)
        self._counted = views
        self._count()
        self._changed_today.ask()

    def _count(self) -> None:
        """While a menu is open; what changed today, which has a filter of the first column, once it is known."""
        known = self._changed_today.is_known
        views = tuple(view for view in self._counted if known or "gutter" not in view.filters)
        if views:
            self._counts.begin(counting(self._shop, views))

    def _show_count(self, told: tuple[str, int]) -> None:
        view, action = self._views.view_list.view(told[0]), self._open.get(told[0])
        if view is not None and action is not None:
            action.setText(counted_name(_text(view), told[1]))

    def _forget_counts(self) -> None:
        self._counts.stop()
        self._counted = ()
        for view in self._views.all():
            if view.id in self._open:
                self._open[view.id].setText(_text(view))

    # -- asking

    def ask_name(self) -> None:
        tab, here = self._lists.tab(), self._views.here()
        if tab is None or here is None:
            return
        taken = partial(self._named, tab)
        name = "" if here.is_all else here.name
        title, use = tr("Save view"), self._views.save
        show(ViewNameDialog(title, name, taken, use, replaces=True, parent=self._window))

    def ask_rename(self) -> None:
        tab, here = self._lists.tab(), self._views.here()
        if tab is None or here is None or here.is_all:
            return

        def taken(name: str) -> SavedView | None:
            known = self._named(tab, name)
            return None if known is not None and known.id == here.id else known

        title = tr("Rename {view}", view=tr("“{words}”", words=isolate(plain(here.name))))
        use = partial(self._views.rename, here)
        show(ViewNameDialog(title, here.name, taken, use, replaces=False, parent=self._window))

    def _named(self, tab: ResourceTab, name: str) -> SavedView | None:
        return self._views.view_list.named(name, tab.resource)


def _text(view: SavedView) -> str:
    return plain(view.name).replace("&", "&&")

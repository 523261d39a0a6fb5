"""The actions as QActions: enabled where they can do something, and saying why where they cannot."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QKeyCombination, QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from petstore_desktop.contract.operations import Stability
from petstore_desktop.desk.model.capabilities import Allowed
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.ui.base.building import short_lived
from petstore_desktop.ui.base.icons import set_icon, tint
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.actions import ACTIONS, MENUS, NEW_KEY, NEW_OF, SUBMENUS, ActionSpec, Need
from petstore_desktop.ui.text.translate import bare, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk

ONE_OF = {
    Resource.PETS: "pet",
    Resource.CATEGORIES: "category",
    Resource.ORDERS: "order",
    Resource.INVENTORY: "stock",
}
_DEPENDENT = [one for one in ACTIONS if one.act or one.missing or one.only or one.need is not Need.NOTHING]
"""What depends on what is on the screen."""


class ActionContext(Struct, frozen=True):
    """What the shown tab says about itself: its resource (None: no table), current record, count of selected rows,
    whether it can copy without any, and what its marks are filtered by: such as a data check."""

    resource: Resource | None = None
    current: Ref | None = None
    selected: int = 0
    copies: bool = False
    marks: str = ""

    def fits(self, spec: ActionSpec) -> bool:
        """Whether an action means something here."""
        listed = not spec.only or self.resource in spec.only
        return listed and (not spec.checks or self.marks in spec.checks)

    def has(self, need: Need) -> bool:
        """Whether what an action needs is there."""
        row, rows = self.current is not None, self.selected > 0
        return {
            Need.NOTHING: True,
            Need.ROW: row,
            Need.ANY: row or rows,
            Need.ROWS: rows,
            Need.COPY: rows or self.copies,
        }[need]


class ActionSet(QObject):
    """All actions of one window, by name; objectName is the name. `run` carries one out."""

    def __init__(self, window: QWidget, shop_name: str, run: Callable[[str], object]) -> None:
        super().__init__(window)
        self._shop_name = isolate(plain(shop_name))
        self._specs = {spec.name: spec for spec in ACTIONS}
        self.run = run
        self.is_early = True
        """Before the first paint, which need not wait for the words of how something ends."""
        self._said: dict[str, tuple[bool, bool, Allowed | None]] = {}
        """Of each action whether it fits what is shown, whether what it needs is there, and what is allowed."""
        named = frozenset(spec.keys for spec in ACTIONS if isinstance(spec.keys, str))
        self._made = {spec.name: self._make(spec, window, named) for spec in ACTIONS}
        self._new = "newPet"
        """What the key of New belongs to now."""

    def _make(self, spec: ActionSpec, window: QWidget, named: frozenset[str]) -> QAction:
        action = QAction(spec.text(), window)
        action.setObjectName(spec.name)
        action.setAutoRepeat(False)  # a key that is held would complete one order after the other
        if spec.icon:
            set_icon(action, spec.icon)
        if isinstance(spec.keys, QKeySequence.StandardKey):
            action.setShortcuts(keys_of(spec.keys, named))
        elif spec.keys:
            action.setShortcut(QKeySequence(spec.keys))
        action.triggered.connect(self._triggered)
        window.addAction(action)
        return action

    def __getitem__(self, name: str) -> QAction:
        return self._made[name]

    def words(self, name: str) -> str:
        """An action's text when nothing more is known."""
        return self._specs[name].text()

    def mend(self) -> None:
        """Open what the current record is edited by: its dialog, its stock, or its cell."""
        for name in ("editStock", "edit", "editCell"):
            if self._made[name].isEnabled():
                self._made[name].trigger()
                return

    def said(self, name: str) -> tuple[bool, bool, Allowed | None]:
        """Of an action whether it fits what is shown, whether what it needs is there, and what is allowed."""
        return self._said.get(name, (True, True, None))

    def _triggered(self) -> None:
        self.run(self.sender().objectName())

    def fill_menu_bar(self, bar: QMenuBar) -> dict[str, QMenu]:
        """One menu for each of MENUS; returned by name so that others can add to them."""
        menus = {name: bar.addMenu(text()) for name, text in MENUS}
        after = {spec: (name, above, text) for name, above, text, spec in SUBMENUS if spec}
        menus |= {name: menus[above].addMenu(text()) for name, above, text, spec in SUBMENUS if not spec}
        for spec in ACTIONS:
            menu = menus[spec.menu]
            if spec.separated:
                menu.addSeparator()
            menu.addAction(self._made[spec.name])
            if spec.name in after:
                name, above, text = after[spec.name]
                menus[name] = menus[above].addMenu(text())
        for menu in menus.values():
            menu.setToolTipsVisible(True)
            menu.aboutToShow.connect(partial(_tint, menu))
        return menus

    def menu_of(self, names: Iterable[str], parent: QWidget) -> QMenu:
        """A context menu; an empty name is a line, hidden actions are left out."""
        menu = short_lived(QMenu(parent))
        menu.setToolTipsVisible(True)
        for name in names:
            if name:
                menu.addAction(self._made[name])
            else:
                menu.addSeparator()
        _tint(menu)
        return menu

    def of_keys(self, keys: QKeySequence) -> list[str]:
        """The actions that have this key, those first that fit what is shown."""
        found = [name for name, action in self._made.items() if keys in action.shortcuts()]
        return sorted(found, key=lambda name: not self.said(name)[0])

    def takes_rows(self, keys: QKeyCombination) -> bool:
        """Whether an action with this key does something to rows of the list that is shown."""
        return any(self._specs[name].need is not Need.NOTHING for name in self.of_keys(QKeySequence(keys)))

    def _give_new_key(self, owner: str) -> None:
        """The key of New is that of what the shown tab holds."""
        for name in {owner, self._new} if owner != self._new else ():
            own = self._specs[name].keys
            keys = [*([NEW_KEY] if name == owner else []), *([own] if isinstance(own, str) and own != NEW_KEY else [])]
            self._made[name].setShortcuts([QKeySequence(key) for key in keys])
            self._said.pop(name, None)  # its tool tip names its key
        self._new = owner

    def update(self, context: ActionContext, desk: Desk) -> None:
        """Enable, show and explain every action for what is on the screen now."""
        self._give_new_key(NEW_OF[context.resource or Resource.PETS])
        there = {need for need in Need if context.has(need)}
        for spec in _DEPENDENT:
            fits = context.fits(spec)
            allowed = self._allowed(spec, context, desk) if fits and (spec.act or spec.missing) else None
            facts = (fits, spec.need in there, allowed)
            text = spec.of_all if spec.of_all is not None and context.selected < 2 else spec.text
            if self._said.get(spec.name) != facts or spec.of_all is not None:
                self._show(spec, facts, text())

    def _show(self, spec: ActionSpec, facts: tuple[bool, bool, Allowed | None], words: str) -> None:
        action, (fits, _, allowed) = self._made[spec.name], facts
        early = allowed is not None and allowed.ending is not None and self.is_early
        if not early:
            self._said[spec.name] = facts
        action.setVisible(fits)
        if allowed is not None and action.text() != words:
            action.setText(words)
        action.setEnabled(fits and facts[1] and (allowed is None or allowed.ok))
        tip = self._tip(spec, action, None if early else allowed)
        if action.toolTip() != tip:
            action.setToolTip(tip)

    def _allowed(self, spec: ActionSpec, context: ActionContext, desk: Desk) -> Allowed | None:
        if not spec.act:
            return Allowed(False, spec.missing) if spec.missing else None
        if "{" in spec.act and context.resource is None:
            return None
        act = spec.act
        if context.resource is not None:
            act = act.format(one=ONE_OF[context.resource], many=context.resource.value)
        allowed = desk.allowed(act, context.current if spec.need is not Need.NOTHING else None, spec.field)
        return replace(allowed, ok=False, reason=spec.missing) if spec.missing and allowed.ok else allowed

    def _tip(self, spec: ActionSpec, action: QAction, allowed: Allowed | None) -> str:
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        lines = [f"{bare(action.text())} ({keys})" if keys else bare(action.text())]
        if allowed is not None:
            lines += allowed_words(allowed, self._shop_name)
        elif spec.shown_key:
            lines.append(spec.shown_key)
        # Menus would take a tag in a shop's name for markup, and buttons escape by themselves: so no "<" at all.
        return "\n".join(lines).replace("<", "‹")


def _tint(menu: QMenu) -> None:
    tint(menu.actions())


def read_only_words() -> str:
    """Why nothing can be changed at a connection that may only be read."""
    return tr("This connection is read-only (File > Connection settings).")


_OBSTACLES: Mapping[str, Callable[[str], str]] = {
    "read-only-connection": lambda _: read_only_words(),
    "not-offered": lambda shop: tr("{shop} does not offer this.", shop=shop),
    "field-not-taken": lambda shop: tr(
        "{shop} changes other fields of it, but not this one (File > Operations > Fields shows which).", shop=shop
    ),
    "removed": lambda shop: tr("{shop} no longer offers this.", shop=shop),
    "field-guessed": lambda shop: tr(
        "The field is a guess by its name. Choose its name first, so that {shop} gets what you mean "
        "(File > Operations > Fields).",
        shop=shop,
    ),
    "key-doubted": lambda shop: tr(
        "It is not certain which record {shop} would change by this id. A profile says what its ids mean "
        "(File > Operations > Save as profile).",
        shop=shop,
    ),
    "no-contract": lambda shop: tr("What {shop} offers is not known yet.", shop=shop),
    "read-only": lambda _: tr("This order has no id: it can only be read."),
    "not-yet-sent": lambda _: tr("This is not sent yet: there is nothing to ask the service for."),
    "being-deleted": lambda _: tr("This is being deleted."),
    "no-stock-entry": lambda _: tr("There is no stock entry for this pet."),
    "stock-not-read": lambda _: tr("The stock of this pet has not been read."),
    "no-such-record": lambda _: tr("This record is gone."),
    "made-with-pet": lambda _: tr("A stock entry comes with its pet: add the pet."),
    "no-such-status": lambda shop: tr("{shop} has no such status. Choose one of its own in the cell.", shop=shop),
    "already-complete": lambda _: tr("This order is complete already."),
}


def obstacle_words(reason: str, shop: str = "") -> str:
    """Why something cannot be done; empty where `reason` is no obstacle that a shop or record has."""
    said = _OBSTACLES.get(reason)
    words = "" if said is None else said(shop or tr("the service"))
    return words if shop else words[:1].upper() + words[1:]


def allowed_words(allowed: Allowed, shop: str) -> list[str]:
    """Why something cannot be done, and how firmly the service stands by it."""
    over = allowed.ending is not None and allowed.reason == "removed"  # its end says it
    said = "" if allowed.ok or over else obstacle_words(allowed.reason, shop)
    lines = [said] if said else []
    if allowed.stability is Stability.BETA:
        lines.append(tr("The service calls this beta: it may change."))
    if allowed.stability is Stability.EXPERIMENTAL:
        lines.append(tr("The service calls this experimental: it may change or go."))
    if allowed.ending is not None:
        from petstore_desktop.ui.text.errors.operations import ending_words  # late: most operations have no end

        lines.append(ending_words(allowed.ending))
    return lines


def keys_of(standard: QKeySequence.StandardKey, named: Collection[str]) -> list[QKeySequence]:
    """The keys of this platform, first the one that is shown, but for those that an action is named with: to some
    desktops Ctrl+D is another Delete. For Redo both that are in use: each is a habit."""
    keys = [key for key in QKeySequence.keyBindings(standard) if key.toString() not in named]
    if standard is not QKeySequence.StandardKey.Redo:
        return keys
    both = [QKeySequence("Ctrl+Shift+Z"), QKeySequence("Ctrl+Y")]
    if sys.platform == "win32":
        both.reverse()
    return [*both, *(key for key in keys if key not in both)]

"""Keys and marks: every action with its key, and what each mark on a row means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QGridLayout, QScrollArea, QWidget

from petstore_desktop.ui.base.building import add, in_column
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.cells.pane_parts import IconLabel
from petstore_desktop.ui.context.actions import ACTIONS, MENUS, SUBMENUS
from petstore_desktop.ui.text.cell import MARK_ICONS, MARK_ORDER, MARK_TONES, mark_words
from petstore_desktop.ui.text.translate import bare, tr
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.ui.context.action_set import ActionSet


class HelpDialog(Dialog):
    """Two tables."""

    def __init__(self, actions: ActionSet, parent: QWidget | None = None) -> None:
        typing = tr("Type in a cell to replace its value; +12 adds, =40 sets.")
        super().__init__(tr("Keys and marks"), typing, parent, name="helpDialog")
        body = QWidget()
        marks = PlainLabel(tr("Marks"), "muted", 12, 600)
        column = in_column(body, marks, _marks(), margins=(20, 0, 20, 12), spacing=6)
        for menu, title in (*MENUS, *((name, title) for name, _, title, _ in SUBMENUS)):
            add(column, PlainLabel(bare(title()), "muted", 12, 600), _keys(actions, menu))
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setAccessibleName(tr("Keys and marks"))
        scroll.setWidget(body)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body.addWidget(scroll)
        self.set_primary(tr("Close"))
        self.spread((520, 540))


def _marks() -> QGridLayout:
    grid = QGridLayout()
    grid.setColumnStretch(1, 1)
    for row, mark in enumerate(MARK_ORDER):
        grid.addWidget(IconLabel(MARK_ICONS[mark], MARK_TONES[mark], mark_words(mark)), row, 0)
        grid.addWidget(PlainLabel(mark_words(mark)), row, 1)
    return grid


def _keys(actions: ActionSet, menu: str) -> QGridLayout:
    grid = QGridLayout()
    grid.setColumnStretch(0, 1)
    grid.setColumnMinimumWidth(1, current().scaled(130))
    for row, spec in enumerate(spec for spec in ACTIONS if spec.menu == menu):
        keys = actions[spec.name].shortcut().toString(QKeySequence.SequenceFormat.NativeText) or spec.shown_key
        grid.addWidget(PlainLabel(bare(spec.text())), row, 0)
        grid.addWidget(PlainLabel(keys, "muted"), row, 1)
    return grid

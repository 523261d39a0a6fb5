"""The tool bar of a list: its name, counts, notices with a next action, the filter field, and actions."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.action_set import ActionSet
from petstore_desktop.ui.tabs.specs import TabSpec
from petstore_desktop.ui.theme import current
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.fields import SearchField
from petstore_desktop.ui.widgets.labels import LinkLabel
from petstore_desktop.ui.widgets.tool_bar import ToolBar
from petstore_desktop.ui.words import tr

_FILTER_WIDTH, _FILTER_LEAST = 200, 90
_GO_FIRST = ("refresh", "importFile", "chooseColumns")
"""Into the menu of what there is no room for, in this order."""


class FilterField(SearchField):
    """The one filter over all columns; Down goes to the rows as Enter does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(tr("Filter"), "", parent)
        self.setObjectName("filterField")
        self.setAccessibleName(tr("Filter over all columns"))
        self.setMinimumWidth(current().scaled(_FILTER_LEAST))
        self.setMaximumWidth(current().scaled(_FILTER_WIDTH))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.updateGeometry()  # there may be no room for it any more

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down:
            self.returnPressed.emit()
        else:
            super().keyPressEvent(event)


class ListBar(ToolBar):
    """`notice` is a link beside the counts: stop reading, try again, what was set aside."""

    def __init__(self, spec: TabSpec, actions: ActionSet, parent: QWidget | None = None) -> None:
        super().__init__(spec.view(), parent)
        self.set_opens("viewName", tr("Views of this list"))
        self.notice = LinkLabel("")
        self.notice.setObjectName("listNotice")
        self.notice.hide()
        self.add_left(self.notice)
        self.filter = FilterField(self)
        self.add_widget(self.filter)
        self.buttons: list[Button] = []
        for name, kind in spec.tools:
            if kind == "plain":
                self._add_columns(actions)
            self.buttons.append(self.add_action(actions[name], kind))
            if name == spec.main:
                self.buttons[-1].setObjectName("newButton")
        if "columns" not in self.__dict__:
            self._add_columns(actions)
        names = [button.objectName() for button in self.buttons]
        going = [self.buttons[names.index(f"{name}Button")] for name in _GO_FIRST if f"{name}Button" in names]
        self.give_way(self.filter, going)

    def _add_columns(self, actions: ActionSet) -> None:
        """What opens the list of columns: before the filled button, the only one of its kind."""
        self.columns = self.add_action(actions["chooseColumns"], "icon", "columns")
        self.buttons.append(self.columns)

    def ask_filter(self) -> None:
        """Give the keyboard to the filter field, which is there for that where there was no room for it."""
        self.filter.show()
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    def set_notice(self, words: str) -> None:
        """The link's words; empty takes it away."""
        self.notice.set_text(words)
        self.notice.setVisible(bool(words))

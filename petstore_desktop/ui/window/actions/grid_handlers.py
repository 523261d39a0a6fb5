"""What the actions of cells do: copy, paste, fill, and select more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from petstore_desktop.ui.clipboard.copying import Copying
from petstore_desktop.ui.window.dialogs import open_preview

if TYPE_CHECKING:
    from collections.abc import Callable

    from petstore_desktop.desk.preview.preview import Preview
    from petstore_desktop.ui.clipboard.pasting import Pasting
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.window.main_window import MainWindow


class GridHandlers(QObject):
    """Connects these actions of one window."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._parts, self._tab = window, window.parts, window.tab
        self.copying = Copying(window.parts.say, self)
        self._pasting: Pasting | None = None
        on = window.parts.actions.on
        on("copy", self._copy)
        on("copyWithHeaders", lambda: self._with(lambda tab: self.copying.copy(tab.view, tab.model, headers=True)))
        on("paste", lambda: self._with(self.pasting.paste))
        on("fillDown", lambda: self._with(self.pasting.fill_down))
        on("fillSelection", lambda: self._with(self.pasting.fill))
        on("selectRows", lambda: self._with(lambda tab: tab.view.select_rows()))
        on("selectColumns", lambda: self._with(lambda tab: tab.view.select_columns()))
        on("freezeColumns", lambda: self._with(_freeze))
        on("letColumnsGo", lambda: self._with(lambda tab: tab.columns.freeze("")))

    @property
    def pasting(self) -> Pasting:
        """Loaded when something is pasted or filled first."""
        if self._pasting is None:
            from petstore_desktop.ui.clipboard.pasting import Pasting  # late

            self._pasting = Pasting(self._parts.edits, self._parts.say, self._show, self)
        return self._pasting

    def _show(self, preview: Preview, note: str) -> None:
        open_preview(self._window, preview, note=note)

    def _with(self, do: Callable[[ResourceTab], object]) -> None:
        tab = self._tab()
        if tab is not None:
            do(tab)

    def _copy(self) -> None:
        tab = self._tab()
        if tab is not None:
            self.copying.copy(tab.view, tab.model)
        else:
            self._window.activity().copy()


def _freeze(tab: ResourceTab) -> None:
    column = tab.view.currentIndex().column()
    if column >= 0:
        tab.columns.freeze(tab.table.columns[column].id)

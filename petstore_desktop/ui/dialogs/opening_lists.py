"""Opens dialogs about whole lists, and loads each only when it is opened, as `opening` does for those about records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petstore_desktop.ui.dialogs.opening import show

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    from petstore_desktop.desk.preview import Preview
    from petstore_desktop.ui.parts import WindowParts


def open_preview(
    parent: QWidget,
    parts: WindowParts,
    preview: Preview,
    title: str = "",
    note: str = "",
    done: Callable[[], object] | None = None,
) -> None:
    """Show many edits before they are saved. `title`: the act and the number, where the rows do not say it by
    themselves; `note`: what else is to be said; `done`: called when they are saved, not on Cancel."""
    from petstore_desktop.ui.dialogs.preview import PreviewDialog

    show(PreviewDialog(parts, preview, title, note, done, parent))

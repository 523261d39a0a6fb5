"""Opens dialogs about whole lists, and loads each only when it is opened, as `opening` does for those about records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from petstore_desktop.ui.window.dialogs import show

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QDialog, QWidget

    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.edit.preview import Preview
    from petstore_desktop.desk.jump.views import SavedView
    from petstore_desktop.domain.records import Ref, Resource
    from petstore_desktop.ui.context.action_set import ActionSet
    from petstore_desktop.ui.context.window_context import WindowParts
    from petstore_desktop.ui.files.import_memory import ImportMemory
    from petstore_desktop.ui.lists.resource_tab import ResourceTab
    from petstore_desktop.ui.palette.palette_controller import PaletteRoom
    from petstore_desktop.ui.widgets.fields import PaletteField


def open_preview(
    parent: QWidget,
    parts: WindowParts,
    preview: Preview,
    title: str = "",
    note: str = "",
    done: Callable[[], object] | None = None,
) -> QDialog:
    """Show many edits before they are saved. `title`: the act and the number, where the rows do not say it by
    themselves; `note`: what else is to be said; `done`: called when they are saved, not on Cancel."""
    from petstore_desktop.ui.preview.preview_dialog import PreviewDialog

    return show(PreviewDialog(parts, preview, title, note, done, parent))


def open_bulk_edit(parent: QWidget, parts: WindowParts, refs: tuple[Ref, ...]) -> None:
    """Ask for new values of several records of one kind, then show what they come to."""
    from petstore_desktop.ui.records.bulk_edit import BulkEditDialog

    show(BulkEditDialog(parts, refs, lambda preview: open_preview(parent, parts, preview), parent))


def open_minimum(parent: QWidget, desk: Desk, refs: tuple[Ref, ...], use: Callable[[int | None], object]) -> None:
    """Ask for the least stock that is wanted of these pets or categories."""
    from petstore_desktop.ui.records.minimum import MinimumDialog

    show(MinimumDialog(desk, refs, use, parent))


def open_import(parent: QWidget, parts: WindowParts, path: str, preferred: Resource) -> None:
    """Bring a file in; `preferred`: the list that the person looks at."""
    from pathlib import Path

    from petstore_desktop.ui.files.import_file import ImportDialog

    memory = import_memory(parts)
    memory.keep_folder(str(Path(path).parent))
    show(ImportDialog(parts, path, preferred, memory, parent))


def import_memory(parts: WindowParts) -> ImportMemory:
    """What is remembered of earlier files."""
    from petstore_desktop.ui.files.import_memory import ImportMemory

    return ImportMemory(parts.app)


def open_view_name(
    parent: QWidget,
    title: str,
    name: str,
    taken: Callable[[str], SavedView | None],
    use: Callable[[str], object],
    *,
    replaces: bool,
) -> None:
    """Ask for the name of a view; see `ViewNameDialog`."""
    from petstore_desktop.ui.views.view import ViewNameDialog

    show(ViewNameDialog(title, name, taken, use, replaces=replaces, parent=parent))


def palette_room(parts: WindowParts, field: PaletteField, window: QWidget) -> PaletteRoom:
    """The palette of a window, with its list."""
    from petstore_desktop.ui.palette.palette_controller import PaletteRoom

    return PaletteRoom(parts, field, window)


def why_not(name: str, actions: ActionSet, shop_name: str) -> str:
    """Why an action cannot be used now."""
    from petstore_desktop.ui.palette.palette_texts import why_not

    return why_not(name, actions, shop_name)


def rows_around(ref: Ref, typed: str) -> tuple[Resource, str]:
    """See `palette_room.list_of`."""
    from petstore_desktop.ui.palette.palette_controller import list_of

    return list_of(ref, typed)


def open_export(parent: QWidget, tab: ResourceTab) -> None:
    """Write what a list shows to a file."""
    from petstore_desktop.ui.files.export import ExportDialog

    show(ExportDialog(tab, parent))


def open_print(parent: QWidget, tab: ResourceTab) -> None:
    """Put what a list shows on paper or into a PDF."""
    from petstore_desktop.ui.files.printing import PrintDialog

    show(PrintDialog(tab, parent))

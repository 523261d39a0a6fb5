"""The name of a view: to save what a list shows under it, or to call a view otherwise."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.jump.views import LONGEST_NAME, SavedView
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import FormDialog


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

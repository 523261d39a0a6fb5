"""What Receive keeps beside its lines: the supplier note, for the next delivery of the day too."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.receiving.delivery import MOST_NOTE
from petstore_desktop.domain.commands import KeepDraft
from petstore_desktop.ui.base.building import in_column, named, timer
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.fields import FormField

if TYPE_CHECKING:
    from petstore_desktop.shop.live_shop import LiveShop

FORM: Final = "receive-note"
_KEPT_AFTER_MS = 300


class SupplierNote(QWidget):
    """The field at the lower end of the station. `labels`: whether labels are printed after booking, kept with it."""

    def __init__(self, shop: LiveShop, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shop = shop
        self._touched = False
        self.labels = False
        self.field = FormField(
            tr("Supplier note"), tr("Stands beside each of these changes in the history."), name="supplierNote"
        )
        self.field.edit.setMaxLength(MOST_NOTE)
        # Tab would come back from the proxy to its line, and never go on.
        self.field.setFocusProxy(None)  # pyright: ignore[reportArgumentType] -- None takes it away
        named(self, "supplierNoteBox")
        in_column(self, self.field)
        self._soon = timer(self, _KEPT_AFTER_MS, self.keep, once=True)
        self.field.changed.connect(self._typed)

    def text(self) -> str:
        """The note, without space around it."""
        return self.field.text().strip()

    def set_stacked(self, stacked: bool) -> None:
        """Whether there is little room: the field alone says what it is for."""
        self.field.label.setVisible(not stacked)
        self.field.edit.setPlaceholderText(tr("Supplier note") if stacked else "")
        self.field.set_note("" if stacked else tr("Stands beside each of these changes in the history."))

    def fill(self, *, under_way: bool) -> None:
        """Show what is kept, unless something was typed: of another day only for a delivery that is `under_way`."""
        draft = self._shop.desk.drafts.get(FORM)
        if draft is None or self._touched:
            return
        self.labels = draft.content.get("labels") == "on"
        if under_way or draft.content.get("day") == self._shop.desk.today.isoformat():
            self.field.set_text(draft.content.get("note", "")[:MOST_NOTE])

    def set_labels(self, wanted: bool) -> None:
        """Whether labels are wanted after booking."""
        self.labels, self._touched = wanted, True
        self.keep()

    def _typed(self) -> None:
        self._touched = True
        self._soon.start()

    def keep(self) -> None:
        """Store it now."""
        self._soon.stop()
        content = {
            "note": self.text(),
            "day": self._shop.desk.today.isoformat(),
            "labels": "on" if self.labels else "off",
        }
        kept = self._shop.desk.drafts.get(FORM)
        if kept is None or dict(kept.content) != content:
            self._shop.submit(KeepDraft(FORM, content))

    def settle(self) -> None:
        """Store what was typed a moment ago."""
        if self._soon.isActive():
            self.keep()

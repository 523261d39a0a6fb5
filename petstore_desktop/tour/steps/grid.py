"""Many rows at once: a new value for all that a filter leaves, seen before it is saved."""

from __future__ import annotations

from PySide6.QtWidgets import QTableView

from petstore_desktop.tour import stage as stage_module
from petstore_desktop.tour.pilot import StepFailed, hold, press, until, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, cell_of, expect
from petstore_desktop.tour.steps.change import status_of
from petstore_desktop.ui.preview.preview_dialog import PreviewDialog

_KIND = """SELECT c.name FROM pets p JOIN categories c ON c.id = p.category_id GROUP BY c.name
    HAVING count(*) <= 12 AND sum(p.status = 'available') >= 3 ORDER BY count(*) DESC, c.name LIMIT 1 OFFSET ?"""


def _preview(stage: Stage, place: int, status: str) -> PreviewDialog:
    """All pets of one kind shall get this status: filter, Ctrl+A, Ctrl+E, its first letter, Enter."""
    table = stage.go("Pets")
    stage.filter(str(stage.shop.value(_KIND, place)))
    until(lambda: 3 <= table.model().rowCount() < 40, lambda: f"the filter leaves {table.model().rowCount()} pets")
    press("Return")
    press("Ctrl+A")
    until(stage.window.parts.actions["edit"].isEnabled, "Ctrl+E cannot be used")
    press("Ctrl+E")
    stage.dialog("bulkEditDialog")
    write(stage_module.spell(status))
    press("Return")
    dialog = stage.dialog("previewDialog")
    if not isinstance(dialog, PreviewDialog):
        raise StepFailed("the preview is another dialog")
    title = f"Set {len(dialog.changes)} pets to {status}"
    hold(bare(dialog.windowTitle()) == title, f"the preview says {dialog.windowTitle()!r}, not {title!r}")
    until(dialog.price.isVisible, "the preview does not say what it costs")
    return dialog


def previewed(stage: Stage) -> None:
    """What would change is shown row by row, with its price; Space leaves the first row out."""
    dialog = _preview(stage, 0, "sold")
    out = dialog.changes[0].ref.key
    before = len(dialog.changes)
    press("Space")
    expect(dialog, "1 of ", "is left out", f"{before - 1} request")
    pets = [change.ref.key for change in dialog.changes]
    hold(out not in pets and len(pets) == before - 1, f"{pets} would be changed")
    stage.notes = {f"pet{n}": pet for n, pet in enumerate(pets) if isinstance(pet, int)}
    stage.notes |= {"out": out if isinstance(out, int) else 0, "mark": stage.shop.mark()}


def saved(stage: Stage) -> None:
    """Ctrl+Enter saves the ticked changes as one job; each arrives once, and left-out rows stay unchanged."""
    out, mark = stage.notes["out"], stage.notes["mark"]
    pets = [pet for name, pet in stage.notes.items() if name.startswith("pet")]
    was = status_of(stage, out)
    press("Ctrl+Return")
    stage.closed("previewDialog")
    until(lambda: all(status_of(stage, pet) == "sold" for pet in pets), "not all of them arrived", 30.0)
    until(lambda: stage.badge("outboxBadge") == "", "something is unsent still")
    hold(status_of(stage, out) == was, "what was left out was sent")
    for pet in pets:
        hold(len(stage.shop.writes(f"/v1/pets/{pet}", mark)) == 1, f"#{pet} was not sent exactly once")
    table = stage.find(QTableView, "petsTable")
    hold(cell_of(table, pets[0], "Status").text == "sold", "the list does not show it")


def previewed_dark(stage: Stage) -> None:
    """The same in the dark."""
    stage.notes = {"mark": stage.shop.mark()}
    _preview(stage, 1, "pending")


def left(stage: Stage) -> None:
    """Cancel: nothing is saved, nothing is sent."""
    press("Esc")
    stage.closed("previewDialog")
    sent = [line for line in stage.shop.requests(stage.notes["mark"]) if line["method"] != "GET"]
    hold(not sent, f"something was sent: {sent}")
    hold(stage.badge("outboxBadge") == "", "something was saved")
    stage.unfilter()


BULK = (
    TourStep("bulk-preview-light", previewed),
    TourStep("bulk-saved-light", saved),
    TourStep("bulk-done", Stage.unfilter, picture=False),
)

BULK_DARK = (TourStep("bulk-preview-dark", previewed_dark), TourStep("bulk-cancelled", left, picture=False))

"""A file from a spreadsheet, with mistakes: dropped on the window, mended, previewed and saved as one batch."""

from __future__ import annotations

import tempfile
from pathlib import Path

from PySide6.QtWidgets import QAbstractButton, QComboBox, QTableView, QWidget

from petstore_desktop.tour.pilot import click, drop, hold, press, until, write
from petstore_desktop.tour.runner import TourStep
from petstore_desktop.tour.stage import Stage, bare, expect
from petstore_desktop.tour.steps.change import status_of

_SOME = "SELECT id, name FROM pets WHERE status = 'available' AND id < 1000000 ORDER BY id LIMIT 7"
_WORDS = {"lost": "lost", "sold": "verkauft", "": "verfügbar"}
"""What the file says: German words, one that means nothing, and for most what the shop has already."""


def _file(name: str, lines: list[str]) -> Path:
    """A file as an older spreadsheet writes it."""
    path = Path(tempfile.mkdtemp(prefix="petstore-tour-")) / name
    path.write_bytes("\r\n".join(lines).encode("windows-1252", "replace"))
    return path


def _pets(stage: Stage) -> list[tuple[int, str]]:
    return [(int(key), name) for key, name in stage.shop.rows(_SOME)]


def _lines(pets: list[tuple[int, str]], words: list[str]) -> list[str]:
    cells = ((key, '"' + name.replace('"', '""') + '"', word) for (key, name), word in zip(pets, words, strict=True))
    return [f"{key};{name};{word}" for key, name, word in cells]


def _drop(stage: Stage, name: str, lines: list[str], counts: str) -> QWidget:
    """Drop such a file on the window; its dialog, once it says how many rows do what."""
    path = _file(name, lines)
    drop(stage.window, str(path))
    dialog = stage.dialog("importDialog")
    expect(dialog, counts)
    path.unlink()
    path.parent.rmdir()
    return dialog


def rows_wrong(stage: Stage) -> None:
    """Detect encoding, separator and columns; wrong rows show their reason."""
    stage.go("Pets")
    pets = _pets(stage)
    stage.notes["imported"] = pets[0][0]
    words = [_WORDS["sold"], _WORDS["lost"], *[_WORDS[""]] * (len(pets) - 2)]
    lines = ["Artikelnummer;Bezeichnung;Zustand", *_lines(pets, words), "99;Niemand;verkauft"]
    counts = f"1 to change, 0 new, {len(pets) - 2} the same, 2 wrong."
    dialog = _drop(stage, "Bestand.csv", lines, counts)
    until(lambda: stage.shows("importWrong"), "the pages do not show")
    wrong = stage.find(QAbstractButton, "importWrong", dialog)
    until(lambda: wrong.width() == wrong.sizeHint().width(), "the pages have not got their room")
    click(wrong)
    until(lambda: stage.find(QTableView, "importTable", dialog).model().rowCount() == 2, "the wrong rows do not show")
    letters = bare(stage.find(QComboBox, "importEncoding", dialog).currentText())
    hold(letters == "Windows, Western (1252)", f"the file is read as {letters}")


def mended(stage: Stage) -> None:
    """Correct a value in its cell; the preview shows old and new values and the rows left out."""
    dialog = stage.dialog("importDialog")
    table = stage.find(QTableView, "importTable", dialog)
    press("Tab")
    until(table.hasFocus, "Tab does not lead to the rows")
    hold(str(table.currentIndex().data()) == "lost", f"the current cell is {table.currentIndex().data()!r}")
    write("verkauft")
    press("Return")
    expect(dialog, "2 to change")
    primary = stage.find(QAbstractButton, "primaryButton", dialog)
    until(primary.isEnabled, "the preview is not offered")
    press("Tab", 3)
    until(primary.hasFocus, "Tab does not lead to the button")
    press("Return")
    preview = stage.dialog("previewDialog")
    expect(preview, "1 wrong.", "Save 2 changes")


def saved(stage: Stage) -> None:
    """Ctrl+Enter saves all of it; each change arrives once."""
    mark = stage.shop.mark()
    press("Ctrl+Return")
    stage.closed("previewDialog")
    stage.closed("importDialog")
    pet = stage.notes["imported"]
    until(lambda: status_of(stage, pet) == "sold", "the shop did not get the import")
    until(lambda: stage.badge("outboxBadge") == "", "something is unsent still")
    hold(len(stage.shop.writes(f"/v1/pets/{pet}", mark)) == 1, f"#{pet} was not sent exactly once")


def columns_dark(stage: Stage) -> None:
    """The columns and what they are imported as, in the dark; an unknown column waits for a person."""
    stage.go("Pets")
    pets = _pets(stage)[:3]
    lines = [f"{line};A" for line in _lines(pets, ["pending"] * len(pets))]
    dialog = _drop(stage, "shelves.csv", ["Id;Name;Status;Shelf", *lines], "3 to change")
    until(lambda: stage.shows("importColumn3"), "the columns do not show")
    shelf = bare(stage.find(QComboBox, "importColumn3", dialog).currentText())
    hold(shelf == "Not used", f"the shelf becomes {shelf}")


def preview_dark(stage: Stage) -> None:
    """Enter leads on to the preview."""
    press("Return")
    expect(stage.dialog("previewDialog"), "Columns: Id, Name, Status.")


def left_dark(stage: Stage) -> None:
    """Esc twice: nothing was changed."""
    press("Esc")
    stage.dialog("importDialog")
    until(lambda: not stage.shows("previewDialog"), "Esc does not leave the preview")
    press("Esc")
    stage.closed("importDialog")
    hold(stage.badge("outboxBadge") == "", "something was saved")


IMPORTING = (
    TourStep("import-rows-light", rows_wrong),
    TourStep("import-preview-light", mended),
    TourStep("import-saved", saved, picture=False),
)
IMPORTING_DARK = (
    TourStep("import-columns-dark", columns_dark),
    TourStep("import-preview-dark", preview_dark),
    TourStep("import-left-dark", left_dark, picture=False),
)

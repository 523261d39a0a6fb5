"""The contrast of every two colours that are used on each other, in every theme; and what is found in pictures."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage, QPainter, QPalette
from PySide6.QtWidgets import QApplication

from petstore_desktop.ui.base.colours import LIGHT, Tokens, contrast, contrast_tokens, selected_tokens, system_tokens
from petstore_desktop.ui.base.theme import Theme
from petstore_desktop.ui.cells.cell_paint import make_brush, paint_cell
from petstore_desktop.ui.text.cell import Cell, Mark, pill_cell
from petstore_desktop.ui.widgets.paint import draw_text
from tests.ui.base.colour_pairs import (
    DIVIDING,
    DRAWN,
    EDGE,
    EDGES,
    HIGH,
    HIGH_CONTRAST,
    NOT_NEEDED,
    ON_PLANES,
    SELECTED,
    TEXT,
    THEMES,
    drawn_on,
    found_pairs,
    pairs,
    probe_tokens,
    wrong_colours,
    wrong_in,
)
from tests.ui.pictures import PICTURES

ROOT = Path(__file__).resolve().parents[3]


def drawn_with(tokens: Tokens, front: str, back: str, *, high: bool) -> str:
    """The colour of a token on a plane: on a selected row in high contrast it is the other way round."""
    return selected_tokens(tokens)[front] if high and back in SELECTED and front != "on_select" else tokens[front]


@pytest.mark.parametrize("name", THEMES)
def test_every_pair_has_its_contrast(name: str) -> None:
    tokens, high, wrong = THEMES[name], name in HIGH, list[str]()
    for table, usual in ((ON_PLANES, TEXT), (EDGES, EDGE)):
        for front, back in pairs(table):
            ratio = contrast(drawn_with(tokens, front, back, high=high), tokens[back])
            if ratio < (HIGH_CONTRAST if high else usual):
                wrong.append(f"{front} on {back}: {ratio:.2f}")
    assert wrong == []


def test_contrast_is_that_of_the_guidelines() -> None:
    assert contrast("#FFFFFF", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)  # the usual example of what just fails
    assert contrast("#FF0000", "#0000FF") == pytest.approx(2.15, abs=0.01)


def test_every_token_is_in_the_tables_and_is_a_colour_of_six_digits() -> None:
    planes = {back for _, back in (*pairs(ON_PLANES), *pairs(EDGES), *NOT_NEEDED)}
    assert planes | DRAWN | DIVIDING == set(LIGHT)
    for tokens in THEMES.values():
        assert tokens.keys() == LIGHT.keys()
        assert all(QColor(colour).name().upper() == colour for colour in tokens.values())


def test_lines_and_selections_are_seen_in_high_contrast() -> None:
    for name in HIGH:
        tokens = THEMES[name]
        for front, back in (("line", "content"), ("select", "content"), ("select_off", "content"), ("bar", "content")):
            assert contrast(tokens[front], tokens[back]) >= HIGH_CONTRAST, (name, front)


def painted(kind: str, folder: Path) -> list[Path]:
    """Pictures of the window in probe colours."""
    command = [sys.executable, "-m", "tests.ui.base.probe_pictures", kind, "scenes", str(folder)]
    surroundings = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True, timeout=170, check=False)
    assert done.returncode == 0, done.stderr
    return sorted(folder.rglob(PICTURES))


@pytest.mark.timeout(200)
@pytest.mark.parametrize("kind", ["ordinary", "contrast"])
def test_pictures_show_only_pairs_that_are_known_and_colours_of_the_theme(tmp_path: Path, kind: str) -> None:
    """Those of dialogs are looked at where they are measured: tests/ui/window/test_dialogs_fit.py."""
    pictures = painted(kind, tmp_path)
    assert len(pictures) >= 21
    assert wrong_colours(pictures, kind) == []


def test_a_pair_that_is_not_known_is_found_in_a_picture(qapp: QApplication) -> None:
    def said(*, high: bool) -> list[str]:
        return wrong_in("it", picture, drawn_on(found_pairs(picture)), high=high)

    probe = probe_tokens()
    picture = QImage(200, 40, QImage.Format.Format_RGB32)
    picture.fill(QColor(probe["pressed"]))
    theme, painter = Theme(probe, dark=False), QPainter(picture)
    draw_text(painter, theme, 10, 25, "Refused by the service", theme.color("bad"))
    painter.fillRect(150, 10, 20, 20, QColor("#123456"))
    painter.end()
    assert said(high=False) == ["it: bad on pressed is in no table", "it: #123456 is of no theme"]
    assert said(high=True) == ["it: #123456 is of no theme"]
    picture.fill(QColor(probe["fill"]))
    painter = QPainter(picture)
    draw_text(painter, theme, 10, 25, "Refused by the service", theme.color("bad"))
    painter.end()
    assert said(high=True) == ["it: bad on fill: 1.00"] * 2


MARKS: tuple[Mark | None, ...] = (None, "unsent", "conflict", "refused")


@pytest.mark.parametrize("mark", MARKS)
def test_a_selected_row_is_the_other_way_round_in_high_contrast(qapp: QApplication, mark: Mark | None) -> None:
    probe = probe_tokens()
    theme, rect = Theme(probe, dark=False, high_contrast=True), QRect(0, 0, 260, 30)
    cells = (
        Cell(text="Koi", muted=True, mark=mark),
        Cell(text="–", mark=mark),
        Cell(kind="ref", text="Koi", ref_id="1234", note="gone", mark=mark),
        Cell(kind="date", text="6 Nov", icon="overdue", tone="bad", mark=mark),
        Cell(kind="number", text="12", mark=mark),
        Cell(kind="stock", text="36", base="24", chip="+12", result="36", mark=mark),
        Cell(kind="stock", text="3", low=True, mark=mark),
        Cell(kind="gutter", mark=mark),
        Cell(kind="chip", text="+3", tone="wait", mark=mark),
        pill_cell("sold", "sold", mark=mark),
    )
    for cell in cells:
        image = QImage(rect.size(), QImage.Format.Format_RGB32)
        image.fill(theme.color("select"))
        painter = QPainter(image)
        paint_cell(make_brush(painter, theme, rect, False, True), cell, False)
        painter.end()
        used = {name for pair in found_pairs(image) for name in pair}
        assert used <= {"select", "on_select"}, cell


def test_the_colours_of_a_contrast_theme_of_the_system_are_taken_if_they_are_one() -> None:
    role = QPalette.ColorRole
    palette = QPalette(QColor("#000000"))
    named = {role.Base: "#202020", role.Text: "#FFFFFF", role.Highlight: "#8EE3F0", role.HighlightedText: "#263B50"}
    for one, colour in named.items():  # the theme "Aquatic" of Windows
        palette.setColor(one, QColor(colour))
    palette.setColor(role.Link, QColor("#75E9FC"))
    tokens = system_tokens(palette)
    assert tokens is not None
    assert {tokens[name] for name in ("ok", "wait", "bad", "muted", "text", "line")} == {"#FFFFFF"}
    assert {tokens[name] for name in ("ok_bg", "wait_bg", "bad_bg", "edit", "content")} == {"#202020"}
    assert (tokens["select"], tokens["on_select"], tokens["accent"]) == ("#8EE3F0", "#263B50", "#75E9FC")
    palette.setColor(role.Link, QColor("#2457D1"))
    assert (system_tokens(palette) or {})["accent"] == "#FFFFFF"
    palette.setColor(role.HighlightedText, QColor("#FFFFFF"))
    assert system_tokens(palette) is None


def test_without_greys_all_tones_of_a_high_contrast_theme_are_one() -> None:
    assert set(contrast_tokens("#000000", "#FFFF00").values()) == {"#000000", "#FFFF00"}

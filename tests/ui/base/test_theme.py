"""Every colour pair as it is used, the fonts' ratios, and how the theme follows the person's choice."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit

from petstore_desktop.ui.base import theme as theme_module
from petstore_desktop.ui.base.theme import (
    DARK,
    LIGHT,
    MOST_SHOWN,
    Theme,
    ThemeController,
    Tokens,
    isolate,
    plain,
    tooltip,
)

TEXT, EDGE = 4.5, 3.0
# What is written or drawn on what, from the table of the design: token -> the planes it is used on.
ON_PLANES = {
    "text": ("chrome", "content", "raised", "hover", "sunken", "select", "select_off", "edit", "wait_bg", "bad_bg"),
    "muted": ("chrome", "content", "raised", "hover", "sunken", "select", "select_off", "edit", "wait_bg", "bad_bg"),
    "faint": ("chrome", "content", "raised", "sunken"),
    "accent": ("chrome", "content", "select", "edit"),
    "ok": ("chrome", "content", "ok_bg"),
    "wait": ("chrome", "content", "wait_bg", "edit", "select", "select_off"),
    "done": ("content", "done_bg"),
    "bad": ("chrome", "content", "bad_bg", "select"),
    "on_fill": ("fill",),
    "on_toast": ("toast",),
    "toast_link": ("toast",),
    "toast_key": ("toast",),
}
EDGES = {
    "control": ("content", "raised"),  # form fields and check boxes
    "accent": ("content", "chrome", "hover", "select", "select_off"),  # focus rings, the bar of an unsent change
    "faint": ("line",),  # what is left in a meter against its track
    "wait": ("line", "wait_bg"),  # the same from the reserve down; the bar of a conflict
    "bad": ("bad_bg",),  # the bar of a refused change
    "amber": ("content", "wait_bg"),  # the low part of a bar; the frame of a rehearsal
    "on_fill": ("fill",),  # the ring in a primary button
}


def luminance(color: str) -> float:
    """Relative luminance (WCAG 2.2, definition of "relative luminance")."""
    channels = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Contrast ratio (WCAG 2.2, definition of "contrast ratio")."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def pairs(table: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
    return [(front, back) for front, planes in table.items() for back in planes]


@pytest.fixture
def controller(qapp: QApplication) -> Iterator[ThemeController]:
    made = ThemeController(qapp, "light")
    yield made
    made.set_preference("light")


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), pairs(ON_PLANES))
def test_text_has_a_contrast_of_four_and_a_half_on_every_plane_it_is_used_on(
    tokens: Tokens, front: str, back: str
) -> None:
    assert contrast(tokens[front], tokens[back]) >= TEXT


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize(("front", "back"), pairs(EDGES))
def test_edges_meters_and_rings_have_a_contrast_of_three(tokens: Tokens, front: str, back: str) -> None:
    assert contrast(tokens[front], tokens[back]) >= EDGE


def test_every_token_is_a_colour_of_six_digits() -> None:
    for tokens in (LIGHT, DARK):
        assert len(tokens) == 31
        for color in tokens.values():
            assert QColor(color).name().upper() == color


def test_the_sheet_has_no_token_left_unfilled(qapp: QApplication) -> None:
    sheet = Theme(DARK, dark=True).stylesheet()
    assert "@" not in sheet
    assert DARK["raised"] in sheet


def test_highlight_keeps_the_text_colour_and_fades_without_focus(qapp: QApplication) -> None:
    palette = Theme(LIGHT, dark=False).palette()
    role, group = QPalette.ColorRole, QPalette.ColorGroup
    assert palette.color(group.Active, role.Highlight) == QColor(LIGHT["select"])
    assert palette.color(group.Inactive, role.Highlight) == QColor(LIGHT["select_off"])
    assert palette.color(group.Active, role.HighlightedText) == QColor(LIGHT["text"])
    assert palette.color(group.Active, role.PlaceholderText) == QColor(LIGHT["faint"])


@pytest.mark.parametrize("points", [True, False], ids=["points", "pixels"])
def test_sizes_and_heights_are_ratios_of_the_platforms_font(qapp: QApplication, points: bool) -> None:
    before = QApplication.font()
    font = QFont(before)
    if points:
        font.setPointSizeF(20.0)
    else:
        font.setPixelSize(26)
    try:
        QApplication.setFont(font)
        large = Theme(LIGHT, dark=False)
        title, body = large.font(24), large.font()
        size = (title.pointSizeF() / body.pointSizeF()) if points else title.pixelSize() / body.pixelSize()
        assert size == pytest.approx(24 / 13, abs=0.02)
        assert large.height(30) == round(large.metrics().height() + 14)
        assert large.scaled(16) > 16
    finally:
        QApplication.setFont(before)


def test_tabular_figures_are_asked_for_only_where_wanted(qapp: QApplication) -> None:
    theme = Theme(LIGHT, dark=False)
    tag = QFont.Tag("tnum")
    assert theme.font(13, 400, True).featureValue(tag) == 1
    assert tag not in theme.font(13, 400, False).featureTags()


def test_the_persons_choice_overrides_the_system_and_is_announced(
    qapp: QApplication, controller: ThemeController
) -> None:
    heard: list[object] = []
    controller.changed.connect(heard.append)
    controller.set_preference("dark")
    assert controller.theme.dark
    assert theme_module.current() is controller.theme
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor(DARK["content"])
    assert heard == [controller.theme]
    controller.set_preference("dark")
    assert len(heard) == 1


def test_an_unknown_system_scheme_means_light(qapp: QApplication, controller: ThemeController) -> None:
    controller.set_preference("dark")
    controller.set_preference("system")
    assert not controller.theme.dark  # the offscreen platform reports Unknown


def test_high_contrast_takes_the_systems_colours_and_no_tints(qapp: QApplication) -> None:
    system = QPalette(QColor("#000000"))
    system.setColor(QPalette.ColorRole.Base, QColor("#000000"))
    system.setColor(QPalette.ColorRole.Text, QColor("#FFFF00"))
    tokens = theme_module.tokens_from_palette(system)
    assert {tokens["ok"], tokens["wait"], tokens["bad"], tokens["muted"], tokens["text"]} == {"#ffff00"}
    assert {tokens["ok_bg"], tokens["wait_bg"], tokens["bad_bg"], tokens["edit"], tokens["content"]} == {"#000000"}


def test_the_sheet_leaves_own_painted_fields_without_a_frame(qapp: QApplication, controller: ThemeController) -> None:
    plain_edit, bare = QLineEdit(), QLineEdit()
    bare.setProperty("bare", True)
    for edit in (plain_edit, bare):
        edit.ensurePolished()
    assert plain_edit.sizeHint().height() > bare.sizeHint().height()


def test_service_text_shows_its_control_and_bidi_characters() -> None:
    assert plain("Koi") == "Koi"
    assert plain("a\nb\r\nc") == "a↵b↵c"
    assert plain("evil\u202eoik\u0007") == "evil‹202E›oik␇"
    assert plain("schön ‌نمونه") == "schön ‌نمونه"
    assert plain("\x9f") == "‹9F›"


def test_service_text_of_a_million_letters_is_cut() -> None:
    assert plain("x" * MOST_SHOWN) == "x" * MOST_SHOWN
    for letter in ("x", "ж"):
        assert plain(letter * 1_000_000) == letter * MOST_SHOWN + "…"


def test_tool_tips_and_isolates_do_not_interpret_text() -> None:
    assert "&lt;b&gt;" in tooltip("<b>")
    assert tooltip("") == ""
    assert isolate("7") == "\u20687\u2069"

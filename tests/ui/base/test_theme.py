"""The fonts' ratios, and how the theme follows the person's choice. Its colours are in test_colours.py."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit

from petstore_desktop.ui.base import theme as theme_module
from petstore_desktop.ui.base.colours import BLACK, BRIGHT, DARK, LIGHT
from petstore_desktop.ui.base.theme import MOST_SHOWN, Theme, ThemeController, isolate, plain, tooltip


def _yes(_: ThemeController) -> bool:
    return True


@pytest.fixture
def controller(qapp: QApplication) -> Iterator[ThemeController]:
    made = ThemeController(qapp, "light")
    yield made
    made.set_contrast("off")
    made.set_preference("light")


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


def test_high_contrast_is_chosen_beside_light_and_dark_and_takes_effect_at_once(
    qapp: QApplication, controller: ThemeController
) -> None:
    heard: list[object] = []
    controller.changed.connect(heard.append)
    controller.set_contrast("on")
    assert controller.theme.tokens is BRIGHT
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor("#FFFFFF")
    assert qapp.palette().color(QPalette.ColorRole.HighlightedText) == QColor("#FFFFFF")
    assert "3px solid #000000" in qapp.styleSheet(), "the field with the keyboard is outlined more strongly"
    controller.set_preference("dark")
    assert controller.theme.tokens is BLACK
    assert controller.theme.high_contrast and controller.theme.dark
    controller.set_contrast("off")
    assert controller.theme.tokens is DARK
    assert len(heard) == 3
    controller.set_contrast("off")
    assert len(heard) == 3


def test_the_systems_wish_for_contrast_counts_unless_the_person_decides(
    qapp: QApplication, controller: ThemeController, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ThemeController, "_asked_by_system", _yes)
    controller.apply()
    assert controller.theme.tokens is BRIGHT
    controller.set_contrast("off")
    assert controller.theme.tokens is LIGHT
    controller.set_contrast("system")
    assert controller.theme.tokens is BRIGHT


def test_a_contrast_theme_of_the_system_keeps_its_colours(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    before, role = qapp.palette(), QPalette.ColorRole
    chosen = QPalette(before)
    for one, colour in ((role.Base, "#000000"), (role.Text, "#FFFF00"), (role.Highlight, "#00FFFF")):
        chosen.setColor(one, QColor(colour))
    chosen.setColor(role.HighlightedText, QColor("#000000"))
    monkeypatch.setattr(ThemeController, "_asked_by_system", _yes)
    qapp.setPalette(chosen)
    try:
        made = ThemeController(qapp)
        assert made.theme.dark and made.theme.color("muted") == QColor("#FFFF00")
        made.set_preference("dark")
        assert made.theme.tokens is BLACK, "who chooses a theme in the program gets that"
    finally:
        qapp.setPalette(before)
        ThemeController(qapp, "light", contrast="off")


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

"""Labels, links, buttons and fields: worked by keyboard, named, plain about text, painted in both themes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QPalette, QTextLayout
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from petstore_desktop.ui.base import icons
from petstore_desktop.ui.base.theme import ThemeController, current
from petstore_desktop.ui.compare.moment_range import MomentField
from petstore_desktop.ui.station.station_page import StationFoot, StationHead
from petstore_desktop.ui.status.quota_meter import QuotaMeter
from petstore_desktop.ui.status.status_line import CountBadge, StateLabel
from petstore_desktop.ui.widgets import labels
from petstore_desktop.ui.widgets.button import Button, CheckBox, needs_with_keys
from petstore_desktop.ui.widgets.chooser import Chooser
from petstore_desktop.ui.widgets.fields import ColumnFilterField, FormField, SearchField
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel
from petstore_desktop.ui.widgets.paint import MOST_SHOWN, elided
from tests.support.seen_texts import cut_in, tip_at
from tests.ui.widgets.seeing import name_of, shown


def badge() -> CountBadge:
    made = CountBadge()
    made.set_count(3, "3 unsent", "saved", "accent")
    return made


def state() -> StateLabel:
    made = StateLabel()
    made.set_state("live", "Riverside Pets, live", "ok")
    return made


CLICKABLE: dict[str, Callable[[], QWidget]] = {
    "primary": lambda: Button("Save 212 changes", "primary", "check", "Ctrl+Enter"),
    "plain": lambda: Button("Test and connect", "plain", price="1 request"),
    "quiet": lambda: Button("Server response", "quiet"),
    "icon": lambda: Button("Menu", "icon", "menu"),
    "link": lambda: LinkLabel("Check live"),
    "badge": badge,
    "state": state,
    "meter": QuotaMeter,
}


@pytest.mark.parametrize("kind", CLICKABLE)
@pytest.mark.parametrize("key", [Qt.Key.Key_Space, Qt.Key.Key_Return], ids=["space", "enter"])
def test_what_can_be_clicked_works_by_keyboard_and_has_a_name(qtbot: QtBot, kind: str, key: Qt.Key) -> None:
    widget = CLICKABLE[kind]()
    shown(qtbot, widget)
    assert widget.focusPolicy() == Qt.FocusPolicy.StrongFocus
    assert name_of(widget)
    with qtbot.waitSignal(widget.clicked):
        qtbot.keyClick(widget, key)


@pytest.mark.parametrize("kind", CLICKABLE)
def test_focus_is_seen_and_does_not_move_the_layout(qtbot: QtBot, kind: str) -> None:
    holder = QWidget()
    column = QVBoxLayout(holder)
    widget, other = CLICKABLE[kind](), Button("Other")
    column.addWidget(widget)
    column.addWidget(other)
    shown(qtbot, holder)
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    without, size = widget.grab().toImage(), widget.size()
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)
    assert widget.grab().toImage() != without
    assert widget.size() == size


@pytest.mark.parametrize("kind", CLICKABLE)
def test_each_widget_is_painted_anew_when_the_theme_changes(
    qtbot: QtBot, kind: str, controller: ThemeController
) -> None:
    widget = shown(qtbot, CLICKABLE[kind]())
    light = widget.grab().toImage()
    controller.set_preference("dark")
    assert widget.grab().toImage() != light


def test_labels_never_take_text_for_markup(qtbot: QtBot) -> None:
    label = PlainLabel("<b>Koi</b> &amp; <img src='x'>")
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert name_of(label) == "<b>Koi</b> &amp; <img src='x'>"
    assert Button("Cats & <b>dogs</b>").words() == "Cats & <b>dogs</b>"


def test_a_wrapped_label_has_the_leading_and_grows_when_narrow(qtbot: QtBot) -> None:
    label = PlainLabel("Saved on this computer. " * 6, "muted", 12, wrap=True)
    qtbot.addWidget(label)
    narrow, wide = label.heightForWidth(160), label.heightForWidth(2000)
    assert narrow >= 4 * wide
    assert wide == pytest.approx(12 / 13 * 13 * 1.45, abs=4)


def test_a_wrapped_label_breaks_its_text_once_for_each_width_and_anew_for_other_words_or_letters(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = list[str]()
    monkeypatch.setattr(labels, "QTextLayout", lambda text, font: broken.append(text) or QTextLayout(text, font))
    label = PlainLabel("Saved on this computer. " * 6, wrap=True)
    qtbot.addWidget(label)
    heights = [label.heightForWidth(width) for _ in range(3) for width in (200, 400)]
    assert heights == heights[:2] * 3
    assert len(broken) == 2
    font = label.font()
    font.setPointSizeF(2 * font.pointSizeF())
    label.setFont(font)
    larger = label.heightForWidth(200)
    label.set_text("Saved.")
    assert label.heightForWidth(200) < heights[0] < larger
    assert broken[2:] == [broken[0], "Saved."]


def test_an_elided_label_gives_its_whole_text_as_a_tool_tip(qtbot: QtBot) -> None:
    label = PlainLabel("", elide=True)
    qtbot.addWidget(label)
    label.set_text("Chinchilla <grey>, standard")
    assert "Chinchilla &lt;grey&gt;, standard" in label.toolTip()
    assert label.minimumSizeHint().width() <= 24


@pytest.mark.parametrize("kind", [PlainLabel, CheckBox, Button])
def test_words_without_room_are_said_whole_by_a_tool_tip_and_others_by_none(
    qtbot: QtBot, kind: Callable[[str], QWidget]
) -> None:
    widget = shown(qtbot, kind("Recebimento de mercadorias"))
    for width, tip in ((widget.sizeHint().width(), ""), (widget.sizeHint().width() // 2, "Recebimento de mercadorias")):
        widget.setFixedWidth(width)
        assert tip_at(widget, widget.rect().center()) == tip


@pytest.mark.parametrize("words", ["Name", "الاسم", "名前"])
def test_a_label_that_is_too_low_for_its_letters_is_found_and_one_as_high_as_they_are_is_not(
    qtbot: QtBot, words: str
) -> None:
    label = shown(qtbot, PlainLabel(words))
    label.setFixedHeight(label.sizeHint().height())
    assert list(cut_in(label)) == []
    label.setFixedHeight(label.sizeHint().height() - 3)
    assert list(cut_in(label)) == [f"{words} (too low)"]


def test_a_chooser_is_read_out_once_and_its_tip_says_what_is_chosen(qtbot: QtBot) -> None:
    chooser = shown(qtbot, Chooser("Status", ["Any status", "Sent"]))
    assert isinstance(chooser, Chooser)
    chooser.choose(1)
    assert (name_of(chooser), chooser.accessibleDescription()) == ("Status: Sent", "Status")
    assert tip_at(chooser, chooser.rect().center()) == "Status: Sent"


def test_a_button_follows_its_action(qtbot: QtBot) -> None:
    action = QAction("&Edit pet")
    action.setShortcut(QKeySequence("Ctrl+E"))
    icons.set_icon(action, "pencil")
    button = Button("", "quiet")
    button.bind(action)
    shown(qtbot, button)
    assert (button.words(), button.key()) == ("Edit pet", "Ctrl+E")
    action.setText("Edit 3 pets")
    action.setEnabled(False)
    assert button.words() == "Edit 3 pets"
    assert not button.isEnabled()
    action.setEnabled(True)
    with qtbot.waitSignal(action.triggered):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_an_icon_button_says_its_name_and_key_in_the_tool_tip(qtbot: QtBot) -> None:
    button = Button("Columns", "icon", "columns", "Ctrl+Shift+C")
    qtbot.addWidget(button)
    assert "Columns" in button.toolTip()
    assert "Ctrl+Shift+C" in button.toolTip()
    assert name_of(button) == "Columns"


def test_a_price_is_read_out_with_the_button(qtbot: QtBot) -> None:
    button = Button("Test and connect", price="1 request")
    qtbot.addWidget(button)
    assert button.accessibleDescription() == "1 request"


def test_a_check_box_toggles_by_space(qtbot: QtBot) -> None:
    box = CheckBox("Don’t say this again")
    shown(qtbot, box)
    without = box.grab().toImage()
    qtbot.keyClick(box, Qt.Key.Key_Space)
    assert box.isChecked()
    assert box.grab().toImage() != without
    assert name_of(box) == "Don’t say this again"


def test_the_search_field_reports_as_one_types_and_escape_clears_it(qtbot: QtBot) -> None:
    field = SearchField("Search operations", "Ctrl+F")
    shown(qtbot, field)
    heard: list[str] = []
    field.searched.connect(heard.append)
    qtbot.keyClicks(field, "pet")
    qtbot.keyClick(field, Qt.Key.Key_Escape)
    assert heard == ["p", "pe", "pet", ""]


def test_a_search_field_is_never_too_narrow_for_what_it_says_while_it_is_empty(qtbot: QtBot) -> None:
    """With text at 200 % it said "R..."."""
    field = SearchField("Record or id, as long as it is in German")
    qtbot.addWidget(field)
    margins = field.textMargins()
    room = field.minimumSizeHint().width() - margins.left() - margins.right()
    assert room > field.fontMetrics().horizontalAdvance(field.placeholderText())


def test_buttons_lose_their_keys_before_words_beside_them_are_cut_and_their_words_last(qtbot: QtBot) -> None:
    """The desk of a stocktake said "All sto..." beside "Undo  Ctrl+Z"."""
    undo = Button("Undo", "quiet", "undo", "Ctrl+Z")
    head = StationHead("Stocktake", undo)
    qtbot.addWidget(head)
    head.set_covers("All stock, 191 pets, begun 10:02")
    head.resize(900, head.height())
    head.show()
    assert undo.sizeHint().width() == undo.width_at(0)
    needed = needs_with_keys(head.layout(), (undo,))
    head.resize(needed - 1, head.height())
    assert undo.sizeHint().width() == undo.width_at(1)
    foot = StationFoot("Saved as you count: closing the program loses nothing")
    qtbot.addWidget(foot)
    foot.primary.set_text("Review variances")
    foot.resize(900, foot.height())
    foot.show()
    foot.resize(needs_with_keys(foot.layout(), (foot.primary,)) - 1, foot.height())
    qtbot.waitUntil(lambda: foot.primary.sizeHint().width() == foot.primary.width_at(1))


def test_the_clear_mark_of_a_field_empties_it(qtbot: QtBot) -> None:
    field = SearchField("Search")
    shown(qtbot, field)
    assert field.clear_rect().isEmpty()
    field.setText("koi")
    qtbot.mouseClick(field, Qt.MouseButton.LeftButton, pos=field.clear_rect().center())
    assert field.text() == ""


def test_a_form_field_says_what_is_wrong_and_takes_it_back(qtbot: QtBot) -> None:
    field = FormField("Key", "Kept in this computer’s keyring, never in a file.", password=True)
    shown(qtbot, field)
    calm = field.edit.grab().toImage()
    field.set_error("The service refused this key.")
    assert field.note.text() == "The service refused this key."
    assert field.edit.accessibleDescription() == "The service refused this key."
    assert field.edit.grab().toImage() != calm
    field.set_error("")
    assert field.note.text() == "Kept in this computer’s keyring, never in a file."
    assert name_of(field.edit) == "Key"


@pytest.mark.parametrize("seen", [True, False, None])
def test_fields_and_labels_take_the_colours_of_every_theme_also_while_hidden(
    qtbot: QtBot, qapp: QApplication, seen: bool | None
) -> None:
    filled, empty, label = ColumnFilterField("Status"), ColumnFilterField("Name"), PlainLabel("refused", "bad")
    moment = MomentField("momentFrom", "From")
    filled.setText("overdue")
    page = QWidget()
    column = QVBoxLayout(page)
    for widget in (filled, empty, label, moment):
        column.addWidget(widget)
    qtbot.addWidget(page)
    if seen is not None:
        page.show()
        page.setVisible(seen)
    themes = ThemeController(qapp, "light")
    try:
        for preference, contrast in (("dark", "off"), ("dark", "on"), ("light", "on"), ("light", "off")):
            themes.set_look("theme", preference)
            themes.set_contrast(contrast)
            QApplication.processEvents()
            role, theme = QPalette.ColorRole, themes.theme
            assert filled.palette().color(role.Text) == theme.tone("accent")
            assert empty.palette().color(role.PlaceholderText) == theme.tone("faint")
            assert label.palette().color(role.WindowText) == theme.tone("bad")
            assert moment.lineEdit().palette().color(role.Text) == theme.tone("text")
            assert moment.lineEdit().palette().color(role.Highlight) == theme.color("select")
    finally:
        themes.set_contrast("off")
        themes.set_preference("light")


@pytest.mark.parametrize("length", [MOST_SHOWN, MOST_SHOWN + 1, 1_000_000])
def test_of_a_long_text_no_more_is_measured_than_a_screen_shows(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch, length: int
) -> None:
    measured: list[int] = []

    def advance(text: str, *_how: object) -> float:
        measured.append(len(text))
        return 0.0 if text.startswith("\u0301") else 9e9

    monkeypatch.setattr(current(), "advance", advance)
    assert elided(current(), "x" * length, 100).startswith("xx")
    assert len(elided(current(), "x" * length, 100)) < 100
    no_width = "\u0301" * length
    assert elided(current(), no_width, 100) == no_width[:MOST_SHOWN] + "…" * (length > MOST_SHOWN)
    assert max(measured) <= MOST_SHOWN

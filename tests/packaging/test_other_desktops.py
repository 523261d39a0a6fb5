"""What differs between desktops, played: screens, keys, menus, contrast, and what a computer is told that it needs."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import machine
from petstore_desktop import platform_support
from petstore_desktop.ui.base import theme as base_theme
from petstore_desktop.ui.base.colours import LEAST_CONTRAST, contrast
from petstore_desktop.ui.base.theme import ThemeController
from petstore_desktop.ui.context import action_set
from petstore_desktop.ui.report import report_pages
from petstore_desktop.ui.window import menus
from tests.packaging.playing import Played, refused
from tests.ui.conftest import OpenWindow

ROOT = Path(__file__).resolve().parents[2]


SCREENS = [
    ("win32", {}, True), ("darwin", {}, True), ("linux", {}, False), ("linux", {"DISPLAY": ":0"}, True),
    ("linux", {"WAYLAND_DISPLAY": "wayland-0"}, True),
]  # fmt: skip


@pytest.mark.parametrize(("system", "environment", "shown"), SCREENS)
@pytest.mark.parametrize("module", [platform_support, machine])
def test_windows_and_macos_always_have_a_screen(
    module: Any, system: str, environment: dict[str, str], shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(module, "sys", Played(sys, platform=system))
    assert module.has_screen() is shown


@pytest.mark.parametrize(("system", "chosen"), [("linux", "offscreen"), ("darwin", "cocoa"), ("win32", "cocoa")])
def test_a_report_without_a_window_needs_no_screen_on_linux_and_takes_the_usual_one_elsewhere(
    system: str, chosen: str, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "cocoa")
    monkeypatch.setattr(report_pages, "sys", Played(sys, platform=system))
    assert report_pages.start_without_window() is qapp
    assert os.environ["QT_QPA_PLATFORM"] == chosen


# -- keys, menus, contrast


@pytest.mark.parametrize(
    ("system", "first"), [("linux", "Ctrl+Shift+Z"), ("darwin", "Ctrl+Shift+Z"), ("win32", "Ctrl+Y")]
)
def test_redo_is_shown_with_the_system_s_own_key_and_has_both(
    system: str, first: str, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(action_set, "sys", Played(sys, platform=system))
    keys = [key.toString() for key in action_set.keys_of(QKeySequence.StandardKey.Redo, ())]
    assert keys[0] == first
    assert {"Ctrl+Shift+Z", "Ctrl+Y"} <= set(keys)
    assert len(keys) == len(set(keys))


def test_macos_has_its_menu_bar_always_and_keeps_alt_and_f10(
    open_window: OpenWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(menus, "NATIVE", True)
    window = open_window()
    assert not window.menus.bar.isHidden()
    QTest.keyClick(window, Qt.Key.Key_F10)
    QTest.keyClick(window, Qt.Key.Key_Alt)
    QTest.keyClick(window, Qt.Key.Key_Escape)
    assert not window.menus.bar.isHidden()


@pytest.mark.qt_log_ignore("grabbing the keyboard")  # of open menus: offscreen has none to grab
def test_elsewhere_the_menu_bar_comes_with_f10_and_goes_with_escape(open_window: OpenWindow, qtbot: QtBot) -> None:
    window = open_window()
    assert window.menus.bar.isHidden()
    QTest.keyClick(window, Qt.Key.Key_F10)
    qtbot.waitUntil(lambda: not window.menus.bar.isHidden())
    QTest.keyClick(window.menus.bar, Qt.Key.Key_Escape)
    qtbot.waitUntil(window.menus.bar.isHidden)


class Contrast:
    """What a desktop says of contrast, as Qt tells it."""

    def __init__(self, wanted: object) -> None:
        self.wanted = wanted

    def contrastPreference(self) -> object:
        return self.wanted


@pytest.fixture
def looks_kept(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The application and the theme in use look after the test as they did before."""
    palette, sheet, style = qapp.palette(), qapp.styleSheet(), qapp.style().name()
    monkeypatch.setattr(base_theme, "_applied", list(base_theme._applied))
    yield
    qapp.setStyle(style)
    qapp.setPalette(palette)
    qapp.setStyleSheet(sheet)


@pytest.mark.usefixtures("looks_kept")
@pytest.mark.parametrize("preference", ["system", "light", "dark"])
def test_a_high_contrast_desktop_is_followed_whatever_theme_was_chosen(preference: Any, qapp: QApplication) -> None:
    controller = ThemeController(qapp, preference)
    assert not controller.theme.high_contrast
    told: list[object] = []
    controller.changed.connect(told.append)
    controller._accessibility = Contrast(Qt.ContrastPreference.HighContrast)
    theme = controller.apply()
    assert theme.high_contrast
    assert told == [theme]
    palette = qapp.palette()
    assert contrast(palette.text().color().name(), palette.base().color().name()) >= LEAST_CONTRAST
    controller._accessibility = Contrast(Qt.ContrastPreference.NoPreference)
    assert not controller.apply().high_contrast


@pytest.mark.usefixtures("looks_kept")
def test_a_qt_that_cannot_tell_of_contrast_has_the_usual_themes(qapp: QApplication) -> None:
    controller = ThemeController(qapp, "dark")
    controller._accessibility = None
    assert controller.apply().dark


# -- the developer's command


@pytest.mark.parametrize("system", ["win32", "darwin", "linux"])
def test_other_systems_are_told_what_they_need_and_nothing_is_installed(
    system: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(machine, "sys", Played(sys, platform=system))
    monkeypatch.setattr(machine, "is_debian", lambda: False)
    monkeypatch.setattr(machine, "missing_packages", refused)
    monkeypatch.setattr(machine, "say", print)
    machine.ensure_system_packages(tools=True)
    word = {"win32": "Windows 10", "darwin": "macOS 13", "linux": "xkbcommon"}[system]
    assert word in capsys.readouterr().out


@pytest.mark.parametrize(
    ("system", "place"), [("win32", "Scripts/pip.exe"), ("darwin", "bin/pip"), ("linux", "bin/pip")]
)
def test_programs_of_a_virtual_environment_are_where_each_system_has_them(
    system: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "sys", Played(sys, platform=system))
    assert machine.venv_program(tmp_path, "pip") == tmp_path / place
    if system != "linux":
        monkeypatch.setattr(machine, "os", Played(os, sched_getaffinity=refused, cpu_count=lambda: 2))
    assert 2 <= machine.workers() <= 6


# -- nothing else asks

ASKS: dict[str, int] = {
    "petstore_desktop/credentials.py": 1,
    "petstore_desktop/demo/server.py": 1,
    "petstore_desktop/held_files.py": 1,
    "petstore_desktop/instance.py": 2,
    "petstore_desktop/platform_support.py": 10,
    "petstore_desktop/session/session.py": 1,
    "petstore_desktop/threads.py": 1,
    "petstore_desktop/ui/base/system_motion.py": 2,
    "petstore_desktop/ui/context/action_set.py": 1,
    "petstore_desktop/ui/report/report_pages.py": 1,
    "petstore_desktop/ui/window/menus.py": 1,
    "packaging/machine.py": 6,
}
"""How often each file asks which system it runs on; each of these places is played above, in test_other_systems
or in test_held_files."""


def asks(tree: ast.AST) -> int:
    """Count the places that ask for the name of the system."""
    names = {("sys", "platform"), ("os", "name"), ("platform", "system"), ("os", "uname"), ("sys", "getwindowsversion")}
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name))
    return sum((node.value.id, node.attr) in names for node in found if isinstance(node.value, ast.Name))


def test_every_place_that_asks_which_system_it_runs_on_is_played_here() -> None:
    files = [*(ROOT / "petstore_desktop").rglob("*.py"), *(ROOT / "packaging").glob("*.py")]
    texts = {file.relative_to(ROOT).as_posix(): file.read_text("utf-8") for file in files}
    words = ("sys.platform", "os.name", "platform.system", "os.uname", "sys.getwindowsversion")
    counts = {name: asks(ast.parse(text)) for name, text in texts.items() if any(word in text for word in words)}
    assert {name: count for name, count in counts.items() if count} == ASKS

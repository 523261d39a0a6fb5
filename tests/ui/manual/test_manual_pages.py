"""The manual names what the window has: every menu, button and key; its links, pictures and languages are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

import manual_pictures
import translations
from petstore_desktop import resources
from petstore_desktop.ui.context.action_set import keys_of
from petstore_desktop.ui.context.actions import ACTIONS, MENUS, SUBMENUS
from petstore_desktop.ui.text.manual import ENGLISH, LANGUAGES, PAGES
from petstore_desktop.ui.text.translate import bare
from tests.ui.text.test_glossary import TERMS

FOLDER = resources.root() / "manual"
PACKAGE = resources.root().parent / "petstore_desktop"
TRANSLATED = 10
"""So many pages, the first ones, are there in every language."""
LINES, SIGNS = 60, 9_000
"""The most that one page has: for longer ones a person has no patience."""
TASK_SIGNS = 4_000
"""Of a page in every language: each is a task."""
BOLD = re.compile(r"\*\*([^*]+)\*\*")
FIGURE = re.compile(r"\d+")
CODE = re.compile(r"`([^`]+)`")
LINK = re.compile(r"(!?)\[[^\]]*\]\(([^)]+)\)")
KEY_LETTER = re.compile(r"\(&\w\)")
COMBINED = re.compile(r"(?:(?:Ctrl|Alt|Shift)\+)+\S+|F\d{1,2}")
SINGLE = {
    "Enter": "Key_Return",
    "Esc": "Key_Escape",
    "Tab": "Key_Tab",
    "Space": "Key_Space",
    "Del": "Key_Delete",
    "Home": "Key_Home",
    "End": "Key_End",
    "Up": "Key_Up",
    "Down": "Key_Down",
    "Left": "Key_Left",
    "Right": "Key_Right",
}
"""Keys of their own, and what the program calls them."""
OF_WIDGETS = {
    "Alt+Down": "Alt+Down",
    "Ctrl+1": "Ctrl+{",
    "Ctrl+9": "Ctrl+{",
    "Ctrl+S": "Ctrl+S",
    "Ctrl+P": "StandardKey.Print",
    "Ctrl+F": "StandardKey.Find",
    "F10": "Key_F10",
    "Shift+Tab": "Key_Backtab",
    "Shift+Enter": "ShiftModifier",
    "Ctrl+Home": "Key_Home",
    "Ctrl+End": "Key_End",
    "Ctrl+Enter": "Key_Enter",
}
"""Keys that no action has, and where the source has them."""


def pages() -> Iterator[tuple[str, str]]:
    """Every page there is: its language and name."""
    for language in LANGUAGES:
        yield from ((language, file.stem) for file in sorted((FOLDER / language).glob("*.md")))


def text_of(language: str, page: str) -> str:
    """One page."""
    return (FOLDER / language / f"{page}.md").read_text("utf-8")


@cache
def source() -> str:
    """All of the program."""
    return "\n".join(file.read_text("utf-8") for file in sorted(PACKAGE.rglob("*.py")))


def said(text: str) -> str:
    """A text of the window as the manual names it."""
    return bare(KEY_LETTER.sub("", text)).strip()


@cache
def texts(language: str) -> frozenset[str]:
    """All texts of the window in a language, as the manual names them."""
    if language == ENGLISH:
        return frozenset(said(text) for (text, _), _ in translations.seen_in_the_tree())
    return frozenset(said(form) for text in translations.read(language).values() for form in text.forms)


@cache
def keys() -> frozenset[str]:
    """The keys of all actions."""
    named = frozenset(spec.keys for spec in ACTIONS if isinstance(spec.keys, str))
    standard = [
        key for spec in ACTIONS if isinstance(spec.keys, QKeySequence.StandardKey) for key in keys_of(spec.keys, named)
    ]
    both = {*named, *(key.toString() for key in standard)}
    return frozenset(key.replace("Return", "Enter") for key in both)


ALL = list(pages())
in_every_language = pytest.mark.parametrize("language", LANGUAGES)


def pages_in(language: str) -> list[tuple[str, str]]:
    """Each page there is in a language, with its text."""
    return [(page, text_of(its, page)) for its, page in ALL if its == language]


def test_every_page_is_there_in_english_and_the_first_ones_in_every_language() -> None:
    assert {page for language, page in ALL if language == ENGLISH} == set(PAGES)
    for language in LANGUAGES[1:]:
        assert {page for its, page in ALL if its == language} == set(PAGES[:TRANSLATED]), language
    folders = {folder.name for folder in FOLDER.iterdir()}
    assert folders == set(LANGUAGES)
    assert set(LANGUAGES) == {ENGLISH, *translations.FORMS}


@in_every_language
def test_a_page_is_short_and_its_marks_are_in_pairs(language: str) -> None:
    for page, text in pages_in(language):
        lines = text.splitlines()
        assert lines[0].startswith("# "), page
        assert text.endswith("\n"), page
        assert len(lines) <= LINES, page
        assert len(text) <= (TASK_SIGNS if page in PAGES[:TRANSLATED] else SIGNS), page
        for line in lines:
            assert line.count("`") % 2 == 0, (page, line)
            bare_line = CODE.sub("", line)
            assert bare_line.count("**") % 2 == 0, (page, line)
            assert BOLD.sub("", bare_line).count("*") % 2 == 0, (page, line)


@in_every_language
def test_links_and_pictures_lead_somewhere(language: str) -> None:
    for page, text in pages_in(language):
        for picture, target in LINK.findall(text):
            path = FOLDER / language / target
            assert path.is_file(), (page, target)
            assert bool(picture) == (Path(target).suffix == ".png"), (page, target)
            if not picture:
                assert Path(target).stem in PAGES, (page, target)
                translated = language != ENGLISH and (FOLDER / language / Path(target).name).is_file()
                assert ("../" in target) != translated or language == ENGLISH, f"{target} is there in this language"


@in_every_language
def test_what_a_page_prints_bold_stands_in_the_window(language: str) -> None:
    missing = [
        (page, part)
        for page, text in pages_in(language)
        for name in BOLD.findall(text)
        for part in map(said, name.split(" > "))
        if texts(language).isdisjoint((part, FIGURE.sub("{n}", part)))
    ]
    assert not missing


@in_every_language
def test_the_keys_of_a_page_are_there(qapp: QApplication, language: str) -> None:
    for page, text in pages_in(language):
        for name in CODE.findall(text):
            if COMBINED.fullmatch(name) and name not in keys():
                assert OF_WIDGETS.get(name, "no such key") in source(), (page, name)
            elif name in SINGLE:
                assert SINGLE[name] in source(), (page, name)


@in_every_language
def test_a_path_leads_through_the_menu_that_has_the_action(language: str) -> None:
    """Compared by the texts of the language: a menu and what stands in it."""
    inside: dict[str, set[str]] = {}
    english = {**{name: title() for name, title in MENUS}, **{name: title() for name, _, title, _ in SUBMENUS}}
    translated = (
        {}
        if language == ENGLISH
        else {source: text.forms[0] for (source, _), text in translations.read(language).items()}
    )

    def shown(text: str) -> str:
        return said(translated.get(text, text))

    for spec in ACTIONS:
        inside.setdefault(shown(english[spec.menu]), set()).add(shown(spec.text()))
    for _, above, title, _ in SUBMENUS:
        inside[shown(english[above])].add(shown(title()))
    for page, text in pages_in(language):
        for name in BOLD.findall(text):
            path = [said(part) for part in name.split(" > ")]
            for above, below in pairwise(path):
                assert below in inside.get(above, ()) or (above, below) in OTHER_MENUS, (page, name)


OTHER_MENUS = {("Views", "Data checks")}
"""Menus that are filled when they open."""


def test_every_action_of_the_menus_is_mentioned() -> None:
    named = {said(name.rpartition(" > ")[2]) for page in PAGES for name in BOLD.findall(text_of(ENGLISH, page))}
    mentioned_by_key = {"todayTab", "petsTab", "categoriesTab", "ordersTab", "inventoryTab", "activityTab"}
    missing = [
        said(spec.text()) for spec in ACTIONS if said(spec.text()) not in named and spec.name not in mentioned_by_key
    ]
    assert not missing
    assert mentioned_by_key <= {spec.name for spec in ACTIONS}


def test_every_picture_is_used_and_made_by_the_tour() -> None:
    shown = {
        language: {
            Path(target).stem
            for its, page in ALL
            for picture, target in LINK.findall(text_of(its, page))
            if picture and its == language
        }
        for language in LANGUAGES
    }
    files = sorted(FOLDER.rglob("*.png"))
    assert shown == manual_pictures.used()
    assert shown[ENGLISH] == set(manual_pictures.CUTS)
    assert {(file.parts[-3], file.stem) for file in files} == {(one, name) for one in shown for name in shown[one]}
    assert len({file.read_bytes() for file in files}) == len(files), "two languages have one picture"
    assert sum(file.stat().st_size for file in files) < manual_pictures.ALL_BYTES
    steps = "\n".join(file.read_text("utf-8") for file in sorted((PACKAGE / "tour").rglob("*.py")))
    for step, part in manual_pictures.CUTS.values():
        assert f'"{step}"' in steps
        assert part.right() < 1280
        assert part.bottom() < 800


@pytest.mark.parametrize("page", PAGES)
def test_english_pages_use_the_terms_of_the_glossary(page: str) -> None:
    text = CODE.sub("", text_of(ENGLISH, page)).replace("Credential Manager", "")  # what Windows calls it
    for term, _, words in TERMS:
        for word in words:
            assert not re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE), f"{word}: say {term}"

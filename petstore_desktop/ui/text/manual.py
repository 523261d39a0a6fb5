"""The pages of the manual and their pictures below `resources/manual`, in the person's language or else in English."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from msgspec import Struct

from petstore_desktop import resources
from petstore_desktop.desk.values.text import fold, fold_all
from petstore_desktop.ui.text.translate import ENGLISH, spoken_language

PAGES: tuple[str, ...] = (
    "first-start",
    "connect",
    "pets",
    "filter",
    "edit",
    "orders",
    "stock",
    "scan",
    "receive",
    "stocktake",
    "labels",
    "reorder",
    "many",
    "views",
    "filter-words",
    "jump",
    "today",
    "compare",
    "report",
    "import",
    "export",
    "offline",
    "attention",
    "limits",
    "shops",
    "rehearse",
    "keyboard",
    "accessibility",
    "services",
    "profile",
    "commands",
    "data",
    "troubleshooting",
)
"""The names of all pages, in the order of the list."""
LANGUAGES: tuple[str, ...] = (ENGLISH, "de", "fr", "es", "pt_BR", "ar", "ja")
"""The folders of the pages."""
_MARKS = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|[*`#|]|^\|[-|]+$", re.MULTILINE)
"""Matches what is no word of a page: the marks of Markdown, and where links and pictures lead."""


class ManualPage(Struct, frozen=True):
    """One page. `language`: of its text; `words`: title and text folded, without marks, to be searched."""

    name: str
    language: str
    title: str
    text: str
    words: str


def manual_language() -> str:
    """The language of the pages for the person: that of the window's texts, else English."""
    whole = spoken_language()
    return next((name for name in (whole, whole.partition("_")[0]) if name in LANGUAGES), ENGLISH)


@cache
def manual_pages(language: str) -> tuple[ManualPage, ...]:
    """Read all pages, each in this language if it has the page, else in English. The first call reads the disk."""
    folder = resources.path("manual")
    spoken = [language if (folder / language / f"{name}.md").is_file() else ENGLISH for name in PAGES]
    texts = [
        resources.path("manual", one, f"{name}.md").read_text("utf-8").replace("](pictures/", f"](../{one}/pictures/")
        for one, name in zip(spoken, PAGES, strict=True)
    ]
    words = fold_all([" ".join(_MARKS.sub(r"\1", text).split()) for text in texts])
    titles = [text.partition("\n")[0].removeprefix("# ").strip() for text in texts]
    return tuple(map(ManualPage, PAGES, spoken, titles, texts, words))


@cache
def manual_pictures(language: str) -> Mapping[str, bytes]:
    """Read the pictures of a language's pages, by their address there. The first call reads the disk."""
    files = resources.path("manual", language, "pictures").glob("*.png")
    return {f"../{language}/pictures/{path.name}": path.read_bytes() for path in files}  # house: file - a resource


def whole_manual(language: str) -> tuple[ManualPage, ...]:
    """Read all pages, and all pictures: they are kept, so that showing a page does not wait for the disk. Blocks."""
    for one in {language, ENGLISH}:
        manual_pictures(one)
    return manual_pages(language)


def find_pages(pages: Sequence[ManualPage], typed: str) -> list[ManualPage]:
    """The pages that have all words of a typed text, those first whose title has them."""
    wanted = fold(typed).split()
    found = [page for page in pages if all(word in page.words for word in wanted)]
    return sorted(found, key=lambda page: not all(word in fold(page.title) for word in wanted))

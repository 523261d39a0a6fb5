"""Shows one page of the manual, and prints pages. Nothing is read but the program's own files.

A page becomes HTML in the colours of a theme. Of Markdown it knows what the pages use: headings, paragraphs, lists,
tables, pictures, links, `keys`, **names of the window** and *words*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from pathlib import PurePosixPath

from PySide6.QtCore import QEvent, QLocale, Qt, QUrl, Signal
from PySide6.QtGui import (
    QFont,
    QImage,
    QPagedPaintDevice,
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget  # house: rich-text - the manual is our own text

from petstore_desktop.ui.base.building import timer
from petstore_desktop.ui.base.colours import LIGHT
from petstore_desktop.ui.base.theme import BASE_SIZE, Theme, current
from petstore_desktop.ui.text.manual import LANGUAGES, ManualPage, manual_pictures

_INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?P<bold>[^*]+)\*\*|\*(?P<italic>[^*]+)\*"
    r"|!\[(?P<alt>[^\]]*)\]\((?P<picture>[^)]+)\)|\[(?P<words>[^\]]+)\]\((?P<link>[^)]+)\)"
)
_CELLS = re.compile(r"(?<!\\)\|")
_KEY = '<span class="key">\u2068&nbsp;{}&nbsp;\u2069</span>'
"""Keys and what is typed run in their own direction, in a text of every language."""
_PICTURE, _HEAD = ' class="picture"', ' class="head"'


def page_html(text: str, rtl: bool) -> str:
    """The body of a page; `rtl`: its language is written from right to left."""
    return f'<div dir="{"rtl" if rtl else "ltr"}">{"".join(_blocks(text.splitlines(), rtl))}</div>'


def style_sheet(theme: Theme, size: int) -> str:
    """How it looks; `size`: of the text, in pixels."""
    color = theme.tokens
    return f"""
        body {{ color: {color["text"]}; }}
        h1 {{ font-size: {round(size * 1.6)}px; font-weight: 600; margin-top: 0px; margin-bottom: {size - 4}px; }}
        h2 {{ font-size: {round(size * 1.2)}px; font-weight: 600; margin-top: {size + 6}px; margin-bottom: 6px; }}
        p, li {{ line-height: 130%; margin-top: 0px; margin-bottom: 6px; }}
        .picture {{ line-height: 100%; margin-top: 4px; margin-bottom: 12px; }}
        a {{ color: {color["accent"]}; text-decoration: underline; }}
        .key {{ font-weight: 500; background-color: {color["hover"]}; }}
        b {{ font-weight: 600; }}
        table {{ border-collapse: collapse; border-color: {color["line"]}; margin-top: 6px; margin-bottom: 12px; }}
        td {{ border: 1px solid {color["line"]}; }}
        td.head {{ background-color: {color["sunken"]}; font-weight: 600; }}
    """


def _blocks(lines: Iterable[str], rtl: bool) -> Iterator[str]:
    for kind, group in groupby(lines, _kind):
        some = list(group)
        if kind in ("h1", "h2"):
            yield from (f"<{kind}>{_inline(line.lstrip('# '))}</{kind}>" for line in some)
        elif kind in ("ul", "ol"):
            items = "".join(f"<li>{_inline(line.partition(' ')[2])}</li>" for line in some)
            yield f"<{kind}>{items}</{kind}>"
        elif kind == "table":
            yield _table(some, rtl)
        elif kind == "p":
            yield from (f"<p{_PICTURE if line.startswith('![') else ''}>{_inline(line)}</p>" for line in some)


def _kind(line: str) -> str:
    if line.startswith("|"):
        return "table"
    first = line.partition(" ")[0]
    return {"": "", "#": "h1", "##": "h2", "-": "ul"}.get(first, "ol" if re.fullmatch(r"\d+\.", first) else "p")


def _table(lines: list[str], rtl: bool) -> str:
    """A table whose first line has the titles, and whose second one is of dashes. Qt's tables run from left to right
    always."""
    rows = [[cell.strip() for cell in _CELLS.split(line.strip().strip("|"))] for line in lines]
    made = [
        "".join(f"<td{'' if number else _HEAD}>{_inline(cell)}</td>" for cell in (reversed(row) if rtl else row))
        for number, row in enumerate(rows)
        if number != 1
    ]
    inside = "".join(f"<tr>{row}</tr>" for row in made)
    return f'<table border="1" cellspacing="0" cellpadding="6" width="100%">{inside}</table>'


def _inline(text: str) -> str:
    made, end = "", 0
    for found in _INLINE.finditer(text):
        made += escape(text[end : found.start()])
        end = found.end()
        part = {name: escape(value.replace("\\|", "|")) for name, value in found.groupdict().items() if value}
        if "picture" in part:
            made += f'<img src="{part["picture"]}" alt="{part.get("alt", "")}">'
        elif "link" in part:
            made += f'<a href="{part["link"]}">{part["words"]}</a>'
        elif "code" in part:
            made += _KEY.format(part["code"])
        else:
            made += f"<b>{part['bold']}</b>" if "bold" in part else f"<i>{part['italic']}</i>"
    return made + escape(text[end:])


_MARGIN = 24
_WIDEST, _LEAST = 720, 200
"""Pixels of a picture; the widest files are as wide."""
_INDENT = 20
_PAPER_SIZE, _PAPER_WIDE = 11, 480
"""Of the text and of a picture in print, in points."""
_LATER = {
    QEvent.Type.PaletteChange,
    QEvent.Type.ApplicationPaletteChange,
    QEvent.Type.FontChange,
    QEvent.Type.LayoutDirectionChange,
}


class ManualText(QTextBrowser):  # house: rich-text - the manual is our own text
    """The page. Tab goes from link to link, and Enter follows one.

    Signals:
        wanted: str: a link to another page was followed; its name.
    """

    wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)  # house: rich-text - the manual is our own text
        self.setOpenLinks(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # as much room for every page
        self.document().setDocumentMargin(_MARGIN)
        self._page: ManualPage | None = None
        self._marked = ""
        self._soon = timer(self, 0, self._lay_out_again, once=True)
        self.anchorClicked.connect(self._follow)

    @property
    def page(self) -> ManualPage | None:
        """The page that is shown."""
        return self._page

    def show_page(self, page: ManualPage, marked: str = "") -> None:
        """Show a page from its top, with these words marked."""
        self._page, self._marked = page, marked
        self._fill()
        self.verticalScrollBar().setValue(0)
        self._mark()

    def _fill(self) -> None:
        if self._page is None:
            return
        theme = current()
        self.document().clear()  # pictures of another width are kept with it
        fill(self.document(), [self._page], theme, theme.scaled(BASE_SIZE))

    def _wide(self) -> int:
        return min(_WIDEST, max(_LEAST, self.viewport().width() - 2 * _MARGIN - 4))

    def _lay_out_again(self) -> None:
        """The same part of the page at another width, or in other colours."""
        bar = self.verticalScrollBar()
        place = bar.value() / max(1, bar.maximum())
        self._fill()
        self._mark(scroll=False)
        bar.setValue(round(place * bar.maximum()))

    def _mark(self, scroll: bool = True) -> None:
        """Mark all places of the searched words, and bring the first one into view."""
        theme, found = current(), list[QTextEdit.ExtraSelection]()
        look = QTextCharFormat()
        look.setBackground(theme.color("select"))
        look.setForeground(theme.color("on_select"))
        for word in self._marked.split():
            at = self.document().find(word)
            while not at.isNull():
                one = QTextEdit.ExtraSelection()
                one.cursor, one.format = at, look
                found.append(one)
                at = self.document().find(word, at)
        self.setExtraSelections(found)
        if found and scroll:
            first: QTextCursor = min((one.cursor for one in found), key=lambda at: at.position())
            self.verticalScrollBar().setValue(max(0, self.cursorRect(first).top() - self.viewport().height() // 3))

    def _follow(self, url: QUrl) -> None:
        """Other pages of the manual are followed, and nothing else."""
        if url.isRelative() and url.path().endswith(".md"):
            self.wanted.emit(PurePosixPath(url.path()).stem)

    def loadResource(self, kind: int, url: QUrl | str) -> object:
        """A picture of the manual's folder, no wider than the page; nothing from anywhere else."""
        return picture(url, self._wide(), self.devicePixelRatioF())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._soon.start()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _LATER and self._page is not None:
            self._soon.start()


def picture(address: QUrl | str, wide: int, ratio: float = 1.0) -> QImage | None:
    """A picture of the manual by its address on a page, no wider than so many pixels; None for anything else."""
    name = QUrl(address).toString()
    language = name.partition("/")[2].partition("/")[0]
    data = manual_pictures(language).get(name) if language in LANGUAGES else None
    if data is None:
        return None
    image = QImage.fromData(data)
    if image.width() > wide * ratio:
        image = image.scaledToWidth(round(wide * ratio), Qt.TransformationMode.SmoothTransformation)
        image.setDevicePixelRatio(ratio)
    return image


def fill(document: QTextDocument, pages: Sequence[ManualPage], theme: Theme, size: int) -> None:
    """Put pages into a document, each in the direction of its language."""
    font = QFont(theme.font())
    font.setPixelSize(size)
    document.setDefaultFont(font)
    document.setIndentWidth(_INDENT)
    document.setDefaultStyleSheet(style_sheet(theme, size))
    html = "".join(page_html(page.text, _is_rtl(page)) for page in pages)
    document.setHtml(f"<body>{html}</body>")  # house: rich-text - the manual is our own text


def _is_rtl(page: ManualPage) -> bool:
    return QLocale(page.language).textDirection() is Qt.LayoutDirection.RightToLeft


class _Paper(QTextDocument):
    """Pages to be printed."""

    def loadResource(self, kind: int, url: QUrl | str) -> object:
        """As on the screen."""
        return picture(url, _PAPER_WIDE)


def print_pages(pages: Sequence[ManualPage], device: QPagedPaintDevice) -> None:
    """Print pages one after the other, dark on white."""
    paper = _Paper()
    fill(paper, pages, Theme(LIGHT, dark=False), _PAPER_SIZE)
    paper.print_(device)

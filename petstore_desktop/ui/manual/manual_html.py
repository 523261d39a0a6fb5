"""Makes HTML of a page of the manual, in the colours of a theme. Of Markdown it knows what the pages use: headings,
paragraphs, lists, tables, pictures, links, `keys`, **names of the window** and *words*.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby

from petstore_desktop.ui.base.theme import Theme

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

"""All colours of the window: light, dark, and both in high contrast, each a token with its `#RRGGBB`.

`tests/ui/base/colour_pairs.py` says which token is used on which, and what contrast each pair needs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from PySide6.QtGui import QColor, QPalette

Tokens: TypeAlias = Mapping[str, str]
"""The colours of one theme, each as ``#RRGGBB``. Names follow the design's table."""
_COLOURS: Final[Mapping[str, tuple[str, str]]] = {
    "chrome": ("#F3F3F1", "#17181A"),
    "content": ("#FFFFFF", "#1E1F22"),
    "raised": ("#FFFFFF", "#26272B"),
    "hover": ("#EDEDEA", "#2B2C31"),
    "button": ("#EDEDEA", "#2B2C31"),
    "pressed": ("#DEDEDA", "#36373C"),
    "sunken": ("#F3F3F1", "#292A2E"),
    "hair": ("#EFEFEC", "#27282C"),
    "line": ("#DEDEDA", "#36373C"),
    "track": ("#DEDEDA", "#36373C"),
    "control": ("#888882", "#7A7B83"),
    "text": ("#1C1C1E", "#EBEBED"),
    "muted": ("#5B5B57", "#ABACB3"),
    "faint": ("#696964", "#94959D"),
    "accent": ("#2457D1", "#8DB0FF"),
    "fill": ("#2457D1", "#3A66D6"),
    "fill_over": ("#2151C2", "#365EC6"),
    "fill_down": ("#1F4AB1", "#3156B5"),
    "on_fill": ("#FFFFFF", "#FFFFFF"),
    "select": ("#E5ECFB", "#2A3654"),
    "select_off": ("#EAEAE7", "#313237"),
    "on_select": ("#1C1C1E", "#EBEBED"),
    "filtered": ("#E5ECFB", "#2A3654"),
    "edit": ("#F1F5FE", "#252C3D"),
    "ok": ("#1A6B39", "#7CD09A"),
    "ok_bg": ("#ECF6EF", "#1F3829"),
    "wait": ("#7C4D00", "#EBBD66"),
    "wait_bg": ("#FCF1DC", "#352B19"),
    "done": ("#55555A", "#B9BAC1"),
    "done_bg": ("#EDEDEB", "#323338"),
    "bad": ("#B0241C", "#FF9F95"),
    "bad_bg": ("#FCE8E6", "#402523"),
    "amber": ("#B97A06", "#E0A94A"),
    "bar": ("#C6C6C1", "#4D4E55"),
    "toast": ("#2A2A2D", "#3B3C43"),
    "on_toast": ("#FFFFFF", "#FFFFFF"),
    "toast_link": ("#9DBBFF", "#A9C4FF"),
    "toast_key": ("#B4B4B9", "#BFC0C7"),
}
"""Each colour of the light and of the dark theme."""
LIGHT: Final[Tokens] = {name: light for name, (light, _) in _COLOURS.items()}
DARK: Final[Tokens] = {name: dark for name, (_, dark) in _COLOURS.items()}
_TEXTS: Final = (
    *("text", "muted", "control", "line", "ok", "wait", "done", "bad", "amber", "bar"),
    *("on_toast", "toast_key"),
)
LEAST_CONTRAST: Final = 7.0
"""The ratio of every two colours of a high-contrast theme that are used on each other (WCAG 2.2, level AAA)."""


def contrast_tokens(
    ground: str, text: str, *, link: str = "", select: str = "", on_select: str = "", hover: str = "", faint: str = ""
) -> Tokens:
    """The colours of a high-contrast theme: one ground without tints, every tone in the colour of the text, and what is
    selected the other way round. `hover` and `faint`: greys, the same as ground and text where none are given."""
    link, select, on_select = link or text, select or text, on_select or ground
    names = dict.fromkeys(_COLOURS, ground)
    names.update(dict.fromkeys(_TEXTS, text))
    names.update(dict.fromkeys(("hover", "pressed"), hover or ground))
    names.update(dict.fromkeys(("accent", "toast_link"), link))
    names.update(dict.fromkeys(("fill", "select"), select))
    names.update(dict.fromkeys(("on_fill", "on_select"), on_select))
    names["faint"] = faint or text
    names.update(dict.fromkeys(("select_off", "fill_over", "fill_down"), faint or select))
    return names


BRIGHT: Final = contrast_tokens("#FFFFFF", "#000000", hover="#E6E6E6", faint="#454545")
"""The light theme in high contrast."""
BLACK: Final = contrast_tokens("#000000", "#FFFFFF", hover="#262626", faint="#BDBDBD")
"""The dark theme in high contrast."""


def selected_tokens(tokens: Tokens) -> Tokens:
    """With which colours of a high-contrast theme a selected row is painted: those of its selection."""
    return contrast_tokens(tokens["select"], tokens["on_select"])


def system_tokens(palette: QPalette) -> Tokens | None:
    """The colours that a person chose in the system for high contrast; None where they are not a high-contrast theme:
    some systems only say that one is wanted."""
    role = QPalette.ColorRole

    def of(wanted: QPalette.ColorRole) -> str:
        return palette.color(QPalette.ColorGroup.Active, wanted).name().upper()

    ground, text, select, on_select = map(of, (role.Base, role.Text, role.Highlight, role.HighlightedText))
    pairs = ((ground, text), (select, on_select), (ground, select))
    if any(contrast(*pair) < LEAST_CONTRAST for pair in pairs):
        return None
    link = of(role.Link) if contrast(of(role.Link), ground) >= LEAST_CONTRAST else text
    return contrast_tokens(ground, text, link=link, select=select, on_select=on_select)


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2, "contrast ratio")."""
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    """WCAG 2.2, "relative luminance"."""
    whole = QColor(colour)
    parts = (whole.redF(), whole.greenF(), whole.blueF())
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

"""Whether this computer's fonts can show what a shop writes. Without them every picture would hold boxes."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtGui import QFont, QFontInfo, QTextLayout

SAMPLES: Mapping[str, tuple[str, str]] = {
    "Latin": ("Ångström, čeština, koi", "fonts-noto-core (Noto Sans)"),
    "Arabic": ("قط أنقرة", "fonts-noto-core (Noto Sans Arabic)"),
    "emoji": ("\U0001f426\U0001f439", "fonts-noto-color-emoji (Noto Color Emoji)"),
}
"""A text of each script, and what brings it: a Debian package, and the font's name for other systems."""


def lacks(font: QFont, text: str) -> bool:
    """Whether some sign of the text has no glyph in this font nor in any that stands in for it (glyph 0 of a font is
    the one for missing signs: OpenType 1.9, "glyf", "The .notdef glyph")."""
    if not QFontInfo(font).family():
        return True  # there is no font at all: Qt draws a box for every sign, and calls it glyph 1
    layout = QTextLayout(text, font)
    layout.beginLayout()
    while layout.createLine().isValid():
        pass
    layout.endLayout()
    runs = layout.glyphRuns()
    return not runs or any(0 in run.glyphIndexes() for run in runs)


def missing(font: QFont, samples: Mapping[str, tuple[str, str]] = SAMPLES) -> list[str]:
    """One line for each script that cannot be shown: which, and what to install."""
    return [
        f"no glyphs for {name}: install {package}" for name, (text, package) in samples.items() if lacks(font, text)
    ]

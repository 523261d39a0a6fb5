"""Colours, fonts and measures of the window, light and dark, and the controller that applies them.

The tokens are data; everything else (palette, style sheet, fonts) is derived from them and from the
platform's own UI font. Own paint asks `current()` at paint time, as one asks QApplication.palette().
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QGlyphRun, QPalette, QPixmap
from PySide6.QtWidgets import QApplication

from petstore_desktop import resources
from petstore_desktop.ui.base.colours import BLACK, BRIGHT, DARK, LIGHT, Tokens, selected_tokens, system_tokens

if TYPE_CHECKING:
    from petstore_desktop.shop.background import Background
    from petstore_desktop.ui.base.motion import Motion

Preference: TypeAlias = Literal["system", "light", "dark"]
Tone = Literal["text", "muted", "faint", "accent", "ok", "wait", "done", "bad"]
BASE_SIZE = 13
"""Body size of the design; every other size is a ratio of it, applied to the platform's UI font."""
_BASE_LINE = 16
"""Line height in logical pixels of a body font of 13 px; heights grow by what the real line exceeds it."""


_KEPT_WIDTHS = 8192
_MARKUP = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;"})


_TINTS = {"ok": "ok_bg", "wait": "wait_bg", "done": "done_bg", "bad": "bad_bg", "accent": "filtered"}


class Theme:
    """One set of tokens with the colours, fonts and metrics derived from them, each made once."""

    def __init__(self, tokens: Tokens, dark: bool, high_contrast: bool = False, *, base: QFont | None = None) -> None:
        """`base`: the font of the body, if not the application's."""
        self.tokens = tokens
        self.dark = dark
        self.high_contrast = high_contrast
        self._base = base or QApplication.font()
        self.color = cache(self._make_color)
        """The colour of a token, by its name."""
        self.tone = self.color
        """The text colour of a tone; tones are tokens."""
        self.font = cache(self._make_font)
        """The UI font at a size (in units where the body is 13) and weight, with tabular figures if `tnum`."""
        self.metrics = cache(self._make_metrics)
        """Metrics of `font` with the same arguments."""
        self.advance = lru_cache(_KEPT_WIDTHS)(self._measure)
        """Width of a text in logical pixels, in the `font` of the arguments after it."""
        self.line = cache(lambda: max(float(_BASE_LINE), self.metrics().height()))
        """Line height of the body font in logical pixels, at least that of the design."""
        self.caps = cache(lambda: self.metrics().capHeight())
        """Height of a capital letter of the body font; all text of a row shares the baseline it gives."""
        self.pixmaps: dict[object, QPixmap] = {}
        """What own paint wants to keep as long as this theme lives, by a key of its choice."""
        self.glyphs: dict[object, Sequence[QGlyphRun] | None] | None = None if base else {}
        """The glyphs of texts that own paint draws on the screen, by text and font; of one that was drawn once, None.
        On paper nothing is drawn twice, and a text stays one that can be searched for."""

    def tint(self, tone: Tone) -> QColor:
        """The quiet background that belongs to a tone; `hover` where a tone has none."""
        return self.color(_TINTS.get(tone, "hover"))

    @cached_property
    def selected(self) -> Theme:
        """The theme that a selected row is painted with: this one, in high contrast the other way round."""
        if not self.high_contrast:
            return self
        return Theme(selected_tokens(self.tokens), not self.dark, high_contrast=True, base=self._base)

    @property
    def ring_width(self) -> int:
        """Width of the ring around what has the keyboard; in high contrast other controls are outlined too."""
        return 3 if self.high_contrast else 2

    def height(self, base: int) -> int:
        """A control's height, `base` at 13 px; it grows by as much as the text's line does."""
        return round(max(base, self.line() + base - _BASE_LINE))

    def scaled(self, base: float) -> int:
        """A length that grows in proportion to the text, such as an icon's side."""
        return round(base * self.line() / _BASE_LINE)

    def palette(self) -> QPalette:
        """The full application palette."""
        return build_palette(self.tokens)

    def stylesheet(self) -> str:
        """The application's one small style sheet, made from the tokens."""
        sheet = resources.path("styles", "desktop.qss").read_text(encoding="utf-8")
        if self.high_contrast:
            sheet += resources.path("styles", "contrast.qss").read_text(encoding="utf-8")
        for name in sorted(self.tokens, key=len, reverse=True):
            sheet = sheet.replace(f"@{name}", self.tokens[name])
        return sheet

    def _make_color(self, name: str) -> QColor:
        return QColor(self.tokens[name])

    def _make_metrics(self, size: float = BASE_SIZE, weight: int = 400, tnum: bool = False) -> QFontMetricsF:
        return QFontMetricsF(self.font(size, weight, tnum))

    def _measure(self, text: str, size: float = BASE_SIZE, weight: int = 400, tnum: bool = False) -> float:
        return self.metrics(size, weight, tnum).horizontalAdvance(text)

    def _make_font(self, size: float = BASE_SIZE, weight: int = 400, tnum: bool = False) -> QFont:
        font = QFont(self._base)
        ratio = size / BASE_SIZE
        if font.pixelSize() > 0:
            font.setPixelSize(max(1, round(font.pixelSize() * ratio)))
        else:
            font.setPointSizeF(font.pointSizeF() * ratio)
        font.setWeight(QFont.Weight(weight))
        font.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
        if tnum:
            font.setFeature(QFont.Tag("tnum"), 1)
        return font


def build_palette(tokens: Tokens) -> QPalette:
    """Every palette role the Fusion style reads, from the tokens."""
    role = QPalette.ColorRole
    colors = {
        role.Window: tokens["content"],
        role.WindowText: tokens["text"],
        role.Base: tokens["content"],
        role.AlternateBase: tokens["sunken"],
        role.Text: tokens["text"],
        role.Button: tokens["button"],
        role.ButtonText: tokens["text"],
        role.BrightText: tokens["bad"],
        role.Light: tokens["raised"],
        role.Midlight: tokens["hover"],
        role.Mid: tokens["line"],
        role.Dark: tokens["control"],
        role.Shadow: tokens["control"],
        role.Highlight: tokens["select"],
        role.HighlightedText: tokens["on_select"],
        role.Accent: tokens["fill"],
        role.Link: tokens["accent"],
        role.LinkVisited: tokens["accent"],
        role.ToolTipBase: tokens["raised"],
        role.ToolTipText: tokens["text"],
        role.PlaceholderText: tokens["faint"],
    }
    palette = QPalette()
    for key, value in colors.items():
        palette.setColor(key, QColor(value))
    palette.setColor(QPalette.ColorGroup.Inactive, role.Highlight, QColor(tokens["select_off"]))
    for key in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, key, QColor(tokens["faint"]))
    return palette


RESTYLE = frozenset({QEvent.Type.PaletteChange, QEvent.Type.StyleChange, QEvent.Type.ApplicationFontChange})
"""Events after which a widget with colours of its own takes them anew: Qt has brought back those it had before."""
_applied: list[Theme] = []


def current() -> Theme:
    """The theme that is applied now; light until a controller has applied one."""
    if not _applied:
        _applied.append(Theme(LIGHT, dark=False))
    return _applied[0]


class ThemeController(QObject):
    """Applies the theme to the application and follows the system's colour scheme.

    Signals:
        changed(Theme): after another theme was applied.
    """

    changed = Signal(object)

    def __init__(
        self,
        app: QApplication,
        preference: Preference = "system",
        parent: QObject | None = None,
        contrast: str = "",
    ) -> None:
        """`contrast`: "on", "off", or anything else for the system's."""
        super().__init__(parent)
        self._app = app
        self._preference: Preference = preference
        self._contrast = contrast
        self._motion: Motion | None = None
        app.setStyle("Fusion")
        self._system_palette = QPalette(app.palette())
        self._hints = hints = app.styleHints()  # kept: its accessibility hints die with this wrapper
        hints.colorSchemeChanged.connect(self.apply)
        # QAccessibilityHints exists from Qt 6.10; the floor is 6.8.
        self._accessibility: Any = cast("Any", hints).accessibility() if hasattr(hints, "accessibility") else None
        if self._accessibility is not None:
            self._accessibility.contrastPreferenceChanged.connect(self.apply)
        self.theme = self.apply()

    @property
    def preference(self) -> Preference:
        """What the person chose: follow the system, or always light or dark."""
        return self._preference

    def set_preference(self, preference: Preference) -> None:
        """Choose light, dark or the system's scheme; applied at once."""
        if preference != self._preference:
            self._preference = preference
            self.apply()

    def set_contrast(self, contrast: str) -> None:
        """Choose high contrast, ordinary colours, or what the system says; applied at once."""
        if contrast != self._contrast:
            self._contrast = contrast
            self.apply()

    def set_look(self, name: str, value: str) -> None:
        """Apply a preference of this name if it is one of the looks: `theme`, `contrast` or `motion`."""
        if name == "theme" and value in ("system", "light", "dark"):
            self.set_preference(value)
        elif name == "contrast":
            self.set_contrast(value)
        elif name == "motion" and self._motion is not None:
            self._motion.choose(value)

    def follow_motion(self, preference: str, background: Background) -> None:
        """From now on, after the first paint, let things move as the person or the system wants it."""
        from petstore_desktop.ui.base.motion import Motion

        self._motion = Motion(self._app, preference, background)
        self._motion.follow_system()

    def apply(self, *_: object) -> Theme:
        """Work out the theme, hand it to the application, and return it."""
        self.theme = theme = self._wanted()
        _applied[:] = [theme]
        self._app.setPalette(theme.palette())
        self._app.setStyleSheet(theme.stylesheet())
        self.changed.emit(theme)
        return theme

    def _wanted(self) -> Theme:
        dark = self._preference == "dark"
        if self._preference == "system":  # Unknown means light
            dark = self._hints.colorScheme() == Qt.ColorScheme.Dark
        if not self._high_contrast():
            return Theme(DARK if dark else LIGHT, dark)
        own = system_tokens(self._system_palette) if self._preference == "system" and self._asked_by_system() else None
        if own is not None:
            return Theme(own, QColor(own["content"]).lightness() < 128, high_contrast=True)
        return Theme(BLACK if dark else BRIGHT, dark, high_contrast=True)

    def _high_contrast(self) -> bool:
        return self._contrast == "on" or (self._contrast != "off" and self._asked_by_system())

    def _asked_by_system(self) -> bool:
        if self._accessibility is None:
            return False
        return self._accessibility.contrastPreference() == cast("Any", Qt).ContrastPreference.HighContrast


def isolate(text: str) -> str:
    """`text` in a bidi isolate (U+2068 ... U+2069), so that it cannot turn the words around it."""
    return f"\u2068{text}\u2069"


_ISOLATES = dict.fromkeys(range(0x2066, 0x206A))


def to_say(words: str) -> str:
    """The words as a screen reader gets them, without the marks that only order them on the screen (isolates)."""
    return words.translate(_ISOLATES)


MOST_SHOWN = 4_000
"""Characters of a service's text that are shown; to lay out a million takes a third of a second, for each cell."""


def plain(text: str) -> str:
    """Service text made harmless: line breaks as ↵, control and bidi-control characters made visible, and cut."""
    if len(text) > MOST_SHOWN:
        text = f"{text[:MOST_SHOWN]}…"
    if text.isascii() and text.isprintable():
        return text
    text = text.replace("\r\n", "\n")
    return text.translate({ord(char): seen for char in set(text) if (seen := _visible(char)) != char})


def _visible(char: str) -> str:
    if char in "\n\r\u2028\u2029":
        return "↵"
    category = unicodedata.category(char)
    if category == "Cc":
        return chr(0x2400 + ord(char)) if ord(char) < 32 else "␡" if ord(char) == 127 else f"‹{ord(char):02X}›"
    if category == "Cs" or (category == "Cf" and char not in "\u200c\u200d\u00ad"):
        return f"‹{ord(char):04X}›"
    return char


def tooltip(text: str) -> str:
    """A tool tip that shows `text` letter by letter: Qt would take a tag in it for markup."""
    return f"<p style='white-space:pre-wrap'>{text.translate(_MARKUP)}</p>" if text else ""

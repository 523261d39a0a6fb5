"""How the whole program looks and speaks, as the preferences say: theme, contrast, animations and language."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, cast

from petstore_desktop.ui.base.theme import Preference, ThemeController
from petstore_desktop.ui.text.translate import speak

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication

    from petstore_desktop.ui.base.background import Background
    from petstore_desktop.ui.base.motion import Motion


LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "pt_BR": "Português (Brasil)",
    "ar": "العربية",
    "ja": "日本語",
}
"""Languages as those who speak them call them."""


class Looks:
    """Applies what is preferred, at the start and whenever it changes."""

    def __init__(
        self,
        application: QApplication,
        preference: Callable[[str], str],
        background: Callable[[], Background],
        renew: Callable[[], None],
    ) -> None:
        """`preference` says what is preferred, by name; `renew` puts new windows in the place of those that speak
        another language."""
        self._application, self._preference = application, preference
        self._background, self._renew = background, renew
        speak(application, preference("language"))
        theme = cast("Preference", preference("theme"))
        self._theme = ThemeController(application, theme, contrast=preference("contrast"))

    @cached_property
    def motion(self) -> Motion:
        """Whether anything moves by itself; made right after the first paint."""
        from petstore_desktop.ui.base.motion import Motion

        return Motion(self._application, self._preference("motion"), self._background())

    def apply(self, name: str) -> None:
        """Something else is preferred under this name."""
        value = self._preference(name)
        if name == "theme":
            self._theme.set_preference(cast("Preference", value))
        elif name == "contrast":
            self._theme.set_contrast(value)
        elif name == "motion":
            self.motion.choose(value)
        elif name == "language":
            speak(self._application, value)
            self._renew()

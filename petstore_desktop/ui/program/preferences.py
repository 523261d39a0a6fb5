"""Preferences: theme, language, and where the data lie."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.form import ChoiceField, FormDialog
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.ui.context.ports_shops import AppPort


class PreferencesDialog(FormDialog):
    """A theme is applied at once; a language at the next start."""

    def __init__(self, app: AppPort, data_folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(tr("Preferences"), "", parent)
        self.setObjectName("preferencesDialog")
        self._app = app
        themes = [("system", tr("Same as system")), ("light", tr("Light")), ("dark", tr("Dark"))]
        self.theme = ChoiceField(tr("Theme"), themes)
        self.theme.box.setObjectName("themeChoice")
        self.theme.set_value(app.preference("theme") or "system")
        self.language = ChoiceField(tr("Language"), [("", tr("Same as system")), *app.languages()])
        self.language.box.setObjectName("languageChoice")
        self.language.set_value(app.preference("language"))
        folder = PlainLabel(str(data_folder), "muted", wrap=True, selectable=True)
        folder.setAccessibleName(tr("Data folder"))
        look = LinkLabel(tr("Open the folder"))
        look.setObjectName("openFolder")
        look.clicked.connect(lambda: QDesktopServices.openUrl(QUrl.fromLocalFile(str(data_folder))))
        note = PlainLabel(tr("A language is used from the next start on."), "muted", 12, wrap=True)
        heading = PlainLabel(tr("Data folder"))
        for widget in (self.theme, self.language, note, heading, folder):
            self.body.addWidget(widget)
        self.add_link(look)
        self.theme.box.currentIndexChanged.connect(self._theme_chosen)
        self.language.box.currentIndexChanged.connect(self._language_chosen)
        self.set_primary(tr("Close"))

    def _theme_chosen(self) -> None:
        self._app.set_preference("theme", self.theme.value())

    def _language_chosen(self) -> None:
        self._app.set_preference("language", self.language.value())

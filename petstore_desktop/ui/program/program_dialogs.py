"""The program's own dialogs: preferences (looks, language, Today, scanner), about (version, licences), and help (every
action with its key, and what each mark on a row means)."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import PySide6
from PySide6.QtCore import QObject, Qt, QTimer, QUrl, qVersion
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPlainTextEdit, QScrollArea, QStackedWidget, QWidget

from petstore_desktop import resources
from petstore_desktop.shop.background import Background
from petstore_desktop.ui.bars.page_switch import PageSwitch
from petstore_desktop.ui.base.building import add, in_column, in_row, named, on_click, timer
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.context.actions import ACTIONS, MENUS, SUBMENUS
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.context.scans import SCAN_PREFIX, SCAN_SOUND, SCAN_SUFFIX, SCANNER
from petstore_desktop.ui.context.tab_specs import TODAY_FIRST, TODAY_FIRST_UNTOLD
from petstore_desktop.ui.text.cell import MARK_ICONS, MARK_ORDER, MARK_TONES, mark_words
from petstore_desktop.ui.text.translate import bare, tr
from petstore_desktop.ui.widgets.button import Button
from petstore_desktop.ui.widgets.dialogs import Dialog
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField, FormDialog
from petstore_desktop.ui.widgets.labels import IconLabel, LinkLabel, PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.ui.context.action_set import ActionSet
    from petstore_desktop.ui.context.ports import AppPort, NewerVersion, UpdatesPort


_LOOK_MS, _FIRST_LOOK_MS = 6 * 3600 * 1000, 5_000
"""How often it is looked whether it is time to ask for a newer version, and how long after a start the first time."""
_MOST_AROUND = 20
"""Characters before or after a code."""


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


class PreferencesDialog(FormDialog):
    """Each choice is applied at once; another language by a new window, with these preferences open in it."""

    def __init__(self, app: AppPort, data_folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(tr("Preferences"), "", parent, name="preferencesDialog")
        self._app = app
        themes = [("system", tr("Same as system")), ("light", tr("Light")), ("dark", tr("Dark"))]
        self.theme = self._choice(tr("Theme"), themes, "theme", "themeChoice", "system")
        ways = [("system", tr("Same as system")), ("on", tr("On")), ("off", tr("Off"))]
        self.contrast = self._choice(tr("High contrast"), ways, "contrast", "contrastChoice", "system")
        self.motion = self._choice(tr("Animations"), ways, "motion", "motionChoice", "system")
        languages = [("", tr("Same as system")), *((code, LANGUAGES.get(code, code)) for code in app.languages())]
        self.language = self._choice(tr("Language"), languages, "language", "languageChoice", "")
        mornings = [("on", tr("Open Today")), ("off", tr("Open the tab that was shown last"))]
        morning = tr("First start of a day")
        self.morning = self._choice(morning, mornings, TODAY_FIRST, "todayFirstChoice", TODAY_FIRST_UNTOLD)
        scanner = self._scanner_fields()
        asked = [("off", tr("Do not ask")), ("on", tr("Ask once a week"))]
        updates = self._choice(tr("Newer versions"), asked, "updates", "updatesChoice", "off")
        folder = PlainLabel(str(data_folder), "muted", wrap=True, selectable=True)
        folder.setAccessibleName(tr("Data folder"))
        url = QUrl.fromLocalFile(str(data_folder))
        look = on_click(Button(tr("Open the folder")), lambda: QDesktopServices.openUrl(url), "openFolder")
        heading = PlainLabel(tr("Data folder"))
        pages = QStackedWidget()
        general = (self.theme, self.contrast, self.motion, self.language, self.morning)
        asking = () if app.updates() is None else (updates,)
        for parts in (general, scanner, (*asking, heading, folder, (look, Qt.AlignmentFlag.AlignLeft))):
            pages.addWidget(page := QWidget())
            in_column(page, *parts, "stretch", spacing=12)
        names = (("generalPageButton", tr("General")), ("scannerPageButton", tr("Scanner")))
        self.switch = PageSwitch((*names, ("programPageButton", tr("Program"))))
        self.switch.chosen.connect(pages.setCurrentIndex)
        add(self.body, in_row(None, self.switch, "stretch"), pages)
        self.set_primary(tr("Close"))
        self.theme.setFocus()

    def _scanner_fields(self) -> list[QWidget]:
        """How scans are recognised; each counts from its change on."""
        ways = [("on", tr("Recognise scans everywhere")), ("off", tr("Treat scans as typing"))]
        sounds = [("on", tr("Beep")), ("off", tr("No sound"))]
        self.scanner = self._choice(tr("Bar code scanner"), ways, SCANNER, "scannerChoice")
        self.sound = self._choice(tr("Sound of a scan"), sounds, SCAN_SOUND, "scanSoundChoice")
        note = tr("If your scanner types something before or after each code, enter it here. Leave Enter and Tab out.")
        self.prefix = FormField(tr("Before each code"), name="scanPrefixField")
        self.suffix = FormField(tr("After each code"), note, name="scanSuffixField")
        for field, name in ((self.prefix, SCAN_PREFIX), (self.suffix, SCAN_SUFFIX)):
            field.edit.setMaxLength(_MOST_AROUND)
            field.set_text(self._app.preference(name))
            field.changed.connect(partial(self._app.set_preference, name))
        return [self.scanner, self.sound, self.prefix, self.suffix]

    def _choice(
        self, label: str, choices: list[tuple[str, str]], preference: str, name: str, usual: str = "on"
    ) -> ChoiceField:
        field = ChoiceField(label, choices, name=name)
        field.set_value(self._app.preference(preference) or usual)
        field.box.currentIndexChanged.connect(lambda: self._app.set_preference(preference, field.value()))
        return field


# Names and licences of what the program is built upon; a licence's name is not translated.
LIBRARIES = (
    ("Qt, PySide6-Essentials, shiboken6", "LGPL-3.0"),
    ("Python", "PSF-2.0"),
    ("httpx, httpcore", "BSD-3-Clause"),
    ("pydantic", "MIT"),
    ("msgspec", "BSD-3-Clause"),
    ("keyring", "MIT"),
    ("apsw", "any OSI-approved licence"),
    ("SQLite", "public domain"),
    ("truststore, jeepney", "MIT"),
    ("idna", "BSD-3-Clause"),
    ("platformdirs", "MIT"),
    ("PyYAML", "MIT"),
    ("openpyxl", "MIT"),
    ("numpy", "BSD-3-Clause"),
    ("segno", "BSD-3-Clause"),
    ("python-barcode", "MIT"),
    ("starlette, uvicorn", "BSD-3-Clause"),
    ("cryptography, OpenSSL", "Apache-2.0"),
    ("certifi", "MPL-2.0"),
)


def licence_text(folder: Path | None) -> str:
    """The notices that the licences ask for. `folder`: where their texts are, if the program brought them."""
    notice = tr(
        "Pet Store Desktop is free software under the MIT licence. It uses Qt and PySide6 under the GNU Lesser General "
        "Public License, version 3. They are separate libraries beside the program: you may replace them with your own"
        ", and you may take the program apart to debug such a change."
    )
    if folder is None:
        where = tr(
            "The licence’s text is at {address}, the source of both at {source}.",
            address="https://www.gnu.org/licenses/lgpl-3.0.html",
            source="https://code.qt.io",
        )
    else:
        where = tr(
            "The texts of all licences, what each is for, where the source of Qt is and how it is replaced: {folder}",
            folder=str(folder),
        )
    return "\n".join([notice, where, "", *(f"{name}: {licence}" for name, licence in LIBRARIES)])


class AboutDialog(Dialog):
    """About: the program, its libraries and licences."""

    def __init__(self, app: AppPort, data_folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(tr("About Pet Store Desktop"), "", parent, name="aboutDialog", spacing=10)
        self._app = app
        add(self.body, self._head())
        for label, text in (
            (tr("Data folder"), str(data_folder)),
            (tr("Runs on"), f"Python {sys.version.split()[0]}, PySide6 {PySide6.__version__}, Qt {qVersion()}"),
        ):
            self.body.addWidget(PlainLabel(tr("{label}: {text}", label=label, text=text), "muted", wrap=True))
        newest = None if (updates := app.updates()) is None else updates.newest()
        if newest is not None:
            words = tr("Version {version} is available", version=newest.version)
            on_click(link := LinkLabel(words), lambda: QDesktopServices.openUrl(QUrl(newest.page)), "newerVersion")
            self.body.addWidget(link)
        folder = resources.licences()
        licences = named(QPlainTextEdit(licence_text(folder)), "licences", tr("Licences"))
        licences.setReadOnly(True)
        licences.setMinimumSize(current().scaled(480), current().scaled(180))
        self.body.addWidget(licences)
        if folder is not None:
            url = QUrl.fromLocalFile(str(folder))
            look = self.add_button(tr("Open licences"))
            on_click(look, lambda: QDesktopServices.openUrl(url), "openLicences")
        self.add_copy(tr("Copy diagnostics"), app.diagnostics)
        self.set_primary(tr("Close"))

    def _head(self) -> QHBoxLayout:
        version = PlainLabel(tr("Version {version}", version=QGuiApplication.applicationVersion()), "muted")
        words = in_column(None, PlainLabel(tr("Pet Store Desktop"), "text", 17, 600), version, spacing=2)
        return in_row(
            None, IconLabel("app", "text", tr("Pet Store Desktop"), 44, tipped=False), words, "stretch", spacing=12
        )


def tell_of_updates(updates: UpdatesPort, say: Say, parent: QObject) -> None:
    """Say once that there is a newer version: looked for some seconds after this, and while the program runs."""
    background = Background(parent)

    def told(newest: NewerVersion | None) -> None:
        if newest is not None:
            words = tr(
                "Pet Store Desktop {version} is available: Help > About Pet Store Desktop.", version=newest.version
            )
            say(Message(tr("{words} New: {news}", words=words, news=newest.news) if newest.news else words, "info"))

    def look() -> None:
        background.run(updates.look, told)

    timer(parent, _LOOK_MS, look).start()
    QTimer.singleShot(_FIRST_LOOK_MS, parent, look)


class HelpDialog(Dialog):
    """Two tables."""

    def __init__(self, actions: ActionSet, parent: QWidget | None = None) -> None:
        typing = tr("Type in a cell to replace its value; +12 adds, =40 sets.")
        super().__init__(tr("Keys and marks"), typing, parent, name="helpDialog")
        body = QWidget()
        marks = PlainLabel(tr("Marks"), "muted", 12, 600)
        column = in_column(body, marks, _marks(), margins=(20, 0, 20, 12), spacing=6)
        for menu, title in (*MENUS, *((name, title) for name, _, title, _ in SUBMENUS)):
            add(column, PlainLabel(bare(title()), "muted", 12, 600), _keys(actions, menu))
        column.addStretch(1)
        scroll = QScrollArea()
        scroll.setAccessibleName(tr("Keys and marks"))
        scroll.setWidget(body)
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QScrollArea.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.body.addWidget(scroll)
        self.set_primary(tr("Close"))
        self.spread((520, 540))


def _marks() -> QGridLayout:
    grid = QGridLayout()
    grid.setColumnStretch(1, 1)
    for row, mark in enumerate(MARK_ORDER):
        grid.addWidget(IconLabel(MARK_ICONS[mark], MARK_TONES[mark], mark_words(mark)), row, 0)
        grid.addWidget(PlainLabel(mark_words(mark)), row, 1)
    return grid


def _keys(actions: ActionSet, menu: str) -> QGridLayout:
    grid = QGridLayout()
    grid.setColumnStretch(0, 1)
    grid.setColumnMinimumWidth(1, current().scaled(130))
    for row, spec in enumerate(spec for spec in ACTIONS if spec.menu == menu):
        keys = actions[spec.name].shortcut().toString(QKeySequence.SequenceFormat.NativeText) or spec.shown_key
        grid.addWidget(PlainLabel(bare(spec.text())), row, 0)
        grid.addWidget(PlainLabel(keys, "muted"), row, 1)
    return grid

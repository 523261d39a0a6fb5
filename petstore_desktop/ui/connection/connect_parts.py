"""Parts of the form of a connection: the key and its limits, the fields that few need, and what a check has found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QDialog, QWidget

from petstore_desktop.contract.model import value_can_be_sent
from petstore_desktop.desk.values.typed_numbers import parse_limit
from petstore_desktop.domain.checks import Check, CheckReport
from petstore_desktop.domain.commands import ServiceKey, ServiceValue, UseKey
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.quota import OWN_NUMBERS, PLANS, Plan
from petstore_desktop.ui.base.building import in_column, in_row, named, on_click
from petstore_desktop.ui.base.theme import current, isolate, plain
from petstore_desktop.ui.connection.check_list import (
    CheckLine,
    SampleView,
    advice_words,
    line_mark,
    mark_of,
    said_words,
    summary_words,
    took_words,
    value_notes,
)
from petstore_desktop.ui.text.errors.errors import bad_input_words
from petstore_desktop.ui.text.localize import separators
from petstore_desktop.ui.text.translate import locale, number, tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField, add_browse, key_error
from petstore_desktop.ui.widgets.labels import LINK_PAD, LinkLabel, PlainLabel, say

NOT_KNOWN = Plan("", None, None)


class PlanFields(QWidget):
    """A choice of plans; where the name alone does not say the limits, two numbers below it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        plans = [("", tr("Not known")), *((name, name.capitalize()) for name in PLANS)]
        self.choice = ChoiceField(tr("Plan"), plans, name="planChoice")
        self.setFocusProxy(self.choice)
        self.minute = FormField(tr("Requests per minute"), placeholder=tr("not known"), name="perMinuteField")
        self.day = FormField(tr("Requests per day"), placeholder=tr("not known"), name="perDayField")
        in_column(self, self.choice, self.minute, self.day, "stretch", spacing=10)
        for field in (self.minute, self.day):
            field.changed.connect(self.check)
        self.choice.box.currentIndexChanged.connect(self._chosen)

    def set_plan(self, plan: Plan) -> None:
        """Fill the fields."""
        self.choice.set_value(plan.name)
        for field, value in ((self.minute, plan.per_minute), (self.day, plan.per_day)):
            field.set_text("" if value is None else number(value))
        self._chosen()

    def plan(self) -> Plan | None:
        """The chosen plan and numbers; None if a number is invalid, which its field shows."""
        name = self.choice.value()
        if name not in OWN_NUMBERS:
            return PLANS[name]
        here = separators(locale())
        read = [parse_limit(field.text(), here) for field in (self.minute, self.day)]
        for field, limit in zip((self.minute, self.day), read, strict=True):
            field.set_error(bad_input_words(limit.code) if isinstance(limit, BadInput) else "")
        per_minute, per_day = read
        if isinstance(per_minute, BadInput) or isinstance(per_day, BadInput):
            return None
        unlikely = per_minute is not None and per_day is not None and per_day < per_minute
        self.day.set_note(tr("This is less than the limit per minute. Please check.") if unlikely else "")
        return Plan(name, per_minute, per_day)

    def check(self) -> bool:
        """Show errors at the fields; returns whether there are none."""
        return self.plan() is not None

    def _chosen(self) -> None:
        for field in (self.minute, self.day):
            field.setVisible(self.choice.value() in OWN_NUMBERS)
        window = self.window()
        if isinstance(window, QDialog):  # once the layouts have noticed
            QTimer.singleShot(0, window, window.adjustSize)


def document_field(label: str, note: str, placeholder: str = "") -> FormField:
    """The field for an OpenAPI document."""
    field = FormField(label, note, placeholder=placeholder, name="documentField")
    add_browse(
        field, tr("Choose the OpenAPI document"), tr("OpenAPI documents and profiles (*.json *.yaml *.yml *.toml)")
    )
    return field


BUILT_WITH = (
    ("aspnet", "ASP.NET Core"),
    ("directus", "Directus"),
    ("django", "Django"),
    ("fastapi", "FastAPI"),
    ("feathers", "Feathers"),
    ("json-server", "json-server"),
    ("laravel", "Laravel"),
    ("loopback", "LoopBack"),
    ("nest", "Nest"),
    ("rails", "Rails"),
    ("spring", "Spring"),
    ("petclinic", "Spring PetClinic"),
    ("strapi", "Strapi"),
    ("petstore-2", "Swagger Petstore 2"),
    ("petstore-3", "Swagger Petstore 3"),
)
"""What services are built with whose profile comes with the program, by its name."""


def ca_file_field(label: str, note: str, placeholder: str = "") -> FormField:
    """The field for a file with certificates."""
    field = FormField(label, note, placeholder=placeholder, name="caFileField")
    add_browse(field, tr("Choose the file with certificates"), tr("Certificates (*.pem *.crt *.cer)"))
    return field


class KeyFields(QWidget):
    """A field for each key that the service wants: one, or several by the names that its document has for them.

    Signals:
        edited(str): the text of the one that has another now.
    """

    edited = Signal(str)

    def __init__(self, note: str = "", placeholder: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._note, self._placeholder = note, placeholder
        self.main = FormField(tr("Key"), note, password=True, placeholder=placeholder, name="keyField")
        self.main.edit.textChanged.connect(self.edited)
        self.setFocusProxy(self.main)
        self.further: dict[str, FormField] = {}
        self._column = in_column(self, self.main, spacing=10)

    def show_keys(self, keys: Sequence[ServiceKey]) -> None:
        """Ask for exactly these; what is typed stays."""
        for key in keys:
            field = self.main if not key.scheme else self.further.get(key.scheme) or self._added(key)
            field.label.set_text(_key_label(key) if len(keys) > 1 and key.name else tr("Key"))
            token = tr("This service signs people in elsewhere. Paste an access token.")
            which = tr("The service wants several keys. Put each where it belongs.")
            own = which if len(keys) > 1 and not self._placeholder else self._note
            field.set_note(token if key.token else "" if key.scheme else own)
        wanted = [key.scheme for key in keys]
        for scheme, field in self.further.items():
            field.setVisible(scheme in wanted)

    def _added(self, key: ServiceKey) -> FormField:
        field = FormField("", password=True, placeholder=self._placeholder, name=f"keyField {key.scheme}")
        field.edit.setAccessibleName(tr("Key {name}", name=plain(key.name)))
        field.edit.textChanged.connect(self.edited)
        self._column.addWidget(field)
        QWidget.setTabOrder([self.main, *self.further.values()][-1], field)
        self.further[key.scheme] = field
        return field

    def check(self) -> bool:
        """Whether all that was typed can be sent; of what cannot the field says why."""
        fields = (self.main, *self.further.values())
        for field in fields:
            field.set_error(key_error(field.text().strip()))
        return not any(key_error(field.text().strip()) for field in fields)

    def keys(self) -> UseKey:
        """The typed keys."""
        texts = ((scheme, field.text().strip()) for scheme, field in self.further.items() if not field.isHidden())
        return UseKey(self.main.text().strip(), {scheme: text for scheme, text in texts if text})

    def first_empty(self) -> QWidget | None:
        """Where to type next."""
        fields = (self.main, *(field for field in self.further.values() if not field.isHidden()))
        return next((field for field in fields if not field.text().strip()), None)

    def clear(self) -> None:
        """Forget what was typed."""
        for field in (self.main, *self.further.values()):
            field.edit.clear()


def _key_label(key: ServiceKey) -> str:
    """What the document calls it, and where it is sent."""
    name, parameter = isolate(plain(key.name)), isolate(plain(key.parameter))
    if not parameter:
        return tr("Key {name}", name=name)
    if key.place == "query":
        return tr("Key {name} (in the address, as {parameter})", name=name, parameter=parameter)
    return tr("Key {name} (header {parameter})", name=name, parameter=parameter)


class ValueFields(QWidget):
    """A field for each value that the service demands with its requests, as its document describes it.

    Signals:
        edited(str): what one has now.
    """

    edited = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.fields: dict[tuple[str, str], FormField | ChoiceField] = {}
        """By place and name."""
        self._column = in_column(self, spacing=10)
        self.hide()

    def show_values(self, values: Sequence[ServiceValue], known: Mapping[str, str]) -> None:
        """Ask for exactly these; what is typed stays. A `known` one is shown, and stays as it is."""
        wanted = [(value.place, value.name) for value in values]
        for key, value in zip(wanted, values, strict=True):
            if key not in self.fields:
                self._add(key, value, known.get(value.name, ""))
        for key, field in self.fields.items():
            field.setVisible(key in wanted)
        self.setVisible(bool(wanted))

    def _add(self, key: tuple[str, str], value: ServiceValue, known: str) -> None:
        name, (note, example) = plain(value.name), value_notes(value)
        if value.choices and not known:
            choices = [("", tr("Not chosen")), *((one, plain(one)) for one in value.choices)]
            field: FormField | ChoiceField = ChoiceField(
                isolate(name), choices, name=f"valueField {value.name}", note=note
            )
            field.box.currentTextChanged.connect(self.edited)
            target: QWidget = field.box
        else:
            note = tr("For another value, connect another shop.") if known else note
            field = FormField(isolate(name), note, placeholder=example, name=f"valueField {value.name}")
            field.set_text(known)
            field.edit.setReadOnly(bool(known))
            field.edit.textChanged.connect(self.edited)
            target = field.edit
        target.setAccessibleName(name)
        self._column.addWidget(field)
        if self.fields:
            QWidget.setTabOrder([*self.fields.values()][-1], field)
        self.fields[key] = field

    def _shown(self) -> Iterator[tuple[str, str, FormField | ChoiceField, str]]:
        """Place, name, field and text of each that a person can fill in."""
        for (place, name), field in self.fields.items():
            fixed = isinstance(field, FormField) and field.edit.isReadOnly()
            if not field.isHidden() and not fixed:
                yield place, name, field, field.text().strip() if isinstance(field, FormField) else field.value()

    def check(self) -> bool:
        """Whether all that was typed can be sent; of what cannot the field says why."""
        good = True
        for place, _, field, text in self._shown():
            can = not text or value_can_be_sent(place, text)
            good = good and can
            if isinstance(field, FormField):
                field.set_error("" if can else tr("This value cannot be sent."))
        return good

    def values(self) -> dict[str, str]:
        """The typed ones, by the names of their parameters."""
        return {name: text for _, name, _, text in self._shown() if text}

    def first_empty(self) -> QWidget | None:
        """Where to type next."""
        return next((field for _, _, field, text in self._shown() if not text), None)


class MoreFields(QWidget):
    """What most people leave as it is, behind a button.

    Signals:
        turned: object: it was opened or closed.
        edited: object: what describes the service is another.
    """

    turned = Signal(object)
    edited = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button = on_click(LinkLabel(""), lambda: self.open(self._inner.isHidden()), "moreButton")
        self.plan = PlanFields()
        note = tr("If the service publishes no OpenAPI document.")
        choices = [("", tr("Not known")), *BUILT_WITH]
        self.built_with = ChoiceField(tr("Built with"), choices, name="builtWithField", note=note)
        note = tr("A file or an address, if the service publishes none.")
        self.document = document_field(tr("OpenAPI document (optional)"), note)
        self.ca_file = ca_file_field(
            tr("CA file (optional)"), tr("Certificates to trust, if your company signs its own.")
        )
        self._inner = QWidget()
        in_column(self._inner, self.plan, self.built_with, self.document, self.ca_file, spacing=10)
        in_column(self, (self.button, Qt.AlignmentFlag.AlignLeft), self._inner, spacing=10)
        self.built_with.box.currentIndexChanged.connect(self._look_at_choice)
        self.document.edit.textChanged.connect(lambda: self.edited.emit(None))
        self.open(False)

    def described_by(self) -> str:
        """What says how the service speaks: the name of a profile, or a document's file or address; empty for what it
        publishes."""
        return self.built_with.value() or self.document.text().strip()

    def _look_at_choice(self) -> None:
        self.document.setEnabled(not self.built_with.value())
        self.edited.emit(None)

    def open(self, wanted: bool) -> None:
        """Show or hide the fields."""
        self._inner.setVisible(wanted)
        self.button.set_text(tr("Less") if wanted else tr("More: plan, document, certificates"))
        self.turned.emit(None)


class FindingsPanel(QWidget):
    """The findings of a check: the good ones in one line, problems with advice and a button.

    Signals:
        moved: object: to the address at which the service was found.
        saved: object: to be saved although it does not answer now.
    """

    moved = Signal(object)
    saved = Signal(object)

    keeps_room = False
    """What was shown keeps its room when it goes: nothing below it moves while one types."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = CheckLine()
        self.mark = line_mark("unknown", "faint")
        self.result = named(PlainLabel("", "text", 12, wrap=True), "testResult")
        self.advice = named(PlainLabel("", "muted", 12, wrap=True), "testAdvice")
        self.use = on_click(LinkLabel(""), lambda: self.moved.emit(None), "useFound")
        self.anyway = on_click(LinkLabel(tr("Save anyway")), lambda: self.saved.emit(None), "saveAnyway")
        self.took = named(PlainLabel("", "faint", 12), "requestsTaken")
        words = in_column(None, self.result, self.advice, spacing=4)
        wrong = in_row(None, (self.mark, Qt.AlignmentFlag.AlignTop), (words, 1), spacing=6)
        lead = current().scaled(20)
        links = in_column(None, self.use, self.anyway, margins=(lead - LINK_PAD, 0, 0, 0), spacing=2)
        self.sample = SampleView()
        took = in_column(None, self.sample, self.took, margins=(lead, 0, 0, 0), spacing=6)
        in_column(self, self.line, wrong, links, took, spacing=6)
        self.clear()

    def clear(self) -> None:
        """Nothing was checked."""
        if self.keeps_room and self.isVisible():
            self.setMinimumHeight(self.height())
        self.line.clear()
        self.say("")
        for widget in (self.use, self.anyway, self.sample, self.took):
            widget.hide()
        if not self.minimumHeight():
            self.hide()

    def begin(self) -> None:
        """The check has begun."""
        self.clear()
        self.say(tr("Asking the service…"))
        self.mark.set_icon("open", "faint", tr("not checked yet"))
        self.show()

    def add(self, check: Check) -> None:
        """One check is finished."""
        self.line.add(check)

    def show_report(self, report: CheckReport) -> None:
        """The whole: the cause, if something is wrong, else what can be done there."""
        cause, summary = report.cause, summary_words(report)
        if cause is None:
            self.say(summary)
            self.mark.set_icon("info", "muted", "")
        else:
            self.mark.set_icon(*mark_of(cause))
            advice = "" if report.instead else advice_words(cause) if cause.stands_in_the_way else summary
            if cause.code.startswith("key-missing"):
                advice = tr("Fill in the empty fields above.")
            self.say(said_words(cause), advice)
        say(self.use, tr("Use {address}", address=report.instead) if report.instead else "")
        self.anyway.setVisible(cause is not None and cause.stands_in_the_way and cause.may_pass)
        self.sample.show_sample(report.sample)
        say(self.took, took_words(report))
        self.show()

    def say_wrong(self, words: str) -> None:
        """Show words with the mark of a problem, where the check has no report of its own."""
        self.mark.set_icon("refused", "bad", tr("problem"))
        self.say(words)
        self.show()

    def say(self, words: str, advice: str = "") -> None:
        """Show these words in the place of the cause."""
        say(self.result, words)
        say(self.advice, advice)
        self.mark.setVisible(bool(words))

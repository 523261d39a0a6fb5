"""The fields for a key's limits: a plan by its name, or own numbers."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QDialog, QWidget

from petstore_desktop.desk.values.typed_numbers import parse_limit
from petstore_desktop.domain.errors import BadInput
from petstore_desktop.domain.quota import OWN_NUMBERS, PLANS, Plan
from petstore_desktop.ui.base.building import in_column
from petstore_desktop.ui.text.errors.inputs import bad_input_words
from petstore_desktop.ui.text.localize import separators
from petstore_desktop.ui.text.translate import locale, number, tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import ChoiceField

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

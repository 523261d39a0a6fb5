"""Parts of the form of a connection: the fields that few need, and what a check has found."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from petstore_desktop.domain.checks import Check, CheckReport
from petstore_desktop.ui.base.theme import current
from petstore_desktop.ui.connection.check_list import CheckLine, Mark, mark_of
from petstore_desktop.ui.connection.check_texts import advice_words, said_words, summary_words, took_words
from petstore_desktop.ui.connection.plan import PlanFields
from petstore_desktop.ui.text.translate import tr
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import add_browse
from petstore_desktop.ui.widgets.labels import LINK_PAD, LinkLabel, PlainLabel


class MoreFields(QWidget):
    """What most people leave as it is, behind a button.

    Signals:
        turned: object: it was opened or closed.
    """

    turned = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.button = LinkLabel("")
        self.button.setObjectName("moreButton")
        self.plan = PlanFields()
        self.document = FormField(
            tr("OpenAPI document (optional)"), tr("A file or an address, if the service publishes none.")
        )
        self.document.edit.setObjectName("documentField")
        self.ca_file = FormField(tr("CA file (optional)"), tr("Certificates to trust, if your company signs its own."))
        self.ca_file.edit.setObjectName("caFileField")
        add_browse(self.document, tr("Choose the OpenAPI document"), tr("OpenAPI documents (*.json *.yaml *.yml)"))
        add_browse(self.ca_file, tr("Choose the file with certificates"), tr("Certificates (*.pem *.crt *.cer)"))
        self._inner = QWidget()
        inner = QVBoxLayout(self._inner)
        inner.setContentsMargins(0, 0, 0, 0)
        inner.setSpacing(10)
        for widget in (self.plan, self.document, self.ca_file):
            inner.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._inner)
        self.button.clicked.connect(lambda: self.open(self._inner.isHidden()))
        self.open(False)

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

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.line = CheckLine()
        self.mark = Mark("unknown", "faint")
        self.result = PlainLabel("", "text", 12, wrap=True)
        self.result.setObjectName("testResult")
        self.advice = PlainLabel("", "muted", 12, wrap=True)
        self.advice.setObjectName("testAdvice")
        self.use = LinkLabel("")
        self.use.setObjectName("useFound")
        self.use.clicked.connect(lambda: self.moved.emit(None))
        self.anyway = LinkLabel(tr("Save anyway"))
        self.anyway.setObjectName("saveAnyway")
        self.anyway.clicked.connect(lambda: self.saved.emit(None))
        self.took = PlainLabel("", "faint", 12)
        self.took.setObjectName("requestsTaken")
        words = QVBoxLayout()
        words.setSpacing(4)
        for label in (self.result, self.advice):
            words.addWidget(label)
        wrong = QHBoxLayout()
        wrong.setSpacing(6)
        wrong.addWidget(self.mark, 0, Qt.AlignmentFlag.AlignTop)
        wrong.addLayout(words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self.line)
        column.addLayout(wrong)
        links = QVBoxLayout()
        links.setContentsMargins(current().scaled(20) - LINK_PAD, 0, 0, 0)
        links.setSpacing(2)
        for link in (self.use, self.anyway):
            links.addWidget(link)
        column.addLayout(links)
        took = QHBoxLayout()
        took.setContentsMargins(current().scaled(20), 0, 0, 0)
        took.addWidget(self.took)
        column.addLayout(took)
        self.clear()

    def clear(self) -> None:
        """Nothing was checked."""
        self.line.clear()
        self.say("")
        for widget in (self.use, self.anyway, self.took):
            widget.hide()
        self.hide()

    def begin(self) -> None:
        """The check has begun."""
        self.clear()
        self.say(tr("Asking the service…"))
        self.mark.set_mark("open", "faint", tr("not checked yet"))
        self.show()

    def add(self, check: Check) -> None:
        """One check is finished."""
        self.line.add(check)

    def show_report(self, report: CheckReport) -> None:
        """The whole: the cause, if something is wrong, else what can be done there."""
        cause, summary = report.cause, summary_words(report)
        if cause is None:
            self.say(summary)
            self.mark.set_mark("info", "muted", "")
        else:
            self.mark.set_mark(*mark_of(cause))
            advice = "" if report.instead else advice_words(cause) if cause.stands_in_the_way else summary
            self.say(said_words(cause), advice)
        self.use.set_text(tr("Use {address}", address=report.instead))
        self.use.setVisible(bool(report.instead))
        self.anyway.setVisible(cause is not None and cause.stands_in_the_way and cause.may_pass)
        self.took.set_text(took_words(report))
        self.took.setVisible(True)
        self.show()

    def say_wrong(self, words: str) -> None:
        """Something else went wrong."""
        self.mark.set_mark("refused", "bad", tr("problem"))
        self.say(words)
        self.show()

    def say(self, words: str, advice: str = "") -> None:
        """Show these words in the place of the cause."""
        for label, text in ((self.result, words), (self.advice, advice)):
            label.set_text(text)
            label.setVisible(bool(text))
        self.mark.setVisible(bool(words))

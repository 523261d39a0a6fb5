"""The Labels page (Ctrl+L): labels for chosen pets, or for what was received, as a PDF or on a printer; 0 requests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import pairwise, repeat
from typing import TYPE_CHECKING, cast

from msgspec.structs import replace
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtPrintSupport import QPrinterInfo
from PySide6.QtWidgets import QWidget

from petstore_desktop.desk.labels.labels import MOST_LABELS, LabelTexts, spread
from petstore_desktop.desk.labels.sheets import SHEETS, LabelSheet
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.records import Key, Resource
from petstore_desktop.ui.base.building import in_column, in_row, named, on_click, timer
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import current, isolate, plain
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.context.navigation import StationLine
from petstore_desktop.ui.context.tab_specs import HostedPage
from petstore_desktop.ui.labels.label_choices import KEPT, Copies, LabelChoices, choices_json, choices_of_json
from petstore_desktop.ui.labels.label_painter import DPI, LabelJob, LabelOutput, fit
from petstore_desktop.ui.labels.label_settings import LabelSettings, OwnSizeDialog
from petstore_desktop.ui.labels.label_texts import LabelFacts, code_check, head_words, names_check
from petstore_desktop.ui.labels.sheet_preview import LabelPlane
from petstore_desktop.ui.paper.paper_dialog import file_name
from petstore_desktop.ui.questions.raw_answer import open_failure
from petstore_desktop.ui.text.translate import number, tr
from petstore_desktop.ui.widgets.button import Button, fit_buttons
from petstore_desktop.ui.widgets.dialogs import ask_file, show
from petstore_desktop.ui.widgets.labels import Divider, PlainLabel, set_tip
from petstore_desktop.ui.widgets.scrolled import Scrolling

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.desk.labels.patterns import CodeKind
    from petstore_desktop.shop.live_shop import LiveShop

_SETTINGS, _NARROW_SETTINGS, _NARROW = 400, 360, 1100
_MOST_OF_WIDTH = 0.45
_LARGER = 1.2
"""By how much text is larger before the settings become wider."""
_TURN_S = 0.012
_SOON_MS = 60


class LabelsPage(HostedPage):
    """Labels of one shop's pets. `kept` and `keep`: the choices as the window keeps them; `choose`: go where pets are
    selected."""

    def __init__(
        self,
        shop: LiveShop,
        tell: Say,
        kept: Mapping[str, object],
        keep: Callable[[str, Mapping[str, object]], object],
        choose: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        named(self, "labelsPage", tr("Labels"))
        self._shop, self._tell, self._keep, self._choose = shop, tell, keep, choose
        self._choices = choices_of_json(kept)
        self._lines: tuple[StationLine, ...] = ()
        self._pets = LabelTexts(shop.desk.shop, ())
        self.job = self._job()
        """The labels that are shown, and would be printed."""
        self._has_printer = True
        self.settings, self.plane = LabelSettings(), LabelPlane()
        self.output = LabelOutput(self, self._painted, self._stopped)
        self._checking = SlicedWork[LabelFacts](self, _TURN_S, self._checked)
        self.closed.connect(self.output.cancel)
        self._soon = timer(self, _SOON_MS, self._read_again, once=True)
        self._build_head()
        self._build_foot()
        self._lay_out()
        self.settings.changed.connect(self._chosen)
        self.settings.ownWanted.connect(self._ask_own)
        self.plane.preview.startChosen.connect(self.settings.set_start)
        self._set_tab_order()
        for keys, do in ((QKeySequence.StandardKey.Print, self.print), (QKeySequence.StandardKey.Save, self.save)):
            shortcut = QShortcut(QKeySequence(keys), self)  # a field to choose from would take the letter
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(do)
        timer(self, 0, self._look_for_printers, once=True).start()

    # -- building

    def _build_head(self) -> None:
        self.heading = named(PlainLabel("", "muted", elide=True), "labelsHead")
        choose = Button(tr("Choose pets"), "quiet", "paw", parent=self)
        self.choose_button = on_click(choose, self._choose, "labelsChoose")
        close = Button(tr("Close"), "icon", "close", "Esc", parent=self)
        self.close_button = on_click(close, self.closed, "labelsClose")

    def _build_foot(self) -> None:
        self.price = named(PlainLabel(tr("0 requests"), "muted", elide=True), "labelsPrice")
        self.cancel_button = on_click(Button(tr("Cancel"), "plain", key="Esc"), self.output.cancel, "labelsCancel")
        self.try_button = on_click(Button(tr("Print one to try"), "quiet"), self.try_one, "labelsTry")
        self.pdf_button = on_click(Button(tr("Save as PDF"), "plain", "", "Ctrl+S"), self.save, "labelsPdf")
        self.print_button = on_click(Button("", "primary", "print", "Ctrl+P"), self.print, "labelsPrint")
        self.cancel_button.hide()

    def _lay_out(self) -> None:
        title = PlainLabel(tr("Labels"), "text", 15, 600)
        head = in_row(None, 16, title, (self.heading, 1), self.choose_button, self.close_button, 10,
                      margins=(0, 9, 0, 9), spacing=12)  # fmt: skip
        self._scrolling = named(Scrolling(self.settings), "labelsScrolling")
        body = in_row(None, self._scrolling, Divider(vertical=True), (self.plane, 1))
        buttons = (self.cancel_button, self.try_button, self.pdf_button, self.print_button)
        self._foot = in_row(None, (self.price, 1), *buttons, margins=(16, 13, 16, 13), spacing=8)
        in_column(self, head, Divider(), (body, 1), Divider(), self._foot)

    def _set_tab_order(self) -> None:
        ends = [self.try_button, self.pdf_button, self.print_button, self.cancel_button]
        stops = [*self.settings.tab_stops(), *self.plane.tab_stops(), *ends, self.choose_button, self.close_button]
        for before, after in pairwise(stops):
            QWidget.setTabOrder(before, after)

    # -- what is printed

    def begin(self, given: object) -> None:
        """Labels for these pets; without any as it was left."""
        if isinstance(given, tuple) and given:
            self._lines = cast("tuple[StationLine, ...]", given)
            received = self._received()
            if received or self._choices.copies == "received":
                self._choices = replace(self._choices, copies="received" if received else "each")
        self._read_again()

    def foot_rect(self) -> QRect:
        """What it costs, and the ways to print."""
        return self._foot.geometry()

    def left(self) -> object:
        """The pets, for the next time."""
        return self._lines or None

    def _received(self) -> bool:
        """Whether there are numbers of copies to choose."""
        return any(line.count != 1 for line in self._lines)

    def _read_again(self) -> None:
        """Read what the labels say from the shop as it is now."""
        self._pets = LabelTexts(self._shop.desk.shop, (line.ref.key for line in self._lines))
        self._show()

    def _show(self) -> None:
        """Show the job that the choices make."""
        text_ids = any(isinstance(key, str) for key in self._pets.keys)
        self.settings.show_choices(self._choices, self._copies_offered(), text_ids=text_ids)
        self.job = self._job(self._kind(text_ids=text_ids))
        self.plane.show_job(self.job)
        labels, pets = len(self.job.order), len(set(self.job.order))
        self.heading.set_text(head_words(labels, pets if labels else len(self._pets), self.job.pages,
                                         roll=self.job.sheet.is_roll))  # fmt: skip
        self._show_foot()
        self._checking.begin(self._facts(self.job))

    def _kind(self, *, text_ids: bool) -> CodeKind:
        return self._choices.codes.get("text" if text_ids else "number", "code128")

    def _job(self, kind: CodeKind = "none") -> LabelJob:
        choices = self._choices
        sheet = choices.label_sheet
        line = " ".join(plain(choices.own_line).split())
        order = list(spread(self._copies()))
        return LabelJob(sheet, choices.content, line, kind, self._pets, order, choices.start)

    def _copies(self) -> Iterable[int]:
        """How many labels each pet gets."""
        if self._choices.copies == "stock":
            return map(self._in_stock, self._pets.keys)
        if self._choices.copies == "received":
            counts = Counter[Key]()
            for line in self._lines:
                counts[line.ref.key] += max(0, line.count)
            return (counts[key] for key in self._pets.keys)
        return repeat(self._choices.count, len(self._pets))

    def _in_stock(self, key: Key) -> int:
        stock = self._shop.desk.shop.stock(key)
        return max(0, stock.result or 0) if stock is not None else 0

    def _copies_offered(self) -> list[tuple[Copies, str]]:
        each: list[tuple[Copies, str]] = [
            ("each", tr("The same number of each")),
            ("stock", tr("As many as in stock")),
        ]
        return [("received", tr("As many as received")), *each] if self._received() else each

    # -- checks

    def _facts(self, job: LabelJob) -> Iterator[LabelFacts | None]:
        """Look at every label that is printed; what was found out comes last."""
        cut, thin, no_room, not_bars, no_id, longest = 0, 0.0, 0, 0, 0, -1
        for at in sorted(set(job.order)):
            pet = job.pets[at]
            design, words = job.design(pet, DPI), job.words(pet)
            cut += "name" in design.texts and fit(words["name"], design.texts["name"], bold=True).cut
            if job.kind != "none":
                no_id += not pet.code
                not_bars += bool(pet.code) and job.pattern(pet) is None
                no_room += job.pattern(pet) is not None and design.code is None
                thin = min(thin or design.module_mm, design.module_mm or thin)
            longest = at if longest < 0 or len(pet.name) > len(job.pets[longest].name) else longest
            yield None
        yield LabelFacts(cut, thin, no_room, not_bars, no_id, longest)

    def _checked(self, facts: LabelFacts) -> None:
        names = names_check(facts) if self.job.order and self.job.content.name else ("", True)
        code = code_check(facts, self.job.kind) if self.job.order else ("", True)
        self.settings.show_checks(names, code)
        if self.job.order:
            self.plane.show_longest(facts.longest)

    # -- what a person chooses

    def _chosen(self) -> None:
        self._choices = self.settings.choices()
        self._keep(KEPT, choices_json(self._choices))
        self._show()

    def _ask_own(self, name: str) -> None:
        """Ask for an own size: a new one, or this one."""
        choices = self._choices
        sheet = choices.own.get(name) or replace(choices.label_sheet, paper="")
        delete = partial(self._use, choices.without_own(name)) if name in choices.own else None
        kept = name or choices.free_name()
        show(OwnSizeDialog(sheet, lambda made: self._use_own(kept, made), delete, self.window()))

    def _use_own(self, name: str, sheet: LabelSheet) -> None:
        """Use this size; one that is known already is not kept twice."""
        known = {**SHEETS, **self._choices.own}
        same = next((one for one, its in known.items() if replace(its, paper="") == sheet), name)
        self._use(replace(self._choices, sheet=same) if same != name else self._choices.with_own(name, sheet))

    def _use(self, choices: LabelChoices) -> None:
        self._choices = choices
        self._keep(KEPT, choices_json(choices))
        self._show()

    # -- PDF and printer

    def save(self) -> None:
        """Ask for a file, and write a PDF."""
        if not self.job.order or self.output.busy:
            return
        name = f"{file_name(self._shop.connection.name, tr('Labels'), self._shop.desk.today.isoformat())}.pdf"
        job = self.job
        ask_file(self.window(), tr("Save as PDF"), "labelsFileDialog", ["*.pdf"], partial(self._save_to, job),
                 save_as=name, suffix="pdf")  # fmt: skip

    def _save_to(self, job: LabelJob, path: str) -> None:
        kept = partial(self._kept, len(job.order))
        keep = partial(self._shop.files.keep, path, over=True, make_folder=False, done=kept)
        self.output.pdf(job, tr("Labels"), lambda content: keep(content=content))

    def _kept(self, labels: int, outcome: str | ShopError) -> None:
        if isinstance(outcome, ShopError):
            open_failure(self.window(), outcome, tr("Choose another file…"), self.save)
            return
        file = isolate(plain(outcome.replace("\\", "/").rpartition("/")[2]))
        words = tr("{n} labels are in {file}", "", labels, one="{n} label is in {file}", file=file)
        self._tell(Message(words, "print", file=outcome))

    def print(self) -> None:
        """Ask for a printer, and print all labels; the key says why where there is nothing to print, or on."""
        if not self._has_printer:
            self._tell(Message(_no_printer_words(), "info"))
        elif not self.job.order:
            self._tell(Message(tr("There are no labels to print."), "info"))
        if self.job.order and self._has_printer and not self.output.busy:
            self.output.ask_printer(self.job, tr("Labels"), partial(self.printed, self.job))

    def try_one(self) -> None:
        """Ask for a printer, and print the first label only."""
        if self.job.order and self._has_printer and not self.output.busy:
            one = replace(self.job, order=self.job.order[:1])
            self.output.ask_printer(one, tr("Labels"), partial(self.printed, one))

    def printed(self, job: LabelJob) -> None:
        """Say so; the next label goes to the place after the last one."""
        labels = len(job.order)
        words = tr("{n} labels sent to the printer", "", labels, one="{n} label sent to the printer")
        self._tell(Message(words, "print"))
        self._use(self._choices.with_start((job.start + labels) % job.sheet.per_page))

    def _look_for_printers(self) -> None:
        self._has_printer = bool(QPrinterInfo.availablePrinterNames())
        self._show_foot()

    def _show_foot(self) -> None:
        labels, busy = len(self.job.order), self.output.busy
        words = tr("Print {n} labels", "", labels, one="Print {n} label")
        self.print_button.set_text(words if labels else tr("Print"))
        some = labels > 0 and not busy
        for button in (self.print_button, self.try_button):
            button.setEnabled(some and self._has_printer)
            set_tip(button, "" if self._has_printer else _no_printer_words())
        self.pdf_button.setEnabled(some)
        self.print_button.set_kind("primary" if self._has_printer else "plain")
        self.pdf_button.set_kind("plain" if self._has_printer else "primary")
        self.cancel_button.setVisible(busy)
        self._scrolling.setEnabled(not busy)
        if not busy:
            most = tr("No more than {most} labels at once.", most=number(MOST_LABELS))
            full = labels >= MOST_LABELS
            self.price.set_text(f"{tr('0 requests')} · {most}" if full else tr("0 requests"))
        self._fit_buttons()

    def _painted(self, done: int, whole: int) -> None:
        """Show how many labels are painted."""
        if not done:
            self._show_foot()
            self.cancel_button.setFocus(Qt.FocusReason.OtherFocusReason)
        self.price.set_text(tr("{done} of {n} labels", "painted", whole, done=number(done)))

    def _stopped(self, well: bool) -> None:
        self._show_foot()
        (self.print_button if self._has_printer else self.pdf_button).setFocus(Qt.FocusReason.OtherFocusReason)
        if not well:
            words = tr("Printing did not finish. Check the printer, or save a PDF.")
            self._tell(Message(words, "warning"))

    # -- the window

    def focus_list(self) -> None:
        """Give the keyboard to the sheet; without pets, to the way to choose some."""
        first = self.settings.sheet.box if self._pets else self.choose_button
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def desk_changed(self, moved: Changed) -> None:
        """Names, categories or stock may read otherwise."""
        if any(moved.rows.get(resource) for resource in (Resource.PETS, Resource.CATEGORIES, Resource.INVENTORY)):
            if moved.renamed:
                now = {old.key: new.key for old, new in moved.renamed.items()}
                moving = (replace(line.ref, key=now.get(line.ref.key, line.ref.key)) for line in self._lines)
                self._lines = tuple(StationLine(ref, line.count) for ref, line in zip(moving, self._lines, strict=True))
            self._soon.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            (self.output.cancel if self.output.busy else self.closed.emit)()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            (self.print_button if self._has_printer else self.pdf_button).click()  # the filled one
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        base = _SETTINGS if self.width() >= _NARROW else _NARROW_SETTINGS
        wide = max(base, round(current().scaled(base) / _LARGER))
        self._scrolling.setFixedWidth(min(wide, round(self.width() * _MOST_OF_WIDTH)))
        self._fit_buttons()

    def _fit_buttons(self) -> None:
        """Where there is little room the buttons leave out their keys."""
        buttons = [self.try_button, self.pdf_button, self.print_button]
        room = self.width() - 32 - 8 * len(buttons) - current().advance(tr("0 requests"))
        fit_buttons(buttons, room, briefest=1)


def _no_printer_words() -> str:
    return tr("This computer has no printer. Save a PDF instead.")

"""The details pane beside a list: its contents and links, and the stock of a pet over time, as far as the history knows
it, as a line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, QSize, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from petstore_desktop.desk.changes.change_lines import ChangeLine
from petstore_desktop.desk.changes.details import OTHER_FIELDS, DetailLine, Details
from petstore_desktop.desk.changes.history_lines import History, HistoryLine, HistoryRead, history_of
from petstore_desktop.desk.past import SeenKind, kind_of_change, stock_values
from petstore_desktop.desk.values.cells import CellFacts, Rows, Sentence
from petstore_desktop.desk.values.dates import ShipDate
from petstore_desktop.domain.commands import ReadHistory, Retry
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.records import Ref, Resource, key_to_text
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.base.building import in_row, named, timer
from petstore_desktop.ui.base.theme import Tone, current, plain
from petstore_desktop.ui.charts.step_line import LinePoint, StepLine
from petstore_desktop.ui.context.actions import ROW_MENUS
from petstore_desktop.ui.context.navigation import ListTarget, Navigation
from petstore_desktop.ui.context.tab_specs import TabSpec
from petstore_desktop.ui.details.details_pane import ChangeEntry, DetailField, DetailsPane
from petstore_desktop.ui.questions.confirm import open_discard
from petstore_desktop.ui.questions.raw_answer import open_raw
from petstore_desktop.ui.text.cell import DASH, Cell, step_texts, to_cell
from petstore_desktop.ui.text.changes.change import change_sentence
from petstore_desktop.ui.text.changes.history import kind_words, other_words, past_sentence, source_note, step_words
from petstore_desktop.ui.text.changes.seen import who_word
from petstore_desktop.ui.text.orders import order_sentence
from petstore_desktop.ui.text.times import as_of, clock_time, full_day, moment, near_day, on_paper, time_of
from petstore_desktop.ui.text.translate import (
    column_title,
    counted,
    field_word,
    needs_words,
    number,
    plain_lines,
    status_word,
    tr,
)
from petstore_desktop.ui.widgets.button import open_below

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QShowEvent

    from petstore_desktop.desk.desk import Changed
    from petstore_desktop.domain.seen_changes import SeenChange
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.action_set import ActionSet
    from petstore_desktop.ui.context.edits import Edits


_STAYS_MS = 150
"""Milliseconds on a record until its history is read: not for each row that the keyboard passes."""
FEW = 5
"""How many lines are shown at first."""


class RecordHistory(QObject):
    """Fills the history of a details pane. `open_changes` shows a record's changes among all others."""

    def __init__(self, shop: LiveShop, open_changes: Callable[[str], None], parent: QObject) -> None:
        super().__init__(parent)
        self._shop, self._open_changes = shop, open_changes
        self._pane: DetailsPane | None = None
        self._ref: Ref | None = None
        self._answer: HistoryRead | None = None
        self._read: History | None = None
        self._all = False
        self._jump = False
        self._soon = timer(self, _STAYS_MS, self._ask, once=True)
        self._stock = StockHistory(shop, self)

    def show(self, pane: DetailsPane, ref: Ref) -> None:
        """The pane has been rebuilt for this record."""
        if self._pane is None:
            pane.historyWanted.connect(self._more)
        self._pane = pane
        if ref != self._ref:
            self._ref, self._answer, self._all, self._jump = ref, None, False, False
            self._stock.clear(pane)
        self._read = self._of(self._answer)  # what is shown as a change is no past yet
        self._fill()
        self._soon.start()

    def jump(self) -> None:
        """A person asks for the history: all that is known of it, with the keyboard in it."""
        self._all = self._jump = True
        self._soon.stop()
        self._ask()

    def came_back(self) -> None:
        """The pane is shown again: while it was hidden nothing was asked."""
        if self._ref is not None:
            self._soon.start()

    def on_changed(self, moved: Changed) -> None:
        """After each turn of the bridge."""
        desk = self._shop.desk
        for answer in moved.past:
            if isinstance(answer, HistoryRead) and self._ref is not None and desk.resolve(answer.ref) == self._ref:
                self._answer = answer
                read = self._of(answer)
                if read != self._read or self._jump:  # else its link keeps the focus
                    self._read = read
                    self._fill()
        if self._ref is not None and (moved.batches or self._has_moved(moved)):
            self._soon.start()

    def _has_moved(self, moved: Changed) -> bool:
        """Whether an answer showed this record, or its stock, in another way."""
        ref = self._ref
        if ref is None:
            return False
        return any(ref.key in moved.rows.get(kind, ()) for kind in (ref.resource, Resource.INVENTORY))

    def _of(self, answer: HistoryRead | None) -> History | None:
        if answer is None or self._ref is None:
            return None
        return history_of(self._shop.desk.shop, self._ref, answer.entries, answer.observed)

    def _ask(self) -> None:
        if self._ref is not None and self._pane is not None and self._pane.isVisible():
            self._shop.submit(ReadHistory(self._ref))
            self._stock.ask(self._pane, self._ref)

    def _fill(self) -> None:
        if self._pane is None:
            return
        lines = () if self._read is None else self._read.lines
        shown = lines if self._all else lines[:FEW]
        entries = [self._entry(line) for line in shown]
        if self._all and self._read is not None and not entries:
            words = tr("No change of this record is known, neither yours nor anybody else’s.")
            entries = [ChangeEntry(None, tr("No history"), "", "", words, icon=("info", ""))]
        left = len(lines) - len(shown)
        self._pane.set_history(entries, tr("{n} more", "", left) if left else tr("All in Activity"))
        if self._jump and self._read is not None:
            self._jump = False
            self._pane.show_history()

    def _entry(self, line: HistoryLine) -> ChangeEntry:
        resource = Resource.INVENTORY if line.step.field == "stock" else self._resource()
        now = self._shop.desk.now()
        if line.sentence is None:
            said, icon = other_words(line, now), ("as-of", tr("changed by somebody else"))
        else:
            said, icon = past_sentence(line.sentence, now, None), ("close", tr("discarded"))
            if made := source_note(line.source):
                said = tr("{sentence} {source}", sentence=said, source=made)
        acts = line.step.field in ("create", "delete")
        before, after = ("", "") if acts else step_texts(line.step.before, line.step.after)
        what = kind_words(line.kind, step_words(resource, line.step.field))
        return ChangeEntry(line.mark, what, before, after, said, icon=icon)

    def _resource(self) -> Resource:
        return Resource.PETS if self._ref is None else self._ref.resource

    def _more(self) -> None:
        """The rest of it here, or, where all is here, its changes among all others."""
        lines = () if self._read is None else self._read.lines
        if self._all or len(lines) <= FEW:
            key = "" if self._ref is None or not isinstance(self._ref.key, int | str) else key_to_text(self._ref.key)
            self._open_changes(f"#{key}" if key else "")
            return
        self._all = True
        self._fill()


_NARROW_BELOW = 1100
_MOST = 0.37
"""Large text makes the pane wider up to this share of the window: it wraps, and the list needs the rest."""
_FOLLOWS_MS = 40
"""Milliseconds after which the details follow the keyboard."""


class DetailsSide(QWidget):
    """Shows one record; opens and closes.

    Signals:
        closed: object: the close button was used.
        keyboardLeft: the link that had the keyboard is gone.
    """

    closed = Signal(object)
    keyboardLeft = Signal()

    def __init__(
        self,
        spec: TabSpec,
        shop: LiveShop,
        edits: Edits,
        actions: ActionSet,
        navigation: Navigation,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._spec, self._shop, self._edits, self._actions, self._navigation = spec, shop, edits, actions, navigation
        self.ref: Ref | None = None
        self._next: Ref | None = None
        self._shown: object = None
        self._live = False
        self.history = RecordHistory(shop, navigation.open_changes, self)
        self.pane = DetailsPane(self)
        in_row(self, (self.pane, 1))
        more = named(self.pane.add_title_button("more", tr("More actions")), "moreButton")
        more.clicked.connect(lambda: self._open_more(more))
        self.pane.closeRequested.connect(lambda: self.closed.emit(None))
        self.pane.liveRequested.connect(actions["checkLive"].trigger)
        self.pane.copyRequested.connect(actions["copySentence"].trigger)
        self.pane.linkActivated.connect(self._link)
        self.pane.changeAction.connect(self._change_action)
        self._soon = timer(self, _FOLLOWS_MS, self._follow, once=True)
        self.hide()

    def set_open(self, wanted: bool) -> None:
        """Open or close; narrower in a small window."""
        if wanted:
            window, theme = self.window().width(), current()
            pane = self._spec.narrow_pane if window < theme.scaled(_NARROW_BELOW) else self._spec.pane
            self.setFixedWidth(min(theme.scaled(pane), max(pane, round(_MOST * window))))
        self.setVisible(wanted)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.history.came_back()

    def follow(self, ref: Ref, walks: bool = False) -> None:
        """Show a record soon, if the keyboard `walks` to it: other changes are shown first, and walking
        on is not held up by each."""
        if not self.isVisible() or not (walks or self._soon.isActive()):
            self.show_ref(ref)
            return
        self._next = ref
        if not self._soon.isActive():
            self._soon.start()

    def _follow(self) -> None:
        if self._next is not None:
            self.show_ref(self._next)

    def show_ref(self, ref: Ref) -> None:
        """Show a record as the desk has it now."""
        self._soon.stop()
        desk = self._shop.desk
        self.ref = ref
        details = desk.details(ref)
        if details is None:
            return
        blocked, now = desk.send_block(), self._shop.desk.now()
        answering = desk.connection_state().word == "live" and desk.gate.phase is GatePhase.OPEN
        live = answering and details.seen_at is not None and now - details.seen_at < LIVE_S
        stopped = None if blocked is None else (blocked.cause, blocked.until and blocked.until // 60)
        if (details, stopped, live) == self._shown:
            return  # the widgets keep their focus while nothing moves
        self._shown, self._live = (details, stopped, live), live
        held = self.has_keyboard()
        fill(self.pane, details, blocked, now, self._buttons(), live)
        self.history.show(self.pane, ref)
        if held and not self.has_keyboard():
            self.keyboardLeft.emit()

    def tick(self) -> None:
        """Show an age again in place of "live" once that was long ago; the next record, if one is about to follow, is
        shown anyway."""
        if self._live and self.ref is not None and self.isVisible() and not self._soon.isActive():
            self.show_ref(self.ref)

    def has_keyboard(self) -> bool:
        """Whether the keyboard is in it."""
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def _buttons(self) -> list[QAction]:
        if self._spec.resource is not Resource.ORDERS:
            return []
        return [self._actions["completeOrder"], self._actions["cancelOrder"]]

    def _open_more(self, button: QWidget) -> None:
        menu = self._actions.menu_of(ROW_MENUS[self._spec.resource], self)
        open_below(button, menu)

    def _link(self, target: object) -> None:
        if isinstance(target, Ref):
            self._navigation.open(target)
        elif isinstance(target, Rows):
            self._navigation.open_list(ListTarget(target.resource, target.text))

    def _change_action(self, line: object, key: str) -> None:
        if not isinstance(line, ChangeLine):
            return
        if key == "discard":
            ids = (line.change.id,)
            open_discard(self.window(), len(ids), lambda: self._edits.discard(ids))
        elif key == "review":
            self._actions["showReview"].trigger()
        elif key == "retry":
            self._shop.submit(Retry((line.change.id,)))
        elif key == "raw" and line.change.raw is not None:
            said = sentence_text(line.sentence, self._shop.desk.now(), self._shop.desk.send_block())
            open_raw(self.window(), said, plain_lines(line.change.raw))
        elif key == "edit":
            self._actions.mend()

    def sizeHint(self) -> QSize:
        return QSize(current().scaled(self._spec.pane), 400)


_ID_BESIDE_TITLE = 10
"""A longer id would leave no room for the title: it stands on the line below."""
_LONGEST_NAME = 60
"""Letters of a name that the service gives a field."""
LIVE_S = 60.0
"""Seconds after a live check for which a record is called live."""


def fill(
    pane: DetailsPane,
    details: Details,
    blocked: SendBlock | None,
    now: float,
    actions: Sequence[QAction],
    live: bool,
) -> None:
    """Show everything known about one record. `live`: the service said it just now."""
    resource = details.ref.resource
    title = plain(details.title) or tr("(no name)")
    if resource is Resource.ORDERS and details.id_text:
        pane.set_heading(tr("Order {id}", id=details.id_text))
    else:
        short = details.id_text if len(details.id_text) <= _ID_BESIDE_TITLE else ""
        pane.set_heading(title, "" if details.id_text and not short else f"#{short}" if short else tr("new"))
    _set_age(pane, details, now, live)
    pane.set_sentence(order_sentence(details.sentence) if details.sentence is not None else "")
    # Only orders have actions there, and one of them is to cancel.
    cost = tr("1 or 2 requests each. Ctrl+Z undoes it; of a deleted order, only until it is sent.") if actions else ""
    pane.set_actions(list(actions), cost)
    pane.set_facts(_facts(details))
    pane.keep_sections({section_title(section.code) for section in details.sections})
    for section in details.sections:
        of = _other_field if section.code == OTHER_FIELDS else partial(_fact, resource)
        pane.set_section(section_title(section.code), [of(fact) for fact in section.facts])
    needs = details.needs_person
    note = needs_words(needs) if needs else ""
    pane.set_changes([_change(resource, line, blocked, now) for line in details.changes], note)


def _set_age(pane: DetailsPane, details: Details, now: float, live: bool) -> None:
    if details.seen_at is None:
        pane.set_age(tr("only on this computer"))
        return
    age = as_of(details.seen_at, now)
    if live:
        age = tr("live, {time}", time=clock_time(details.seen_at, seconds=True))
    long = len(details.id_text) > _ID_BESIDE_TITLE and details.ref.resource is not Resource.ORDERS
    if long:
        age = tr(", ", "between parts of a line").join((age, f"#{details.id_text}"))
    if details.read_only:
        pane.set_age(age)
    else:
        pane.set_age(age, tr("Check live"), "" if long else tr("Shift+F5"))


def _facts(details: Details) -> list[DetailField]:
    """The record's facts; of a pet's orders the open ones are named, and lead to their rows."""
    still_open = next((fact for fact in details.facts if fact.label == "orders-open"), None)
    made: list[DetailField] = []
    for fact in details.facts:
        if fact.label == "orders" and still_open is not None and still_open.cell.number:
            words = tr("{n} open", "", still_open.cell.number)
            made.append(DetailField(fact_title(details.ref.resource, fact.label), Cell(text=words), fact.target))
        elif fact.label != "orders-open":
            made.append(_fact(details.ref.resource, fact))
    return [_with_refusal(fact, details) for fact in made]


def _with_refusal(fact: DetailField, details: Details) -> DetailField:
    """`Pond fish, refused`: a value that the service refused says so."""
    for line in details.changes:
        names = column_title(details.ref.resource, line.field)
        if line.mark == "refused" and names == fact.label and fact.cell.kind == "ref":
            said = tr("{value}, refused", value=fact.cell.text)
            return DetailField(fact.label, replace(fact.cell, text=said, tone="bad"), fact.target)
    return fact


def _fact(resource: Resource, fact: DetailLine) -> DetailField:
    if fact.label == "order":
        return DetailField(tr("Order {id}", id=fact.cell.ref_id), _order_cell(fact.cell), fact.target)
    changed = fact.cell.stock is not None and fact.cell.stock.chip is not None
    # A booking is shown in full, which a link has no room for.
    return DetailField(
        fact_title(resource, fact.label), fact_cell(fact.cell, fact.target), None if changed else fact.target
    )


def _other_field(fact: DetailLine) -> DetailField:
    """A field that the program does not know, under the service's own name."""
    return DetailField(plain(fact.label)[:_LONGEST_NAME], fact_cell(fact.cell, None))


def _order_cell(facts: CellFacts) -> Cell:
    """Another order in one line: `12, Wed 26 Nov, open` or `12, tomorrow, open`."""
    date = near_day(facts.days) or to_cell(facts).text
    parts = ["" if facts.number is None else number(facts.number), date, status_word(facts.text or None)]
    return Cell(text=tr(", ", "between parts of a line").join(part for part in parts if part))


def fact_title(resource: Resource, label: str) -> str:
    """A fact's label: the column's words."""
    return tr("Open orders") if label == "orders-open" else column_title(resource, label)


def fact_cell(facts: CellFacts, target: Ref | Rows | None) -> Cell:
    """A fact's value; a count with a link names the things counted."""
    if isinstance(target, Rows) and facts.number is not None:
        return Cell(text=counted(target.resource, facts.number))
    if facts.date is not None and facts.date.local is not None:
        return replace(to_cell(facts), text=full_date(facts.date))
    cell = to_cell(facts)
    if cell.kind == "ref" and not cell.tip and cell.ref_id:
        return replace(cell, tip=f"{cell.text} (#{cell.ref_id})")
    return Cell(text=DASH) if not cell.text and not cell.result and not cell.chip else cell


def full_date(ship: ShipDate) -> str:
    """`Tue 18 Nov 2025, 09:00`; without a zone it is marked."""
    if ship.local is None:
        return plain(ship.raw)
    text = full_day(ship.local.date())
    if ship.timed:
        text = tr("{day}, {time}", day=text, time=time_of(ship.local.time()))
    return text if ship.zoned or not ship.timed else tr("{time} (no time zone given)", time=text)


def section_title(code: str) -> str:
    """What a section below the facts is called."""
    titles = {
        "more-of-this-pet": tr("More of this pet"),
        "orders-of-this-pet": tr("Orders of this pet"),
        OTHER_FIELDS: tr("Other fields of the service"),
    }
    return titles.get(code, field_word(code))


_TONES: dict[str, Tone] = {"refused": "bad", "conflict": "wait", "uncertain": "wait"}


def _change(resource: Resource, line: ChangeLine, blocked: SendBlock | None, now: float) -> ChangeEntry:
    made = line.field in ("create", "delete")
    return ChangeEntry(
        line.mark,
        step_words(resource, line.field) if line.field else "",
        *(("", "") if made else step_texts(line.before, line.after)),
        sentence_text(line.sentence, now, blocked),
        _TONES.get(line.mark, "muted"),
        tuple((key, change_action(key)) for key in line.actions if key != "raw" or line.change.raw),
        line,
    )


def sentence_text(sentence: Sentence, now: float, blocked: SendBlock | None) -> str:
    """A change's sentence."""
    return change_sentence(sentence.code, sentence.params, now, blocked)


def change_action(key: str) -> str:
    """The word of a link below a change."""
    words = {
        "review": tr("Decide"),
        "edit": tr("Edit"),
        "discard": tr("Discard"),
        "retry": tr("Send again"),
        "raw": tr("Server response"),
    }
    return words.get(key, key)


_OF_PETS = (Resource.PETS, Resource.INVENTORY)
_SHORT_S = 600
"""Seconds of history that say nothing as a line."""


def stock_line(changes: Sequence[SeenChange], now: float) -> StepLine | None:
    """The line of a pet's stock from its changes, newest first; None where the stock never changed."""
    steps = [change for change in reversed(changes) if kind_of_change(change) is SeenKind.STOCK]
    if not steps:
        return None
    points: list[LinePoint] = []
    first, _ = stock_values(steps[0])
    if first is not None:
        points.append(_point(steps[0].seen_after, first, now))
    for change in steps:
        at = max(change.seen_by, points[-1].at if points else change.seen_by)  # the clock may have been set back
        _, after = stock_values(change)
        points.append(_point(at, after or 0, now, who_word(change.who)))
    begins = moment(points[0].at, now)
    return StepLine(tr("Stock over time"), (tr("Time"), tr("In stock")), points, now, begins, tr("now", "this moment"))


def words_instead(line: StepLine) -> str:
    """Say in a sentence what a line does not show: a stock that is all the time the same, or known for some minutes
    only. Empty where the line shows more."""
    last, values = line.points[-1], [point.value for point in line.points]
    changes = len(set(values)) > 1
    if changes and line.until - line.points[0].at >= _SHORT_S:
        return ""
    since = moment(last.at if changes else line.points[0].at, line.until)
    if changes:
        count, before = number(values[-1]), number(values[-2])
        return tr("{count} in stock since {time}, {before} before.", count=count, time=since, before=before)
    return tr("{count} in stock since {time}.", count=number(values[-1]), time=since)


def _point(at: float, value: int, now: float, who: str = "") -> LinePoint:
    said = tr("{time}: {count} in stock", time=moment(at, now), count=number(value))
    return LinePoint(at, value, tr("{step}, {who}", step=said, who=who) if who else said, on_paper(at))


class StockHistory(QObject):
    """Shows the line in a details pane; one record at a time."""

    def __init__(self, shop: LiveShop, parent: QObject) -> None:
        super().__init__(parent)
        self._shop = shop
        self._wanted: Ref | None = None

    def clear(self, pane: DetailsPane) -> None:
        """Another record is shown, of which nothing is known yet."""
        self._wanted = None
        pane.set_stock_line(None)

    def ask(self, pane: DetailsPane, ref: Ref) -> None:
        """Read the history of a record's stock, and show it."""
        if ref.resource in _OF_PETS:
            self._wanted = ref
            self._shop.past.changes_of(Ref(Resource.PETS, ref.key), partial(self._told, pane, ref))

    def _told(self, pane: DetailsPane, ref: Ref, changes: Sequence[SeenChange] | ShopError) -> None:
        if isValid(pane) and ref == self._wanted and not isinstance(changes, ShopError):
            line = stock_line(changes, self._shop.desk.now())
            pane.set_stock_line(line, "" if line is None else words_instead(line))

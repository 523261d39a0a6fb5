"""Fills the details pane from the desk's details of a record."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace
from PySide6.QtGui import QAction

from petstore_desktop.desk.changes.change_lines import ChangeLine
from petstore_desktop.desk.changes.details import OTHER_FIELDS, DetailLine, Details
from petstore_desktop.desk.values.cells import CellFacts, Rows, Sentence
from petstore_desktop.desk.values.dates import ShipDate
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.domain.send_block import SendBlock
from petstore_desktop.ui.base.theme import Tone, plain
from petstore_desktop.ui.details.details_pane import ChangeEntry, DetailField, DetailsPane
from petstore_desktop.ui.text.cell import DASH, Cell
from petstore_desktop.ui.text.cell_text import step_texts, to_cell
from petstore_desktop.ui.text.changes.change import change_sentence
from petstore_desktop.ui.text.changes.history import step_words
from petstore_desktop.ui.text.orders import order_sentence
from petstore_desktop.ui.text.times import as_of, clock_time, full_day, near_day, time_of
from petstore_desktop.ui.text.translate import column_title, counted, field_word, needs_words, number, status_word, tr

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

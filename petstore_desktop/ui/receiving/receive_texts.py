"""What Receive says of its lines, and of what booking them costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from petstore_desktop.desk.receiving import MOST
from petstore_desktop.domain.quota import ONLY_CHANGES, Cause
from petstore_desktop.domain.records import Key, Ref, Resource, key_to_text
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.station.last_scanned import FigureLine, ScannedPet
from petstore_desktop.ui.station.station_list import how_words, pet_name
from petstore_desktop.ui.text.prices import cost_words, counted_requests
from petstore_desktop.ui.text.times import about, clock_time
from petstore_desktop.ui.text.translate import number, sentences, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.receiving import PastedLines
    from petstore_desktop.desk.scanning.session import ScanLine
    from petstore_desktop.domain.batches import Price

_QUOTED = 60
"""Letters of a pasted line that a message quotes."""


def pet_words(desk: Desk, key: Key) -> str:
    """The name and id of a pet within a sentence."""
    return f"{isolate(pet_name(desk, key))} (#{key_to_text(key)})"


def gained(count: int) -> str:
    """A number of pieces with its sign."""
    return f"+{number(count)}"


def scanned_pet(desk: Desk, line: ScanLine) -> ScannedPet:
    """What the station says of the line in hand."""
    at = clock_time(line.at, seconds=True)
    received = FigureLine(tr("Received"), gained(line.counted), how_words(line), large=True)
    if line.code:
        return ScannedPet(plain(line.code), tr("No pet has this code yet"), at, (received,))
    key = line.pet
    slot = desk.shop.stores[Resource.PETS].slot(key)
    category = None if slot is None else desk.shop.shown(Resource.PETS, slot, "category_id")
    named = "" if category is None else desk.shop.title(Ref(Resource.CATEGORIES, category))
    about_it = tr(", ", "between parts of a line").join(filter(None, (plain(named), f"#{key_to_text(key)}")))
    stock = desk.shop.going_stock(key)
    if stock is None:
        in_stock = FigureLine(tr("In stock"), "", tr("no stock entry"))
    else:
        in_stock = FigureLine(tr("In stock"), number(stock), after=number(stock + line.counted))
    return ScannedPet(pet_name(desk, key), about_it, at, (received, in_stock))


def price_words(desk: Desk, price: Price) -> str:
    """What booking costs: `10 requests, about 2 min, leaves ≈ 745 of 1,000 today`; what stops sending goes first."""
    blocked = desk.send_block()
    parts = [counted_requests(price.requests)]
    if blocked is not None and blocked.cause is Cause.OFFLINE:
        parts.append(tr("waits until the service can be reached"))
    elif blocked is not None and blocked.cause not in ONLY_CHANGES:
        parts.append(tr("waits until sending resumes"))
    elif price.seconds is not None and not price.days:
        parts.append(about(price.seconds))
    rest = price if blocked is None or blocked.cause in ONLY_CHANGES else replace(price, seconds=None)
    parts += [words for words in cost_words(rest, desk.now()) if words not in parts]
    return tr(", ", "between parts of a line").join(parts)


def pieces_words(lines: list[ScanLine]) -> str:
    """`38 pieces in 10 lines`."""
    pieces = sum(line.counted for line in lines)
    said = tr("{n} pieces", "", pieces, one="{n} piece")
    return tr("{pieces} in {n} lines", "", len(lines), one="{pieces} in {n} line", pieces=said)


def bound_words() -> str:
    """Which numbers of pieces a line can have."""
    return tr("Enter a number from 0 to {most}", most=number(MOST))


def gained_words(desk: Desk, line: ScanLine) -> str:
    """A pet and how many of it came."""
    pet, came = pet_words(desk, line.pet), gained(line.counted)
    return tr("{pet} {count}", "what came of a pet: Koi (#1126) +6", pet=pet, count=came)


def doubtful_words(typed: str) -> str:
    """That a long number is no pet, and how it is typed as pieces."""
    return tr("No pet has the id {id}. To enter that many pieces, type {typed}.", id=typed, typed=f"={typed}")


def pasted_words(pasted: PastedLines) -> str:
    """What is to be said of a paste; empty where all of it is as it was meant."""
    n = len(pasted.lines)
    one = tr(
        "No column surely says how many came: each of the {n} pasted lines counts as 1. Undo takes all of them back.",
        "",
        n,
        one="No column surely says how many came: the pasted line counts as 1.",
    )
    return sentences(one if pasted.as_one and n else "", left_out_words(pasted.left_out) if pasted.left_out else "")


def left_out_words(lines: list[str]) -> str:
    """Which pasted lines were not taken; the first of them is quoted."""
    first = isolate(plain(" ".join(lines[0].split()))[:_QUOTED])
    many = tr("{n} pasted lines were left out. The first is: {line}", "", len(lines), line=first)
    return many if len(lines) > 1 else tr("A pasted line was left out: {line}", line=first)


def hint_words(code: str | None) -> str:
    """The words below the field; `code`: whose pet is asked for."""
    if code is None:
        return tr("A scan adds 1; a number and Enter sets how many. Ctrl+Z takes the last one back.")
    return tr("Which pet is {code}? Type its id or name, then press Enter.", code=isolate(plain(code)))


def empty_words(*, only_unknown: bool) -> tuple[str, str]:
    """What stands where no line is."""
    if only_unknown:
        return tr("No unknown codes"), tr("Each code that was scanned is a pet’s.")
    return tr("Scan what came in"), tr("Each scan is a line here, saved at once. Book them when all is scanned.")


def book_words(lines: int) -> str:
    """The primary button."""
    return tr("Book {n} lines", "", lines, one="Book {n} line") if lines else tr("Book")

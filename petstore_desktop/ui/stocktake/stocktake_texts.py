"""Words of a stocktake: what it covers, what was counted and how, and what stands against booking a difference."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct

from petstore_desktop.domain.records import Key, Ref, Resource, status_kind
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.station.last_scanned import FigureLine, ScannedPet
from petstore_desktop.ui.station.station_list import how_words, pet_name
from petstore_desktop.ui.text.times import clock_time, moment
from petstore_desktop.ui.text.translate import DASH, number, sentences, tr

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk
    from petstore_desktop.desk.scanning.resolve import Found
    from petstore_desktop.desk.stocktake.count import Count
    from petstore_desktop.desk.stocktake.drafts import Scope
    from petstore_desktop.desk.stocktake.standing import LineStanding

_NAMES = "between names"


def category_name(desk: Desk, category: Key | None) -> str:
    """What a category is called."""
    if category is None:
        return tr("No category")
    return plain(desk.title(Ref(Resource.CATEGORIES, category))) or tr("(no name)")


def scope_words(desk: Desk, scope: Scope) -> str:
    """Name the part of the shop that is counted: `All stock`, `Fish and Pond`, or the name of a view."""
    if scope.kind == "all":
        return tr("All stock")
    if scope.kind == "pets":
        return plain(scope.title) or tr("Chosen pets")
    names = [isolate(category_name(desk, key)) for key in scope.keys]
    if len(names) == 1:
        return names[0]
    shown, last = names[:-1][:3], names[-1]
    if len(names) > 4:
        more = number(len(names) - 3)
        return tr("{names} and {n} more categories", names=tr(", ", _NAMES).join(names[:3]), n=more)
    return tr("{names} and {last}", names=tr(", ", _NAMES).join(shown), last=last)


def covers_words(desk: Desk, count: Count) -> str:
    """The head: `Fish and Pond, 50 pets, begun 10:02`."""
    total = count.in_all().total
    pets = tr("{n} pets", "", total, one="{n} pet")
    words, head = scope_words(desk, count.head.scope), count.head
    if head.ended is not None:
        time = moment(head.ended, desk.now())
        return tr("{what}, {pets}, closed {time}", what=words, pets=pets, time=time)
    if not count.began:
        return tr("{what}, {pets}", what=words, pets=pets)
    return tr("{what}, {pets}, begun {time}", what=words, pets=pets, time=moment(head.began, desk.now()))


def pet_note(desk: Desk, pet: Key) -> str:
    """A remark on a pet that is not for sale any more, or not there."""
    slot = desk.shop.stores[Resource.PETS].slot(pet)
    if slot is None:
        whole = Resource.PETS in desk.shop.whole
        return tr("No longer there") if whole else ""
    status = desk.shop.text_of(Resource.PETS, slot, "status")
    return tr("Sold") if status_kind(status) == "sold" else ""


_STANDINGS: Mapping[str, Callable[[int], str]] = {
    "later": lambda n: tr("{change} since, which stays", change=_signed(n)),
    "unclear": lambda _: tr("Changed about when it was counted: recount or decide"),
    "here": lambda _: tr("Changed on this computer since: recount or decide"),
    "gone": lambda _: tr("No longer in stock"),
    "no-entry": lambda _: tr("Has no stock entry"),
    "unread": lambda _: tr("Not compared with the shop yet"),
}


def _signed(value: int) -> str:
    return f"+{number(value)}" if value > 0 else f"−{number(-value)}" if value < 0 else "0"


def standing_words(standing: LineStanding | None) -> str:
    """A note on a variance; empty where nothing stands against booking it."""
    words = None if standing is None else _STANDINGS.get(standing.why)
    return "" if words is None or standing is None else words(standing.moved)


def offered_words(found: Found) -> str:
    """Several pets have one code."""
    return tr("{n} pets have the code {code}", n=number(len(found.refs)), code=isolate(found.text))


def left_out_words(n: int) -> str:
    """What the preview says of lines that are left to the person."""
    return tr(
        "{n} lines are not ticked, because their stock may have changed before they were counted: recount, or decide.",
        "",
        n,
        one="{n} line is not ticked, because its stock may have changed before it was counted: recount, or decide.",
    )


def no_entry_words(count: Count) -> str:
    """Say how many counted pets cannot be booked; empty where there are none."""
    n = sum(line.difference is None for line in count.variances())
    words = tr(
        "{n} counted pets have no stock entry, and are not booked.",
        "",
        n,
        one="{n} counted pet has no stock entry, and is not booked.",
    )
    return words if n else ""


def preview_note(count: Count, unsure: int) -> str:
    """What the preview says of all that it does not book: unsure lines, pets nobody counted, and unknown codes."""
    waiting, codes = len(count.waiting), len(count.codes)
    said = [words for words in (left_out_words(unsure) if unsure else "", no_entry_words(count)) if words]
    if waiting:
        said.append(tr("{n} pets are not counted.", "", waiting, one="{n} pet is not counted."))
    if codes:
        said.append(tr("{n} codes are unknown.", "", codes, one="{n} code is unknown."))
    return sentences(*said)


def scanned_pet(desk: Desk, count: Count, hides: Callable[[Key], bool]) -> ScannedPet | None:
    """The part of the station about the pet or code in hand; None without one, as of a count that was closed.
    `hides`: what is expected is hidden."""
    if count.ended:
        return None
    pet, found = count.pet_in_hand, count.entry(count.in_hand)
    if found is not None and found.code:
        figure = FigureLine(tr("Counted"), number(found.counted), "", large=True)
        return ScannedPet(found.code, tr("Unknown code"), clock_time(found.at, seconds=True), (figure,))
    if pet is None:
        return None
    line = count.lines.get(pet)
    category = category_name(desk, desk.shop.category_of_pet(pet))
    about = tr("{category}, {id}", category=isolate(category), id=isolate(f"#{pet}"))
    name = pet_name(desk, pet, line.name if line is not None else "")
    if line is None:
        return ScannedPet(name, about, "", (FigureLine(tr("Counted"), DASH, tr("not yet"), large=True),))
    expected = FigureLine(tr("Expected"), DASH if line.expected is None else number(line.expected))
    if hides(pet):
        expected = FigureLine(tr("Expected"), "", tr("hidden until the next scan"), icon="lock")
    figures = (FigureLine(tr("Counted"), number(line.counted), how_words(line), large=True), expected)
    return ScannedPet(name, about, clock_time(line.at, seconds=True), figures)


class Primary(Struct, frozen=True):
    """The words and the price of the primary button, and whether it can be pressed."""

    words: str
    price: str = ""
    allowed: bool = True


def primary_words(lines: int, varying: int, cost: str, *, whole: bool, ended: bool, live: bool) -> Primary:
    """The primary button, for so many lines of which so many differ. `cost`: of reading the list and booking, empty
    while it is not known; `whole`: everything is counted; `live`: the service can be asked now."""
    if ended:
        return Primary(tr("New count"))
    if not lines:
        return Primary(tr("Review variances"), allowed=False)
    if not varying:
        return Primary(tr("Finish: nothing to send"))
    review = tr("Review {n} variances", "", varying, one="Review {n} variance")
    price = cost if live else tr("waits")
    return Primary(tr("Book the count") if whole else review, price)

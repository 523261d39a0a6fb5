"""`petstore-desktop doctor NAME`: check a connection and report its problems."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from petstore_desktop import credentials, log
from petstore_desktop.commands.checks_said import English, Hint, advice_on, checked, hint_of, one_line
from petstore_desktop.commands.sentences import find_connection, load_preferences, show, show_json
from petstore_desktop.data_folder import Places
from petstore_desktop.desk.checks.check_words import (
    PETS_READ,
    against,
    cells,
    mark,
    remarks,
    said,
    shown,
    title,
    titles,
)
from petstore_desktop.domain.checks import CheckReport, Sample
from petstore_desktop.domain.errors import KeyringError, ShopError
from petstore_desktop.domain.records import ALL_SPECS, Record, Resource
from petstore_desktop.instance import Instance
from petstore_desktop.preferences import PreferenceStore, ShopConnection
from petstore_desktop.session.checking import CheckOutcome, keep_contract, keep_keyless, wanted_of, with_main_key
from petstore_desktop.session.keys import read_keys

_CELL = 24
"""Characters of a value in a table."""


def doctor(data_dir: str | None, name: str, as_json: bool) -> int:
    """Do it; the exit code: 0 where one can work there. Raises AlreadyRunning, BadInput, StorageError."""
    places, connection = find_connection(data_dir, name)
    instance = Instance(places.data)  # a window that is open has gates of its own, and this check in its menu
    log.start(places.log.parent)
    try:
        report, hint = _examined(places, connection)
    finally:
        log.stop()
        instance.release()
    if as_json:
        show_json(as_data(report, hint))
    else:
        show(as_lines(report, hint))
    return 0 if report.usable else 1


def _examined(places: Places, connection: ShopConnection) -> tuple[CheckReport, Hint]:
    key: str | None = None
    further: Mapping[str, str] = {}
    missing: ShopError | None = None
    try:
        key, further = read_keys(places, connection, environment=True)
    except KeyringError as error:
        missing = error
    variable = credentials.stood_in()
    hint = hint_of(connection.name, variable=variable, stored=bool(key) and not variable)
    if not key:
        missing = missing or ShopError("no-key")
    wanted = replace(wanted_of(connection, key or "", further), missing=missing, choose_key=True)
    outcome = checked(places, connection, wanted)
    _keep_key_choice(places, connection, outcome)
    if missing is not None:
        keep_keyless(places, connection.slug, connection.url, outcome.learnt)
    return outcome.report, hint


def _keep_key_choice(places: Places, connection: ShopConnection, outcome: CheckOutcome) -> None:
    """Where the key was taken in another place than the document's first, it goes there from now on."""
    chosen = with_main_key(connection, outcome.learnt)
    if chosen != connection:
        store = PreferenceStore(places.preferences)
        store.save(load_preferences(store).with_connection(chosen))
        keep_contract(places, connection.slug, connection.url, outcome.learnt)


def as_data(report: CheckReport, hint: Hint = lambda _: "") -> dict[str, object]:
    """The output of `doctor --json`; a finding that is only a note counts as ok, and has an advice."""
    texts = English()
    checks = [
        {
            "name": check.about.value,
            "ok": None if check.ok is None else not check.stands_in_the_way,
            "said": said(check, texts),
            "advice": advice_on(check, hint),
        }
        for check in report.checks
    ]
    sample = report.sample
    return {
        "ok": report.usable,
        "checks": checks,
        "pets": [_as_values(pet) for pet in sample.pets],
        "not_found": {one.value: list(names) for one, names in sample.absent.items()},
        "not_used": {one.value: [shown(name, texts) for name in names] for one, names in sample.unused.items()},
        "guessed": {f"{one.value}.{name}": shown(place, texts) for one, name, place in sample.guessed},
        "written_as": {f"{one.value}.{name}": shown(place, texts) for one, name, _, place in sample.apart},
        "missing_values": [shown(name, texts) for name in sample.missing],
        "not_possible": [
            {"operation": one.op, "endpoint": shown(one.endpoint, texts), "why": against(one.why, one.what, texts)}
            for one in sample.unbound
        ],
    }


def _as_values(pet: Record) -> dict[str, object]:
    values = {spec.name: getattr(pet, spec.name) for spec in ALL_SPECS[Resource.PETS]}
    return {name: shown(value, English()) if isinstance(value, str) else value for name, value in values.items()}


def as_lines(report: CheckReport, hint: Hint = lambda _: "") -> list[str]:
    """A line for each check, and one for what it took."""
    texts = English()
    width = max(len(title(check.about, texts)) for check in report.checks)
    lines = [
        f"{mark(check):5}  {title(check.about, texts):{width}}  {one_line(check, hint)}".rstrip()
        for check in report.checks
    ]
    sent = "1 request" if report.requests == 1 else f"{report.requests} requests"
    lines.append(f"({sent}, all of them reads)" if report.requests else "(nothing was sent)")
    return lines + _sample_lines(report.sample)


def _sample_lines(sample: Sample) -> list[str]:
    """Below an empty line: some of the pets as a table, and a line for each remark."""
    texts = English()
    rows = [titles(texts), *(cells(pet, texts, sample.categories) for pet in sample.pets)]
    rows = [[cell if len(cell) <= _CELL else f"{cell[: _CELL - 1]}…" for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    table = ["  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    told = remarks(sample, texts)
    shown_pets = [f"{texts.say(PETS_READ)}:", *(f"  {line}" for line in table)] if sample.pets else []
    return ["", *shown_pets, *told] if shown_pets or told else []

"""A service that is only its document: Prism answers by it, with its examples or with values made up, and says what is
wrong with a request. Nothing may crash, no request may be against the document, and each refusal has its words."""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from petstore_desktop.contract.document.parse import parse
from petstore_desktop.contract.model import Contract
from petstore_desktop.contract.operations import Verb
from petstore_desktop.desk.changes.change_lines import sentence_of
from petstore_desktop.domain.changes import (
    AddStock,
    Change,
    ChangeState,
    Create,
    Delete,
    NewChange,
    SetFields,
    SetStock,
)
from petstore_desktop.domain.commands import CheckLive
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.quota import GatePhase
from petstore_desktop.domain.records import Key, LocalId, Ref, Resource
from petstore_desktop.sync.wire.events import Checked, ContractRead, GateMoved, LoadFailed, Trouble
from petstore_desktop.ui.text.changes.change import change_sentence
from petstore_desktop.ui.text.errors.errors import error_words
from tests.long._prism import NotHere, Prism, only_refusing, prism_program
from tests.long._running import NOT_RUN, Run, run_from, say
from tests.support.other_shop_document import document_of
from tests.support.other_shop_ways import Ways
from tests.support.session import Watched
from tests.support.shop import ROOT
from tests.support.watch import LogWatch

Json: TypeAlias = dict[str, Any]
DYNAMIC_ROUNDS = 20
PATIENCE_S = 6.0
"""So long is waited for a list, a look, or what never comes."""
WRITTEN_S = 60.0
"""So long until every write is over where answers come: it is looked several times, for seconds, whether the first of
each kind was done."""
MOST = 2**53 - 1
"""The largest number that Prism itself can read."""
REFUSALS = (400, 401, 403, 404, 409, 410, 412, 415, 422, 429, 500, 503)
FAILURES = (412, 500, 503)
"""After these the same is tried again."""
OURS = ROOT / "resources" / "openapi"
OTHERS = ROOT / "tests" / "contract" / "documents"
_UNKNOWN = ChangeState.UNCERTAIN
_SETTLED = (ChangeState.DONE, ChangeState.REFUSED, ChangeState.CONFLICT, _UNKNOWN)


@dataclass(slots=True)
class Found:
    """What came of all: counts by what happened, and what must not have."""

    counts: Counter[str] = field(default_factory=Counter[str])
    words: set[str] = field(default_factory=set[str])
    wrong: list[str] = field(default_factory=list[str])


def documents() -> dict[str, Json]:
    """Ours, that of the other shop, and those that tests of the contract were written for, as far as Prism itself can
    read them; without their servers, for Prism serves them at its root."""
    others = ("data-and-cursor.yaml", "header-key.json", "items-and-pages.json", "lists-by-name.yaml")
    files = [
        OURS / "default.json",
        OURS / "full.json",
        *(OTHERS / name for name in others if (OTHERS / name).is_file()),
    ]
    found = {file.name: json.loads(json.dumps(parse(file.read_bytes()), default=str)) for file in files}
    found["other-shop.yaml"] = json.loads(json.dumps(parse(document_of(Ways())), default=str))
    for document in found.values():
        document.pop("servers", None)
    return found


# ---------------------------------------------------------------- one service


def drive(folder: Path, url: str, document: Path, found: Found, *, answers: bool = True) -> None:
    """Do everything once that the window can have done, and judge what is told of it. `answers`: the service says yes
    or no, and does not fail, after which the same is tried again later."""
    with LogWatch() as log, Watched(folder, key="menagerie:key", url=url, document=str(document)) as shown:
        shown.wait(lambda: shown.of(ContractRead), "the contract is known", 60.0)
        contract = shown.of(ContractRead)[-1].contract
        lists = [resource for resource in Resource if contract.offers(resource, Verb.LIST)]
        waited(shown, lambda: all(shown.ended(one) or shown.load_failures(one) for one in lists))
        for ref in _to_look_at(shown, contract):
            before = len(shown.of(Checked))
            shown.submit(CheckLive(ref))
            waited(shown, lambda before=before: len(shown.of(Checked)) > before)
        ids = shown.apply(*_every_write(shown, contract))
        settled_s = WRITTEN_S if answers else PATIENCE_S
        waited(shown, lambda: all(has_settled(shown, shown.changes[id_]) for id_ in ids), settled_s)
        found.counts["requests"] += shown.session.requests
        _judge(shown, [shown.changes[id_] for id_ in ids], found, answers)
    found.wrong += [f"log: {line}" for line in log.complaints()]


def waited(shown: Watched, condition: Callable[[], object], patience_s: float = PATIENCE_S) -> None:
    """Wait until the condition holds or the gate is closed. What never comes is counted later."""
    end = time.monotonic() + patience_s
    while not condition() and time.monotonic() < end:
        gates = shown.of(GateMoved)
        if gates and gates[-1].gate.phase is not GatePhase.OPEN:
            return
        shown.listen(0.1)


def _key_of(shown: Watched, resource: Resource) -> Key:
    numbers = [key for key in shown.rows[resource] if isinstance(key, int)]
    return numbers[0] if numbers else 7


def _to_look_at(shown: Watched, contract: Contract) -> Iterator[Ref]:
    """A record that a list named, or one that need not be there."""
    for resource in Resource:
        if contract.offers(resource, Verb.READ):
            yield Ref(resource, _key_of(shown, resource))


def _every_write(shown: Watched, contract: Contract) -> Iterator[NewChange]:
    """Every operation that changes something, offered or not; those on what need not be there too."""
    pets, kinds, orders, stock = Resource.PETS, Resource.CATEGORIES, Resource.ORDERS, Resource.INVENTORY
    pet, kind, order = (_key_of(shown, one) for one in (pets, kinds, orders))
    new = LocalId.new()
    yield NewChange(Ref(kinds, new), Create({"name": "Newts", "description": "wet & <b>bold</b>"}))
    yield NewChange(Ref(pets, LocalId.new()), Create({"name": "Ñandú", "category_id": new, "status": "pending"}))
    yield NewChange(Ref(pets, LocalId.new()), Create({"name": "Ada", "category_id": 7}))
    yield NewChange(Ref(pets, pet), SetFields({"name": "Mörike", "status": "sold"}), {})
    yield NewChange(Ref(kinds, kind), SetFields({"description": ""}), {})
    yield NewChange(Ref(orders, order), SetFields({"complete": True}), {})
    yield NewChange(Ref(stock, _key_of(shown, stock)), AddStock(12), {})
    yield NewChange(Ref(stock, MOST), SetStock(40), {"quantity": 3})
    yield NewChange(Ref(orders, MOST), Delete())
    yield NewChange(Ref(pets, MOST - 1), Delete())
    yield NewChange(Ref(kinds, 8), Delete())


def _judge(shown: Watched, changes: list[Change], found: Found, answers: bool) -> None:
    for trouble in shown.of(Trouble):
        if isinstance(trouble.error, ShopError):
            _in_words(trouble.error, found)
        else:
            found.wrong.append(f"not thought of: {trouble.error!r}")
    for failure in shown.of(LoadFailed):
        _in_words(failure.error, found)
    for looked in shown.of(Checked):
        found.counts["looks" if looked.error is None else "looks refused"] += 1
        if looked.error is not None:
            _in_words(looked.error, found)
    found.counts["lists that failed"] += len(shown.of(LoadFailed))
    found.counts["lists read"] += sum(len(shown.ended(resource)) for resource in Resource)
    closed = any(one.gate.phase is not GatePhase.OPEN for one in shown.of(GateMoved))
    found.counts["pauses"] += closed
    for change in changes:
        _judge_change(shown, change, found, waits=closed or not answers)


def _judge_change(shown: Watched, change: Change, found: Found, *, waits: bool) -> None:
    found.counts[f"changes {change.state.value}"] += 1
    sentence = sentence_of(change, None)
    said = change_sentence(sentence.code, sentence.params, time.time(), None)
    found.words.add(said)
    if not said or said == sentence.code or "no reason given" in said:
        found.wrong.append(f"no words for {change}")
    if not (waits or has_settled(shown, change)):
        found.wrong.append(f"it neither goes on nor says why: {change}")


def has_settled(shown: Watched, change: Change) -> bool:
    """Whether it is over, waits for a person, or for a creation that does or that is still being looked for."""
    if isinstance(change.intent, Create) and change.state is ChangeState.QUEUED:
        for value in change.intent.fields.values():
            first = [one for one in shown.changes.values() if one.ref.key == value and one.id != change.id]
            if isinstance(value, LocalId) and first and all(one.needs_person or one.state is _UNKNOWN for one in first):
                return True
    return change.state in _SETTLED


def _in_words(error: ShopError, found: Found) -> None:
    words = error_words(error)
    found.words.add(words.sentence)
    if not (words.what and words.safe) or "did not expect" in words.what:
        found.wrong.append(f"no words for {error!r}: {words.sentence}")


# ---------------------------------------------------------------- all of them


def _one(
    program: list[str],
    name: str,
    served: Json,
    known: Json,
    found: Found,
    *,
    dynamic: bool = False,
    answers: bool = True,
) -> None:
    """`served` is what Prism answers by, `known` what the program thinks that it does; `answers`: see `drive`."""
    before = len(found.wrong)
    with tempfile.TemporaryDirectory(prefix="petstore-prism-") as folder:
        place = Path(folder)
        for file, document in (("served.json", served), ("known.json", known)):
            (place / file).write_text(json.dumps(document), "utf-8")
        with Prism(program, place / "served.json", dynamic=dynamic) as prism:
            try:
                drive(place / "data", prism.url, place / "known.json", found, answers=answers)
            except AssertionError as error:
                found.wrong.append(f"{error}")
        found.wrong += [f"a request against the document: {one}" for one in prism.violations]
    mode = "made up" if dynamic else "by example"
    found.wrong[before:] = [f"{name}, {mode}: {wrong}" for wrong in found.wrong[before:]]


def _refusing(program: list[str], full: Json, run: Run, found: Found) -> None:
    """The full document, and a service that refuses everything with one status."""
    for reads, status in ((reads, status) for reads in (False, True) for status in REFUSALS):
        if not run.goes_on():
            return
        served = only_refusing(full, status, reads=reads)
        _one(
            program,
            f"{'reads' if reads else 'writes'} answered {status}",
            served,
            full,
            found,
            answers=status not in FAILURES,
        )
        found.counts["services that refuse"] += 1


def main(argv: list[str]) -> int:
    """Return 0 if nothing was found, NOT_RUN where Prism cannot be had."""
    run = run_from(argv, "prism")
    try:
        program = prism_program()
    except NotHere as why:
        say(f"prism: not run: {why}")
        return NOT_RUN
    found, chance, all_of_them = Found(), random.Random(run.seed), documents()
    for name, document in all_of_them.items():
        for dynamic in (False, True):
            _one(program, name, document, document, found, dynamic=dynamic)
        found.counts["documents"] += 1
    _refusing(program, all_of_them["full.json"], run, found)
    rounds = 0
    while run.wants_more(rounds, DYNAMIC_ROUNDS):
        rounds += 1
        name = chance.choice(sorted(all_of_them))
        _one(program, name, all_of_them[name], all_of_them[name], found, dynamic=True)
    say(f"{rounds} more services of made-up answers; " + ", ".join(f"{n} {what}" for what, n in found.counts.items()))
    say(f"{len(found.words)} different sentences")
    say("\n".join(found.wrong) or "nothing found")
    return int(bool(found.wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

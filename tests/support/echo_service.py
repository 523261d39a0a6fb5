"""A service that repeats the key in every place where an answer has room for a text, and in many forms, and what a
session keeps and tells of it."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote

from petstore_desktop import log
from petstore_desktop.clock import SystemClock
from petstore_desktop.commands.doctor import as_data, as_lines
from petstore_desktop.data_folder import Places
from petstore_desktop.domain.batches import ChangeFilter
from petstore_desktop.domain.changes import ChangeState, NewChange, SetFields
from petstore_desktop.domain.commands import ExportChanges
from petstore_desktop.domain.records import Ref, Resource
from petstore_desktop.masking import holds
from petstore_desktop.resources import path
from petstore_desktop.session.checking import Checking, Wanted, keep_contract
from petstore_desktop.sync.wire.events import ChangesExported, ChangesMoved
from petstore_desktop.ui.connection.check_list import summary_words, support_words
from petstore_desktop.ui.text.errors.errors import error_words
from tests.support.echoes import AS_JSON_WRITES, ECHOES, leaks
from tests.support.odd_service import LIMITS, Asked, OddService, Reply
from tests.support.session import NAME, Watched

_HERE, _IN_RECORD = "@@", "##"
"""Where the form goes into a body, it stands there byte by byte; into a record only if it is one that JSON writes, else
the key as it is."""
_IN_LINK = re.compile(r"[A-Za-z0-9%._~=+/:-]+")
_IN_HEADER = re.compile(r"[\x21\x23-\x5b\x5d-\x7e ]+")
_LISTS = {"/v1/categories", "/v1/inventory", "/v1/store/orders"}


def forms_of(key: str, names: Iterable[str]) -> dict[str, str]:
    """A key in these forms, as they stand in a body."""
    return {name: ECHOES[name](key) for name in names}


class Echoing:
    """Answers for an OddService. Its list of pets has a page for each form, with BAD records that hold it and one that
    does not, and one page more; whoever replaces a pet is refused with each form once. The answer to what is then done
    holds the key, so that only a look tells."""

    BAD = 4

    def __init__(self, key: str, forms: Mapping[str, str]) -> None:
        self.key = key
        self.forms = forms
        self._each = [*forms.values()]
        self._refused = 0
        self._named: dict[int, str] = {}

    def clean_id(self, page: int) -> int:
        return 1000 + 10 * page

    def __call__(self, asked: Asked) -> Reply:
        if asked.path == "/v1/openapi.json":
            return self._reply(0, self._document())
        if asked.path == "/v1/pets":
            return self._page(int(parse_qs(asked.query).get("at", ["0"])[0]))
        if asked.path in _LISTS:
            return self._reply(0, self._other_list(asked))
        if asked.method == "GET" and asked.path.startswith("/v1/pets/"):
            return self._reply(0, self._pet(int(asked.path.rpartition("/")[2])))
        if asked.method == "PUT" and self._refused < len(self._each):
            self._refused += 1
            body = {"code": _HERE, "message": f"not with {_HERE}", "details": [{"message": _HERE}]}
            return self._reply(self._refused - 1, body, 400)
        if asked.method == "PUT":
            self._named[int(asked.path.rpartition("/")[2])] = json.loads(asked.body)["name"]
            return self._reply(0, {**json.loads(asked.body), "echo": _HERE})
        return self._reply(0, {"code": "not_found", "message": _HERE}, 404)

    def _pet(self, id_: int) -> dict[str, Any]:
        return {"id": id_, "name": self._named.get(id_, "Rex"), "status": "sold", "chip": [1, {"a": "b"}]}

    def _page(self, number: int) -> Reply:
        first = self.clean_id(number)
        if number == len(self._each):
            return self._reply(0, {"data": [self._pet(first)]})
        records: list[dict[str, Any]] = [
            self._pet(first),
            self._pet(first + 1) | {"name": f"Rex {_IN_RECORD}!"},
            self._pet(first + 2) | {"chip": {"deep": [{_IN_RECORD: 1}]}},
            self._pet(first + 3) | {"status": _IN_RECORD},
            {**self._pet(first + 4), "id": _IN_RECORD, "name": f"Rex {number}"},
        ]
        form = self._each[number]
        seen = form if _IN_LINK.fullmatch(form) else quote(self.key, safe="")
        following = f"/v1/pets?at={number + 1}&seen={seen}"
        if number % 2:
            return self._reply(number, {"data": records, "note": _HERE, "links": {"next": following}})
        return self._reply(number, {"data": records, _HERE: 1}, link=following)

    def _other_list(self, asked: Asked) -> dict[str, Any]:
        order = {"id": 5, "petId": 1000, "quantity": 1, "shipDate": _HERE, "complete": False}
        if asked.path != "/v1/store/orders":
            return {"data": [], "note": _HERE}
        if "cursor" in asked.query:
            return {"data": [order | {"id": 6, "shipDate": None}]}
        return {"data": [order], "nextCursor": f"next {self.key}"}

    def _document(self) -> dict[str, Any]:
        whole = json.loads(path("openapi", "full.json").read_text(encoding="utf-8"))
        del whole["paths"]["/pets/{petId}"]["patch"]  # so that a change is a PUT of the whole record
        whole["info"] |= {"title": f"Shop {_HERE}", "description": _HERE, "version": f"1 {_HERE}"}
        whole["servers"] = [{"url": "/v1", "description": _HERE}, {"url": f"https://shop.example/{quote(self.key)}"}]
        whole["tags"] = [{"name": _HERE, "description": _HERE}]
        whole["paths"][f"/extra/{quote(self.key, safe='')}"] = {"get": {"summary": _HERE, "responses": {}}}
        for item in whole["paths"].values():
            for operation in item.values():
                if isinstance(operation, dict):
                    operation |= {"summary": _HERE, "description": _HERE, "operationId": _HERE}
        return whole

    def _reply(self, number: int, body: object, status: int = 200, link: str = "") -> Reply:
        form = self._each[number]
        is_document = isinstance(body, dict) and "openapi" in body
        text = json.dumps(body).replace(_HERE, " ".join(self._each) if is_document else form)
        name = [*self.forms][number]
        text = text.replace(_IN_RECORD, form if name in AS_JSON_WRITES else json.dumps(self.key)[1:-1])
        shown = form if _IN_HEADER.fullmatch(form) else quote(self.key, safe="")
        leads = [f'<https://shop.example/{shown}>; rel="successor-version"'] + (
            [f'<{link}>; rel="next"'] if link else []
        )
        headers = [("ETag", f'"{shown}"'), ("X-Request-Id", shown), ("Deprecation", "true"), ("X-Echo", shown)]
        return Reply(status, text, (*LIMITS, *headers, ("Link", ", ".join(leads))), kind=f"application/json; a={shown}")


@dataclass(frozen=True, slots=True)
class Came:
    """What came of it. `kept_in`: where pieces of the key are, by form; `pets` that are shown; `aside`: what is said of
    those that are not; `sent`: bodies of PUT."""

    kept_in: dict[str, set[str]]
    pets: set[object]
    aside: tuple[str, ...]
    sent: list[str]


def run_against(service: Echoing, data: Path) -> Came:
    """Read all lists, replace a pet once for each form and once more, export all that was done, and check the
    connection; then look into every file, event and report."""
    with _logging(data / "log"), OddService(service) as odd:
        with Watched(data, url=odd.url, key=service.key) as session:
            session.wait_loaded()
            pet = Ref(Resource.PETS, service.clean_id(0))
            for number in range(len(service.forms) + 1):
                awaited = ChangeState.REFUSED if number < len(service.forms) else ChangeState.DONE
                change = NewChange(pet, SetFields({"name": f"Max {number}"}), {"name": "Rex"})
                session.wait_for(session.apply(change), awaited)
            for name in ("changes.csv", "changes.json"):
                session.submit(ExportChanges(str(data / name), ChangeFilter(), {}))
            session.wait(lambda: len(session.of(ChangesExported)) == 2, "all changes are exported")
            events, aside = [*session.events], session.ended(Resource.PETS)[0].gaps.reasons
            pets = set[object](session.rows[Resource.PETS])
        checked = _checked(Places(data / "checked"), odd.url, service.key)
    sent = [asked.body.decode() for asked in odd.asked if asked.method == "PUT"]
    kept = {file.name: file.read_bytes().decode("utf-8", "replace") for file in data.rglob("*") if file.is_file()}
    wanted = {"mirror.db", "journal.db", "contract.json", "operations.json", "petstore.log", "changes.csv"}
    assert wanted <= kept.keys(), kept.keys()
    kept |= {"events": repr(events), "the window": _shown(events), "the check": checked}
    return Came(_where(kept, service), pets, aside, sent)


@contextmanager
def _logging(folder: Path) -> Iterator[None]:
    """The log is on, with all that the network libraries say."""
    log.start(folder)
    noisy = [logging.getLogger(name) for name in ("httpx", "httpcore")]
    for logger in noisy:
        logger.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        for logger in noisy:
            logger.setLevel(logging.WARNING)
        log.stop()


def _shown(events: Iterable[object]) -> str:
    """What dialogs say of the errors, and what their Copy takes along."""
    errors = [error for event in events if isinstance(error := getattr(event, "error", None), BaseException)]
    texts = [repr(error_words(error)) + str(error) + log.describe(error) for error in errors]
    reasons = [change.reason for event in events if isinstance(event, ChangesMoved) for change in event.changes]
    return "\n".join([*texts, *map(repr, reasons)])


def _checked(places: Places, url: str, key: str) -> str:
    """What `doctor` prints, and what its dialog copies; what it learnt is kept, too."""
    outcome = Checking(places, Wanted(url, key), SystemClock()).run()
    keep_contract(places, NAME, url, outcome.learnt)
    report = outcome.report
    assert report.requests, report
    lines = [*as_lines(report), json.dumps(as_data(report)), support_words("Zoo", url, report)]
    return "\n".join([*lines, summary_words(report), repr(report), repr(outcome.sent)])


def _where(kept: Mapping[str, str], service: Echoing) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for place, content in kept.items():
        names = {name for name in service.forms if leaks(content, name, service.key)}
        for name, form in service.forms.items():
            with suppress(ValueError):
                names |= {name} if json.loads(f'"{form}"') in content else set()
        if holds(content, [service.key]):
            names.add("some form")
        if names:
            found[place] = names
    return found

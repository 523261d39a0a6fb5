"""Texts of a service that are far too long, or written to deceive, wherever the window shows them; and answers that are
none, named in the window."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.program.opened import Opened
from tests.program.running import command, until
from tests.support.fault_proxy import FaultProxy, Passed
from tests.support.hostile_answers import FAULTS, Fault, Means, Spoilt
from tests.support.shop import Shop
from tests.support.soon_again import soon_again

LONG = 50_000
SHOWN = 5_000
"""Nothing longer than this is in any part of the window."""
SPOOF = "\u202etxt.exe\u202c\u2066\u200b<b>"
PET, CATEGORY, ORDER = 4_000_000_000_000_000_001, 4_000_000_000_000_000_002, 4_000_000_000_000_000_003
FORBIDDEN = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u200b\u200e\u200f\ufeff\x00\x07\x1b")
"""Signs that turn or hide text. What we put around a name ourselves, U+2068 and U+2069, is not among them."""


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    """All its texts are far too long."""
    with Shop(tmp_path / "shop", plan="unlimited", pets=3) as running:
        text = SPOOF + "ж" * LONG
        pet = {"id": PET, "name": text, "categoryId": CATEGORY, "status": text, f"x{SPOOF}": text}
        running.control("rows", categories=[{"id": CATEGORY, "name": text, "description": text}])
        running.control("rows", pets=[json.dumps(pet)])
        running.control("rows", orders=[{"id": ORDER, "petId": PET, "quantity": 1, "shipDate": text}])
        running.control("rows", inventory=[{"petId": PET, "quantity": 7, "status": text}])
        yield running


@contextmanager
def opened(data: Path, shop: Shop) -> Iterator[tuple[Opened, FaultProxy]]:
    with FaultProxy(shop.url, random.Random(1)) as proxy, pytest.MonkeyPatch.context() as patch:
        soon_again(patch.setattr)
        assert command("--data-dir", str(data), "connect", "Zoo", "--url", proxy.url, key=shop.key).returncode == 0
        with Opened(data, key=shop.key) as program:
            program.wait("rows", "pets")
            yield program, proxy


def harmless(program: Opened) -> None:
    texts = program.ask("everything")
    assert [text[:80] for text in texts if len(text) > SHOWN] == []
    assert [text[:80] for text in texts if FORBIDDEN & set(text)] == []
    assert program.ask("rich_text") == []


PLACES = {
    "pets": ("Alt+P", PET, "Name"),
    "categories": ("Alt+C", CATEGORY, "Name"),
    "orders": ("Alt+O", ORDER, "Pet"),
    "inventory": ("Alt+I", PET, "Pet"),
}


def test_a_name_of_fifty_thousand_letters_is_shown_cut_copied_whole_and_sent_whole_once_it_is_edited(
    shop: Shop, tmp_path: Path
) -> None:
    with opened(tmp_path / "d", shop) as (program, proxy):
        _shown_cut_copied_and_sent_whole(program, proxy)


def _shown_cut_copied_and_sent_whole(program: Opened, proxy: FaultProxy) -> None:
    for resource, (keys, key, column) in PLACES.items():
        program.ask("press", keys)
        program.wait("rows", resource)
        until(
            lambda resource=resource, key=key: str(key) in program.ask("cells", resource),
            f"{resource} with its odd one",
        )
        program.ask("to_cell", resource, str(key), column)
        harmless(program)
    program.ask("press", "Alt+P")
    program.ask("to_cell", "pets", str(PET), "Name")
    program.ask("press", "Ctrl+C")
    assert program.ask("clipboard") == SPOOF + "ж" * LONG

    program.wait("writable", "pets", "Name")
    program.ask("to_cell", "pets", str(PET), "Name")
    program.ask("press", "F2", "Return")
    program.ask("to_cell", "pets", str(PET), "Name")
    program.ask("press", "F2", "End")
    program.ask("write", "!")
    program.ask("press", "Return")
    sent = until(lambda: [entry for entry in proxy.log if entry.method == "PATCH"], "the name with one sign more")
    assert [json.loads(entry.body) for entry in sent] == [{"name": SPOOF + "ж" * LONG + "!"}]


SAID = {"code": SPOOF, "message": SPOOF + "m" * 100_000, "status": 500}
ODD: dict[str, tuple[Fault, str]] = {
    "a huge message": (
        Fault(Means.USELESS, lambda good: Spoilt(good.said(json.dumps(SAID).encode(), status=f"500 {SPOOF[1:8]}"))),
        "‹202E›txt.exe",
    ),
    "a deceiving content type": (
        Fault(Means.USELESS, lambda good: Spoilt(good.said(b"no", "Content-Type: <b>" + "t" * 9_000))),
        "is not JSON",
    ),
    "JSON that stops": (FAULTS["JSON that stops"], "stops before its end"),
}
"""Texts of an answer that fails, and one whose bytes are wrong; the other ways are proven in tests/api, their words in
tests/ui/text/errors."""


def _said_after_f5(program: Opened, said: str) -> bool:
    """What was asked before the server was spoilt may still be on its way, so it is asked until it fails thus."""
    program.ask("press", "F5")
    if "Could not be refreshed" not in program.ask("everything"):
        return False
    with suppress(LookupError):  # the notice goes while the list is asked for anew
        program.ask("click", "Could not be refreshed")
    dialog = next(iter(program.ask("dialogs")), None)
    if dialog is None:
        return False
    if any(said in text for text in program.ask("shown_texts", dialog)):
        return True
    program.ask("press", "Escape")
    return False


def test_what_is_wrong_with_an_answer_is_named_in_the_window_and_the_rows_stay(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", plan="unlimited", pets=3) as shop, opened(tmp_path / "d", shop) as (program, proxy):
        shop.control("etags", on=False)  # an answer without a body, "not modified", cannot be spoilt
        _what_is_wrong_is_named(program, proxy)


def _what_is_wrong_is_named(program: Opened, proxy: FaultProxy) -> None:
    rows = program.ask("rows", "pets")
    for name, (fault, said) in ODD.items():

        def spoil(entry: Passed, fault: Fault = fault) -> Fault | None:
            return fault if entry.path.startswith("/v1/pets") else None

        proxy.spoil = spoil
        until(lambda said=said: _said_after_f5(program, said), f"the notice of {name}")
        harmless(program)
        program.ask("press", "Escape")
        assert program.ask("rows", "pets") == rows
        proxy.calm()
        program.ask("press", "F5")
        until(lambda: "Could not be refreshed" not in program.ask("everything"), f"the list after {name}")


ALPHABETS = ("abc ", "1a", "ж", "é漢")
LONG_NAME, NAMES = 1_000_000, 3
"""Sorting and searching forty of them: tests/desk/values/test_long_texts.py."""
MOST_STILL_MS = 1_000


def test_the_window_answers_while_names_of_a_million_letters_are_read_sorted_and_searched(tmp_path: Path) -> None:
    chance = random.Random(0)
    names = [(chance.choice(ALPHABETS) * LONG_NAME)[:LONG_NAME] for _ in range(NAMES)]
    with Shop(tmp_path / "shop", plan="unlimited", pets=3) as shop:
        shop.control("rows", pets=[json.dumps({"id": 100 + n, "name": name}) for n, name in enumerate(names)])
        data = tmp_path / "data"
        assert command("--data-dir", str(data), "connect", "Zoo", "--url", shop.url, key=shop.key).returncode == 0
        with Opened(data, key=shop.key) as program:
            program.ask("feel_pulse")
            until(lambda: program.ask("rows", "pets") >= NAMES, "the long names are there")
            for keys in ("Alt+I", "Alt+P", "F5"):
                program.ask("press", keys)
            program.ask("press", "Ctrl+F")
            program.ask("write", "abc")
            felt = program.ask("pulse")
    assert [still for still in felt["stills"] if still > MOST_STILL_MS] == []

"""A service that repeats the key in its answer, in whatever way it writes it: nothing of it is kept, logged or told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from petstore_desktop.domain.changes import AddStock, ChangeState, NewChange
from petstore_desktop.domain.commands import UseKey
from tests.support.echo_service import Echoing, forms_of, run_against
from tests.support.echoes import ECHOES, KEY, NO_JSON, leaks
from tests.support.session import Watched, stock
from tests.support.shop import Shop

pytestmark = pytest.mark.usefixtures("soon")

ShopFactory = Callable[..., Shop]
SAFE_IN_JSON = [name for name in ECHOES if name not in NO_JSON]


def everything(data: Path) -> str:
    """What is in all files, and what SQLite keeps of it in other places."""
    files = [path for path in data.rglob("*") if path.is_file()]
    assert {"journal.db", "gates.db"} <= {path.name for path in files}
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def told(data: Path, service: Shop, status: int, echoes: list[str], awaited: ChangeState) -> str:
    """Everything that is kept and told after answers with these echoes, one change for each."""
    pet = service.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1")[0][0]
    with Watched(data, service) as shop:
        shop.wait_loaded()
        for echo in echoes:
            body = f'{{"code": "{echo}", "message": "not with {echo}", "status": {status}}}'
            headers = {"Retry-After": "1"} if status == 429 else {}  # whoever is refused need not wait
            service.control("answer-next", status=status, body=body, headers=headers)
            shop.wait_for(shop.apply(NewChange(stock(pet), AddStock(1), {"quantity": 1})), awaited)
        events = repr(shop.events)
    return everything(data) + events + json.dumps(events)


@pytest.mark.parametrize(("status", "awaited"), [(400, ChangeState.REFUSED), (429, ChangeState.DONE)])
def test_an_echo_of_the_key_is_in_no_file_and_in_no_event(
    new_shop: ShopFactory, tmp_path: Path, status: int, awaited: ChangeState
) -> None:
    written = {name: ECHOES[name](KEY) for name in SAFE_IN_JSON}
    echoes = [*written.values()] if status == 400 else [" ".join(written.values())]
    kept = told(tmp_path / "data", new_shop(key=KEY, plan="unlimited", pets=5), status, echoes, awaited)
    assert {name: pieces for name in written if (pieces := leaks(kept, name))} == {}
    assert {name for name, echo in written.items() if json.loads(f'"{echo}"') in kept} == set()
    assert "***" in kept


def test_half_a_key_at_the_end_of_a_long_message_is_not_kept(new_shop: ShopFactory, tmp_path: Path) -> None:
    service = new_shop(key=KEY, plan="unlimited", pets=5)
    assert leaks(told(tmp_path / "data", service, 400, [f"{'x' * 475}{KEY}"], ChangeState.REFUSED), "plain") == set()


def test_an_earlier_key_that_a_service_repeats_is_not_kept_either(new_shop: ShopFactory, tmp_path: Path) -> None:
    service = new_shop(key=KEY, plan="unlimited", pets=5)
    pet = service.rows("SELECT pet_id FROM inventory ORDER BY pet_id LIMIT 1")[0][0]
    with Watched(tmp_path / "data", service) as shop:
        shop.wait_loaded()
        service.control("restore", key="another/key+of-a-later-day")
        shop.submit(UseKey("another/key+of-a-later-day"))
        service.control("refuse-writes", status=400, message=f"{KEY} is not used any more")
        shop.wait_for(shop.apply(NewChange(stock(pet), AddStock(1), {"quantity": 1})), ChangeState.REFUSED)
        events = repr(shop.events)
    assert leaks(everything(tmp_path / "data") + events, "plain") == set()
    assert "*** is not used any more" in events


def test_a_key_in_each_place_of_an_answer_is_in_no_file_and_no_report_and_never_sent_as_data(tmp_path: Path) -> None:
    """All forms of many keys are tried by `long hostile`."""
    forms = forms_of(KEY, ["plain", "numbers of JSON", "percent", "base64 of more", "a list of bytes", "octal"])
    service = Echoing(KEY, forms)
    came = run_against(service, tmp_path / "data")
    assert came.kept_in == {}
    assert came.pets == {service.clean_id(number) for number in range(len(forms) + 1)}
    assert len(came.aside) == service.BAD * len(forms)
    assert all(words.endswith("it holds the key") for words in came.aside)
    assert [body for body in came.sent if KEY in body or "***" in body] == []
    assert len(came.sent) == len(forms) + 1

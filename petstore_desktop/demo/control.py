"""The control routes: simulate other clients, other people and failures on request.

All are POST below /control with a JSON object (or nothing) as body, and answer with the shop's state; GET
/control/state answers it alone. They are never counted. `key` names the key that is meant; without it, every key.

    exhaust          {"leave": 0, "day": false}     uses up the minute's (or the day's) window; {"ends_in": S} seconds
    reset-limits     {}                             forgets windows, pauses and bans
    pause            {"seconds": 60}                answers the next request 429; the windows stay as they are
    ban              {"seconds": 900}               bans from now on
    revoke, restore  {}                             401 from now on, and back; restore {"key": K} lets a new key in
    refuse-writes    {"on": true, "message": "..", "status": 403, "code": "writes_refused"}
    offline          {"on": true}                   closes connections without an answer
    lose-answers     {"next": 1}                    the next writes are done, their answers lost
    delay            {"seconds": 0.5}               every answer takes that long, or until it is set anew
    answer-next      {"next": 1, "status": 503, "body": "..", "headers": {}}
    answer-writes    {"next": 1, "status": 200, "body": "..", "headers": {}}    the same of writes: none of them is done
    etags            {"on": true}                   whether there are any: in answers, in lists and in the document
    clock            {"ahead": 10920}               Date and resets run these seconds ahead, or behind (-)
    limit-headers    {"say": "minute"}              the windows that they tell: minute, day, both (named), nothing
    retry-after      {"as": "seconds"}              or date, or nothing, or any other text, which is sent as it is
    rows             {"pets": [..], "orders": [..]} writes records as they are; a string is served as raw JSON text
    remove           {"pets": [id, ..]}             removes records
    colleague            {"edits": 1}                   somebody else changes records, often the one changed last
"""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Callable, Sequence
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from petstore_desktop.demo.books.database import (
    INVENTORY,
    ORDERS,
    PETS,
    TABLES,
    Record,
    TableSpec,
    dumps,
    parsed,
)
from petstore_desktop.demo.books.headers import SAYS
from petstore_desktop.demo.books.shop import Canned, KeyAccount, Shop, WriteRefusal, key_id
from petstore_desktop.demo.operations.answers import Refusal, error_answer, json_answer

Action = Callable[[Shop, Record], None]


def _on_keys(act: Callable[[KeyAccount, Shop, Record], None]) -> Action:
    """Act on the key that the body names; without one, on every key."""

    def action(shop: Shop, body: Record) -> None:
        for key, account in shop.accounts.items():
            if body.get("key", key) == key:
                act(account, shop, body)

    return action


def _set(part: str, name: str, field: str, read: Callable[[Any], object], default: object) -> Action:
    """Set an attribute of a part of the shop to a field of the body."""

    def action(shop: Shop, body: Record) -> None:
        setattr(getattr(shop, part), name, read(body.get(field, default)))

    return action


def _exhaust(account: KeyAccount, shop: Shop, body: Record) -> None:
    window = account.ledger.day if body.get("day") else account.ledger.minute
    ends_in = body.get("ends_in")
    window.use_up(shop.now(), int(body.get("leave", 0)), None if ends_in is None else float(ends_in))


def _ban(account: KeyAccount, shop: Shop, body: Record) -> None:
    account.ledger.ban(shop.now(), float(body.get("seconds", shop.rules.ban_seconds)))


def _restore(shop: Shop, body: Record) -> None:
    for key in [body["key"]] if "key" in body else list(shop.accounts):
        shop.add_key(str(key))


def _refuse_writes(shop: Shop, body: Record) -> None:
    given = {name: body[name] for name in ("status", "code", "message") if name in body}
    shop.switches.refuse_writes = WriteRefusal(**given) if body.get("on", True) else None


def _canned(status: int, *, writes: bool) -> Action:
    """Give the next answers in the shop's place, with this status if the body names none."""

    def action(shop: Shop, body: Record) -> None:
        words, headers = str(body.get("body", "")), dict(body.get("headers", {}))
        shop.switches.canned = Canned(int(body.get("next", 1)), int(body.get("status", status)), words, headers, writes)

    return action


def _limit_headers(shop: Shop, body: Record) -> None:
    says = str(body.get("say", SAYS[0]))
    if says not in SAYS:
        raise ValueError(f"the headers cannot say {says}")
    shop.voice.says = says


def _rows(shop: Shop, body: Record) -> None:
    with shop.database.transaction():
        for name, records in body.items():
            for record in records:
                if isinstance(record, str):
                    shop.database.put(TABLES[name], parsed(record), record)
                else:
                    shop.database.put(TABLES[name], record)


def _remove(shop: Shop, body: Record) -> None:
    with shop.database.transaction():
        for name, keys in body.items():
            for key in keys:
                shop.database.remove(TABLES[name], int(key))


_WORK = (INVENTORY, INVENTORY, PETS, ORDERS)
"""The tables to choose from: stock changes most often."""


def _colleague(shop: Shop, body: Record) -> None:
    database = shop.database
    for _ in range(int(body.get("edits", 1))):
        table = random.choice(_WORK)
        count = database.count(table)
        if not count:
            continue
        latest = random.random() < 0.5
        row = database.at(table, -1 if latest else random.randrange(count))
        changed = None if row is None else _changed(table, row.record, shop.statuses)
        if changed is not None:
            with database.transaction():
                database.put(table, changed)


def _changed(table: TableSpec, record: Record, statuses: Sequence[str]) -> Record | None:
    """The record as somebody else leaves it; None for one without the usual values."""
    if record.get(table.key) is None:
        return None
    if table is PETS:
        others = [word for word in statuses if word != record.get("status")]
        return {**record, "status": random.choice(others)} if others else None
    quantity = record.get("quantity")
    if type(quantity) is not int:
        return None
    if table is ORDERS and record.get("complete") is not True:
        return {**record, "complete": True}
    return {**record, "quantity": max(0, quantity + random.choice((-3, -2, -1, 1, 2, 3)))}


ACTIONS: dict[str, Action] = {
    "exhaust": _on_keys(_exhaust),
    "reset-limits": _on_keys(lambda account, _shop, _body: account.ledger.reset()),
    "pause": _on_keys(lambda account, _, body: account.ledger.pause(float(body.get("seconds", 60)))),
    "ban": _on_keys(_ban),
    "revoke": _on_keys(lambda account, _shop, _body: account.revoke()),
    "restore": _restore,
    "refuse-writes": _refuse_writes,
    "offline": _set("switches", "offline", "on", bool, True),
    "lose-answers": _set("switches", "lose_answers", "next", int, 1),
    "delay": _set("switches", "delay", "seconds", float, 0),
    "answer-next": _canned(503, writes=False),
    "answer-writes": _canned(200, writes=True),
    "etags": _set("switches", "etags", "on", bool, True),
    "clock": _set("voice", "ahead", "ahead", float, 0),
    "limit-headers": _limit_headers,
    "retry-after": _set("voice", "retry_after", "as", str, "seconds"),
    "rows": _rows,
    "remove": _remove,
    "colleague": _colleague,
}


def state(shop: Shop) -> Record:
    """The shop as it stands; times in epoch seconds."""
    now = shop.now()
    return {
        "service": shop.service,
        "now": now,
        "offline": shop.switches.offline,
        "refuse_writes": shop.switches.refuse_writes is not None,
        "counts": {name: shop.database.count(table) for name, table in TABLES.items()},
        "keys": [_key_state(key, account, now) for key, account in shop.accounts.items()],
    }


def _key_state(key: str, account: KeyAccount, now: float) -> Record:
    ledger = account.ledger
    return {
        "key_id": key_id(key),
        "revoked": account.revoked,
        "minute": {"limit": ledger.minute.limit, "remaining": ledger.minute.remaining(now), "ends": ledger.minute.ends},
        "day": {"limit": ledger.day.limit, "remaining": ledger.day.remaining(now), "ends": ledger.day.ends},
        "paused_until": ledger.told_until if now < ledger.told_until else None,
        "banned_until": ledger.banned_until if now < ledger.banned_until else None,
        "offences": ledger.offences,
    }


def make_control(shop: Shop) -> Starlette:
    """The application below /control."""

    async def show(_: Request) -> Response:
        return json_answer(dumps(state(shop)))

    async def act(request: Request) -> Response:
        action = ACTIONS.get(request.path_params["action"])
        if action is None:
            return error_answer(Refusal(404, f"there is no control {request.path_params['action']}"))
        try:
            action(shop, json.loads(await request.body() or b"{}"))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, sqlite3.Error) as error:
            return error_answer(Refusal(400, f"{type(error).__name__}: {error}"))
        return await show(request)

    return Starlette(
        routes=[Route("/control/state", show), Route("/control/{action}", act, methods=["POST"])],
    )

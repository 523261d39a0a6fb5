"""The command line of the demo shop: its options, and what runs behind them.

Importing this module is cheap: the server is imported when it runs.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from petstore_desktop.demo.books.database import ShopDatabase
    from petstore_desktop.demo.books.quota import KeyQuota, Rules
    from petstore_desktop.demo.server import Server

PLAN_NAMES = ("free", "pro", "business", "unlimited")
MOST_PETS = 2_000_000


def _whole(lowest: int, highest: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and lowest <= int(text) <= highest):
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {lowest} to {highest}")
        return int(text)

    return read


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0.1 <= value <= 10**7:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds from 0.1")
    return value


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date such as 2026-05-30") from error


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the demo shop's options to a parser."""
    count = _whole(1, 10**9)
    add = parser.add_argument
    add("--port", type=_whole(0, 65535), default=0, metavar="P", help="the port on 127.0.0.1; 0 takes a free one")
    add("--plan", choices=PLAN_NAMES, default="free", help="the limits of the key (default: free)")
    add("--pets", type=_whole(0, MOST_PETS), default=200, metavar="N", help="how many pets (default: 200)")
    add("--service", choices=("full", "default"), default="full", help="everything, or the nine operations alone")
    add("--rpm", type=count, metavar="N", help="requests per minute, instead of the plan's")
    add("--rpd", type=count, metavar="N", help="requests per day, instead of the plan's")
    add("--minute", type=_seconds, default=60.0, metavar="S", help="shorten the minute to S seconds")
    add("--day", type=_seconds, default=86_400.0, metavar="S", help="shorten the day to S seconds")
    add("--ban-at", type=count, default=3, metavar="N", help="the Nth request inside a pause bans (default: 3)")
    add("--ban-seconds", type=_seconds, default=900.0, metavar="S", help="how long a ban lasts (default: 900)")
    add("--key", metavar="K", help="the key; without it one is generated and printed")
    add("--key-stdin", action="store_true", help="read the key from the first line of stdin, and do not print it")
    add("--db", type=Path, metavar="FILE", help="keep the shop in this SQLite file from run to run")
    add("--fresh", action="store_true", help="start with new data even if the file holds a shop")
    add("--records", type=Path, metavar="FILE", help="fill a new shop with the records and rules of this file")
    add("--today", type=_day, metavar="DATE", help="the day around which a new shop's orders lie (default: today)")
    add("--log", type=Path, metavar="FILE", help="append a JSON line for each request")
    add("--control", action="store_true", help="offer the control routes below /control")
    add("--until-stdin-closes", action="store_true", help="end when stdin ends, as the child of another program")
    add("--announce-json", action="store_true", help="print only url, key and control, as one JSON line")


def run(args: argparse.Namespace) -> int:
    """Serve the shop until it is told to end.

    Returns the exit status: 0, or 1 after a line on stderr where the port, the database or the log cannot be had.
    """
    import sqlite3

    try:
        return _run(args)
    except KeyboardInterrupt:
        return 0
    except (OSError, sqlite3.Error) as error:
        print(f"demo-shop: {error}", file=sys.stderr)
        return 1


def _run(args: argparse.Namespace) -> int:
    from petstore_desktop.demo.server import serve

    key = _key(args)
    with opened(args, key) as server:
        _announce(args, server.origin, key)
        serve(server, args.until_stdin_closes)
    return 0


@contextmanager
def opened(args: argparse.Namespace, key: str) -> Generator[Server]:
    """The server of the shop of these options, which listens already. Raises OSError and sqlite3.Error."""
    # Imported here for the start-up time of every other command.
    from petstore_desktop.demo.books.loading import own_rules
    from petstore_desktop.demo.books.shop import Shop
    from petstore_desktop.demo.server import Server, listen

    with ExitStack() as stack:
        database = _database(args)
        stack.callback(database.close)
        log = stack.enter_context(args.log.open("a", encoding="utf-8")) if args.log else None
        listening = stack.enter_context(listen(args.port))
        shop = Shop(args.service, database, _rules(args), time.time, own=own_rules(database))
        account = shop.add_key(key)
        if args.key_stdin:
            _go_on_counting(account.ledger, database, stack)
        yield Server(shop, listening, args.control, log)


def _go_on_counting(ledger: KeyQuota, database: ShopDatabase, stack: ExitStack) -> None:
    """Keep what was counted in the books, since the key of one and the same client is another at each start."""
    if kept := database.meta("ledger"):
        ledger.resume(kept)
    stack.callback(lambda: database.set_meta("ledger", ledger.kept()))


def _key(args: argparse.Namespace) -> str:
    from petstore_desktop.demo.server import read_line_of_stdin

    if args.key_stdin:
        key = read_line_of_stdin()
        if not key:
            raise OSError("stdin held no key")
        return key
    return args.key or f"demo-{secrets.token_urlsafe(12)}"


def _database(args: argparse.Namespace) -> ShopDatabase:
    from petstore_desktop.demo.books.database import ShopDatabase
    from petstore_desktop.demo.books.loading import load
    from petstore_desktop.demo.books.shop import seed

    database = ShopDatabase(args.db)
    if args.records is not None and (args.fresh or database.empty()):
        load(database, args.records)
    elif args.fresh or database.empty():
        seed(database, args.pets, args.today or datetime.now().astimezone().date())
    return database


def _rules(args: argparse.Namespace) -> Rules:
    from petstore_desktop.demo.books.quota import PLANS, Rules

    minute, day = PLANS[args.plan]
    return Rules(args.rpm or minute, args.rpd or day, args.minute, args.day, args.ban_at, args.ban_seconds)


def _announce(args: argparse.Namespace, origin: str, key: str) -> None:
    """Say where the shop is; a key that came by stdin is not said."""
    said = None if args.key_stdin else key
    if not args.announce_json:
        print(f"Demo shop at {origin}/v1" + (f", key {said}" if said else ""), flush=True)
    else:
        control = f"{origin}/control" if args.control else None
        print(json.dumps({"url": f"{origin}/v1", "key": said, "control": control}), flush=True)

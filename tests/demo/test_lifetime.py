"""How the shop begins, ends, and keeps its books.

Processes of their own: ends with stdin, with a parent, by a kill; what a shop prints while it runs.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from petstore_desktop.demo.__main__ import main
from tests.demo.conftest import ShopFactory
from tests.program.running import command_here
from tests.support.patience import PATIENCE_S
from tests.support.shop import ROOT, Shop

PARENT = """
import subprocess, sys
shop = subprocess.Popen([sys.executable, "-m", "petstore_desktop.demo", "--announce-json", "--until-stdin-closes"],
                        stdin=subprocess.PIPE)
shop.wait()
"""
COMMAND = [sys.executable, "-m", "petstore_desktop.demo"]


def port_of(shop: Shop) -> int:
    return int(shop.url.split(":")[2].partition("/")[0])


def test_the_shop_ends_when_its_stdin_does(demo_shop: ShopFactory) -> None:
    shop = demo_shop(process=True)
    with httpx.Client(headers=shop.auth) as client:  # an idle connection does not hold it up
        client.get(f"{shop.url}/pets")
        assert shop.stop() == 0
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{shop.url}/pets")


def test_the_shop_ends_when_its_parent_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        watchdog = threading.Timer(PATIENCE_S, parent.kill)
        watchdog.start()
        url = next(json.loads(line)["url"] for line in parent.stdout if line.startswith(b"{"))
        assert httpx.get(f"{url}/openapi.json").status_code == 200
        parent.kill()
        assert parent.stdout.read() == b""  # its end: the shop, which shares it, is gone as well
        watchdog.cancel()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{url}/pets")


def test_the_books_last_from_run_to_run_after_a_kill_too(demo_shop: ShopFactory) -> None:
    shop = demo_shop(process=True)
    url = shop.url
    made = httpx.post(f"{url}/pets", headers=shop.auth, json={"name": "Koi of mine", "categoryId": 1}).json()
    tag = httpx.get(f"{url}/pets/{made['id']}", headers=shop.auth).headers["etag"]
    shop.kill()
    shop.start()
    again = httpx.get(f"{shop.url}/pets/{made['id']}", headers=shop.auth)
    assert (shop.url, again.json(), again.headers["etag"]) == (url, made, tag)


def test_other_options_do_not_refill_a_shop_but_fresh_does(demo_shop: ShopFactory, tmp_path: Path) -> None:
    books = tmp_path / "books.db"
    counts = []
    for options in ({"pets": 30}, {"pets": 50}, {"pets": 50, "fresh": True}):
        shop = demo_shop(db=books, **options)
        counts.append(shop.control("state")["counts"]["pets"])
        shop.stop()
    assert counts == [30, 30, 50]


def test_a_validator_of_before_does_not_match_a_fresh_shop(demo_shop: ShopFactory) -> None:
    shop = demo_shop(fresh=True)
    tag = httpx.get(f"{shop.url}/pets", headers=shop.auth).headers["etag"]
    shop.stop()
    shop.start()
    answer = httpx.get(f"{shop.url}/pets", headers=shop.auth | {"If-None-Match": tag})
    assert answer.status_code == 200


def test_the_shop_listens_on_the_loopback_alone(demo_shop: ShopFactory) -> None:
    port = port_of(demo_shop())
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as other:
        other.settimeout(PATIENCE_S)
        assert other.connect_ex(("127.0.0.2", port)) != 0


def test_a_key_from_stdin_is_not_printed() -> None:
    with subprocess.Popen(
        [*COMMAND, "--key-stdin", "--until-stdin-closes", "--announce-json"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        said, _ = process.communicate(b"canary-key\n", timeout=PATIENCE_S)
    assert b"canary" not in said
    assert json.loads(said)["key"] is None  # and nothing else is said, for scripts to stumble over


def test_a_key_is_made_up_and_printed_and_works(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "--until-stdin-closes"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None and process.stdout is not None
        words = process.stdout.readline().replace(",", "").split()
        url, key = words[words.index("at") + 1], words[words.index("key") + 1]
        assert httpx.get(f"{url}/pets", headers={"Authorization": f"Bearer {key}"}).status_code == 200
        assert httpx.get(f"{url.removesuffix('/v1')}/control/state").status_code == 404
        process.stdin.close()
        assert process.wait(PATIENCE_S) == 0


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--port", "{taken}"], 1, "demo-shop: "),
        (["--db", "{folder}"], 1, "demo-shop: "),
        (["--log", "{folder}"], 1, "demo-shop: "),
        (["--plan", "gold"], 2, "invalid choice: 'gold'"),
        (["--rpm", "0"], 2, "not a whole number from 1"),
        (["--minute", "nan"], 2, "not a number of seconds"),
        (["--today", "soon"], 2, "not a date"),
    ],
)
def test_what_cannot_be_had_is_said_in_one_line(tmp_path: Path, options: list[str], status: int, said: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        filled = [option.format(taken=taken.getsockname()[1], folder=tmp_path) for option in options]
        ended = command_here(*filled, environment=os.environ, program=main)
    assert (ended.returncode, ended.stdout) == (status, b"")
    assert said in ended.stderr.decode().splitlines()[-1]

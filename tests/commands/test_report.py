"""`report NAME --week last --out FILE`: a PDF of what is kept here, without a window or a request.

Processes of their own: the language of the system, which Qt reads once.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.program.running import command
from tests.support.pdf_text import PdfReader
from tests.support.shop import Shop


def test_a_report_of_what_is_kept_here_without_a_window_or_a_request(tmp_path: Path) -> None:
    data, out = str(tmp_path / "data"), tmp_path / "week.pdf"
    with Shop(tmp_path / "shop", plan="unlimited", pets=50) as shop:
        for given in (["connect", "Shop", "--url", shop.url], ["sync", "Shop"]):
            done = command("--data-dir", data, *given, key=shop.key)
            assert done.returncode == 0, done.stderr
        before = len(shop.log_lines())
        done = command("--data-dir", data, "report", "Shop", "--week", "this", "--out", str(out))
        assert done.returncode == 0, done.stderr
        assert f"are in {out}" in done.stderr
        assert len(shop.log_lines()) == before
        said = [run.text for run in PdfReader(out.read_bytes()).pages()[0]]
        ((pieces,),) = shop.rows("SELECT sum(quantity) FROM inventory")
        assert said[said.index("Pets") + 2] == "50"
        assert said[said.index("Pieces in stock") + 2] == f"{pieces:,}"
        gone = tmp_path / "month.pdf"
        done = command("--data-dir", data, "report", "Shop", "--month", "last", "--out", str(gone))
        assert done.returncode == 1
        assert "the history knows nothing of" in done.stderr
        assert not gone.exists()
        today = time.strftime("%Y-%m-%d")
        days = tmp_path / "days.pdf"
        done = command("--data-dir", data, "report", "Shop", "--from", today, "--to", today, "--out", str(days))
        assert done.returncode == 0, done.stderr
        assert f"{today} to {today} of Shop" in done.stderr
        assert days.read_bytes().startswith(b"%PDF")
        for wrong in (["--from", today], ["--from", today, "--to", "2020-01-01"], ["--from", "today", "--to", today],
                      ["--week", "this", "--to", today]):  # fmt: skip
            done = command("--data-dir", data, "report", "Shop", *wrong, "--out", str(tmp_path / "none.pdf"))
            assert (done.returncode, done.stdout) == (2, ""), done.stderr


@pytest.mark.posix("the environment says the language")
def test_a_report_speaks_the_language_of_the_system_or_the_one_that_was_chosen(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "week.pdf"
    with Shop(tmp_path / "shop", plan="unlimited", pets=20) as shop:
        for given in (["connect", "Shop", "--url", shop.url], ["sync", "Shop"]):
            assert command("--data-dir", str(data), *given, key=shop.key).returncode == 0
        kept = data / "preferences.json"
        for system, chosen, word in (("de_DE", None, "Bestellungen"), ("de_DE", "en", "orders")):
            kept.write_text(json.dumps(json.loads(kept.read_text()) | {"language": chosen}))
            env = {"LC_ALL": f"{system}.UTF-8", "LANG": f"{system}.UTF-8"}
            wanted = ("report", "Shop", "--week", "this", "--out", str(out))
            assert command("--data-dir", str(data), *wanted, env=env, process=True).returncode == 0
            said = " ".join(run.text for page in PdfReader(out.read_bytes()).pages() for run in page)
            assert word in said, said
            assert ("Overdue" in said) == (word == "orders")

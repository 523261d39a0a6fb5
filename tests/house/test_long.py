"""The long runs judge rightly, and say what they saw."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import dev
from petstore_desktop.domain.changes import Change, ChangeState, SetFields
from petstore_desktop.domain.records import Pet, Ref, Resource
from tests.house.trees import ROOT, plant
from tests.long import mutants, screens, soak
from tests.long._running import NOT_RUN, most_likely
from tests.long._soak_shop import FILTERS, PlainShop

# ---------------------------------------------------------------- mutants


def test_every_part_that_is_watched_has_modules_and_tests() -> None:
    for part in mutants.PARTS.values():
        assert all(list((ROOT / "petstore_desktop").glob(one)) for one in part.modules), part
        assert all((ROOT / "tests" / one).exists() for one in part.tests), part


@pytest.mark.skipif(find_spec("mutmut") is None, reason="mutmut needs Linux and Python before 3.13")
def test_what_a_test_notices_is_found_and_what_none_looks_at_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # its one test needs none, and each run imports them
    house = plant(
        tmp_path / "house",
        {
            "pyproject.toml": '[tool.pytest.ini_options]\npythonpath = ["."]\n',
            "petstore_desktop/__init__.py": "",
            "petstore_desktop/limits.py": "def most(n):\n    return n + 1\n\ndef unseen(n):\n    return n - 1\n",
            "tests/test_limits.py": "from petstore_desktop.limits import most\n\n"
            "def test_most():\n    assert most(1) == 2\n",
        },
    )
    judge = mutants.Judge(tmp_path, mutants.Part(("limits.py",), ("test_limits.py",), 1.0), house)
    found = judge.judge(judge.names())
    assert {end for name, end in found.items() if "most" in name} == {"killed"}
    assert {end for name, end in found.items() if "unseen" in name} == {"no tests"}


# ---------------------------------------------------------------- what a sample says


@pytest.mark.parametrize(
    ("good", "judged", "bound"), [(0, 0, 1.0), (50, 50, 1.0), (49, 50, 0.9998), (45, 50, 0.9737), (0, 3, 0.7846)]
)
def test_the_bound_of_a_sample_is_the_exact_one(good: int, judged: int, bound: float) -> None:
    assert most_likely(good, judged) == pytest.approx(bound, abs=5e-5)


def test_one_sample_in_a_hundred_at_most_says_that_a_share_is_too_small_which_is_not() -> None:
    least = next(bad for bad in range(301) if most_likely(300 - bad, 300) < 0.95)
    assert 15 < least < 30  # so that 90 % killed would be found out nearly always


# ---------------------------------------------------------------- what a machine lacks


def test_without_node_the_run_against_prism_says_that_it_is_not_run(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "tests.long.prism", "--minutes", "0"],
        cwd=ROOT, env={**os.environ, "PATH": str(tmp_path)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (NOT_RUN, "")
    assert ran.stdout.splitlines()[1:] == ["prism: not run: no node here"]
    assert dev.NOT_RUN == NOT_RUN


# ---------------------------------------------------------------- what a soak says


@pytest.mark.parametrize(
    ("last", "grown"), [([100.0] * 4, False), ([104.9] * 4, False), ([100.0, 105.2, 105.2, 105.2], True)]
)
def test_a_soak_compares_the_memory_of_the_last_quarter_with_that_of_the_second(last: list[float], grown: bool) -> None:
    found = soak.Found(still_ms=soak.STILL_MS, memory=[70.0] * 4 + [100.0] * 4 + [180.0] * 4 + last)
    found.judge()
    assert bool(found.wrong) is grown


@pytest.mark.parametrize(("each", "grown"), [(60, True), (4, False)])
def test_a_soak_fits_a_line_only_where_enough_was_done(each: int, grown: bool) -> None:
    """What grows by 36 KiB an act is told where 1,920 acts were done, and is no growth yet after 128."""
    memory = [round(230 + 36 * each * look / 1024, 1) for look in range(32)]
    found = soak.Found(memory=memory, acts=[{"edit": each * look} for look in range(1, 33)])
    found.judge()
    assert bool(found.lines) is bool(found.wrong) is grown


def test_a_soak_finds_out_a_window_that_stood_still_and_a_run_that_ended_at_once() -> None:
    found = soak.Found(still_ms=soak.STILL_MS + 1, still_in="sort")
    found.judge()
    assert found.wrong == ["the window stood still for 301 ms: sort", "it ended before memory could be compared"]


def test_the_plain_shop_of_a_soak_sorts_as_a_reader_does_and_keeps_those_that_fit() -> None:
    plain = PlainShop(60, random.Random(1))
    names = ["koi 12", "Koi 2", "KOI 2", "ant"]
    keys = sorted(plain.pets)[:4]
    for key, name in zip(keys, names, strict=True):
        plain.put(Pet(key, name, None, "sold"))
    plain.forget([key for key in plain.pets if key not in keys])
    change = Change(
        1, "b", 0.0, Ref(Resource.PETS, keys[0]), SetFields({"status": "pending"}), {}, ChangeState.QUEUED, 0.0
    )
    pets = plain.seen([change])
    assert plain.in_order(pets, [("name", False)], "", []) == [keys[3], keys[1], keys[2], keys[0]]
    assert plain.in_order(pets, [("name", True), ("id", True)], "kOI", []) == [keys[0], keys[2], keys[1]]
    sold = next(one for one in FILTERS if one.text == "!sold")
    assert plain.in_order(pets, [("name", False)], "", [sold]) == [keys[0]]


# ---------------------------------------------------------------- what continuous integration runs


STEPS = [
    "check",
    "test",
    "bench short",
    "second",
    "windows quick",
    "build wheel bundle describe check tour",
    "long --minutes 8 --seed 1",
]


@pytest.mark.parametrize(
    ("failing", "with_code", "code"),
    [
        *((step.split()[0], 1, 1) for step in STEPS),
        ("", 0, 0),
        ("windows", NOT_RUN, 0),  # the machine cannot, and that is said there
        ("windows", 124, 0),  # Wine hangs
        ("check", NOT_RUN, 1),
    ],
)
def test_continuous_integration_runs_all_of_them_and_fails_if_one_does(
    tmp_path: Path, failing: str, with_code: int, code: int
) -> None:
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "run").write_text((ROOT / ".ci" / "run").read_text("utf-8"), "utf-8")
    python = tmp_path / "bin" / "python3"  # a program of the shell starts in a hundredth of the time
    python.parent.mkdir()
    python.write_text(
        '#!/bin/sh\n[ "$1" = packaging/dev.py ] && shift && echo "$* $CI" && [ "$1" != "$FAILING" ] || exit "$CODE"\n'
    )
    python.chmod(0o700)
    env = os.environ | {"PATH": f"{python.parent}:{os.environ['PATH']}", "FAILING": failing, "CODE": str(with_code)}
    ran = subprocess.run(["bash", tmp_path / ".ci" / "run"], env=env, capture_output=True, text=True, check=False)
    said = [line for line in ran.stdout.splitlines() if not line.startswith("windows: ")]
    assert said == [f"{step} true" for step in STEPS]
    assert ran.returncode == code


def test_a_tour_without_one_of_its_pictures_is_found_out(tmp_path: Path) -> None:
    themes = [(step, theme) for step in sorted(screens.STOPPED) for theme in ("light", "dark")]
    names = [*themes, *((f"step{number}", "light") for number in range(screens.PICTURES - len(themes)))]
    pictures = [f"{number:02}-{step}-{theme}.png" for number, (step, theme) in enumerate(names)]
    steps = [{"step": name, "picture": name, "ok": True} for name in pictures]
    for name in pictures:
        (tmp_path / name).write_text(name, encoding="utf-8")
    (tmp_path / "texts.json").write_text("{}", encoding="utf-8")
    report = tmp_path / "tour.json"
    report.write_text(json.dumps(steps), encoding="utf-8")
    assert screens.wrong(tmp_path) == []
    report.write_text(json.dumps([step for step in steps if "paused-dark" not in step["step"]]), encoding="utf-8")
    assert len(screens.wrong(tmp_path)) == 2
    report.write_text(json.dumps([{**step, "ok": step is not steps[0]} for step in steps]), encoding="utf-8")
    (tmp_path / pictures[1]).write_bytes((tmp_path / pictures[0]).read_bytes())
    assert len(screens.wrong(tmp_path)) == 2

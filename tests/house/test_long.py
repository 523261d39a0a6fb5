"""The long runs judge rightly: a mutant is one small change, and a test that fails is what finds it out."""

from __future__ import annotations

import ast
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import dev
from petstore_desktop.domain.changes import Change, ChangeState, SetFields
from petstore_desktop.domain.records import Pet, Ref, Resource
from tests.house.trees import ROOT
from tests.long import _forked, screens, soak
from tests.long import mutants as runner
from tests.long._equivalent import EQUIVALENT
from tests.long._forked import Answer, Judge
from tests.long._mutate import changed, mutants
from tests.long._running import NOT_RUN, Run, most_likely
from tests.long._soak_shop import FILTERS, PlainShop

SOURCE = '''"""Says 1 < 2."""
from os import path

LIMIT: TypeAlias = 5


def wait(state: State, most: int = 60) -> int:
    """Not this: 7 + 7."""
    state = replace(state, until=1, phase=2)
    if state.closed and not most >= 3:
        return -most
    effects.append(f"{most} left")
    return min(most, 9.5)
'''


def whats() -> list[str]:
    return [f"{mutant.line}: {mutant.what}" for mutant in mutants(SOURCE)]


@pytest.mark.parametrize(
    "change",
    [
        "7: 60 -> 61", "7: 60 -> 30.0", "9: without the line", "9: replace without until", "9: replace without phase",
        "10: And -> Or", "10: without Not", "10: GtE -> Gt", "10: GtE -> Lt", "11: without USub", "11: return None",
        "12: without the line", "13: min -> max", "13: 9.5 -> 10.5", "13: return None",
    ],
)  # fmt: skip
def test_each_kind_of_change_is_made(change: str) -> None:
    assert change in whats()


def test_texts_types_and_imports_are_left_alone() -> None:
    assert not any(what.startswith(("1:", "2:", "4:", "8:")) for what in whats())
    assert "'left'" not in str(whats())


def test_the_body_of_a_protocol_does_nothing_and_has_no_mutants() -> None:
    assert not mutants("class Seat(Protocol):\n    def close(self) -> None: ...\n")


def test_every_mutant_is_another_program() -> None:
    sources = [changed(SOURCE, mutant) for mutant in mutants(SOURCE)]
    assert len({*sources, ast.unparse(ast.parse(SOURCE))}) == len(sources) + 1
    for source in sources:
        ast.parse(source)


def test_every_equivalent_mutant_still_exists_and_has_its_reason() -> None:
    modules = {same.module for same in EQUIVALENT}
    there = {(name, found.text, found.what) for name in modules for found in mutants(runner.source_of(name))}
    for same in EQUIVALENT:
        assert same[:3] in there
        assert len(same.why.split()) > 2


def test_every_module_of_the_gate_is_watched_and_has_its_tests() -> None:
    watched = runner.modules()
    here = (ROOT / "petstore_desktop" / "api" / "gate").glob("[a-z]*.py")
    gate = {f"api/gate/{file.stem}" for file in here} - {"api/gate/admission"}
    assert gate | {"api/headers/limit_headers", "api/headers/header_values"} <= set(watched)
    for module in watched:
        assert runner.asked(ROOT, module), module


# ---------------------------------------------------------------- what is judged

PASSING = "from petstore_desktop.wait import LONGEST\n\ndef test_at_once() -> None:\n    assert LONGEST == 7\n"
ANOTHER = "from petstore_desktop.wait import LONGEST\n\ndef test_again() -> None:\n    assert LONGEST < 9\n"
WORKS_FOR_EVER = "\n\ndef test_ends() -> None:\n    while LONGEST == 8:\n        pass\n"
WAITS_FOR_EVER = "\n\ndef test_ends() -> None:\n    if LONGEST == 8:\n        __import__('time').sleep(1000)\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A package of one number, with two tests of it, and those by which it is judged here."""
    for folder in ("petstore_desktop", "tests/long"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / "tests" / "__init__.py").touch()
    (tmp_path / "tests" / "long" / "_forked.py").write_text(Path(_forked.__file__).read_text("utf-8"), "utf-8")
    (tmp_path / "tests" / "test_wait.py").write_text(PASSING, "utf-8")
    (tmp_path / "tests" / "test_wait_again.py").write_text(ANOTHER, "utf-8")
    (tmp_path / "petstore_desktop" / "wait.py").write_text("LONGEST = 7\n", "utf-8")
    return tmp_path


@pytest.fixture
def judge(place: Path) -> Iterator[Judge]:
    with closing(Judge(place)) as judge:
        yield judge


TESTS = ["tests/test_wait.py", "tests/test_wait_again.py"]


def with_number(judge: Judge, number: int, order: list[str]) -> Answer:
    (judge.place / "petstore_desktop" / "wait.py").write_text(f"LONGEST = {number}\n", "utf-8")
    return judge.ask(TESTS, order)


def test_each_question_is_about_the_package_as_it_stands_then(judge: Judge) -> None:
    assert [with_number(judge, number, []).end for number in (7, 8, 7)] == ["passed", "failed", "passed"]


def test_the_tests_that_are_to_come_first_do_and_the_first_that_fails_is_named(judge: Judge) -> None:
    again = "tests/test_wait_again.py::test_again"
    assert with_number(judge, 9, []).by == "tests/test_wait.py::test_at_once"
    assert with_number(judge, 9, [again]).by == again


def test_a_package_that_cannot_be_imported_fails(judge: Judge) -> None:
    (judge.place / "petstore_desktop" / "wait.py").write_text("LONGEST = 7 + None\n", "utf-8")
    assert judge.ask(TESTS, []).end == "failed"


def test_tests_that_do_not_exist_are_no_verdict(judge: Judge) -> None:
    assert judge.ask(["tests/test_nothing.py"], []).end == "not asked: USAGE_ERROR"
    assert judge.ask([*TESTS, "-k", "nothing"], []).end == "not asked: NO_TESTS_COLLECTED"


@pytest.mark.parametrize("ever", [WORKS_FOR_EVER, WAITS_FOR_EVER], ids=["works", "waits"])
def test_what_runs_for_ever_is_found_out(place: Path, ever: str) -> None:
    forked = place / "tests" / "long" / "_forked.py"
    text = forked.read_text("utf-8").replace("UNKNOWN_S = 15.0", "UNKNOWN_S = -2.0")
    forked.write_text(text.replace("MOST_QUIET_S = 120.0", "MOST_QUIET_S = 4.0"), "utf-8")
    (place / "tests" / "test_wait.py").write_text(ANOTHER + ever, "utf-8")
    with closing(Judge(place)) as judge:
        assert with_number(judge, 7, []).end == "passed"
        assert with_number(judge, 8, []).end == "ran for ever"


def test_another_package_than_the_copy_is_not_judged(place: Path) -> None:
    (place / "petstore_desktop" / "__init__.py").unlink()
    (place / "petstore_desktop" / "wait.py").unlink()
    (place / "petstore_desktop").rmdir()
    with closing(Judge(place)) as judge, pytest.raises(RuntimeError, match="has gone"):
        judge.ask(TESTS, [])


def test_a_mutant_that_a_test_notices_is_killed_and_what_is_no_mutant_is_not(tmp_path: Path) -> None:
    place = runner.copy_of_the_package(tmp_path)
    for file in runner.asked(place, "api/gate/back_off"):
        if Path(file).name != "test_back_off.py":
            (place / file).unlink()
    with closing(Judge(place)) as judge:
        assert runner.found_out(judge, "api/gate/back_off", []).end == "passed"
        file = place / runner.PACKAGE / "api" / "gate" / "back_off.py"
        file.write_text(file.read_text("utf-8").replace("3_600.0", "3_601.0"), "utf-8")
        answer = runner.found_out(judge, "api/gate/back_off", [])
    assert answer.end == "failed"
    assert (answer.by or "").startswith("tests/api/gate/test_back_off.py::")


# ---------------------------------------------------------------- what a sample says


@pytest.mark.parametrize(
    ("good", "judged", "bound"), [(0, 0, 1.0), (50, 50, 1.0), (49, 50, 0.9998), (45, 50, 0.9737), (0, 3, 0.7846)]
)
def test_the_bound_of_a_sample_is_the_exact_one(good: int, judged: int, bound: float) -> None:
    assert most_likely(good, judged) == pytest.approx(bound, abs=5e-5)


def test_one_sample_in_a_hundred_at_most_says_that_a_share_is_too_small_which_is_not() -> None:
    least = next(bad for bad in range(301) if most_likely(300 - bad, 300) < 0.95)
    assert 15 < least < 30  # so that 90 % killed would be found out nearly always


@pytest.mark.parametrize(("there", "judged"), [(1_000, runner.LEAST_JUDGED), (7, 7)])
def test_a_sample_has_enough_mutants_however_soon_the_time_is_over(there: int, judged: int) -> None:
    over = Run(1, full=False, ends=0.0)
    coming = iter([("api/gate/machine", mutant) for mutant in mutants(SOURCE)[:1] * there])
    docket = runner.Docket(over, coming, {})
    assert sum(1 for _ in iter(docket.next, None)) == judged


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


@pytest.mark.parametrize("failing", ["check", "test", "second", "build", "long", ""])
def test_continuous_integration_runs_all_of_them_and_fails_if_one_does(tmp_path: Path, failing: str) -> None:
    (tmp_path / ".ci").mkdir()
    (tmp_path / ".ci" / "run").write_text((ROOT / ".ci" / "run").read_text("utf-8"), "utf-8")
    (tmp_path / "packaging").mkdir()
    said = "import os, sys; print(*sys.argv[1:], os.environ['CI']); sys.exit(sys.argv[1] == %r)\n"
    (tmp_path / "packaging" / "dev.py").write_text(said % failing, "utf-8")
    ran = subprocess.run(["bash", tmp_path / ".ci" / "run"], capture_output=True, text=True, check=False)
    steps = ["check", "test", "second", "build wheel bundle describe check tour", "long --minutes 14 --seed 1"]
    assert ran.stdout.splitlines() == [f"{step} true" for step in steps]
    assert ran.returncode == int(bool(failing))


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

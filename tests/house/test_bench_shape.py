"""What a bench prints and how it ends; what it measures itself is not a test's matter."""

from __future__ import annotations

import builtins
import json
import math
import os
import subprocess
import sys
from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from petstore_desktop.demo.books.quota import QuotaWindow
from tests.bench import _parts, desks, gate, grid, journal, path, shift, short, startup, sync, waits
from tests.bench._busy import busy_core
from tests.bench._report import Goal, Metric, Report
from tests.bench._rival import OURS, THEIRS, Compared
from tests.bench._rounds import rounds
from tests.house.trees import ROOT
from tests.program.running import until
from tests.support.shop import Shop

SHAPE = ["bench", "machine", "runs", "metrics", "ratios", "goals"]


def printed(report: Report, capsys: pytest.CaptureFixture[str], *, one_line: bool = True) -> tuple[int, dict]:
    code = report.finish(one_line=one_line)
    return code, json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("one_line", [True, False])
def test_a_bench_prints_one_object_of_the_promised_shape(capsys: pytest.CaptureFixture[str], one_line: bool) -> None:
    report = Report("grid", runs=3)
    report.metrics["filter"] = Metric("ms", [4.0, 9.0, 5.0])
    report.ratios["ours / theirs"] = 1.23456
    report.goals["filter"] = Goal(16, 9.0)
    code, found = printed(report, capsys, one_line=one_line)
    assert list(found) == SHAPE
    assert (found["bench"], found["runs"]) == ("grid", 3)
    assert found["machine"]["cores"] >= 1
    assert found["metrics"] == {"filter": {"unit": "ms", "median": 5.0, "worst": 9.0}}
    assert found["ratios"] == {"ours / theirs": 1.235}
    assert found["goals"] == {"filter": {"bound": 16, "value": 9.0, "holds": True}}
    assert code == 0


@pytest.mark.parametrize(("value", "holds"), [(2.5, True), (2.5001, False), (math.nan, False), (math.inf, False)])
def test_a_goal_holds_up_to_its_bound_and_is_judged_before_rounding(value: float, holds: bool) -> None:
    assert Goal(2.5, value).holds is holds


def test_one_missed_goal_among_others_is_exit_code_1(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report("grid", runs=1, goals={"a": Goal(1, 0.5), "b": Goal(1, 1.5), "c": Goal(1, 1)})
    code, found = printed(report, capsys)
    assert code == 1
    assert [name for name, goal in found["goals"].items() if not goal["holds"]] == ["b"]


def test_the_start_is_judged_by_the_ratio_of_medians() -> None:
    report = startup.report(bare=[0.1, 0.1, 0.9], program=[0.2, 0.21, 3.0], parts={"part: x": Metric("ms", [1.0])})
    assert report.goals["program / bare window"].value == pytest.approx(2.1)
    assert report.goals["program / bare window"].holds
    assert report.metrics["program with rows"].shown() == {"unit": "ms", "median": 210.0, "worst": 3000.0}
    assert not startup.report([0.1], [0.23], {}).goals["program / bare window"].holds


def test_the_start_is_judged_against_db_browser_pair_by_pair_and_memory_by_how_many_pets_there_are() -> None:
    seconds, memory = {OURS: [0.33, 0.34, 9.0], THEIRS: [0.3, 0.3, 0.3]}, {OURS: [128.0], THEIRS: [100.0]}
    for pets, names in ((100_000, f"memory: {OURS} / {THEIRS}"), (1_000_000, f"{OURS} memory, MiB")):
        report = Report("startup", runs=3)
        startup.judge(report, Compared(seconds, memory), pets)
        assert list(report.goals) == [f"start: {OURS} / {THEIRS}", names]
        assert [goal.holds for goal in report.goals.values()] == [False, True]
    good = {OURS: [0.33, 0.329, 9.0], THEIRS: [0.3, 0.3, 0.3]}
    assert next(iter(startup.against(Compared(good)).values())).holds


def test_the_sync_is_judged_against_the_bare_loop_and_by_the_median_of_the_longest_intervals() -> None:
    times = {"took_s": 1.5, "all_s": 3.0, "reread_s": 1.4}
    runs = [
        {"gaps_ms": [1.0] * 99 + [worst], "again_ms": [13.0, worst], "work_ms": [0.5, 7.0], **times}
        for worst in (20.0, 90.0, 50.1)
    ]
    report = sync.report(runs, [{"took_s": 2.0, "again_s": 1.0, "pages": 200, "rows": 90_000}])
    assert (report.runs, report.goals["longest interval, median of the runs' worst"]) == (3, Goal(50, 50.1))
    assert report.metrics["longest interval"].shown() == {"unit": "ms", "median": 50.1, "worst": 90.0}
    assert report.metrics["99 % of intervals within"].shown()["worst"] == 1.0
    assert report.ratios["longest interval / page of the bare loop"] == pytest.approx(5.01)
    assert report.goals["all read / bare loop"] == Goal(1.6, 1.5)
    assert report.goals["all read again / bare loop"] == Goal(1.4, 1.4)
    longest = f"refresh, {sync.BODY}: longest interval, median of the runs' worst"
    within = f"refresh, {sync.BODY}: 99 % of intervals within, median of the runs"
    for busy, bounds in ((False, (40, 12)), (True, (80, 24))):
        sync.judge(report, sync.BODY, runs, busy=busy)
        assert (report.goals[longest], report.goals[within].bound) == (Goal(bounds[0], 50.1), bounds[1])


def test_several_desks_are_judged_by_pauses_sums_and_the_desk_that_waits_longest() -> None:
    good = desks.Outcome(100, 10, 0, 0, 0, 0, [[1.0, 1.0], [1.0]])
    bad = desks.Outcome(161, 90, 2, 1, 3, 4, [[1.0], [0.1], [1.0], [9.0]])
    goals = desks.report({1: [good], 5: [bad]}).goals
    assert [name for name, goal in goals.items() if not goal.holds] == [
        "5 desks: requests inside a pause", "5 desks: pets whose stock does not add up",
        "5 desks: bookings not done", "5 desks: longest wait of a desk / the middle", "5 desks: requests / 1 desk",
    ]  # fmt: skip


def test_two_desks_book_in_virtual_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NIGHT_S", "HOUR_S", "REST_S"):
        monkeypatch.setattr(desks, name, 120.0)
    one = desks.hour(2, 0, tmp_path)
    assert (one.inside, one.wrong, one.left) == (0, 0, 0)
    assert min(map(len, one.waits)) > 10


def test_the_short_form_fails_where_a_ratio_is_half_as_large_again_and_stays_so() -> None:
    table = {"start": 2.0, "sort": 0.4}

    def after(*runs: dict[str, float]) -> list[bool]:
        left = iter(runs)
        return [goal.holds for goal in short.judged("grid", table, lambda _: next(left)).values()]

    assert after({"start": 3.0, "sort": 0.1, "new": 99.0}) == [True, True]
    assert after({"start": 3.1, "sort": 0.4}, {"start": 3.0, "sort": 9.0}) == [True, True]  # a whim of the machine
    assert after(*[{"start": 3.1, "sort": 0.4}] * short.TRIES) == [False, True]
    assert after({"sort": 0.4}) == [False, True]


def test_the_table_of_the_last_release_has_each_bench_of_the_short_form() -> None:
    table = json.loads(short.TABLE.read_text("utf-8"))
    assert list(table["ratios"]) == list(short.BENCHES)
    assert all(ratio > 0 for ratios in table["ratios"].values() for ratio in ratios.values())


def test_a_wait_is_judged_by_its_worst_run_against_its_own_bound() -> None:
    report = waits.report([{waits.F5: 0.05, waits.STOP: 2.1}, {waits.F5: 0.11, waits.STOP: 2.0}])
    assert [name for name, goal in report.goals.items() if not goal.holds] == [waits.F5]
    assert report.metrics[waits.STOP].shown() == {"unit": "s", "median": 2.05, "worst": 2.1}


def test_a_share_of_intervals_is_the_smallest_value_that_so_many_stay_within() -> None:
    values = [float(n) for n in range(1, 101)]
    assert [sync.percentile(values, share) for share in (0.5, 0.99, 1.0)] == [50.0, 99.0, 100.0]


def test_what_went_on_in_long_intervals_is_told_by_how_often() -> None:
    assert sync.culprits(["paint", "merge", "paint"]) == ["2 x paint", "1 x merge"]


def test_the_least_time_is_that_of_the_windows_and_their_share_of_changes() -> None:
    minute, day = QuotaWindow(60, 60.0), QuotaWindow(1_000, 86_400.0)
    trip = gate.LATENCY_S
    assert gate.least(54, [minute, day], 0.0, {}) == pytest.approx(54 * trip)
    assert gate.least(55, [minute, day], 0.0, {}) == pytest.approx(60.0 + trip)
    assert gate.least(500, [minute, day], 1e9, {}) == pytest.approx(9 * 60.0 + 14 * trip, abs=0.01)
    assert gate.least(901, [minute, day], 0.0, {}) == pytest.approx(86_400.0 + trip)
    assert (minute.used, day.used) == (0, 0)


def test_the_least_time_begins_in_the_window_that_is_open_and_meets_the_pauses_at_the_same_writes() -> None:
    open_one = QuotaWindow(60, 60.0, ends=100.0, used=50)
    assert gate.least(4, [open_one], 90.0, {}) == pytest.approx(4 * gate.LATENCY_S)
    assert gate.least(5, [open_one], 90.0, {}) == pytest.approx(10.0 + gate.LATENCY_S / 2)
    assert gate.least(5, [open_one], 90.0, {3: 200}) == pytest.approx(200.0 + 5 * gate.LATENCY_S)


def test_a_case_of_the_gate_is_judged_by_its_worst_run_and_two_seconds_a_pause_are_forgiven() -> None:
    good = gate.Outcome(took=1_044.0, least=1_000.0, pauses=2, own_429=0, inside=0, wrong=0, real=1.0)
    bad = gate.Outcome(took=1_041.0, least=1_000.0, pauses=0, own_429=1, inside=0, wrong=0, real=1.0)
    assert good.ratio == pytest.approx(1.04)
    goals = gate.report({gate.CASES[0]: [good, bad]}).goals
    assert [name for name, goal in goals.items() if not goal.holds] == [
        "500 at 60/min: time over the least", "500 at 60/min: 429 caused by us",
    ]  # fmt: skip


def test_a_small_batch_is_sent_in_virtual_time(tmp_path: Path) -> None:
    found = gate.run(gate.Case("small", 30, 20, busy=0.2, waits=(5, 9)), 0, tmp_path)
    assert (found.own_429, found.inside, found.wrong) == (0, 0, 0)
    assert found.pauses > 0
    assert found.took >= found.least


def test_a_shift_is_judged_by_its_worst_run() -> None:
    good = shift.Outcome(
        58, Counter({"for person": 8}), unknown=0, changes=50, left=0, conflicts=0, late=0.0, ages=[9.0]
    )
    bad = replace(good, requests=59, spent=Counter({"for changes": 59}), unknown=1, left=1, late=2.0, ages=[9.0, 150.0])
    report = shift.report({"shift": [good, good, bad]})
    assert not any(goal.holds for goal in report.goals.values())
    assert all(goal.holds for goal in shift.report({"shift": [good]}).goals.values())
    assert report.metrics["shift: for person"].shown() == {"unit": "requests", "median": 8, "worst": 8}
    assert report.metrics["shift: greatest age of what is on the screen"].shown()["worst"] == 150.0
    lost = shift.report({"day": [replace(good, changes=99)]})
    assert lost.goals["day: changes not made or not settled"].value == 1


def test_a_shift_is_worked_in_virtual_time_and_looking_costs_nothing(tmp_path: Path) -> None:
    found = shift.shift(0, tmp_path)
    assert (found.changes, found.left, found.unknown) == (50, 0, 0)
    assert found.spent["for changes"] == 50
    assert found.spent["for person"] == 1
    assert found.requests <= shift.SHIFT_BOUND


def test_a_small_start_is_measured_from_outside(capsys: pytest.CaptureFixture[str]) -> None:
    code = startup.main(["--runs", "1", "--most", "1", "--pets", "200", "--alone", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert list(found) == SHAPE
    assert code == int(not found["goals"]["program / bare window"]["holds"])
    assert all(found["metrics"][name]["median"] > 0 for name in ("bare window", "program with rows"))
    parts = [metric["median"] for name, metric in found["metrics"].items() if name.startswith("part: ")]
    assert len(parts) > 3 and parts[0] > 0 and min(parts) >= 0
    assert 0 < found["metrics"]["modules of ours"]["worst"] < 200


def test_the_parts_of_a_start_make_up_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count()
    monkeypatch.setattr(_parts, "time", SimpleNamespace(perf_counter=lambda: float(next(ticks))))
    monkeypatch.setattr(builtins, "__import__", builtins.__import__)
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    parts = _parts.Parts()
    parts.count_imports()
    __import__("colorsys")
    ended = float(next(ticks))
    spent = parts.seconds(ended)
    assert len(spent) > 1 and sum(spent.values()) == ended


def test_a_small_sync_of_one_body_is_measured_in_the_real_window(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted: list[bool] = []
    played = sync.run

    def run(shop: Shop, folder: Path, pets: int, *more: str, url: str | None = None) -> dict[str, Any]:
        """By pages `bench short` reads them, with the bare loop."""
        found = {"gaps_ms": [1.0], "again_ms": [1.0], "work_ms": [1.0], "took_s": 1.0, "all_s": 1.0, "reread_s": 1.0}
        return played(shop, folder, pets, *more, url=url) if url or more else found

    monkeypatch.setattr(sync, "run", run)
    monkeypatch.setattr(sync, "bare_loop", lambda *_: {"took_s": 1.0, "again_s": 1.0, "pages": 1, "rows": 50})
    monkeypatch.setattr(sync, "busy_core", lambda busy: nullcontext(wanted.append(busy)))
    code = sync.main(["--runs", "1", "--most", "1", "--pets", "50", "--busy", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert list(found) == SHAPE
    assert code == int(not all(goal["holds"] for goal in found["goals"].values()))
    ways = {f"refresh, {way}: longest interval, median of the runs' worst" for way in (sync.PAGES, sync.BODY)}
    assert ways < set(found["goals"])
    assert (found["machine"]["busy"], found["runs"], wanted) == (True, 1, [True])
    assert found["metrics"][f"refresh, {sync.BODY}: longest interval"]["worst"] > 0


def test_a_full_journal_is_judged_by_medians_against_an_empty_one_and_each_act_by_the_slowest_hundredth() -> None:
    empty = journal.Found([100.0, 101.0, 500.0], [200.0], [80.0], [1.0] * 99 + [90.0], [1.0])
    full = journal.Found([121.0, 120.0, 10.0], [241.0], [84.0], [1.0] * 98 + [16.5, 16.5], [1.0])
    goals = journal.report(empty, {"full": full}).goals
    assert [name for name, goal in goals.items() if not goal.holds] == [
        "full: key press to saved, 99 %", "full: start to all that waits known / empty",
    ]  # fmt: skip


def test_the_way_of_an_edit_is_judged_by_the_median_of_all_edits() -> None:
    runs = [{"calls": [4_000, 9_000], "crossings": [3, 4], "hops": [75, 75], "files": [30, 30]}, {
        "calls": [5_150, 5_150], "crossings": [4, 4], "hops": [85, 99], "files": [30, 30]}]  # fmt: skip
    goals = path.report(runs).goals
    assert [name for name, goal in goals.items() if not goal.holds] == ["crossings"]
    assert goals["hops"] == Goal(85, 80)


def test_the_way_of_an_edit_is_counted_in_the_real_window() -> None:
    found = path.run(20, edits=1)
    assert [len(values) for values in found.values()] == [1, 1, 1, 1]
    assert all(values[0] > 0 for values in found.values())


@pytest.mark.parametrize(
    ("pets", "busy", "bounds"),
    [
        (100_000, False, (40, 8, 8, 40, 150, 175)),
        (100_000, True, (80, 16, 16, 80, 150, 175)),
        (1_000_000, False, (400, 120, 8, 250, 380, 450)),
        (1_000_000, True, (800, 200, 16, 500, 380, 450)),
    ],
)
def test_the_grid_is_judged_by_the_median_of_the_runs_worst_by_how_many_rows_there_are_and_whether_a_core_is_busy(
    pets: int, busy: bool, bounds: tuple[float, ...]
) -> None:
    figures = [grid.SCREEN, grid.EXACT, grid.GAP, grid.TOTAL, grid.SLICE, grid.PALETTE, grid.PASTE, "sort by name"]
    figures += [f"scroll: {name}" for name in grid.SCROLLS]
    figures += [f"refresh of 1 %: {name}" for name in ("rows the current one moved on the screen", "current row lost")]
    memory = {grid.OPEN: 300.0, grid.USED: 310.0}
    limits = {name: [2.0, 2.0] for name in (grid.SEARCH, grid.LIMIT_OF_SORT, grid.SCROLL)}
    runs = [{"ms": {key: [0.0, worst] for key in figures} | limits, "memory": memory} for worst in (5.0, 90.0, 9.0)]
    report = grid.report(runs, pets, busy=busy)
    assert set(report.ratios.values()) == {4.5}
    worst = [report.goals[f"{name}, median of the runs' worst"] for name in ("sort by name", grid.EXACT)]
    worst += [report.goals["scroll: 99 % of repaints, median of the runs"]]
    worst += [report.goals[f"{grid.TOTAL}, median of the runs' worst"]]
    assert worst == [Goal(bound, 9.0) for bound in bounds[:4]]
    taken = [report.goals[f"memory: {name}, median of the runs, MiB"] for name in memory]
    assert taken == [Goal(bounds[4], 300.0), Goal(bounds[5], 310.0)]
    assert not report.goals["refresh of 1 %: current row lost"].holds
    assert report.metrics[grid.EXACT].shown()["worst"] == 90.0
    assert (f"{grid.SCREEN}, median of the runs' worst" in report.goals) is (pets > 100_000)


# ---------------------------------------------------------------- how often, and beside what


def runs_of(values: list[float], least: int, most: int, took_s: float = 1.0, bound: float = 100.0) -> int:
    """So many runs are made where the judged value is each of these after the run of its number."""
    made = Counter[str]()

    def goals() -> dict[str, Goal]:
        return {"filter": Goal(bound, values[made["runs"] - 1])}

    for _ in rounds(least, most, goals, now=lambda: took_s * made["runs"]):
        made["runs"] += 1
    return made["runs"]


def test_a_bench_goes_on_until_no_judged_value_moves_by_five_in_a_hundred() -> None:
    assert runs_of([50, 60, 66, 68, 90], least=1, most=9) == 4
    assert runs_of([50, 51, 66, 68, 90], least=4, most=9) == 4
    assert runs_of([50, 60, 70, 80, 90], least=2, most=4) == 4
    assert runs_of([50, 60, 70, 80, 90], least=2, most=5, took_s=1_000.0) == 2
    assert runs_of([50, 60, 70, 80, 90], least=3, most=5, took_s=1_000.0) == 3


def test_a_value_far_below_its_bound_may_waver_and_one_that_is_no_number_stands_still_never() -> None:
    assert runs_of([1.0, 2.5, 1.0], least=1, most=3) == 2
    assert runs_of([math.nan, math.nan, math.nan], least=1, most=3) == 3
    assert runs_of([0.0, 0.0, 0.0], least=1, most=3, bound=0.0) == 2


def test_a_busy_core_computes_until_the_runs_are_over(capsys: pytest.CaptureFixture[str]) -> None:
    with busy_core(False) as nothing:
        assert nothing is None
    with busy_core(True) as process:
        assert process is not None
        spent = seconds_of(process.pid)
        until(lambda: seconds_of(process.pid) > spent + 0.2, "the process computes")
    assert process.poll() is not None
    code, found = Report("grid", runs=1).finish(one_line=True, busy=True), json.loads(capsys.readouterr().out)
    assert (code, found["machine"]["busy"]) == (0, True)


def test_a_busy_core_is_free_again_when_the_bench_is_killed() -> None:
    bench = "from tests.bench._busy import busy_core\nwith busy_core(True) as p: print(p.pid, flush=True); input()"
    child = subprocess.Popen([sys.executable, "-c", bench], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert child.stdout is not None and child.stdin is not None
    with child:
        busy = int(child.stdout.readline())
        assert seconds_of(busy) >= 0
        child.kill()
    until(lambda: seconds_of(busy) < 0, "the process is gone")


def seconds_of(pid: int) -> float:
    """What a process has computed so far; -1 where it has ended."""
    try:
        facts = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    except OSError:
        return -1.0
    return -1.0 if facts[0] in "ZX" else (int(facts[11]) + int(facts[12])) / os.sysconf("SC_CLK_TCK")

"""What a bench prints and how it ends; what it measures itself is not a test's matter."""

from __future__ import annotations

import json
import math

import pytest

from tests.bench import startup, sync
from tests.bench._report import Goal, Metric, Report

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
    report = startup.report(bare=[0.1, 0.1, 0.9], program=[0.2, 0.24, 3.0], parts={"part: x": Metric("ms", [1.0])})
    assert report.goals["program / bare window"].value == pytest.approx(2.4)
    assert report.goals["program / bare window"].holds
    assert report.metrics["program with rows"].shown() == {"unit": "ms", "median": 240.0, "worst": 3000.0}
    assert not startup.report([0.1], [0.26], {}).goals["program / bare window"].holds


def test_the_sync_is_judged_by_the_worst_interval_of_all_runs() -> None:
    runs = [{"gaps_ms": [1.0] * 99 + [worst], "work_ms": [0.5, 7.0], "took_s": 1.5} for worst in (20.0, 50.1, 30.0)]
    report = sync.report(runs)
    assert (report.runs, report.goals["longest interval"].value) == (3, 50.1)
    assert not report.goals["longest interval"].holds
    assert report.metrics["longest interval"].shown() == {"unit": "ms", "median": 30.0, "worst": 50.1}
    assert report.metrics["99 % of intervals within"].shown()["worst"] == 1.0


def test_a_share_of_intervals_is_the_smallest_value_that_so_many_stay_within() -> None:
    values = [float(n) for n in range(1, 101)]
    assert [sync.percentile(values, share) for share in (0.5, 0.99, 1.0)] == [50.0, 99.0, 100.0]


def test_what_went_on_in_long_intervals_is_told_by_how_often() -> None:
    assert sync.culprits(["paint", "merge", "paint"]) == ["2 x paint", "1 x merge"]


def test_a_small_start_is_measured_from_outside(capsys: pytest.CaptureFixture[str]) -> None:
    code = startup.main(["--runs", "1", "--pets", "50", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert list(found) == SHAPE
    assert code == int(not found["goals"]["program / bare window"]["holds"])
    bare, program = (found["metrics"][name]["median"] for name in ("bare window", "program with rows"))
    assert 0 < bare < program
    parts = sum(metric["median"] for name, metric in found["metrics"].items() if name.startswith("part: "))
    assert parts == pytest.approx(program, rel=1.0)  # another run, on a machine that may be busy
    assert 0 < found["metrics"]["modules of ours"]["worst"] < 200


def test_a_small_sync_is_measured_in_the_real_window(capsys: pytest.CaptureFixture[str]) -> None:
    code = sync.main(["--runs", "1", "--pets", "50", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert list(found) == SHAPE
    assert code == int(not found["goals"]["longest interval"]["holds"])
    assert found["metrics"]["middle interval"]["median"] < found["metrics"]["longest interval"]["worst"]

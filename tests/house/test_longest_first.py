"""Files of tests are dealt out to processes."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.support.longest_first import LongestFirst


class Process:
    """Plays what it is sent, at once."""

    shutting_down = False

    def __init__(self) -> None:
        self.played: list[int] = []

    def send_runtest_some(self, numbers: list[int]) -> None:
        self.played += numbers

    def shutdown(self) -> None:
        self.shutting_down = True


def test_whole_files_are_played_first_those_with_the_most_tests_then_those_that_took_longest() -> None:
    files, kept = {"a.py": 9, "b.py": 6, "c.py": 4, "d.py": 2, "e.py": 3}, dict[str, dict[str, float]]()
    tests = [f"tests/{file}::{number}" for number in range(9) for file, most in files.items() if number < most]
    cache = SimpleNamespace(get=kept.get, set=kept.__setitem__)

    def played(**kept: object) -> str:
        config: Any = SimpleNamespace(
            option=SimpleNamespace(loadscopereorder=True), getvalue=lambda _: ["popen"], **kept
        )
        dealt, process = LongestFirst(config), Process()
        node: Any = process
        dealt.add_node(node)
        dealt.add_node_collection(node, tests)
        dealt.schedule()
        for number in range(len(tests)):
            test = process.played[number]
            dealt.mark_test_complete(node, test, duration=20.0 if "d.py" in tests[test] else 1.0)
        assert len(set(process.played)) == len(tests) and process.shutting_down
        order = [Path(tests[test].partition("::")[0]).stem for test in process.played]
        assert order == sorted(order, key=list(dict.fromkeys(order)).index), "a file is played in one go"
        return "".join(dict.fromkeys(order))

    assert [played(cache=cache), played(cache=cache)] == ["abced", "adbce"]
    assert played() == "abced", "pytest may be told to keep nothing"

"""The long runs judge rightly: a mutant is one small change, and a test that fails is what finds it out."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.long import mutants as runner
from tests.long._equivalent import EQUIVALENT
from tests.long._mutate import mutants

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


def test_every_mutant_is_another_program() -> None:
    sources = [mutant.source for mutant in mutants(SOURCE)]
    assert len({*sources, ast.unparse(ast.parse(SOURCE))}) == len(sources) + 1
    for source in sources:
        ast.parse(source)


def test_every_equivalent_mutant_still_exists_and_has_its_reason() -> None:
    for same in EQUIVALENT:
        source = (runner.ROOT / runner.FOLDER / f"{same.module}.py").read_text("utf-8")
        assert any((mutant.text, mutant.what) == (same.text, same.what) for mutant in mutants(source)), same
        assert len(same.why.split()) > 2


def test_a_mutant_that_a_test_notices_is_killed_and_what_is_no_mutant_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "THEN", [])
    place = runner.copy_of_the_package(tmp_path)
    assert runner.found_out(place, "back_off") is None
    file = place / runner.FOLDER / "back_off.py"
    file.write_text(file.read_text("utf-8").replace("3_600.0", "3_601.0"), "utf-8")
    assert runner.found_out(place, "back_off") == "killed"

"""The developer's command says what it does and refuses what it cannot."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

import dev
from tests.house.trees import ROOT, python


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.main(["--help"]) == 0
    said = capsys.readouterr().out
    assert all(f"  {name} " in said for name in dev.COMMANDS)


@pytest.mark.parametrize("argv", [[], ["build"], ["long"]])
def test_wrong_usage_is_exit_code_2_before_anything_is_set_up(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert dev.main(argv) == 2
    assert "packaging/dev.py COMMAND" in capsys.readouterr().err


def test_an_unknown_bench_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert dev.bench(["no-such-bench"]) == 2
    assert "bench takes one of" in capsys.readouterr().err


def test_the_environment_is_remade_when_a_pin_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pin = tmp_path / "runtime.txt"
    pin.write_text("httpx==0.28.1\n", "utf-8")
    monkeypatch.setattr(dev, "PINS", (pin,))
    before = dev.fingerprint()
    assert dev.fingerprint() == before
    pin.write_text("httpx==0.28.2\n", "utf-8")
    assert dev.fingerprint() != before


def test_the_wheel_holds_the_package_and_its_resources(tmp_path: Path) -> None:
    built = python(ROOT, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path))
    assert built.returncode == 0, built.stderr
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    resources = (file.relative_to(ROOT / "resources") for file in (ROOT / "resources").rglob("*") if file.is_file())
    wanted = {f"petstore_desktop/_resources/{file.as_posix()}" for file in resources}
    assert wanted <= names
    assert "petstore_desktop/__init__.py" in names
    assert not any(name.startswith(("tests", "packaging")) for name in names)

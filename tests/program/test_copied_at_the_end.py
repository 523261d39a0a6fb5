"""The program ends well with something on the clipboard."""

from __future__ import annotations

from pathlib import Path

from tests.program.running import Running, command
from tests.support.shop import Shop


def test_what_was_copied_does_not_crash_the_end_of_the_program(tmp_path: Path) -> None:
    with Shop(tmp_path / "shop", plan="unlimited", pets=20) as shop:
        data = tmp_path / "data"
        assert command("--data-dir", str(data), "connect", "Shop", "--url", shop.url).returncode == 0
        with Running(data, "--connection", "Shop", key=shop.key) as program:
            program.wait("rows", "pets")
            program.ask("press", "Ctrl+F", "Return", "Ctrl+C")
            assert program.quit() == 0

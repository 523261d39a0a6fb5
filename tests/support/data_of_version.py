"""A data folder as this version of the program leaves it, made with the real window and a demo shop, and packed. A
later program has to open each that was ever made (`tests/program/data-<version>.tar.xz`).

python -m tests.support.data_of_version    (packs one of this version; commit it with the release)
"""

from __future__ import annotations

import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import httpx

from petstore_desktop import __version__
from tests.program.running import Running, command, to_stock, until
from tests.support.shop import Shop

PACKED: Final = Path(__file__).resolve().parents[1] / "program"
PETS: Final = 12
CODE: Final = "4006381333931"
DRAFT: Final = "Ada\nGrace"
THEIRS: Final = "Renamed by another desk"
_LEFT_OUT: Final = ("-shm", "running.lock", ".sock", "/log")


def packed(version: str) -> Path:
    """The packed folder of that version."""
    return PACKED / f"data-{version}.tar.xz"


def unpack(version: str, folder: Path) -> Path:
    """The data folder of that version, unpacked there."""
    with tarfile.open(packed(version)) as archive:
        if hasattr(tarfile, "data_filter"):  # since Python 3.11.4
            archive.extractall(folder, filter="data")
        else:
            archive.extractall(folder)
    return folder / "data"


def make(folder: Path) -> Path:
    """A data folder with one of everything: a sent change, one of somebody else, a minimum, a code, another theme, and
    after the shop is gone two unsent changes and a half-filled form. The program is killed at the end."""
    data = folder / "data"
    with Shop(folder / "shop", plan="unlimited", pets=PETS) as shop:
        done = command("--data-dir", str(data), "connect", "Shop", "--url", shop.url)
        assert done.returncode == 0, done.stderr
        with Running(data, key=shop.key) as program:
            until(lambda: program.ask("known", "pets") == PETS == program.ask("rows", "pets"), "all pets are there")
            _work(program, shop)
            until(
                lambda: CODE in "".join(file.read_text() for file in data.glob("*/*/codes-*.json")), "the code is kept"
            )
            shop.stop()
            _work_offline(program)
            program.kill()
    return data


def _work(program: Running, shop: Shop) -> None:
    """Change a status, have another desk rename a pet, set a minimum, and teach a code."""
    (first, _), (second, _), *_ = shop.rows("SELECT id, name FROM pets WHERE status = 'available' ORDER BY id")
    program.ask("to_cell", "pets", str(first), "Name")
    program.ask("press", "Alt+3")
    until(lambda: shop.rows("SELECT status FROM pets WHERE id = ?", first) == [("sold",)], "the change has arrived")
    assert httpx.patch(f"{shop.url}/pets/{second}", headers=shop.auth, json={"name": THEIRS}).is_success
    program.ask("press", "Shift+F5")
    until(lambda: THEIRS in program.ask("everything"), "the new name is shown")
    program.ask("to_cell", "pets", str(first), "Name")
    program.ask("choose", "Shop", "Minimum stock…")
    program.wait("widget", "minimumDialog")
    program.ask("write", "7")
    program.ask("press", "Return")
    program.ask("scan", f"{CODE}\n")
    program.wait("widget", "whichPet")
    program.ask("write", THEIRS)
    program.ask("press", "Return")
    until(lambda: not program.ask("widget", "whichPet"), "the code is taught")


def _work_offline(program: Running) -> None:
    to_stock(program)
    program.ask("book", ["41", "42"])
    program.ask("press", "Alt+P")
    program.ask("press", "Ctrl+N")
    program.wait("widget", "newPetDialog")
    program.ask("write", DRAFT.partition("\n")[0])
    program.ask("press", "Return")
    program.ask("write", DRAFT.partition("\n")[2])
    until(lambda: program.ask("drafts") == {"new-pet": DRAFT}, "the draft is kept")


def pack(data: Path, target: Path) -> None:
    """Pack a data folder, without what lives only as long as the program, and without names of this computer."""

    def plain(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
        if any(part in info.name for part in _LEFT_OUT):
            return None
        info.uid = info.gid = 0
        info.uname = info.gname = ""
        return info

    with tarfile.open(target, "w:xz") as archive:
        archive.add(data, "data", filter=plain)


if __name__ == "__main__":
    with TemporaryDirectory(prefix="data-of-version-") as made:
        pack(make(Path(made)), packed(__version__))
    sys.stdout.write(f"{packed(__version__)}: {packed(__version__).stat().st_size:,} bytes\n")

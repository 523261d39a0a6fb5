"""The first start of the program, with nothing of it on the computer yet."""

from __future__ import annotations

import shutil
from pathlib import Path

from windows import place
from windows.setting import Setting

SCRIPT = place.ROOT / "packaging" / "windows" / "inside" / "first_start.py"
PICTURE = place.MADE / "first-start.png"


def first(setting: Setting, installed: Path | None = None) -> int:
    """Start it as the README says, without a word more, or as it is `installed`, and close it again; the window's
    picture lies in build/windows afterwards. Return 1 where something is not as it should be."""
    windows = setting.windows
    shutil.rmtree(windows.own_folder / "AppData" / "Local" / "petstore-desktop", ignore_errors=True)
    script = setting.checkout / SCRIPT.relative_to(place.ROOT)
    # What Wine's locks lack is filled in for the Python of the tests, not for a program that brings its own.
    program = (setting.python, "-m", "petstore_desktop") if installed is None else ("--once", installed)
    with windows.start(setting.python, script, *program, cwd=setting.checkout, asks=True) as process:
        for line in process.stdout or ():
            print(f"windows: {line}", end="", flush=True)
            if line.strip() == "shown" and process.stdin is not None:
                setting.take_picture(PICTURE)
                process.stdin.write("taken\n")
                process.stdin.flush()
    return process.returncode

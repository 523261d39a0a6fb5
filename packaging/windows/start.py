"""The first start of the program, with nothing of it on the computer yet."""

from __future__ import annotations

import shutil
from pathlib import Path

from windows import place
from windows.setting import Setting

SCRIPT = place.ROOT / "packaging" / "windows" / "inside" / "first_start.py"
PICTURE = place.MADE / "first-start.png"


def first(setting: Setting) -> int:
    """Start it as the README says, without a word more, and close it again. Return 1 where something is not as it
    should be."""
    shutil.rmtree(setting.windows.own_folder / "AppData" / "Local" / "petstore-desktop", ignore_errors=True)
    return opened(setting, setting.python, "-m", "petstore_desktop")


def opened(setting: Setting, *words: str | Path) -> int:
    """Have the program opened and closed there, as the script's own words say; the window's picture lies in
    build/windows afterwards. Return 1 where something is not as it should be."""
    script = setting.checkout / SCRIPT.relative_to(place.ROOT)
    with setting.windows.start(setting.python, script, *words, cwd=setting.checkout, asks=True) as process:
        for line in process.stdout or ():
            print(f"windows: {line}", end="", flush=True)
            if line.strip() == "shown" and process.stdin is not None:
                setting.take_picture(PICTURE)
                process.stdin.write("taken\n")
                process.stdin.flush()
    return process.returncode

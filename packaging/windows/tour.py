"""The tour through the program's own window, as Qt draws it on Windows."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from windows import place
from windows.setting import Setting

PICTURES = place.MADE / "tour"
REPORT = "tour.json"
FEWEST = 100


def run(setting: Setting, args: list[str], installed: Path | None = None) -> int:
    """Play the tour on the demo shop, from the checkout or as it is `installed`; its pictures lie in build/windows/tour
    afterwards. `args` go to the program."""
    written = setting.windows.drive / "tour"
    shutil.rmtree(written, ignore_errors=True)
    program = (setting.python, "-m", "petstore_desktop") if installed is None else (installed,)
    asked = ("--demo", "--plan", "free", "--tour", setting.windows.named(written))
    code = setting.windows.run(*program, *asked, *args, cwd=setting.checkout)
    shutil.rmtree(PICTURES, ignore_errors=True)
    if written.is_dir():
        shutil.copytree(written, PICTURES)
    return said(PICTURES, code)


def said(folder: Path, code: int) -> int:
    """Say how the tour went; 1 where a step did not hold, or there are too few pictures."""
    steps = json.loads((folder / REPORT).read_text("utf-8")) if (folder / REPORT).is_file() else []
    failed = [step for step in steps if not step["ok"]]
    for step in failed:
        print(f"windows: {step['step']}: {step.get('said', '')}")
    pictures = len(list(folder.glob("*.png")))
    print(f"windows: the tour: {len(steps) - len(failed)} of {len(steps)} steps held, {pictures} pictures", flush=True)
    return int(bool(code or failed or pictures < FEWEST))

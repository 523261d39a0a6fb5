"""A document of 12 MB bound beside a live window: how long it takes, the window's longest gap, and the process's peak.

Each run is a process of its own, with a window that is painted all the time; the same window alone says what the
machine is worth. The document has thousands of paths, and schemas that lead to each other.
"""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

from tests.bench._busy import busy_core
from tests.bench._report import Goal, Metric, Report, arguments, say

RUNS = 3
MEGABYTES = 12
PATHS = 2_400
SECONDS, MEBIBYTES, MORE_MS = 10.0, 250.0, 40.0
"""The bounds: how long, how much memory the process takes at most, and how much longer than without it a gap lasts."""
ALONE_S = 3.0
BIND, GAP, PEAK, ALONE = "bound in", "longest gap of the window", "peak of the process", "longest gap without it"


def made(megabytes: int = MEGABYTES, paths: int = PATHS) -> bytes:
    """Such a document. The pets come last."""
    words = "What this field holds, and what it is good for. "
    filling = {f"field{number}": {"type": "string", "description": words} for number in range(8)}
    schemas: dict[str, Any] = {"Pet": _schema({"categoryId": {"type": "integer"}, "status": {"type": "string"}})}
    places: dict[str, Any] = {}
    for number in range(paths):
        others = {name: _ref((number * step + 1) % paths) for name, step in (("data", 5), ("item", 7), ("owner", 11))}
        many = {"items": {"type": "array", "items": _ref((number * 3 + 1) % paths)}}
        schemas[f"Thing{number}"] = _schema({**filling, **others, **many})
        places[f"/area{number % 50}/things{number}"] = _all(f"Thing{number}")
    document = {"openapi": "3.0.3", "info": {"title": "Large"}, "paths": places, "components": {"schemas": schemas}}
    places["/pets"] = _all("Pet")
    missing = megabytes * 1_000_000 - len(json.dumps(document))
    note = words * (missing // paths // len(words) + 1)
    for name, schema in schemas.items():
        schema["description"] = note if name != "Pet" else words
    return json.dumps(document).encode()


def _schema(fields: dict[str, Any]) -> dict[str, Any]:
    own = {"id": {"type": "integer", "format": "int64"}, "name": {"type": "string"}}
    return {"type": "object", "properties": {**own, **fields}}


def _ref(number: int) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/Thing{number}"}


def _all(name: str) -> dict[str, Any]:
    one = {"$ref": f"#/components/schemas/{name}"}

    def answer(schema: dict[str, Any]) -> dict[str, Any]:
        return {"200": {"description": "fine", "content": {"application/json": {"schema": schema}}}}

    return {
        "get": {"responses": answer({"type": "array", "items": one})},
        "post": {"requestBody": {"content": {"application/json": {"schema": one}}}, "responses": answer(one)},
    }


def child(path: str) -> None:
    """Bind a document, or nothing, in a thread beside a window, and print what was measured."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication, QLabel

    from petstore_desktop.contract.binding.load import load_file
    from petstore_desktop.contract.operations import Op

    gc.disable()  # as in the program
    app, label = QApplication([]), QLabel("0")
    beats: list[float] = []
    found: dict[str, float] = {}

    def beat() -> None:
        label.setText(str(len(beats)))
        beats.append(time.perf_counter())

    def work() -> None:
        began = time.perf_counter()
        if path:
            assert Op.PETS_LIST in load_file(path).operations
        else:
            time.sleep(ALONE_S)
        found[BIND] = time.perf_counter() - began

    label.show()
    timer = QTimer()
    timer.timeout.connect(beat)
    timer.start(5)
    thread = threading.Thread(target=work)
    QTimer.singleShot(500, thread.start)
    ends = QTimer()
    ends.timeout.connect(lambda: app.quit() if found else None)
    ends.start(50)
    app.exec()
    found[GAP] = max(later - earlier for earlier, later in pairwise(beats[20:])) * 1000
    import resource  # not on Windows, where this is imported for its document

    found[PEAK] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(found))


def run(path: Path | None) -> dict[str, float]:
    """Measure once."""
    said = subprocess.check_output([sys.executable, "-m", "tests.bench.document", "child", str(path or "")], text=True)
    return json.loads(said)


def report(bound: list[dict[str, float]], alone: list[dict[str, float]]) -> Report:
    """Put the runs together; each bound is about the worst of them."""
    found = Report("document", runs=len(bound))
    for name, unit in ((BIND, "s"), (GAP, "ms"), (PEAK, "MiB")):
        found.metrics[name] = Metric(unit, [one[name] for one in bound])
    found.metrics[ALONE] = Metric("ms", [one[GAP] for one in alone])
    found.goals[BIND] = Goal(SECONDS, max(one[BIND] for one in bound))
    found.goals[PEAK] = Goal(MEBIBYTES, max(one[PEAK] for one in bound))
    found.goals[GAP] = Goal(max(one[GAP] for one in alone) + MORE_MS, max(one[GAP] for one in bound))
    return found


def main(argv: list[str]) -> int:
    """Measure, print, and return the exit code."""
    if argv[:1] == ["child"]:
        child(argv[1])
        return 0
    args = arguments(argv, "A document of 12 MB bound beside a live window: time, gap, memory.", RUNS)
    bound, alone = list[dict[str, float]](), list[dict[str, float]]()
    with busy_core(args.busy), tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.json"
        path.write_bytes(made())
        for number in range(args.runs):
            bound.append(run(path))
            alone.append(run(None))
            said = ", ".join(f"{name} {value:.1f}" for name, value in bound[-1].items())
            say(f"{number + 1}/{args.runs}: {said}, {ALONE} {alone[-1][GAP]:.1f}")
    return report(bound, alone).finish(one_line=args.json, busy=args.busy)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))

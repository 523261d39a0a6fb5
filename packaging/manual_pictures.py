"""Makes the pictures of the manual anew; `dev.py pictures` runs this. It drives the tour through the program, and of
the pictures that come out it cuts and shrinks those of CUTS into resources/manual/pictures.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "manual" / "pictures"
WIDEST = 720
"""Pixels; as wide as the manual shows them."""
ALL_BYTES = 1_500_000
"""The pictures count in the size of the package."""
COLOURS = 256
FRAME = "#CACAC5"

CUTS = {
    "welcome": ("welcome-light", QRect(240, 260, 860, 410)),
    "pets": ("details-light", QRect(0, 0, 1280, 560)),
    "details": ("history-light", QRect(560, 0, 720, 560)),
    "filter": ("filter-row-light", QRect(0, 0, 1000, 430)),
    "edit": ("stock-typed-light", QRect(0, 560, 960, 240)),
    "order": ("new-order-light", QRect(300, 130, 720, 560)),
    "stock": ("stock-saved-light", QRect(0, 560, 960, 240)),
    "scan": ("scanned-light", QRect(0, 0, 1000, 500)),
    "receive": ("receive-light", QRect(0, 0, 1000, 420)),
    "stocktake": ("stocktake-light", QRect(0, 0, 1000, 380)),
    "labels": ("labels-light", QRect(0, 0, 1000, 560)),
    "low-stock": ("low-stock-light", QRect(0, 0, 960, 430)),
    "preview": ("bulk-preview-light", QRect(180, 70, 860, 640)),
    "views": ("views-menu-light", QRect(0, 0, 800, 520)),
    "jump": ("palette-light", QRect(560, 0, 720, 250)),
    "today": ("today-light", QRect(0, 40, 1000, 480)),
    "import": ("import-rows-light", QRect(140, 80, 980, 330)),
    "outbox": ("activity-light", QRect(0, 0, 1000, 300)),
    "conflict": ("conflict-light", QRect(0, 0, 1280, 170)),
    "paused": ("paused-light", QRect(0, 0, 1000, 240)),
    "rehearse": ("rehearse-light", QRect(300, 240, 720, 360)),
    "check": ("checked-light", QRect(320, 200, 720, 600)),
}
"""By picture the step of the tour that shows it, and the part that is cut out."""


def main() -> int:
    """Return the exit code: that of the tour, or 1 where the pictures together are too large."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    with TemporaryDirectory() as made:
        tour = [sys.executable, "-m", "petstore_desktop", "--demo", "--plan", "free", "--tour", made]
        if code := subprocess.run(tour, check=False, cwd=ROOT).returncode:
            return code
        return cut_all(Path(made))


def cut_all(tour: Path) -> int:
    """Cut all pictures out of those of a tour; return 1 where they are too large together."""
    _application = QGuiApplication([])
    taken = {file.stem.partition("-")[2]: file for file in tour.glob("*.png")}
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, (step, part) in CUTS.items():
        if not shrunk(QImage(str(taken[step])).copy(part)).save(str(FOLDER / f"{name}.png"), "PNG", 0):
            raise OSError(f"{name}.png cannot be written")
    size = sum(file.stat().st_size for file in FOLDER.iterdir())
    print(f"{len(CUTS)} pictures, {size:,} bytes ({ALL_BYTES:,} at most)")
    return int(size > ALL_BYTES)


def shrunk(image: QImage) -> QImage:
    """Return a picture no wider than it is shown, with a frame, in its most frequent colours."""
    if image.width() > WIDEST:
        image = image.scaledToWidth(WIDEST, Qt.TransformationMode.SmoothTransformation)
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setPen(QColor(FRAME))
    painter.drawRect(image.rect().adjusted(0, 0, -1, -1))
    painter.end()
    counts = Counter(memoryview(image.constBits()).cast("I"))
    table = [colour | 0xFF000000 for colour, _ in counts.most_common(COLOURS)]
    return image.convertToFormat(
        QImage.Format.Format_Indexed8,
        table,
        Qt.ImageConversionFlag.AvoidDither | Qt.ImageConversionFlag.ThresholdDither,
    )


if __name__ == "__main__":
    sys.exit(main())

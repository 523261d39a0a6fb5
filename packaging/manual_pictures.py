"""Makes the pictures of the manual anew; `dev.py pictures` runs this. It drives the tour through the program in
each language, and of what comes out it cuts and shrinks those of CUTS that the language's pages show.
"""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QLocale, QRect, Qt
from PySide6.QtGui import QColor, QFontDatabase, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QWidget

from petstore_desktop.app import Start
from petstore_desktop.threads import run_to_end
from petstore_desktop.tour import show_me
from petstore_desktop.tour.pilot import wait

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "manual"
WIDEST = 720
"""Pixels; as wide as the manual shows them."""
ALL_BYTES = 2_500_000
"""The pictures count in the size of the package."""
COLOURS = 256
FRAME = "#CACAC5"
SETTLED_MS = 600
"""Until then what moves in a window has come to rest."""
_PICTURE = re.compile(r"\]\(pictures/([\w-]+)\.png\)")
_SCRIPTS = {"ar": QFontDatabase.WritingSystem.Arabic, "ja": QFontDatabase.WritingSystem.Japanese}
"""What only some fonts can write."""

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

_CAPTION = QRect(0, 0, 860, 52)
STRIP = {
    1: (_CAPTION, QRect(0, 202, 860, 150)),
    3: (_CAPTION, QRect(0, 472, 860, 120), QRect(0, 770, 860, 30)),
    5: (_CAPTION, QRect(0, 98, 860, 62), QRect(0, 216, 860, 120)),
    6: (_CAPTION, QRect(0, 411, 860, 120)),
}
"""By part of *Show me* the pieces of the window that the README shows of it, one below the other."""


def main(languages: list[str]) -> int:
    """Make the pictures of these languages, or of all; return the exit code: that of a tour that failed, or 1 where the
    pictures together are too large."""
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    _application = QGuiApplication([])
    for language in languages or used():
        if language in _SCRIPTS and not QFontDatabase.families(_SCRIPTS[language]):
            print(f"no font of this machine has the letters of {language!r}", file=sys.stderr)
            return 1
        with TemporaryDirectory() as made:
            english = ["petstore_desktop", "--demo", "--plan", "free", "--tour", made]
            tour = english if language == "en" else ["tests.support.tour_in", language, made]
            if code := subprocess.run([sys.executable, "-m", *tour], check=False, cwd=ROOT).returncode:
                return code
            cut(language, Path(made))
    if not languages or "en" in languages:
        strip()
    size = sum(file.stat().st_size for file in FOLDER.rglob("*.png"))
    print(f"{size:,} bytes of pictures ({ALL_BYTES:,} at most)")
    return int(size > ALL_BYTES)


def used() -> dict[str, set[str]]:
    """Return by language the pictures that its pages show."""
    pages = {folder.name: [file.read_text("utf-8") for file in folder.glob("*.md")] for folder in FOLDER.iterdir()}
    return {language: set(_PICTURE.findall("".join(texts))) for language, texts in pages.items()}


def cut(language: str, tour: Path) -> None:
    """Cut a language's pictures out of those of a tour; what is read from the right is cut from there."""
    taken = {file.stem.partition("-")[2]: file for file in tour.glob("*.png")}
    target = FOLDER / language / "pictures"
    target.mkdir(exist_ok=True)
    for name in used()[language]:
        step, part = CUTS[name]
        image = QImage(str(taken[step]))
        if QLocale(language).textDirection() is Qt.LayoutDirection.RightToLeft:
            part = part.translated(image.width() - part.right() - 1 - part.x(), 0)
        if not shrunk(image.copy(part)).save(str(target / f"{name}.png"), b"PNG", 0):
            raise OSError(f"{name}.png cannot be written")


def strip() -> None:
    """Play *Show me* in English and put what STRIP names of it into one picture."""
    with TemporaryDirectory() as made:
        surroundings = os.environ | {"LC_ALL": "C.UTF-8", "LANGUAGE": "en"}
        subprocess.run([sys.executable, __file__, "--show", made], check=True, cwd=ROOT, env=surroundings)
        taken = ((QImage(str(Path(made) / f"{number}.png")), parts) for number, parts in STRIP.items())
        bands = [image.copy(part) for image, parts in taken for part in parts]
    whole = QImage(bands[0].width(), sum(band.height() for band in bands), QImage.Format.Format_RGB32)
    with QPainter(whole) as painter:
        for number, band in enumerate(bands):
            painter.drawImage(0, sum(one.height() for one in bands[:number]), band)
    if not shrunk(whole).save(str(ROOT / "packaging" / "show.png"), b"PNG", 0):
        raise OSError("show.png cannot be written")


def show(folder: Path) -> int:
    """Play *Show me* and write a picture of the window after each part, 0.png and so on."""
    numbers = itertools.count()

    def shown(window: QWidget) -> None:
        wait(SETTLED_MS)
        window.grab().save(str(folder / f"{next(numbers)}.png"))

    return show_me(Start(data_dir=str(folder / "data")), 0, shown)


def shrunk(image: QImage) -> QImage:
    """Return a picture no wider than it is shown, with a frame, in the most frequent colours of its shades."""
    if image.width() > WIDEST:
        image = image.scaledToWidth(WIDEST, Qt.TransformationMode.SmoothTransformation)
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.setPen(QColor(FRAME))
    painter.drawRect(image.rect().adjusted(0, 0, -1, -1))
    painter.end()
    counts, shades = Counter(memoryview(image.constBits()).cast("I")), dict[int, int]()
    for colour, _ in counts.most_common():  # one of each shade: else dark text has none, and turns blue
        shades.setdefault(colour & 0xF0F0F0, colour | 0xFF000000)
    table = list(shades.values())[:COLOURS]
    return image.convertToFormat(
        QImage.Format.Format_Indexed8,
        table,
        Qt.ImageConversionFlag.AvoidDither | Qt.ImageConversionFlag.ThresholdDither,
    )


if __name__ == "__main__":
    if sys.argv[1:2] == ["--show"]:
        run_to_end(lambda: show(Path(sys.argv[2])))
    sys.exit(main(sys.argv[1:]))

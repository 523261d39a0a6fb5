"""Labels read back: drawn sheets, own sizes, names and ids; every code by a decoder of others, from the page as
printers of 203, 300 and 600 dots paint it, and from the PDF; nothing beyond the edges of a label. Where the system has
poppler's `pdftoppm`, that renders the PDF too.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from petstore_desktop.ui.labels.label_painter import LabelJob
from tests.long._running import run_from, say
from tests.ui.labels.drawn_labels import drawn_job, faults_of, pdf_of, readable
from tests.ui.labels.labelkit import read_labels

FULL_JOBS = 3_000
PDF_EVERY = 5


def rendered(job: LabelJob, content: bytes, dpi: int) -> Counter[str]:
    """The codes that are read from the PDF of a job as poppler renders it."""
    found = Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "labels.pdf"
        file.write_bytes(content)
        subprocess.run(["pdftoppm", "-r", str(dpi), "-gray", str(file), str(Path(folder) / "page")], check=True)
        for number, page in enumerate(sorted(Path(folder).glob("page*.pgm"))):
            picture = QImage(str(page)).convertToFormat(QImage.Format.Format_Grayscale8)
            found.update(read_labels(job, picture, number))
    return found


def main(argv: list[str]) -> int:
    """Return 0 if every code was read, and nothing was outside of its label."""
    run = run_from(argv, "labels")
    chance = random.Random(run.seed)
    application = QApplication.instance() or QApplication(["labels"])
    poppler = shutil.which("pdftoppm") is not None
    jobs = labels = wrong = through = 0
    while run.wants_more(jobs, FULL_JOBS):
        number = chance.randrange(10**9)
        job, dpi = drawn_job(random.Random(number))
        faults = faults_of(job, dpi, with_pdf=jobs % PDF_EVERY == 0)
        if poppler and jobs % PDF_EVERY == 0:
            through += 1
            content = pdf_of(job)
            faults += [
                f"rendered at {dots} dots: {(readable(job, 300) - found) or (found - readable(job, 300))}"
                for dots in (203, 300)
                if (found := rendered(job, content, dots)) != readable(job, 300)
            ]
        if faults:
            say(f"drawn_job(random.Random({number})), {dpi} dots: " + "; ".join(faults))
            wrong += 1
        jobs, labels = jobs + 1, labels + len(job.order)
    said = f"{through} of them as poppler renders them" if poppler else "without poppler, which is not here"
    say(f"{labels:,} labels of {jobs:,} jobs read back, {said}: {f'{wrong} wrong' if wrong else 'nothing found'}")
    del application
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Drawn jobs of labels, and what is wrong with how they are painted; `dev.py long labels` draws many more."""

from __future__ import annotations

import random
from collections import Counter

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QImage

from petstore_desktop.desk.labels.design import MM_PER_INCH, Content
from petstore_desktop.desk.labels.patterns import CodeKind
from petstore_desktop.desk.labels.sheets import SHEETS, LabelSheet, problems
from petstore_desktop.domain.records import ServiceId
from petstore_desktop.ui.labels.label_painter import DPI, LabelJob, label_layout, labels_painted
from petstore_desktop.ui.paper.paper_dialog import pdf_writer
from tests.ui.labels.labelkit import NAMES, NUMBERS, TEXTS, ink_outside, label, pdf_pages, picture_of, read_labels

_SIGNS = "aeilMW 0179-_,.()<>&/éßñøčДжאבשمكة金魚하ไก่\u0301\u0323\u200d🐟\n\t"
_KINDS: tuple[CodeKind, ...] = ("code128", "qr")
_MOST_LABELS = 70


def drawn_job(chance: random.Random) -> tuple[LabelJob, int]:
    """A job of labels, and the dots of an inch of its printer."""
    sheet = _own_sheet(chance) if chance.random() < 0.4 else chance.choice(list(SHEETS.values()))
    content = Content(*(chance.random() < 0.7 for _ in range(4)))
    pets = [label(_key(chance), _name(chance), _name(chance)) for _ in range(chance.randint(1, _MOST_LABELS))]
    most = 3 if sheet.is_roll else _MOST_LABELS
    order = [chance.randrange(len(pets)) for _ in range(chance.randint(1, most))]
    line = _name(chance)[:200] if content.own_line else ""
    kind, start = chance.choice(_KINDS), chance.randrange(sheet.per_page)
    return LabelJob(sheet, content, line, kind, pets, order, start), chance.choice((203, 300, 600))


def _own_sheet(chance: random.Random) -> LabelSheet:
    while True:
        wide, high = chance.uniform(50, 300), chance.uniform(30, 300)
        columns, rows = chance.randint(1, 5), chance.randint(1, 12)
        left, top, gap_x, gap_y = (chance.choice((0, chance.uniform(0, 10))) for _ in range(4))
        label_wide = (wide - left - gap_x * (columns - 1)) / columns - chance.choice((0, 1))
        label_high = (high - top - gap_y * (rows - 1)) / rows - chance.choice((0, 1))
        sheet = LabelSheet(wide, high, columns, rows, label_wide, label_high, left, top, gap_x, gap_y)
        if not problems(sheet):
            return sheet


def _key(chance: random.Random) -> ServiceId:
    if chance.random() < 0.3:
        return chance.choice(NUMBERS + TEXTS)
    number = chance.randrange(10 ** chance.randint(1, 19))
    return number if chance.random() < 0.8 else f"ord_{number:x}"


def _name(chance: random.Random) -> str:
    if chance.random() < 0.5:
        return chance.choice(NAMES)
    return "".join(chance.choice(_SIGNS) for _ in range(chance.randint(1, 300)))


def readable(job: LabelJob, dpi: int) -> Counter[str]:
    """What must be read: the codes of the labels that have room for one."""
    return Counter(pet.code for at in job.order if job.design(pet := job.pets[at], dpi).code is not None)


def pdf_of(job: LabelJob) -> bytes:
    """The PDF of a job, painted at once."""
    memory = QBuffer()
    memory.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = pdf_writer(memory, "Labels")
    writer.setResolution(DPI)
    writer.setPageLayout(label_layout(job.sheet))
    assert [found for found in labels_painted(writer, job) if isinstance(found, bool)] == [True]
    return bytes(memory.data().data())


def faults_of(job: LabelJob, dpi: int, *, with_pdf: bool) -> list[str]:
    """What is wrong with the pages of a job."""
    wanted, found, outside = readable(job, dpi), Counter[str](), 0
    for page in range(job.pages):
        picture = picture_of(job, page, dpi)
        found.update(read_labels(job, picture, page))
        outside += _between(job, picture, page, dpi)
    faults = [f"{dpi} dots: {(wanted - found) or (found - wanted)}"] if found != wanted else []
    faults += [f"{outside} dots beyond the labels"] if outside else []
    if with_pdf:
        pages = list(pdf_pages(pdf_of(job)))
        point, sheet = MM_PER_INCH / 72, job.sheet
        if any(abs(one.width * point - sheet.width) + abs(one.height * point - sheet.height) > 0.4 for one in pages):
            faults.append("the pages of the PDF have another size")
        for dots in (203, 300):
            read = Counter(text for at, one in enumerate(pages) for text in read_labels(job, one.picture(dots), at))
            if read != readable(job, DPI):
                faults.append(f"PDF at {dots} dots: {(readable(job, DPI) - read) or (read - readable(job, DPI))}")
    return faults


def _between(job: LabelJob, picture: QImage, page: int, dpi: int) -> int:
    """How many dots of a page are inked beyond the labels on it."""
    places = [job.sheet.place(place) for _, place in job.sheet.on_page(page, len(job.order), job.start)]
    return ink_outside(picture, places, dpi)

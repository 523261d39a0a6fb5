"""Labels read back: every code by a decoder of others, from the page as printers of 203 and 300 dots paint it, and from
the PDF; and all ink inside its label. `dev.py long labels` reads many more."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

from petstore_desktop.desk.labels.design import MM_PER_INCH
from petstore_desktop.desk.labels.patterns import CodeKind
from petstore_desktop.desk.labels.sheets import SHEETS
from petstore_desktop.ui.labels.label_painter import LabelJob, LabelOutput
from petstore_desktop.ui.widgets.labels import PlainLabel
from tests.ui.labels.drawn_labels import drawn_job, faults_of, readable
from tests.ui.labels.labelkit import (
    NAMES,
    NUMBERS,
    TEXTS,
    PdfPage,
    decoded,
    ink_outside,
    job_of,
    label,
    pdf_pages,
    picture_of,
    scanned,
)

BOX_MM = 0.2
CASES: list[tuple[str, CodeKind, int]] = [
    ("a4-3x8", "code128", 203),
    ("a4-3x8", "qr", 203),
    ("a4-2x7", "code128", 300),
    ("a4-5x13", "qr", 300),
    ("us-3x10", "code128", 203),
    ("roll-57x32", "qr", 203),
    ("roll-62", "code128", 203),
]


def hostile_job(name: str, kind: CodeKind, start: int = 0) -> LabelJob:
    """A label for each hostile name, with ids of all kinds."""
    keys = NUMBERS if kind == "code128" else NUMBERS + TEXTS
    pets = [label(keys[at % len(keys)], text, NAMES[-at]) for at, text in enumerate(NAMES)]
    return job_of(pets, SHEETS[name], kind, start)


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("name", "kind", "dpi"), CASES)
def test_every_code_is_read_back(name: str, kind: CodeKind, dpi: int) -> None:
    job = hostile_job(name, kind)
    found = Counter(text for page in range(job.pages) for text in decoded(picture_of(job, page, dpi)))
    assert found == readable(job, dpi)
    assert kind == "code128" or len(job.pets) == found.total(), "QR has room everywhere"


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize(("name", "kind"), [("a4-5x13", "code128"), ("us-3x10", "qr"), ("roll-57x32", "code128")])
def test_nothing_runs_out_of_a_label(name: str, kind: CodeKind) -> None:
    sheet = SHEETS[name]
    place = sheet.per_page // 2
    for pet in hostile_job(name, kind).pets:
        picture = picture_of(job_of([pet], sheet, kind, start=place), 0, 300)
        assert ink_outside(picture, [sheet.place(place)], 300) == 0, pet.name


def pages_of(qtbot: QtBot, job: LabelJob) -> list[PdfPage]:
    """The pages of the PDF that is written for a job."""
    owner, written, ended = PlainLabel(), list[bytes](), list[bool]()
    qtbot.addWidget(owner)
    output = LabelOutput(owner, lambda *_: None, ended.append)
    output.pdf(job, "Labels", written.append)
    qtbot.waitUntil(lambda: bool(ended))
    assert ended == [True] and len(written) == 1
    return list(pdf_pages(written[0]))


@pytest.mark.parametrize("name", SHEETS)
def test_a_pdf_has_the_codes_where_the_sheet_has_its_labels(qtbot: QtBot, name: str) -> None:
    sheet = SHEETS[name]
    pets = [label(1000 + at) for at in range(min(sheet.per_page, 20) + 1)]
    job = job_of(pets, sheet, start=sheet.per_page // 3)
    pages = pages_of(qtbot, job)
    assert len(pages) == job.pages
    point = MM_PER_INCH / 72
    for number, page in enumerate(pages):
        assert page.width * point == pytest.approx(sheet.width, abs=BOX_MM)
        assert page.height * point == pytest.approx(sheet.height, abs=BOX_MM)
        wanted: list[tuple[float, float]] = []
        for at, place in sheet.on_page(number, len(pets), job.start):
            code, spot = job.design(pets[at], 300).code, sheet.place(place)
            assert code is not None
            wanted.append((spot.left + code.left, spot.top + code.top))
        corners = [(left * point, top * point) for left, top, _, _ in page.filled]
        for left, top in wanted:
            near = min(abs(x - left) + abs(y - top) for x, y in corners)
            assert near <= BOX_MM, f"the code of {left}, {top} is {near} mm away"


@pytest.mark.parametrize("dpi", [203, 300])
@pytest.mark.parametrize("kind", ["code128", "qr"])
def test_the_codes_of_a_pdf_are_read_back(qtbot: QtBot, kind: CodeKind, dpi: int) -> None:
    job = hostile_job("a4-3x8", kind, start=4)
    (page,) = pages_of(qtbot, job)
    assert Counter(decoded(page.picture(dpi))) == readable(job, 300)


@pytest.mark.usefixtures("qapp")
def test_bars_are_whole_dots() -> None:
    """A row through the bars has no grey: each module is black or white."""
    job = job_of([label(random.Random(1).randrange(10**6))])
    picture = picture_of(job, 0, 203)
    code = job.design(job.pets[0], 203).code
    assert code is not None
    row = picture.scanLine(round((job.sheet.top + code.top + 2) * 203 / MM_PER_INCH))
    through = bytes(row)[: round((code.right + 1) * 203 / MM_PER_INCH)]
    assert set(through) == {0, 255}


@pytest.mark.usefixtures("qapp")
def test_every_beginning_and_length_of_an_id_has_its_bars() -> None:
    beginnings = [f"{first:02}" for first in range(100)]
    texts = [begin + rest for begin in beginnings for rest in ("", "1", "12", "123", "1234T", "123T", "T", "-T", "T99")]
    assert [text for text in texts if scanned("code128", text) != [text]] == []


@pytest.mark.usefixtures("qapp")
@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), min_size=1, max_size=40).map(str.strip))
def test_bars_hold_every_text_of_ascii(text: str) -> None:
    assert not text or scanned("code128", text) == [text]


@pytest.mark.usefixtures("qapp")
@pytest.mark.parametrize("seed", range(5))
def test_drawn_sheets_and_labels_are_read_back(seed: int) -> None:
    job, dpi = drawn_job(random.Random(seed))
    assert faults_of(job, dpi, with_pdf=seed % 4 == 0) == []


def work_of(qtbot: QtBot, labels: int) -> list[float]:
    """Seconds of this process for each turn of the window's loop while so many labels become a PDF, in whole pages."""
    pets = [label(10_000 + at, f"{NAMES[at % len(NAMES)]} {at}") for at in range(labels)]
    job, beats = job_of(pets), [process_time()]
    heart = QTimer(interval=0)
    heart.timeout.connect(lambda: beats.append(process_time()))
    heart.start()
    pages = pages_of(qtbot, job)
    heart.stop()
    assert len(pages) == -(-labels // job.sheet.per_page)
    return [after - before for before, after in pairwise(beats)]


def test_ten_times_as_many_labels_are_ten_times_the_work_and_the_window_goes_on_meanwhile(qtbot: QtBot) -> None:
    work_of(qtbot, 24)
    few, many = work_of(qtbot, 100), work_of(qtbot, 1_000)
    assert sum(many) < 20 * sum(few)
    assert max(many) < sum(many) / 8, "the work is cut into parts"

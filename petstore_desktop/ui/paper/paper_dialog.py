"""What every dialog for paper does: save a PDF or print, page by page, each in a turn of its own; and show the pages as
they come out of a printer, one at a time."""

from __future__ import annotations

from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QBuffer, QIODevice, QRectF, QSize, QStandardPaths, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QPagedPaintDevice,
    QPageLayout,
    QPainter,
    QPaintEvent,
    QPdfWriter,
    QPixmap,
    QWheelEvent,
)
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QLabel, QSizePolicy

from petstore_desktop.domain.errors import ShopError
from petstore_desktop.ui.base.building import named, on_click
from petstore_desktop.ui.base.sliced_work import SlicedWork
from petstore_desktop.ui.base.theme import current, isolate, plain, to_say
from petstore_desktop.ui.context.message import Message
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import number, tr
from petstore_desktop.ui.widgets.dialogs import ask_file, show
from petstore_desktop.ui.widgets.fields import FormField
from petstore_desktop.ui.widgets.form import FormDialog
from petstore_desktop.ui.widgets.labels import LinkLabel, PlainLabel
from petstore_desktop.ui.widgets.paint import brush_on, is_rtl, own_direction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from PySide6.QtWidgets import QWidget

    from petstore_desktop.shop.live_shop import LiveShop


_BAD_IN_NAMES = frozenset('\\/:*?"<>|')


class PrintedPages(Protocol):
    """Something laid out on sheets."""

    @property
    def title(self) -> str:
        """What the document is called."""
        ...

    @property
    def pages(self) -> int:
        """How many there are."""
        ...

    def paint(self, painter: QPainter, page: int) -> None:
        """Paint one page, the first is 0; the painter counts in points."""
        ...


class PaperDialog(FormDialog):
    """A dialog that saves a PDF or prints. Derived ones call `add_ways` at the end of their own layout, `set_file`
    when it knows what the document is called, and gives the document."""

    def __init__(
        self,
        title: str,
        shop: LiveShop,
        tell: Callable[[Message], object],
        parent: QWidget | None = None,
        *,
        name: str = "",
    ) -> None:
        super().__init__(title, "", parent, name=name)
        self._shop, self._tell = shop, tell
        self.path = FormField(tr("PDF file"), name="pdfPath")
        self.path.edit.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.path.changed.connect(lambda: self.path.set_error(""))
        self._usual = self._agreed = ""
        """The file that is proposed; and one that the person chose, and that may be written over."""
        self.said = named(PlainLabel("", "muted", 12, wrap=True), "printProgress")
        self.browse = on_click(LinkLabel(tr("Choose another place…")), self._choose)
        self._work = SlicedWork[tuple[int, int] | bool](self, 0, self._told)
        self._printing: tuple[QPagedPaintDevice, Callable[[], None]] | None = None
        """What it paints on now, and what to do afterwards."""
        self._locked: list[QWidget] = []

    def add_ways(self, *fields: QWidget) -> None:
        """Add the buttons. `fields`: what else cannot be used while it paints."""
        self._cancel = self.set_cancel()
        self._print = on_click(self.add_button(tr("Print…")), self.ask_printer, "toPrinter")
        self._save = self.set_primary(tr("Save PDF"))
        self._locked = [*fields, self.path, self._print, self._save, self.browse]

    # -- what derived dialogs say

    def document(self) -> PrintedPages:
        """Return what is to be printed now."""
        raise NotImplementedError

    def layout_of_pages(self) -> QPageLayout:
        """Return the paper that it is laid out for."""
        raise NotImplementedError

    def say(self) -> None:
        """Say below the fields what would be printed."""
        raise NotImplementedError

    # -- a PDF

    def set_file(self, title: str, days: str = "") -> None:
        """Propose a file for a document of this title, unless the person named one; `days`: of which it is, else of
        today."""
        usual = _usual_path(self._shop.connection.name, title, days or self._shop.desk.today.isoformat())
        if self.path.text() in ("", self._usual):
            self.path.edit.setText(usual)
        self._usual = usual

    def accept(self) -> None:
        """Save the PDF; the dialog stays until it is written."""
        path = self.path.text().strip()
        if not path:
            self.path.refuse(tr("Enter the name of a file."))
            return
        document = self.document()
        memory = QBuffer(self)  # the disk is for another thread
        memory.open(QIODevice.OpenModeFlag.WriteOnly)
        self._paint(pdf_writer(memory, document.title), document, partial(self._painted, memory, path, document.title))

    def _painted(self, memory: QBuffer, path: str, title: str) -> None:
        content = bytes(memory.data().data())
        memory.deleteLater()
        files, usual = self._shop.files, path == self._usual
        kept = partial(self._kept, title)
        files.keep(path, content, over=path == self._agreed, make_folder=usual, done=kept)

    def _kept(self, title: str, outcome: str | ShopError) -> None:
        if isinstance(outcome, str):
            name = isolate(plain(PurePath(outcome).name))
            self._end(tr("{view} is in {file}", view=title, file=name), outcome)
        else:
            self._again()
            self.path.refuse(error_words(outcome).sentence)

    def _choose(self) -> None:
        path = self.path.text() or self._usual
        ask_file(self, tr("Save PDF"), "pdfFileDialog", ["*.pdf"], self._chosen, save_as=path, suffix="pdf")

    def _chosen(self, path: str) -> None:
        self._agreed = path
        self.path.edit.setText(path)

    # -- a printer

    def ask_printer(self) -> None:
        """Ask for a printer, then print."""
        document = self.document()
        printer = QPrinter(QPrinter.PrinterMode.HighResolution)
        printer.setPageLayout(self.layout_of_pages())
        printer.setDocName(document.title)
        dialog = named(QPrintDialog(printer, self), "printerDialog")
        dialog.accepted.connect(lambda: self._paint(printer, document, lambda: self._end(tr("Sent to the printer"))))
        show(dialog)

    # -- painting

    def _paint(self, device: QPagedPaintDevice, document: PrintedPages, then: Callable[[], None]) -> None:
        self.say_wrong("")
        device.setPageLayout(self.layout_of_pages())
        self._printing = device, then
        self._lock(on=True)
        self._cancel.setFocus(Qt.FocusReason.OtherFocusReason)
        self._work.begin(painted(device, document))

    def _lock(self, *, on: bool) -> None:
        for widget in self._locked:
            widget.setDisabled(on)

    def _told(self, found: tuple[int, int] | bool) -> None:
        if isinstance(found, bool):
            self._stopped(whole=found)
        else:
            self.said.set_text(tr("page {page} of {pages}", page=number(found[0]), pages=number(found[1])))

    def _stopped(self, *, whole: bool) -> None:
        printing, self._printing = self._printing, None
        self._work.stop()
        if printing is not None and whole:
            printing[1]()
            return
        self._again()
        if printing is not None and isinstance(printing[0], QPrinter):
            self.say_wrong(tr("Printing did not finish. Check the printer, or save a PDF."))

    def _end(self, words: str, file: str = "") -> None:
        self._tell(Message(words, "print", file=file))
        super().accept()

    def _again(self) -> None:
        self._lock(on=False)
        self.focus_save()
        self.say()

    def focus_save(self) -> None:
        """The next Enter saves the PDF."""
        self._save.setFocus(Qt.FocusReason.OtherFocusReason)

    def reject(self) -> None:
        """While it paints, Esc and Cancel end that; else they close the dialog."""
        if self._printing is not None:
            self._stopped(whole=False)
        else:
            super().reject()


def pdf_writer(to: QIODevice, title: str) -> QPdfWriter:
    """Make a writer for a PDF of this title."""
    writer = QPdfWriter(to)
    writer.setTitle(title)
    writer.setCreator(tr("Pet Store Desktop"))
    return writer


def painted(device: QPagedPaintDevice, document: PrintedPages) -> Iterator[tuple[int, int] | bool]:
    """Paint a document page by page; yields how many pages are painted and how many there are, and at the end whether
    the device took all of it: a printer may be gone."""
    painter = QPainter()
    taken = painter.begin(device)
    try:
        if taken:
            painter.scale(device.logicalDpiX() / 72, device.logicalDpiY() / 72)  # documents count in points
        for page in range(document.pages):
            taken = taken and (not page or device.newPage())
            if not taken:
                break
            document.paint(painter, page)
            yield page + 1, document.pages
    finally:
        taken = painter.end() and taken
    yield taken


def file_name(shop: str, title: str, day: str) -> str:
    """A name for a shop's file of this title that every system takes."""
    whose, what = (
        "".join(sign for sign in one if sign not in _BAD_IN_NAMES and sign.isprintable()).strip(" .")
        for one in (shop, title)
    )
    what = what[:70] or tr("list", "a file of no better name")
    clean = f"{whose[:30].rstrip(' .')} {what}" if whose else what
    # After words that are read from the right its numbers would be too.
    return f"{day} {clean}" if own_direction(clean) is Qt.LayoutDirection.RightToLeft else f"{clean} {day}"


def _usual_path(shop: str, title: str, day: str) -> str:
    """In the person's documents; where such a file is there already, the new one gets a number."""
    folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return str(PurePath(folder or ".") / f"{file_name(shop, title, day)}.pdf")


_EDGE = 14
_FIRST, _LAST = -1_000_000, 1_000_000
_STEPS = {
    Qt.Key.Key_PageDown: 1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Home: _FIRST,
    Qt.Key.Key_End: _LAST,
}


class PagePreview(QLabel):
    """White paper on the plane of the window, in both themes. Keys and wheel turn pages. To screen readers it is
    a label: all that is seen is own paint.

    Signals:
        turned(): another page is shown, or another document.
    """

    turned = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, "pagePreview")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._document: PrintedPages | None = None
        self._layout: QPageLayout | None = None
        self._page = 0
        self._picture: QPixmap | None = None
        self.words = ""
        """What stands in the place of a document."""

    @property
    def page(self) -> int:
        """Which page is shown; the first is 0."""
        return self._page

    def show_document(self, document: PrintedPages | None, layout: QPageLayout, words: str = "") -> None:
        """Show its first page; `words` stand in the place of none."""
        self._document, self._layout, self.words = document, layout, words
        self.turn_to(0)

    def turn_to(self, page: int) -> None:
        """Show this page, or the nearest that there is."""
        pages = 0 if self._document is None else self._document.pages
        self._page = max(0, min(page, pages - 1))
        self._picture = None
        said = tr("page {page} of {pages}", page=number(self._page + 1), pages=number(pages)) if pages else self.words
        self.setAccessibleName(to_say(tr("Preview: {what}", what=said)))
        self.update()
        self.turned.emit()

    def sizeHint(self) -> QSize:
        return QSize(current().scaled(420), current().scaled(560))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 240)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        sideways = {Qt.Key.Key_Right: 1, Qt.Key.Key_Left: -1}.get(Qt.Key(event.key()))
        if sideways is not None:
            step = -sideways if is_rtl(self) else sideways
        if step is None:
            super().keyPressEvent(event)
        else:
            self.turn_to(self._page + step)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.angleDelta().y():
            self.turn_to(self._page + (1 if event.angleDelta().y() < 0 else -1))

    def paper_rect(self) -> QRectF:
        """Where the paper lies."""
        if self._layout is None:
            return QRectF()
        full = self._layout.fullRect(QPageLayout.Unit.Point)
        room = QRectF(self.rect()).adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
        scale = min(room.width() / full.width(), room.height() / full.height())
        paper = QRectF(0, 0, full.width() * scale, full.height() * scale)
        paper.moveCenter(room.center())
        return paper

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            theme, painter = brush.theme, brush.painter
            painter.fillRect(self.rect(), theme.color("chrome"))
            paper = self.paper_rect()
            if self._document is None:
                painter.setPen(theme.tone("muted"))
                painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self.words)
            elif not paper.isEmpty():
                painter.drawPixmap(paper.topLeft(), self._painted(paper))
                painter.setPen(theme.color("line"))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(paper)
            if self.hasFocus():
                brush.ring(theme.color("accent"), 4)

    def _painted(self, paper: QRectF) -> QPixmap:
        """The page as it looks at this size; painted once."""
        ratio = self.devicePixelRatioF()
        size = (paper.size() * ratio).toSize()
        if self._picture is None or self._picture.size() != size:
            self._picture = self._paint(size)
            self._picture.setDevicePixelRatio(ratio)
        return self._picture

    def _paint(self, size: QSize) -> QPixmap:
        picture = QPixmap(size)
        picture.fill(Qt.GlobalColor.white)
        if self._document is None or self._layout is None:
            return picture
        full, inner = (get(QPageLayout.Unit.Point) for get in (self._layout.fullRect, self._layout.paintRect))
        painter = QPainter(picture)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.scale(size.width() / full.width(), size.height() / full.height())
        painter.translate(inner.topLeft())
        self._document.paint(painter, self._page)
        painter.end()
        return picture

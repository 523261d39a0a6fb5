"""Requests today: how many are used, how many will be by the end of the day, and whether they last."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from petstore_desktop.desk.price import Outlook, expected_use, forecast_of
from petstore_desktop.ui.base.building import in_column
from petstore_desktop.ui.base.theme import Tone, current
from petstore_desktop.ui.text.times import moment
from petstore_desktop.ui.text.translate import number, tr
from petstore_desktop.ui.today.section import PAD, STOP, TodaySection
from petstore_desktop.ui.widgets.labels import PlainLabel, say
from petstore_desktop.ui.widgets.paint import brush_on, fill_round

if TYPE_CHECKING:
    from petstore_desktop.desk.desk import Desk

_HEIGHT, _PART_GAP = 5, 1.5


class UseBar(QWidget):
    """Used, expected until the day's end, and the rest: three looks on one track."""

    _used = _expected = 0.0

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_shares(self, used: float, expected: float) -> None:
        """The shares of the whole, each from 0 to 1; `expected` counts what is used too."""
        if (used, expected) != (self._used, self._expected):
            self._used, self._expected = used, expected
            self.update()

    def sizeHint(self) -> QSize:
        return QSize(current().scaled(120), current().scaled(_HEIGHT))

    def paintEvent(self, event: QPaintEvent) -> None:
        with brush_on(self) as brush:
            high, whole = self.height(), float(self.width())
            radius = high / 2
            brush.panel(brush.theme.color("track"), radius)
            used = whole * self._used
            for begin, end, token in ((used + _PART_GAP, whole * self._expected, "bar"), (0.0, used, "faint")):
                if end - begin > 0:
                    part = QRectF(brush.at(begin, end - begin), 0, end - begin, high)
                    fill_round(brush.painter, part, min(radius, part.width() / 2), brush.theme.color(token))


class RequestsSection(TodaySection):
    """How the day's requests will do; its link shows each of them."""

    def __init__(self, desk: Desk, show: Callable[[], object]) -> None:
        super().__init__("requests", tr("Requests today"), size=13)
        self._desk = desk
        self.bar = UseBar()
        self.words = PlainLabel("", "muted", 12, wrap=True)
        whole = QWidget()
        in_column(whole, self.bar, self.words, margins=(PAD, 2, PAD, 0), spacing=6)
        self.body.addWidget(whole)
        self.link.setObjectName(f"{STOP}requests")
        self.link.set_tone("text")
        self.link.clicked.connect(show)

    def refresh(self) -> None:
        """Show what the service, or our own count, has told."""
        day, now = self._desk.known_quota().day, self._desk.now()
        limited = day.limit is not None and day.remaining is not None
        self.bar.setVisible(limited)
        if day.limit is None or day.remaining is None:
            sent = self._desk.requests.tally(self._desk.shop.today).total
            self.link.set_text(tr("{n} sent", "", sent))
            self._say(tr("Limit not known"))
        else:
            used, expected = max(0, day.limit - day.remaining), expected_use(self._desk, now)
            about = f"{'≈ ' if day.own_count else ''}{number(used)}"
            self.link.set_text(tr("{used} of {limit}", used=about, limit=number(day.limit)))
            self.bar.set_shares(_share(used, day.limit), _share(max(used, expected or 0), day.limit))
            self._say(*_words(self._desk, expected, now))
        self.link.show()
        self.link.setAccessibleName(
            tr("Requests today: {used}. {words}", used=self.link.words(), words=self.words.text())
        )

    def _say(self, words: str, tone: Tone = "muted") -> None:
        say(self.words, words)
        self.words.set_tone(tone)

    def stops(self) -> list[QWidget]:
        """The count."""
        return [self.link]


def _share(part: int, whole: int) -> float:
    return min(1.0, part / whole) if whole > 0 else 0.0


def _words(desk: Desk, expected: int | None, now: float) -> tuple[str, Tone]:
    forecast = forecast_of(desk, now)
    time = "" if forecast.at is None else moment(forecast.at, now)
    if forecast.outlook is Outlook.SPENT:
        return (tr("Used up. Full again at {time}.", time=time) if time else tr("Used up")), "wait"
    if forecast.outlook is Outlook.ENDS:
        return tr("Used up at about {time} at this pace", time=time), "wait"
    if forecast.outlook is Outlook.LASTS and expected is not None and time:
        count = number(expected)
        return tr("Lasts until they are full again: at this pace ≈ {count} by {time}", count=count, time=time), "muted"
    if forecast.outlook is Outlook.LASTS:
        return tr("Enough for today at this pace"), "muted"
    return tr("How long they last is not known yet"), "muted"

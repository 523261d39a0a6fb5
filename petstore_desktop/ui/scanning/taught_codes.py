"""The taught codes of one window: read after the first paint, taught by answering, taken back by Undo."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from petstore_desktop.domain.codes import Codes, scanned_code
from petstore_desktop.domain.records import Ref, ServiceId
from petstore_desktop.ui.base.theme import isolate, plain
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.questions.error import open_error
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from petstore_desktop.domain.errors import ShopError
    from petstore_desktop.ui.context.local_acts import LocalActs
    from petstore_desktop.ui.context.ports import ShopPort


class TaughtCodes(QObject):
    """Kept at each change."""

    def __init__(self, shop: ShopPort, acts: LocalActs, say: Say, words: Callable[[Ref], str], window: QWidget) -> None:
        super().__init__(window)
        self._desk, self._port = shop.desk, shop.views
        self._acts, self._say, self._words, self._window = acts, say, words, window
        self._port.read_codes(self._read)

    def _read(self, codes: Codes, error: ShopError | None) -> None:
        self._desk.codes = codes
        if error is not None:
            self._say(Message(error_words(error).sentence, "warning"))

    def teach(self, code: str, ref: Ref) -> None:
        """From now on this code is this pet, beside those that it is already."""
        key = self._desk.resolve(ref).key
        known = self._desk.codes
        if known is None or not isinstance(key, ServiceId):
            self._say(Message(tr("This code cannot be remembered yet"), "info"))
            return
        code, before = scanned_code(code), known.of(code)
        after = known.with_pet(code, key).of(code)
        words = tr("{code} is {pet} from now on", code=isolate(plain(code)), pet=self._words(ref))
        what = tr("bar code {code}", code=isolate(plain(code)))
        again = partial(self._set, code, after)
        again()
        self._acts.add(words, "saved", what, partial(self._set, code, before), again)

    def _set(self, code: str, pets: tuple[ServiceId, ...]) -> None:
        self._use((self._desk.codes or Codes()).with_pets(code, pets))

    def _use(self, codes: Codes) -> None:
        self._desk.codes = codes
        self._port.keep_codes(codes, partial(open_error, self._window))

"""The taught codes of one window: read after the first paint, taught by answering, taken back by Undo, exported and
imported; and in a dialog, which pets they mean, and how one is forgotten."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from msgspec import convert
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QWidget

from petstore_desktop.desk.changes.done_act import Keeper
from petstore_desktop.desk.changes.done_acts import CODES
from petstore_desktop.domain.codes import Codes, scanned_code
from petstore_desktop.domain.errors import ShopError
from petstore_desktop.domain.own_acts import OwnParts
from petstore_desktop.domain.records import JsonValue, Ref, Resource, ServiceId, key_from_text, key_to_text
from petstore_desktop.ui.base.building import named, on_click
from petstore_desktop.ui.base.theme import current, isolate, plain
from petstore_desktop.ui.context.message import Message, Say
from petstore_desktop.ui.questions.error import open_error
from petstore_desktop.ui.questions.raw_answer import open_failure
from petstore_desktop.ui.text.errors.errors import error_words
from petstore_desktop.ui.text.translate import listed, tr
from petstore_desktop.ui.widgets.dialogs import Dialog, ask_file
from petstore_desktop.ui.widgets.labels import PlainLabel

if TYPE_CHECKING:
    from petstore_desktop.shop.live_shop import LiveShop
    from petstore_desktop.ui.context.edits import Do


class TaughtCodes(QObject):
    """Kept at each change.

    Signals:
        changed: object: other codes are taught now.
    """

    changed = Signal(object)

    def __init__(self, shop: LiveShop, do: Do, say: Say, words: Callable[[Ref], str], window: QWidget) -> None:
        super().__init__(window)
        self._desk, self._port = shop.desk, shop.views
        self._do, self._say, self._words, self._window = do, say, words, window
        self._desk.done.keeps(CODES, Keeper(self._now, self._put, is_read=lambda: self._desk.codes is not None))
        self._port.read_codes(self._read)

    def _read(self, codes: Codes, error: ShopError | None) -> None:
        self._desk.codes = codes
        self._desk.done.moved()
        if error is not None:
            self._say(Message(error_words(error).sentence, "warning"))

    def teach(self, code: str, ref: Ref) -> None:
        """From now on this code is this pet, beside those that it is already."""
        key = self._desk.resolve(ref).key
        known = self._desk.codes
        if known is None or not isinstance(key, ServiceId):
            self._say(Message(tr("This code cannot be remembered yet"), "info"))
            return
        code = scanned_code(code)
        words = tr("{code} is {pet} from now on", code=isolate(plain(code)), pet=self._words(ref))
        self._act(words, tr("bar code {code}", code=isolate(plain(code))), {code: known.with_pet(code, key).of(code)})

    def forget(self, code: str) -> None:
        """This code means no pet any more."""
        shown = isolate(plain(code))
        self._act(tr("{code} is forgotten", code=shown), tr("forgetting of {code}", code=shown), {code: ()})

    def lines(self) -> list[tuple[str, str]]:
        """Each code with the words for its pets, by code."""
        taught = (self._desk.codes or Codes()).pets
        return [(code, listed(self._words(Ref(Resource.PETS, key)) for key in taught[code])) for code in sorted(taught)]

    def _act(self, words: str, what: str, after: Mapping[str, tuple[ServiceId, ...]]) -> None:
        """Give these codes these pets, and let Undo take it back."""
        self._do(CODES, {code: _part(pets) for code, pets in after.items()}, what, words, "saved")

    def _now(self, names: Iterable[str]) -> OwnParts:
        known = self._desk.codes or Codes()
        return {code: _part(known.of(code)) for code in names}

    def _put(self, parts: OwnParts) -> None:
        changed = {code: _pets(part) for code, part in parts.items()}
        self._change(lambda now: Codes({code: pets for code, pets in {**now.pets, **changed}.items() if pets}))

    def give(self, code: str, pet: ServiceId) -> tuple[Callable[[], object], Callable[[], object]]:
        """The pet has this code from now on; returns what takes that back, and what does it again."""
        before = (self._desk.codes or Codes()).of(code)
        again = partial(self._change, lambda codes: codes.with_pet(code, pet))
        again()
        return partial(self._change, lambda codes: codes.with_pets(code, before)), again

    def _change(self, change: Callable[[Codes], Codes]) -> None:
        """Change the codes; those that were not read yet are read first, so that none is lost."""
        if self._desk.codes is not None:
            self._use(change(self._desk.codes))
        else:
            self._port.read_codes(lambda codes, _: self._use(change(self._desk.codes or codes)))

    def _use(self, codes: Codes) -> None:
        self._desk.codes = codes
        self._port.keep_codes(codes, partial(open_error, self._window))
        self.changed.emit(None)

    # -- files

    def ask_where(self) -> None:
        """Ask for the file to write."""
        name, title = f"{tr('bar codes', 'the name of a file')}.json", tr("Export bar codes")
        ask_file(self._window, title, "exportCodesDialog", _filters(), self.write, save_as=name, suffix="json")

    def write(self, path: str) -> None:
        """Write the taught codes to a file."""
        codes = self._desk.codes or Codes()

        def done(error: ShopError | None) -> None:
            if error is None:
                file, count = isolate(plain(path)), len(codes.pets)
                one = "{n} bar code written to {file}"
                self._say(Message(tr("{n} bar codes written to {file}", "", count, one=one, file=file), "export"))
            else:
                open_failure(self._window, error, tr("Choose another file…"), self.ask_where)

        self._port.export_codes(path, codes, done)

    def ask_which(self) -> None:
        """Ask for the file to read."""
        ask_file(self._window, tr("Import bar codes"), "importCodesDialog", _filters(), self.read)

    def read(self, path: str) -> None:
        """Add the codes of a file to those that are here: a code of both means the pets of both."""
        self._port.import_codes(path, self._add)

    def _add(self, found: Codes | ShopError) -> None:
        if isinstance(found, ShopError):
            open_failure(self._window, found, tr("Choose another file…"), self.ask_which)
            return
        known = self._desk.codes or Codes()
        both = {code: tuple(dict.fromkeys((*known.of(code), *pets))) for code, pets in found.pets.items()}
        new = {code: pets for code, pets in both.items() if pets != known.of(code)}
        if new:
            words = tr("{n} bar codes added", "", len(new), one="{n} bar code added")
            self._act(words, tr("import of bar codes"), new)
        else:
            self._say(Message(tr("You already have all bar codes of the file"), "saved"))


def _part(pets: Iterable[ServiceId]) -> JsonValue:
    return [key_to_text(pet) for pet in pets]


def _pets(part: JsonValue) -> tuple[ServiceId, ...]:
    return tuple(key for key in map(key_from_text, convert(part, list[str])) if isinstance(key, ServiceId))


def _filters() -> tuple[str, str]:
    return tr("Bar codes (*.json)"), tr("All files (*)")


_LIST_HEIGHT = 240


class CodesDialog(Dialog):
    """Each act counts at once, and Undo takes it back."""

    def __init__(self, codes: TaughtCodes, parent: QWidget | None = None) -> None:
        note = tr("A code is remembered when you scan it and choose its pet. Our own labels and ids need none of this.")
        super().__init__(tr("Bar codes"), note, parent, name="codesDialog", width=480)
        self._codes = codes
        self.list = _List(self.forget)
        self.list.setMinimumHeight(current().scaled(_LIST_HEIGHT))
        self.nothing = named(PlainLabel(tr("No code is remembered yet."), "muted"), "noCodes")
        self.body.addWidget(self.list)
        self.body.addWidget(self.nothing)
        self.remove = on_click(self.add_button(tr("Forget"), key=tr("Del")), self.forget, "forgetCode")
        on_click(self.add_button(tr("Import…")), codes.ask_which, "importCodes")
        self.export = on_click(self.add_button(tr("Export…")), codes.ask_where, "exportCodes")
        self.set_primary(tr("Close"))
        codes.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        row, lines = self.list.currentRow(), self._codes.lines()
        self._shown = [code for code, _ in lines]
        self.list.clear()
        self.list.addItems([tr("{code}: {pets}", code=isolate(plain(code)), pets=pets) for code, pets in lines])
        self.list.setCurrentRow(min(max(row, 0), len(lines) - 1))
        self.list.setVisible(bool(lines))
        self.nothing.setVisible(not lines)
        self.remove.setEnabled(bool(lines))
        self.export.setEnabled(bool(lines))

    def forget(self) -> None:
        """Forget the current code."""
        row = self.list.currentRow()
        if 0 <= row < len(self._shown):
            self._codes.forget(self._shown[row])


class _List(QListWidget):
    def __init__(self, forget: Callable[[], object]) -> None:
        super().__init__()
        named(self, "codesList", tr("Bar codes"))
        self._forget = forget

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self._forget()
        else:
            super().keyPressEvent(event)

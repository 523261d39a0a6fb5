"""Does the work of commands in the running program: `import` and `stock` of a script are carried out at the desk that a
person looks at, and can be undone there."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from petstore_desktop.domain.errors import BadInput, ShopError
from petstore_desktop.ui.base.building import timer

if TYPE_CHECKING:
    from petstore_desktop.adapters.shop import OpenShop
    from petstore_desktop.desk.scripts.order import WorkOrder
    from petstore_desktop.desk.scripts.work import Work
    from petstore_desktop.domain.sheets import Sheet
    from petstore_desktop.instance import Message
    from petstore_desktop.shop.background import Background

_ANSWER_S: Final = 5.0
"""How long a command's question waits for the window's thread."""
_BUSY_MS, _REST_MS = 0, 100
_KEPT: Final = 50
"""How many orders that are over are remembered: their commands ask for the end."""


class _Doing(Struct):
    work: Work
    shop: OpenShop
    reading: bool = False


class ScriptHost:
    """`shops`: those that are open, in the window or without one. Everything but `answer` happens in the window's
    thread, where this is made."""

    def __init__(self, shops: Callable[[], Iterable[OpenShop | None]], background: Background) -> None:
        self._shops, self._background = shops, background
        self._works: dict[str, _Doing] = {}
        self._turn = timer(background, _REST_MS, self._step)

    def answer(self, request: Message) -> Message:
        """Answer a command; in any thread but the window's, which is waited for."""
        said: list[Message] = []
        done = threading.Event()

        def do() -> None:
            said.append(self._answer(request))
            done.set()

        self._background.call(do)
        done.wait(_ANSWER_S)
        return said[0] if said else {}

    def _answer(self, request: Message) -> Message:
        match request:
            case {"do": "begin", "order": dict() as said}:
                return self._begin(said)
            case {"do": "follow", "batch": str() as batch} if batch in self._works:
                return self._works[batch].work.progress.to_json()
            case _:
                return {"unknown": True}

    def _begin(self, said: Message) -> Message:
        from petstore_desktop.desk.scripts.order import WorkProgress, read_order  # late: most starts hear no command

        try:
            order = read_order(said)
            if order.batch not in self._works:
                self._take(order)
        except BadInput as error:
            return WorkProgress(state="over", error=error).to_json()
        return self._works[order.batch].work.progress.to_json()

    def _shop_of(self, connection: str) -> OpenShop | None:
        return next((one for one in self._shops() if one is not None and one.session.name == connection), None)

    def _take(self, order: WorkOrder) -> None:
        """Raises BadInput where the connection is not open here."""
        shop = self._shop_of(order.connection)
        if shop is None or shop.session.connection.demo:
            raise BadInput("not-open-there", name=order.connection)
        from petstore_desktop.desk.scripts.work import Work

        over = [batch for batch, doing in self._works.items() if doing.work.progress.over]
        for batch in over[:-_KEPT]:
            del self._works[batch]
        self._works[order.batch] = _Doing(Work(order, shop.desk, shop.session.submit), shop)
        self._turn.start(_BUSY_MS)

    def _step(self) -> None:
        """Go on with every order; of one shop only one at a time is compared, so that each knows what others did."""
        going = [doing for doing in self._works.values() if not doing.work.progress.over]
        comparing: set[int] = set()
        busy = False
        for doing in going:
            if self._shop_of(doing.work.order.connection) is not doing.shop:
                doing.work.leave()
                continue
            if doing.work.progress.state != "sending":
                if id(doing.shop) in comparing:
                    continue
                comparing.add(id(doing.shop))
            busy = doing.work.step() or busy
            if doing.work.wants_file and not doing.reading:
                self._read(doing)
        if not going:
            self._turn.stop()
        else:
            self._turn.setInterval(_BUSY_MS if busy else _REST_MS)

    def _read(self, doing: _Doing) -> None:
        from petstore_desktop.domain.sheets import SheetOptions
        from petstore_desktop.shop.row_files import RowFiles

        doing.reading = True

        def done(result: Sheet | ShopError) -> None:
            if isinstance(result, ShopError):
                doing.work.fail(result)
            else:
                doing.work.sheet = result

        RowFiles().read(doing.work.order.file, SheetOptions(doing.work.order.encoding), lambda _: None, done)

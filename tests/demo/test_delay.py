"""An answer that is kept back comes when that is turned off."""

from __future__ import annotations

from pathlib import Path

import httpx

from tests.support.virtual_shop import VirtualShop
from tests.support.virtual_time import VirtualTime


def test_an_answer_comes_once_its_delay_is_over_or_turned_off(tmp_path: Path) -> None:
    loop = VirtualTime()
    shop = VirtualShop(loop, tmp_path, service="full")

    async def seconds(lifted_after: float | None) -> float:
        began = loop.time()
        request = httpx.Request("GET", f"{shop.url}/categories", headers={"Authorization": f"Bearer {shop.key}"})
        if lifted_after is not None:
            loop.call_later(lifted_after, lambda: shop.control("delay", seconds=0))
        assert (await shop.serve(request, loop.wall)).status_code == 200
        return loop.time() - began

    for lifted_after, expected in ((None, 20.0), (3.0, 3.0)):
        shop.control("delay", seconds=20)
        task = loop.create_task(seconds(lifted_after))
        loop.run_until(task.done, "it is answered", 60.0)
        assert expected <= task.result() <= expected + 0.1
    shop.close()
    loop.close()

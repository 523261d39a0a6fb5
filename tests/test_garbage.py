"""Cyclic garbage is looked for in one thread, and by nobody else."""

from __future__ import annotations

import gc
import threading
import weakref

from petstore_desktop.garbage import WrongThread, collect_here


class _Knot:
    """Part of a cycle."""

    other: _Knot


def _garbage() -> weakref.ref[_Knot]:
    one, two = _Knot(), _Knot()
    one.other, two.other = two, one
    return weakref.ref(one)


def test_garbage_stays_until_its_owner_looks_for_it_however_much_there_is() -> None:
    collect = collect_here(old_every=1)
    found = _garbage()
    much: list[list[int]] = [[] for _ in range(100_000)]
    assert found() is not None
    assert len(much) == 100_000
    collect()
    assert found() is None
    assert not gc.isenabled()


def test_another_thread_is_refused() -> None:
    collect, refused = collect_here(old_every=1), list[str]()

    def look() -> None:
        try:
            collect()
        except WrongThread as error:
            refused.append(str(error))

    found = _garbage()
    thread = threading.Thread(target=look, name="another")
    thread.start()
    thread.join()
    assert refused == ["another"]
    assert found() is not None

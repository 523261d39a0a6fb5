"""Events wait in order, wake once, and hold up whoever makes too many of them."""

from __future__ import annotations

import threading

import pytest

from petstore_desktop.domain.records import Resource
from petstore_desktop.sync.wire.event_queue import ROOM, EventQueue
from petstore_desktop.sync.wire.events import LoadEnded, LoadMoved
from tests.support.patience import PATIENCE_S


def event(number: int) -> LoadMoved:
    return LoadMoved("shop", Resource.PETS, number, None)


def numbers(queue: EventQueue, budget_s: float = 10.0) -> list[int]:
    return [one.done for one in queue.drain(budget_s) if isinstance(one, LoadMoved)]


class Bell:
    """Counts how often it was rung."""

    def __init__(self, queue: EventQueue) -> None:
        self.rung = 0
        queue.on_wake = self._ring

    def _ring(self) -> None:
        self.rung += 1


def test_events_come_out_in_order_and_wake_once_until_they_are_taken() -> None:
    queue = EventQueue()
    bell = Bell(queue)
    for number in range(5):
        queue.put(event(number))
    assert bell.rung == 1
    assert numbers(queue) == [0, 1, 2, 3, 4]
    queue.put(event(5))
    assert bell.rung == 2


def test_a_budget_that_is_used_up_leaves_the_rest_and_wakes_again() -> None:
    queue = EventQueue()
    for number in range(3):
        queue.put(event(number))
    bell = Bell(queue)
    assert numbers(queue, 0.0) == [0]
    assert bell.rung == 1
    assert numbers(queue) == [1, 2]
    assert bell.rung == 1


def test_a_window_that_fails_half_way_is_woken_for_the_rest() -> None:
    queue = EventQueue()
    for number in range(3):
        queue.put(event(number))
    bell = Bell(queue)
    with pytest.raises(ZeroDivisionError):
        for one in queue.drain(10.0):
            _ = 1 // one.done
    assert bell.rung == 1
    assert numbers(queue) == [1, 2]


def test_what_is_put_while_events_are_taken_is_taken_too() -> None:
    queue = EventQueue()
    queue.put(event(0))
    taken: list[int] = []
    for one in queue.drain(10.0):
        assert isinstance(one, LoadMoved)
        taken.append(one.done)
        if one.done < 3:
            queue.put(event(one.done + 1))
    assert taken == [0, 1, 2, 3]


def test_a_thread_that_reads_rows_waits_for_room_while_small_events_are_always_taken() -> None:
    queue = EventQueue()
    for number in range(ROOM):
        queue.put(event(number))
    assert queue.crowded
    through = threading.Event()

    def produce() -> None:
        queue.put_when_room(event(ROOM + 1))
        through.set()

    thread = threading.Thread(target=produce)
    thread.start()
    queue.put(event(ROOM))  # small events never wait
    assert not through.is_set()
    taken = numbers(queue, 0.0)
    while not through.wait(0.01):
        taken += numbers(queue, 0.0)
    thread.join()
    assert taken + numbers(queue) == list(range(ROOM + 2))


def test_closing_lets_go_of_everybody_and_drops_what_comes_after() -> None:
    queue = EventQueue()
    for number in range(ROOM):
        queue.put(event(number))
    answers: list[bool] = []
    thread = threading.Thread(target=lambda: answers.append(queue.put_when_room(event(99))))
    thread.start()
    queue.close()
    thread.join()
    queue.put(event(100))
    assert answers == [False]
    assert len(numbers(queue)) == ROOM


def test_a_command_without_a_window_waits_for_an_event() -> None:
    queue = EventQueue()
    assert not queue.wait(0.0)
    threading.Thread(target=lambda: queue.put(event(1))).start()
    assert queue.wait(PATIENCE_S)


def test_what_somebody_may_wait_for_rings_though_rows_wait_already() -> None:
    queue = EventQueue()
    bell = Bell(queue)
    queue.put(event(0))
    queue.put(event(1))
    assert (bell.rung, queue.has_urgent) == (1, False)
    queue.put(LoadEnded("shop", Resource.PETS, 1.0, None))
    assert (bell.rung, queue.has_urgent) == (2, True)
    numbers(queue)
    assert (queue.has_urgent, queue.is_empty) == (False, True)

"""What is told of rows that look different."""

from __future__ import annotations

from petstore_desktop.domain.records import Pet, Resource
from tests.desk.shopkit import Screen, new_desk, tell

PETS = Resource.PETS


class LowScreen(Screen):
    """Shows three rows, from the fifth on."""

    elsewhere = 0

    def on_screen(self) -> range:
        """Rows 4 to 6."""
        return range(4, 7)

    def changed_elsewhere(self) -> None:
        """So often it was said that others look different."""
        self.elsewhere += 1


def test_of_the_rows_that_look_different_those_on_the_screen_are_told_one_by_one() -> None:
    desk = new_desk()
    tell(desk, PETS, *(Pet(number, f"{number:02}", status="sold") for number in range(30)))
    table = desk.tables[PETS]
    table.open()
    screen = LowScreen(table)
    tell(desk, PETS, *(Pet(number, f"{number:02}", status="pending") for number in (*range(10, 30), 4, 6)))
    assert (screen.painted, screen.elsewhere) == ([(4, 4), (6, 6)], 1)
    tell(desk, PETS, Pet(5, "05", status="pending"))
    assert (screen.painted[2:], screen.elsewhere) == ([(5, 5)], 1), "nothing else does"
    tell(desk, PETS, Pet(1, "01", status="pending"))
    assert (screen.painted[3:], screen.elsewhere) == ([], 2)

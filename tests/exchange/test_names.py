"""A file is written under the name that a person chose, or it is said that it cannot be; nothing is left beside it.

Windows keeps some names for devices, whatever stands behind the point, and takes off points and spaces at the end.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from petstore_desktop.domain.errors import StorageError
from petstore_desktop.exchange.whole_file import keep_whole
from petstore_desktop.regular_files import read_regular


@pytest.mark.parametrize("over", [False, True])
@pytest.mark.parametrize(
    "name", ["con.csv", "AUX", "nul.json", "com1.csv", "lpt9", "list.", "list. ", "ordinary.csv", "was?", "<>|*"]
)
def test_a_name_that_a_system_has_its_own_use_for_is_refused_or_is_the_file_s(
    name: str, over: bool, tmp_path: Path
) -> None:
    try:
        place = keep_whole(tmp_path / name, b"12 koi", over=over)
    except StorageError as error:
        assert str(tmp_path) in str(error.params["path"])
        assert list(tmp_path.iterdir()) == []
    else:
        assert read_regular(place, 10) == b"12 koi"
        assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["con.csv", "AUX", "nul.json", "com1.csv"])
def test_nothing_is_read_from_what_a_system_has_under_such_a_name(name: str, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"."):
        read_regular(tmp_path / name, 10)

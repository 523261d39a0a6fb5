from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from petstore_desktop.platform_support import file_system, give_back_memory, lies_on_network

MOUNTS = r"""36 35 98:0 / / rw,noatime shared:1 - ext4 /dev/root rw
not a line of that form
37 36 0:52 / /srv/a\040b rw,relatime shared:2 - nfs4 server:/x rw
38 37 0:53 / /srv/a\040b/local rw - tmpfs tmpfs rw
39 36 0:54 / /mnt rw - ext4 /dev/sdb rw
40 36 0:55 / /mnt rw master:1 propagate_from:2 - fuse.sshfs me@there: rw
"""


@pytest.mark.parametrize(
    ("where", "kind"),
    [
        ("/srv/a b/shop", "nfs4"), ("/srv/a b", "nfs4"), ("/srv/a b/local/shop", "tmpfs"), ("/srv/a b2", "ext4"),
        ("/srv/a", "ext4"), ("/mnt/x", "fuse.sshfs"), ("/", "ext4"),
    ],
)  # fmt: skip
def test_the_file_system_is_that_of_the_innermost_mount_and_of_several_the_last(where: str, kind: str) -> None:
    assert file_system(MOUNTS, PurePosixPath(where)) == kind


def test_without_mounts_nothing_is_known() -> None:
    assert file_system("", PurePosixPath("/srv")) == ""


def test_a_folder_of_this_computer_is_none_of_the_network(tmp_path: Path) -> None:
    assert not lies_on_network(tmp_path)


def test_free_memory_is_given_back_wherever_the_system_takes_it() -> None:
    before = bytearray(1024)
    give_back_memory()
    assert before == bytearray(1024)

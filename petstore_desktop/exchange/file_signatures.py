"""Files that are no table whatever they are called, known by how they begin."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import Final, Literal, TypeAlias

from petstore_desktop.domain.errors import BadInput

NoTable: TypeAlias = Literal["picture", "pdf", "program", "packed", "database", "bytes"]

_BEGINNINGS: Final[tuple[tuple[bytes, NoTable], ...]] = (
    (b"\x89PNG\r\n", "picture"),  # PNG, 5.2
    (b"\xff\xd8\xff", "picture"),  # JPEG: SOI and the next marker (ITU T.81, B.1.1.3)
    (b"GIF87a", "picture"),
    (b"GIF89a", "picture"),
    (b"II*\0", "picture"),  # TIFF 6.0, section 2
    (b"MM\0*", "picture"),
    (b"%PDF-", "pdf"),  # ISO 32000, 7.5.2
    (b"\x7fELF", "program"),
    (b"\x1f\x8b\x08", "packed"),  # RFC 1952, 2.3.1
    (b"7z\xbc\xaf\x27\x1c", "packed"),
    (b"Rar!\x1a\x07", "packed"),
    (b"BZh91AY&SY", "packed"),
    (b"\xfd7zXZ\0", "packed"),
    (b"SQLite format 3\0", "database"),
)
HEAD: Final = 16
"""How many bytes `refuse_beginning` needs."""


def refuse_beginning(head: bytes) -> None:
    """Raises BadInput (`not-a-table`, with `kind`: a NoTable) for files of a known other type."""
    for beginning, kind in _BEGINNINGS:
        if head.startswith(beginning):
            raise BadInput("not-a-table", kind=kind)
    if head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        raise BadInput("not-a-table", kind="picture")


def refuse_zeros(data: bytes, encoding: str) -> None:
    """The same for bytes that are no text in this encoding; a file marked as text (like our exports) passes."""
    if not encoding.startswith(("utf-16", "utf-32")) and b"\0" in data and not data.startswith(BOM_UTF8):
        raise BadInput("not-a-table", kind="bytes")

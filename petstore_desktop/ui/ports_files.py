"""What the window asks about files of rows: to write what a list shows, and to read what shall be brought in.

None of these methods blocks; callbacks come in the GUI thread.
"""

from __future__ import annotations

from typing import Protocol


class FilesPort(Protocol):
    """Files of one shop's rows."""

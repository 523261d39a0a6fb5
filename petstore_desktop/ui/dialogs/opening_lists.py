"""Opens dialogs about whole lists, and loads each only when it is opened, as `opening` does for those about records."""

from __future__ import annotations

"""The window: the only place with PySide6."""

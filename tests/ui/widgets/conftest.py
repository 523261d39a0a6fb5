"""The kit's widgets under the light theme."""

from tests.ui.light import controller

__all__ = ["controller"]

"""The desktop program that runs a pet store."""

__version__ = "0.1.0"

"""The length of the tour's "minute"."""

MINUTE_S = 20
"""Length of the tour shop's minute in seconds: its pauses are real, but short."""

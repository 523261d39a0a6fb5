"""The length of the tour's "minute"."""

MINUTE_S = 20
"""Seconds in which the tour's shop lets so many requests through as others do in a minute: its pauses are real, but
short."""

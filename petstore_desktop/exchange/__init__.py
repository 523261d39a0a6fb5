"""Rows to and from files."""

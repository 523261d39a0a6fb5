"""Measures the program against its goals: `python3 packaging/dev.py bench NAME`. Nothing here is collected as a test."""

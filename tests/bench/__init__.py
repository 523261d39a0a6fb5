"""Measures the program against its goals: `python3 packaging/dev.py bench NAME`. No test is collected from here."""

"""What takes longer than a test may: `packaging/dev.py long NAME`."""

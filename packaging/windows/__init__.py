"""Runs the program, its tests and its installer on Windows, as Wine plays it on Debian: `dev.py windows`.

What it needs lies in a folder of its own, outside the checkout (`place.FOLDER`), and is made once for each set of pins:
Wine 10 of Debian 13, python.org's Python for Windows, and the pinned packages' files for Windows.
"""

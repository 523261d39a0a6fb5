"""Dialogs. They are opened through `opening`, which imports each when it is first used."""

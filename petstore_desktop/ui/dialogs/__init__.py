"""Dialogs and the welcome page. They are opened through `opening`, which imports each when it is first used."""

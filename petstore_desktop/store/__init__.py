"""The only place of the program proper with SQLite: mirror, journal and gates."""

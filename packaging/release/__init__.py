"""What makes a release one that can be trusted: the list of what is in it, licences, checksums, signatures, version.

Everything takes the folder that it works on as a parameter; `packaging/dev.py release` is the command line. On the top
level nothing is imported that only one system's environment has.
"""

from machine import SetupError


class ReleaseError(SetupError):
    """The release cannot go on; the message says what is wrong and what to do."""

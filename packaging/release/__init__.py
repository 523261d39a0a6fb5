"""What makes a release one that can be trusted: the list of what is in it, licences, checksums, signatures, version.

Everything takes the folder that it works on as a parameter; `packaging/dev.py release` is the command line.
"""


class ReleaseError(Exception):
    """The release cannot go on; the message says what is wrong and what to do."""

"""What a bundle does before anything of the program is loaded (a runtime hook of PyInstaller's).

Its start program points LD_LIBRARY_PATH at the bundle's own folder and has been read by then; a browser or a printer's
dialog that is started from here must not load our libraries, so it goes. And the archive of modules is opened once and
for all: its reader opens it anew, by name, for every module, and an upgrade puts another archive under that name.
"""

import os
import sys

if sys.platform.startswith("linux"):
    import pyimod02_importers  # pyright: ignore[reportMissingImports] -- PyInstaller's, in every bundle

    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before
    archive = pyimod02_importers.pyz_archive
    descriptor = os.open(archive._filename, os.O_RDONLY)
    archive._filename = f"/proc/self/fd/{descriptor}"

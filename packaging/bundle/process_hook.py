"""What a bundle does before anything of the program is loaded (a runtime hook of PyInstaller's).

Its start program points LD_LIBRARY_PATH at the bundle's own folder and has been read by then; a browser or a printer's
dialog that is started from here must not load our libraries, so it goes. And the archives of modules are opened once
and for all: their readers open them anew, by name, for every module, and an upgrade puts others under these names.
"""

import os
import sys
import zipimport

if sys.platform.startswith("linux"):
    import pyimod02_importers  # pyright: ignore[reportMissingImports] -- PyInstaller's, in every bundle

    before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
    os.environ.pop("LD_LIBRARY_PATH", None)
    if before is not None:
        os.environ["LD_LIBRARY_PATH"] = before
    archive = pyimod02_importers.pyz_archive
    archive._filename = f"/proc/self/fd/{os.open(archive._filename, os.O_RDONLY)}"
    base = [finder for finder in sys.path_importer_cache.values() if isinstance(finder, zipimport.zipimporter)]
    for finder in base:  # Python's own first modules, of which each folder has a finder
        finder.archive = f"/proc/self/fd/{os.open(finder.archive, os.O_RDONLY)}"

"""The only place with httpx: everything that leaves for the service passes here."""

import sys
from typing import Any, cast

# The command line of httpx is never used here, and where its libraries happen to be installed it takes 6 MiB and 50 ms.
cast("dict[str, Any]", sys.modules).setdefault("httpx._main", None)

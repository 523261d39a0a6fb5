"""How long a test waits for what must come, in seconds: so long that only what hangs is given up.

No verdict of a test rests on it: what matters is that it comes, and in which order.
"""

PATIENCE_S = 100.0

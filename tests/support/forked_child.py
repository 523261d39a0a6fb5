"""Says its environment and ends with 3. Not a test."""

import os
import sys

sys.stdout.writelines(f"{name}={value}\n\n" for name, value in os.environ.items())
sys.exit(3)

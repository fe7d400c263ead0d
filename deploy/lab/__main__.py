"""`python -m deploy.lab COMMAND`."""

from __future__ import annotations

import sys

from deploy.lab.cli import main

if __name__ == "__main__":
    sys.exit(main())

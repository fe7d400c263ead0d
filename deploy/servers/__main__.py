"""Entry point, see `deploy.servers.cli`."""

from __future__ import annotations

import sys

from deploy.servers.cli import main

sys.exit(main())

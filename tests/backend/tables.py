"""Writes the stored tables again, on a MariaDB of its own: `python -m tests.backend.tables`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from deploy.services.mariadb import start_mariadb

TEST = Path(__file__).with_name("test_tables.py")


def main() -> int:
    """Exit code of the test that writes them."""
    with TemporaryDirectory() as home:
        server = start_mariadb(Path(home) / "server", Path(home) / "log")
        env = os.environ | {"HAWSER_DEBUG": "1", "HAWSER_GOLDEN": "write", "HAWSER_DATABASE_URL": server.url}
        try:
            return subprocess.call([sys.executable, "-m", "pytest", "-q", str(TEST)], env=env)
        finally:
            server.child.stop()


if __name__ == "__main__":
    sys.exit(main())

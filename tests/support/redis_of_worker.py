"""A plugin (`-p tests.support.redis_of_worker`) for suites whose tests are shared out among processes.

Each process has a Redis of its own, because messages pass between the databases of one. It is chosen before Django
reads its settings, for which a conftest would be too late.
"""

from __future__ import annotations

import os

if redis := os.environ.get(f"REDIS_URL_OF_{os.environ.get('PYTEST_XDIST_WORKER', '').upper()}"):
    os.environ["HAWSER_REDIS_URL"] = redis

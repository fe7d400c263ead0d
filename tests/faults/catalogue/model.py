"""One row of the catalogue of faults."""

from __future__ import annotations

from dataclasses import dataclass

CORE, BACKEND, API, GATEWAY = "tests/core/", "tests/backend/", "tests/api/", "tests/gateway/"
GALERA, MONITORING, FAULTS = "tests/galera/", "tests/monitoring/", "tests/faults/"


@dataclass(frozen=True)
class Row:
    """A fault of the catalogue: how it is produced, and the tests that cover it, or why none can here."""

    id: str
    title: str
    how: str
    tests: tuple[str, ...] = ()
    reason: str = ""
    """Why it cannot be produced on this bench, or what of it cannot."""

"""A worker's lease on its run, renewed in a thread of its own, so that a slow step does not lose it."""

from __future__ import annotations

import threading

import structlog
from django.db import InterfaceError, InternalError, OperationalError, connection

from backend.operations.runs.execution.claim import StaleEpochError
from backend.operations.runs.execution.store import RunStore

log = structlog.get_logger(__name__)


class LeaseKeeper(threading.Thread):
    """Renews the lease while the process runs; a stopped process renews nothing and loses it."""

    def __init__(self, store: RunStore, lease_s: float) -> None:
        super().__init__(daemon=True)
        self._store, self._lease_s = store, lease_s
        self._over = threading.Event()

    def run(self) -> None:
        """Renew after each third of the lease until stopped, or until another worker has claimed the run."""
        try:
            while not self._over.wait(self._lease_s / 3):
                self._renew()
        except StaleEpochError:
            log.warning("run.lease_lost", run_id=self._store.run_id)
        finally:
            connection.close()

    def _renew(self) -> None:
        try:
            self._store.renew(self._lease_s)
        except (OperationalError, InterfaceError, InternalError) as error:
            log.warning("run.lease_not_renewed", run_id=self._store.run_id, error=str(error))
            connection.close()

    def stop(self) -> None:
        """End the renewals."""
        self._over.set()
        self.join(timeout=5)

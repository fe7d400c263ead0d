"""Asks every server twice a second whether it receives, on a thread of its own for each."""

from __future__ import annotations

import threading
import time
from typing import Any

from deploy.lab.api import Lab
from deploy.lab.errors import LabError
from deploy.lab.server.database import SERVER_ERRORS, rows
from tests.faults.judges.sampling import Sample

EVERY_S, ANSWER_S = 0.5, 2


class Sampler:
    """Runs until it is stopped."""

    def __init__(self, lab: Lab) -> None:
        self.samples: list[Sample] = []
        self._lab = lab
        self._is_over = threading.Event()
        self._threads = [threading.Thread(target=self._watch, args=(node.name,), daemon=True) for node in lab.nodes]
        for thread in self._threads:
            thread.start()

    @property
    def is_at_work(self) -> bool:
        """Whether every node is still asked."""
        return all(thread.is_alive() for thread in self._threads)

    def stop(self) -> None:
        """No more looks; those under way are waited for."""
        self._is_over.set()
        for thread in self._threads:
            thread.join()

    def _watch(self, node: str) -> None:
        """One session as long as it answers; a node that does not has one sample that says so."""
        while not self._is_over.is_set():
            began = time.time()
            try:
                with self._lab.admin(node, ANSWER_S) as connection:
                    while not self._is_over.is_set():
                        began = time.time()
                        self._note(node, began, _is_receiving(connection))
                        self._is_over.wait(EVERY_S)
            except (*SERVER_ERRORS, LabError):
                self._note(node, began, None)
                self._is_over.wait(EVERY_S)

    def _note(self, node: str, began: float, runs: bool | None) -> None:
        self.samples.append(Sample(began, time.time(), node, runs))


def _is_receiving(connection: Any) -> bool:
    shown = rows(connection, "SHOW ALL SLAVES STATUS")
    return any({row["Slave_IO_Running"], row["Slave_SQL_Running"]} != {"No"} for row in shown)

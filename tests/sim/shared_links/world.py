"""Simulated time, the console's database with its clock, and monitors as threads of which one runs at a time.

Every statement takes time, and whatever happens, happens between two of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

FROZEN_S = 2.0
"""As in `monitoring.ownership.leases`: the database ends a transaction that sends nothing for so long."""


class LostError(Exception):
    """The database did not answer, or ended the transaction."""


class KilledError(BaseException):
    """The process ended."""


@dataclass(slots=True)
class Row:
    """A cluster's owner as stored."""

    holder: str = ""
    epoch: int = 0
    since: float = 0.0


@dataclass(slots=True)
class Transaction:
    """One under way; its locks are the names of monitors."""

    actor: Actor
    asked_at: float
    stores: frozenset[str] = frozenset()
    is_over: bool = False


class Actor:
    """A monitor's process."""

    def __init__(self, world: World, name: str, work: Callable[[Actor], None]) -> None:
        self.world, self.name = world, name
        self.wakes_at = world.now
        self.healthy_since = max(world.now, world.lost_until)
        """Since when it works and reaches the database; in the future while it does not."""
        self.frozen_until = self.cut_until = 0.0
        self.is_killed = self.is_over = False
        self.transaction: Transaction | None = None
        self._turn = threading.Semaphore(0)
        self._thread = threading.Thread(target=self._run, args=(work,), daemon=True)
        self._thread.start()

    def _run(self, work: Callable[[Actor], None]) -> None:
        self._turn.acquire()
        try:
            if not self.is_killed:
                work(self)
        except KilledError:
            pass
        except BaseException as error:  # noqa: BLE001 - raised by the world's own thread
            self.world.error = error
        finally:
            self.is_over = True
            self.world.turn.release()

    @property
    def due_at(self) -> float:
        """When it goes on."""
        return self.wakes_at if self.is_killed else max(self.wakes_at, self.frozen_until)

    def go_on(self) -> None:
        """Run until it sleeps again."""
        self._turn.release()
        self.world.turn.acquire()

    def sleep(self, seconds: float) -> None:
        """Let the others run."""
        self.wakes_at = self.world.now + seconds
        self.world.turn.release()
        self._turn.acquire()
        if self.is_killed:
            raise KilledError

    def statement(self) -> None:
        """Time on the way to the database; whatever it does is done at the end of it."""
        self.sleep(self.world.random.uniform(0.001, 0.03))
        world, transaction = self.world, self.transaction
        is_ended = transaction is not None and transaction.is_over
        if is_ended or world.now < max(self.cut_until, world.lost_until):
            self.sleep(self.world.random.uniform(0.0, 1.0))
            self.rollback()
            raise LostError
        if transaction is not None:
            transaction.asked_at = world.now

    def rollback(self) -> None:
        """End the transaction, if there is one."""
        if self.transaction is not None:
            self.world.end(self.transaction)
            self.transaction = None


@dataclass
class World:
    """The console."""

    random: Random
    links: list[tuple[str, str]]
    respects_locks: bool = True
    now: float = 0.0
    ahead: float = 0.0
    lost_until: float = 0.0
    rows: dict[str, Row] = field(default_factory=dict)
    processes: dict[str, tuple[float, frozenset[str]]] = field(default_factory=dict)
    locks: dict[str, Transaction] = field(default_factory=dict)
    stored: dict[str, float] = field(default_factory=dict)
    actors: list[Actor] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    takeovers: int = 0
    samples: int = 0
    unowned_since: dict[tuple[str, str], float] = field(default_factory=dict)
    longest_unowned_s: float = 0.0
    turn: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(0))
    error: BaseException | None = None

    @property
    def clock(self) -> float:
        """The database's time."""
        return self.now + self.ahead

    def begin(self, actor: Actor) -> Transaction:
        """A transaction of this process."""
        actor.transaction = Transaction(actor, self.now)
        return actor.transaction

    def end(self, transaction: Transaction) -> None:
        """Committed or rolled back: its locks are free."""
        transaction.is_over = True
        self.locks = {name: holder for name, holder in self.locks.items() if holder is not transaction}

    def is_locked(self, name: str, actor: Actor) -> bool:
        """Whether another transaction has that monitor's row."""
        holder = self.locks.get(name)
        return self.respects_locks and holder is not None and holder is not actor.transaction

    def step(self) -> None:
        """Let the process run whose time comes next."""
        actor = min((one for one in self.actors if not one.is_over), key=lambda one: one.due_at)
        self.now = max(self.now, actor.due_at)
        self.end_idle_transactions()
        actor.go_on()
        if self.error is not None:
            raise self.error

    def end_idle_transactions(self) -> None:
        """The database ends them after a while, and all of them if it is lost."""
        for actor in self.actors:
            transaction = actor.transaction
            if transaction is not None and (
                self.now - transaction.asked_at > FROZEN_S or self.now < self.lost_until or actor.is_over
            ):
                self.end(transaction)

    def close(self) -> None:
        """End every thread."""
        for actor in self.actors:
            actor.is_killed = True
            while not actor.is_over:
                actor.go_on()

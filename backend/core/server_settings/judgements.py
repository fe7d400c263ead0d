"""How a setting is judged: it changes nothing, or it must have a value, or be equal, or a plan reads it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from backend.core.findings import Severity

MARIADB, GALERA, EVERY = ("mariadb",), ("mariadb", "pxc", "mysql-wsrep"), ("mariadb", "mysql", "pxc", "mysql-wsrep")
MYSQL = ("mysql", "pxc", "mysql-wsrep")
"""Families that have a setting, by the names that `detect_flavor` gives."""
RESTART = "It takes effect with a restart. Restart one node after the other, and wait until each is Synced."
OF_EACH_CHANNEL = "# no option of a configuration file: each channel has its own"
NEXT_SESSIONS = "Sessions that are open keep the old value until they connect again."
_SWITCHES = {"ON": "1", "OFF": "0"}


class WrittenBy(StrEnum):
    """Whose rows a setting leaves out or changes: those of clients of the node, or those that a channel brings."""

    CLIENTS = "clients"
    CHANNELS = "channels"


class Scope(StrEnum):
    """The nodes that must have one value: those of a cluster, which take over from each other, or of both clusters."""

    SIDE = "side"
    LINK = "link"


@dataclass(frozen=True, slots=True)
class Neutral:
    """Whatever its value, nothing that a plan rests on changes; `reason` says why."""

    reason: str


@dataclass(frozen=True, slots=True)
class ChangesPlan:
    """A check or a plan reads it for itself; `where` is that module of the core."""

    where: str


@dataclass(frozen=True, slots=True)
class MustBe:
    """The value that a node needs, as the server shows it; `accepts` where it is no list.

    With severity *blocker* a plan that puts a channel on the node is refused, also while the value is unknown. `why`
    is a sentence about the node. `code` is that of its finding; one whose value is unknown has the code `unknown`.
    `obstacle`: why a statement is not enough. `config` is the line of a configuration file where it is another one.
    `told_by` is the module that tells it instead of the link's page and its plans. With another value the node
    `keeps_writes`: what its own clients write there does not leave it, whether it holds a channel or not. Rows that it
    `leaves_differences` in go on differing when the value is right again, and nothing shows them.
    """

    value: str
    why: str
    severity: Severity
    code: str = "setting_not_allowed"
    unknown: str = "setting_unknown"
    also: tuple[str, ...] = ()
    accepts: Callable[[str], bool] | None = None
    obstacle: str = ""
    config: str = ""
    told_by: str = ""
    keeps_writes: bool = False
    leaves_differences: WrittenBy | None = None

    @property
    def refuses(self) -> bool:
        """Whether a plan needs the value."""
        return self.severity is Severity.BLOCKER

    def is_met(self, value: str) -> bool:
        """Whether a server's value is as needed."""
        if self.accepts is not None:
            return self.accepts(value)
        given = value.upper()
        return any(given in (one, _SWITCHES.get(one, one)) for one in (self.value.upper(), *self.also))


@dataclass(frozen=True, slots=True)
class EqualWithin:
    """A value that these nodes share, else a warning; `why` says what differs between them.

    Values of the same `form` are one. `remedy` is a sentence, where another one than to set the same value.
    """

    scope: Scope
    why: str
    code: str = "setting_differs"
    form: Callable[[str], str] = str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class NotBelow:
    """A size that must reach that of `other` on each node of the other side, and should reach it `times`.

    No server accepts more than `most`.
    """

    other: str
    times: int
    most: int
    why: str
    code: str


Judgement = Neutral | ChangesPlan | MustBe | EqualWithin | NotBelow
Series = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """One variable with its judgements. `since` and `before`: the release series of MariaDB that have it.

    Each row is the same as itself alone: it is looked up thousands of times a second.
    """

    name: str
    judgements: tuple[Judgement, ...]
    families: tuple[str, ...] = MARIADB
    since: Series | None = None
    before: Series | None = None

    def exists(self, flavor: str | None, series: Series | None) -> bool:
        """Whether such a server has it; what is not known of the server does not take it away."""
        if flavor is not None and flavor not in self.families:
            return False
        if series is None or flavor not in MARIADB:
            return True
        return (self.since is None or series >= self.since) and (self.before is None or series < self.before)

    @property
    def needs(self) -> tuple[MustBe, ...]:
        """The values that it must have."""
        return tuple(one for one in self.judgements if isinstance(one, MustBe))

    @property
    def is_judged(self) -> bool:
        """Whether its value is read of each node in each poll."""
        return any(isinstance(one, MustBe | EqualWithin | NotBelow) for one in self.judgements)


def setting(name: str, *judgements: Judgement, **more: object) -> Setting:
    """A row of the table."""
    return Setting(name, judgements, **more)  # type: ignore[arg-type]


def neutral(reason: str, *names: str, **more: object) -> tuple[Setting, ...]:
    """Rows that are neutral for one reason."""
    return tuple(Setting(name, (Neutral(reason),), **more) for name in names)  # type: ignore[arg-type]


def read_by(where: str, *names: str, **more: object) -> tuple[Setting, ...]:
    """Rows that one module reads for itself."""
    return tuple(Setting(name, (ChangesPlan(where),), **more) for name in names)  # type: ignore[arg-type]

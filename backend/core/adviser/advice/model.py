"""What advice is: a fact, its consequence, the remedy and its evidence, ranked by risk."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from backend.core.adviser.advice.changes import ConfigurationChange
from backend.core.adviser.advice.facts import ClusterConfiguration, LinkConfiguration


class Risk(StrEnum):
    """How much is at risk, the highest first."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    @property
    def rank(self) -> int:
        """Position in the list."""
        return list(Risk).index(self)


@dataclass(frozen=True, slots=True)
class AdviceEntry:
    """What is known of one code; `is_measured`: the effect was measured, and `evidence` says how."""

    code: str
    risk: Risk
    title: str
    evidence: str
    is_measured: bool


@dataclass(frozen=True, slots=True)
class Advice:
    """One piece of advice on a cluster or link. `facts` are those that it rests on."""

    entry: AdviceEntry
    subject_id: str
    subject: str
    nodes: tuple[str, ...]
    fact: str
    consequence: str
    remedy: str
    facts: Mapping[str, object]
    changes: tuple[ConfigurationChange, ...] = field(default=())

    @property
    def code(self) -> str:
        """The code of its catalogue entry."""
        return self.entry.code

    @property
    def fingerprint(self) -> str:
        """Tells these facts from others of the same code: advice that was dismissed is open again once they change."""
        rests_on = json.dumps([self.code, self.subject_id, self.nodes, self.facts], sort_keys=True, default=str)
        return hashlib.sha256(rests_on.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class ClusterRule:
    """A rule on the configuration of one cluster."""

    entry: AdviceEntry
    advise: Callable[[ClusterConfiguration], Iterator[Advice]]


@dataclass(frozen=True, slots=True)
class LinkRule:
    """A rule on the configurations of both clusters of a link."""

    entry: AdviceEntry
    advise: Callable[[LinkConfiguration], Iterator[Advice]]

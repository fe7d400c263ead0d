"""Which shape lies between which ends, and which ends are cut apart. Pure; stored as JSON in the lab's home."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from deploy.lab.errors import LabError
from deploy.lab.wan.shape import Shape

EVERY = "all"
CONSOLE = "console"
"""The machine's own address: the console, the tests and every client that is not the lab's load."""


@dataclass(frozen=True)
class End:
    """Something with an address of its own: a node, the load's clients of a site, or the console."""

    name: str
    site: str
    address: str


@dataclass(frozen=True)
class Rule:
    """The shape from some ends to others; each is an end's name, a site or `all`."""

    source: str
    target: str
    shape: Shape

    def pairs(self, ends: Iterable[End]) -> list[tuple[str, str]]:
        """Ordered pairs of names that it covers; LabError if a word names nothing."""
        known = list(ends)
        sources, targets = named(self.source, known), named(self.target, known)
        return [(source.name, target.name) for source in sources for target in targets if source != target]


def named(word: str, ends: list[End]) -> list[End]:
    """The ends that a word stands for."""
    found = [end for end in ends if word in (EVERY, end.name, end.site)]
    if not found:
        choices = [*sorted({end.site for end in ends}), *(end.name for end in ends), EVERY]
        raise LabError(f"there is no {word!r} in this lab. Choose from {', '.join(choices)}")
    return found


@dataclass(frozen=True)
class Plan:
    """Rules in the order they were given, a later one before an earlier; and the pairs that are cut."""

    rules: tuple[Rule, ...] = ()
    cuts: frozenset[tuple[str, str]] = frozenset()

    def with_rules(self, added: Iterable[Rule]) -> Plan:
        """The plan with further rules; one between the same ends is replaced."""
        new = list(added)
        replaced = {(rule.source, rule.target) for rule in new}
        old = (rule for rule in self.rules if (rule.source, rule.target) not in replaced)
        return Plan((*old, *new), self.cuts)

    def with_cuts(self, pairs: Iterable[tuple[str, str]]) -> Plan:
        """The plan with these pairs cut as well, in both directions."""
        both = [pair for one, other in pairs for pair in ((one, other), (other, one))]
        return Plan(self.rules, self.cuts | set(both))

    def rule_of(self, ends: list[End]) -> dict[tuple[str, str], Rule]:
        """The rule of each ordered pair that has one."""
        return {pair: rule for rule in self.rules for pair in rule.pairs(ends)}

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        rules = [{"source": rule.source, "target": rule.target, "shape": asdict(rule.shape)} for rule in self.rules]
        return {"rules": rules, "cuts": sorted(self.cuts)}

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Plan:
        """The plan as stored; LabError or KeyError if it is none."""
        rules = (Rule(rule["source"], rule["target"], Shape(**rule["shape"])) for rule in stored["rules"])
        return cls(tuple(rules), frozenset((one, other) for one, other in stored["cuts"]))

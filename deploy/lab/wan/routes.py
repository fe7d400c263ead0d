"""Every ordered pair of ends, and the plan applied to them. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network

from deploy.lab.wan.plan import CONSOLE, End, Plan, Rule
from deploy.lab.wan.scheduler import Counters, Line, Path
from deploy.lab.wan.shape import Shape

_TARGET_ADDRESS = slice(16, 20)


class Routes:
    """All paths; a packet finds its own by the end it comes from and the address it goes to."""

    def __init__(self, ends: list[End], ports: dict[str, int], proxies: IPv4Network | None = None) -> None:
        """`proxies` are further addresses of the console."""
        self.ends = ends
        self._paths = {
            (one.name, other.name): Path(one.name, other.name, ports[other.name])
            for one, other in itertools.permutations(ends, 2)
        }
        packed = {end.name: IPv4Address(end.address).packed for end in ends}
        self._by_address = {(ports[one], packed[other]): path for (one, other), path in self._paths.items()}
        for address in proxies or ():
            self._by_address |= {
                (ports[end.name], address.packed): self._paths[end.name, CONSOLE] for end in ends if end.name != CONSOLE
            }
        self._lines: dict[Rule, Line] = {}

    def __iter__(self) -> Iterator[Path]:
        return iter(self._paths.values())

    def path(self, source: str, target: str) -> Path:
        """The path of an ordered pair of names."""
        return self._paths[source, target]

    def of_packet(self, port: int, packet: bytes) -> Path | None:
        """Where an IPv4 packet goes; None for anything else and for an address that no end has."""
        if len(packet) < 20 or packet[0] >> 4 != 4:
            return None
        return self._by_address.get((port, packet[_TARGET_ADDRESS]))

    def apply(self, plan: Plan) -> None:
        """Change every path to what the plan says. A rule that stays keeps its line, so its queue is not forgotten.

        LabError, with nothing changed, if the plan names an end that is not there.
        """
        rules = plan.rule_of(self.ends)
        self._lines = {rule: self._lines.get(rule, Line()) for rule in plan.rules}
        for pair, path in self._paths.items():
            rule = rules.get(pair)
            path.shape, path.line = (rule.shape, self._lines[rule]) if rule else (Shape(), Line())
            path.is_cut = pair in plan.cuts

    def reset_counters(self) -> None:
        """Begin to count afresh."""
        for path in self:
            path.counters = Counters()

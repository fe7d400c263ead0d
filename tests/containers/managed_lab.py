"""A lab that the containers reach, under load, registered with the console in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deploy.containers import lab_addresses
from deploy.lab.api import Lab
from deploy.lab.layout import Settings
from deploy.lab.load.control import Order
from tests.containers.production import Production
from tests.galera.console import Console, Json, describe
from tests.support.waiting import wait_for

SIZES = (3, 3)
"""A killed node of two would leave the other without quorum."""


@dataclass(frozen=True)
class ManagedLab:
    """A lab and the console's view of its link."""

    lab: Lab
    console: Console

    def wait_link(self, ask: Callable[[Json], bool], what: str) -> None:
        """Until the console's view of the link is as asked."""
        wait_for(lambda: ask(self.console.link()), what, 90 * self.console.patience, pause_s=0.5)

    def wait_protected(self) -> None:
        """Until the console sees both channels replicate."""
        self.wait_link(lambda link: link["state"] == "protected", "the link to be protected")

    def remove_stray_channel(self) -> None:
        """Of a node that returned with the channel that it had: as the link's page offers it."""
        kind = "remove_stray_channel"
        self.wait_link(lambda link: (link["primary_action"] or {}).get("kind") == kind, f"{kind} to be offered")
        run = self.console.run_planned(kind)
        assert run["state"] == "succeeded", describe(run)

    def source(self) -> str:
        """Name of the node that the forward channel reads from."""
        channels = self.console.link()["channels"]
        return next(str(one["source_name"]) for one in channels if one["direction"] == "forward" and not one["stray"])

    def other_source(self) -> Json:
        """The option of a planned move: another node of the active side, by its id."""
        source = self.source()
        other = next(node.name for node in self.lab.nodes if node.site == source[3] and node.name != source)
        return {"source_node": self.console.node_id(other)}

    def relocate(self, **options: Any) -> Json:
        """Move the channels, by the options of the plan; AssertionError unless it ends verified."""
        run = self.console.run_planned("relocate", limit_s=120, **options)
        assert run["state"] == "succeeded", describe(run)
        assert run["verification"]["verdict"] == "verified", run["verification"]
        return run

    def stored_facts(self) -> Json:
        """What neither an upgrade nor a restore may lose: users, link and runs."""
        runs = self.console.get("/runs")["results"]
        return {
            "users": sorted(user["username"] for user in self.console.get("/users")["results"]),
            "link": self.console.link()["name"],
            "runs": [(run["id"], run["state"]) for run in runs],
        }

    def judge(self) -> str:
        """The lab's own verdict on every acknowledged write."""
        verdict = self.lab.verify(seconds=90)
        assert verdict.clean, verdict
        return f"acknowledged {verdict.acknowledged}"


@contextmanager
def managed(production: Production, home: Path) -> Iterator[ManagedLab]:
    """Up, under load and registered; down at the end."""
    with lab_addresses.present(SIZES) as net:
        lab = Lab(home, net)
        lab.up(Settings(sizes=SIZES))
        try:
            lab.load_start(Order(writers=2, rate=4, seconds=3000))
            found = ManagedLab(lab, production.console(_registered(production.console(), lab)))
            found.wait_protected()
            yield found
        finally:
            lab.down()


def _registered(console: Console, lab: Lab) -> str:
    described = lab.describe()
    clusters = {each["name"]: _created(console, "/clusters", each["registration"]) for each in described["clusters"]}
    link = described["link"]
    sides = {"active_cluster": clusters[link["active"]], "standby_cluster": clusters[link["standby"]]}
    return _created(console, "/links", {"name": link["name"], "channel_name": link["channel_name"], **sides})


def _created(console: Console, path: str, body: Json) -> str:
    answer = console.call("POST", path, body)
    assert answer.status == 201, answer
    return str(answer.body["id"])

"""Several monitor containers that share links: who owns what, observed from within the console."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.containers.production import Production
from tests.support.waiting import patience

_LINKS = """
from backend.clusters.models import Cluster, Credential, CredentialRole, Link, Node
from backend.common.sealing import seal

for number in range({links}):
    sides = []
    for index, side in enumerate("ab", 1):
        cluster = Cluster.objects.create(name=f"scaled-{{number}}-{{side}}", site=side, tls_mode="disabled")
        for role in CredentialRole:
            sealed = seal("none", cluster_id=cluster.pk, role=role.value)
            Credential.objects.create(cluster=cluster, role=role.value, user="hawser", sealed=sealed)
        host = f"127.77.{{number}}.{{index}}"
        Node.objects.create(cluster=cluster, name=f"scaled-{{number}}-{{side}}", host=host, port=1, ordinal=0)
        sides.append(cluster)
    Link.objects.create(
        name=f"scaled-{{number}}", active_cluster=sides[0], standby_cluster=sides[1], home_cluster=sides[0]
    )
"""
"""Links whose polls are refused at once: who owns them does not depend on their servers."""
_REMOVED = """
from backend.clusters.models import Cluster, Link

Link.objects.filter(name__startswith="scaled-").delete()
Cluster.objects.filter(name__startswith="scaled-").delete()
"""
_OBSERVE = """
import json, time
from django.db.models.functions import Now
from backend.monitoring.models import ClusterOwner, MonitorProcess

until = time.time() + 240
while time.time() < until:
    alive = set(MonitorProcess.objects.filter(until__gt=Now()).values_list("name", flat=True))
    owners = ClusterOwner.objects.filter(cluster__name__startswith="scaled-").values_list("pk", "holder")
    print(json.dumps([time.time(), len(alive), {pk: holder for pk, holder in owners if holder in alive}]), flush=True)
    time.sleep(0.05)
"""
_SHARED_S, _MOVED_S = 120, 60


@dataclass(frozen=True)
class Observed:
    """At one time: how many monitors live, and the living owner of each cluster that has one."""

    at: float
    monitors: int
    owners: dict[str, str]


@contextmanager
def shared_links(production: Production, links: int, monitors: int) -> Iterator[Iterator[Observed]]:
    """Observations of the owners of so many links, while so many monitors run; one monitor and no links afterwards."""
    stack = production.stack
    try:
        stack.manage("shell", "-c", _LINKS.format(links=links))
        stack.scale("monitor", monitors)
        command = stack.command("exec", "--no-TTY", "web", "python", "manage.py", "shell", "-c", _OBSERVE)
        env = {**stack.engine.env, **stack.env}
        with subprocess.Popen(command, cwd=stack.folder, env=env, stdout=subprocess.PIPE, text=True) as process:
            try:
                yield (Observed(*json.loads(line)) for line in process.stdout or () if line.startswith("["))
            finally:
                process.kill()
    finally:
        stack.scale("monitor", 1)
        stack.manage("shell", "-c", _REMOVED)


def shares(observations: Iterator[Observed], links: int, monitors: int) -> dict[str, set[str]]:
    """The clusters of each owner, once all monitors live and every cluster has one; TimeoutError if that never is.

    A hash of the monitors' random names shares the links: now and then one of three monitors gets none of twelve.
    """
    until = time.monotonic() + _SHARED_S * patience()
    seen = None
    for seen in observations:
        owned: dict[str, set[str]] = {}
        for cluster, owner in seen.owners.items():
            owned.setdefault(owner, set()).add(cluster)
        if seen.monitors == monitors and len(seen.owners) == 2 * links and len(owned) > 1:
            return owned
        if time.monotonic() > until:
            break
    raise TimeoutError(f"the monitors did not share the links: {seen}")


def kill_owner(production: Production, owner: str) -> float:
    """SIGKILL from outside to the container of this monitor; when it was sent."""
    engine = production.stack.engine
    names = production.stack.compose("ps", "--quiet", "monitor").split()
    (container,) = [name for name in names if owner.startswith(name[:12])]
    pid = int(engine.docker("inspect", "--format", "{{.State.Pid}}", container))
    os.kill(pid, signal.SIGKILL)
    return time.time()


def moved_s(observations: Iterator[Observed], clusters: set[str], owner: str, since: float) -> float:
    """Seconds until each of these clusters has another owner; TimeoutError if that takes far too long."""
    for seen in observations:
        if seen.at > since and all(seen.owners.get(one, owner) != owner for one in clusters):
            return seen.at - since
        if seen.at > since + _MOVED_S * patience():
            break
    raise TimeoutError(f"clusters of {owner} have no other owner")

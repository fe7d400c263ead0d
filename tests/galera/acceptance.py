"""The written acceptance of servers that were never tried, given as an administrator gives it: through the API."""

from __future__ import annotations

from typing import Any

from deploy.lab.layout import parse_servers
from deploy.servers import store
from deploy.servers.family import Family
from tests.galera.console import Console
from tests.support.waiting import wait_for

NEEDED = frozenset({Family.PXC, Family.MYSQL_WSREP})
TEXT = "The scenarios of make servers run on this server to try it, on a lab that holds no data of anyone."


def accept_servers(console: Console, servers: str) -> list[str]:
    """For both clusters of the link, where the lab's servers need it; names what was accepted."""
    if not any(store.ready(name).family in NEEDED for name in parse_servers(servers)):
        return []
    link = console.link()
    return [_accept(console, link[side]) for side in ("active_cluster", "standby_cluster")]


def _accept(console: Console, cluster: dict[str, Any]) -> str:
    path = f"/clusters/{cluster['id']}/acceptance"
    offered = wait_for(lambda: console.get(path)["acceptable"], f"{cluster['name']} to be offered for acceptance")
    body = {"flavor": offered["flavor"], "series": offered["series"], "confirm": cluster["name"], "reason": TEXT}
    answer = console.call("POST", path, body, "*")
    assert answer.status == 201, answer
    return str(offered["name"])

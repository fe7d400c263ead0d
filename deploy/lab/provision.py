"""From nothing to two linked clusters.

The first node of each cluster is started alone and stopped cleanly; the others begin with a copy of its data folder,
Galera state included. That is what a node that was cleanly stopped holds, so they rejoin by IST. Channels come last:
MySQL keeps them in tables, which a copy would have too.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from deploy.lab import channels, cluster
from deploy.lab.align_counters import level_counters
from deploy.lab.cluster import LabContext, admin
from deploy.lab.layout import SITES, Node
from deploy.lab.server import process
from deploy.lab.server.accounts import Account


def first_nodes(ground: LabContext) -> dict[str, Node]:
    """Site -> the node that holds the site's channel in the beginning."""
    return {site: ground.members(site)[0] for site in SITES}


def build(ground: LabContext, replication: Account) -> None:
    """Create both clusters with running channels from the template. Nothing may be running."""
    if not ground.settings.wan:
        cluster.require_free_addresses(ground.nodes)
    ground.write_configs()
    first = first_nodes(ground)
    for node in first.values():
        cluster.copy_data(ground.paths.template(ground.settings.server_of(node)), ground.paths.datadir(node.name))
        cluster.launch(ground, node, "--wsrep-new-cluster", "--skip-slave-start")
    cluster.wait_synced(ground, list(first.values()))
    for node in first.values():
        process.terminate(ground.paths.pid(node.name), 30)
    _start_all(ground, first)
    for site, other in (("a", "b"), ("b", "a")):
        _configure_channel(ground, first[site], first[other], replication)
    if ground.settings.variant == "aligned":
        level_counters(ground, first)
    for node in first.values():
        start_channel(ground, node)


def build_one_cluster(ground: LabContext) -> None:
    """Create one cluster over both sites, without channels, from the template. Nothing may be running."""
    if not ground.settings.wan:
        cluster.require_free_addresses(ground.nodes)
    ground.write_configs()
    first = ground.nodes[0]
    cluster.copy_data(ground.paths.template(ground.settings.server_of(first)), ground.paths.datadir(first.name))
    cluster.launch(ground, first, "--wsrep-new-cluster", "--skip-slave-start")
    cluster.wait_synced(ground, [first])
    process.terminate(ground.paths.pid(first.name), 30)
    _copy_to(ground, first, ground.nodes[1:])
    cluster.bootstrap(ground, first)
    cluster.wait_synced(ground, [first])
    for node in ground.nodes[1:]:
        # One at a time: of four that joined together one gave up (seen once, on a busy machine).
        cluster.rejoin(ground, node)
        cluster.wait_synced(ground, [node])


def _copy_to(ground: LabContext, source: Node, joiners: list[Node]) -> None:
    for node in joiners:
        target = ground.paths.datadir(node.name)
        cluster.copy_data(ground.paths.datadir(source.name), target)
        cluster.strip_identity(target)


def _configure_channel(ground: LabContext, replica: Node, source: Node, account: Account) -> None:
    with admin(ground, source) as connection:
        end = channels.coordinate(connection)
    own, ca = ground.members(replica.site), ground.paths.ca
    with admin(ground, replica) as connection:
        channels.set_up(connection, ground.settings, source, end, own, account, ca)


def _start_all(ground: LabContext, first: dict[str, Node]) -> None:
    for site, source in first.items():
        _copy_to(ground, source, [node for node in ground.members(site) if node != source])
    with ThreadPoolExecutor(len(SITES)) as pool:
        list(pool.map(lambda site: _start_site(ground, site, first[site]), SITES))


def _start_site(ground: LabContext, site: str, first: Node) -> None:
    cluster.bootstrap(ground, first)
    cluster.wait_synced(ground, [first])
    joiners = [node for node in ground.members(site) if node != first]
    for node in joiners:
        cluster.rejoin(ground, node)
    cluster.wait_synced(ground, joiners)


def start_channel(ground: LabContext, node: Node) -> None:
    """Start the channel unless the server did."""
    with admin(ground, node) as connection:
        states = channels.states(connection)
        if any("No" in (row["Slave_IO_Running"], row["Slave_SQL_Running"]) for row in states):
            channels.start(connection)

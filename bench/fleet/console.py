"""What the measurement of polls runs within the console, of this or an earlier commit: `python console.py WHAT ...`."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SITES = ("Milan", "Frankfurt", "Oslo", "Madrid", "Warsaw", "Dublin")
PASSWORD = "none of these nodes asks for it"  # noqa: S105


def host_of(net: str, link: int, index: int) -> str:
    """The address of a node of a link: a loopback one, twenty a link."""
    number = link * 20 + index
    return f"{net}.{1 + number // 200}.{1 + number % 200}"


def sites_of(number: int) -> tuple[str, str]:
    """Two different sites of a link."""
    return SITES[number % 6], SITES[(number + 1 + number % 3) % 6]


def register(net: str, links: int, nodes: int, lost_site: str | None = None) -> None:
    """Links between two clusters with `nodes` in all, at the addresses of the stand-in; the first at `lost_site`."""
    from backend.clusters.models import Cluster, Credential, Link, Node
    from backend.common.sealing import seal

    for number in range(links):
        sides = []
        active, standby = sites_of(number)
        for side, site in enumerate((lost_site or active, standby)):
            name = f"{site.lower()}-{number}-{'ab'[side]}"
            cluster = Cluster.objects.create(name=name, site=site, tls_mode="disabled")
            for role in ("monitor", "operator", "replication"):
                sealed = seal(PASSWORD, cluster_id=cluster.id, role=role)
                Credential.objects.create(cluster=cluster, role=role, user="hawser", sealed=sealed)
            hosts = [host_of(net, number, side * (nodes // 2) + index) for index in range(nodes // 2)]
            Node.objects.bulk_create(
                Node(cluster=cluster, name=f"db-{name}-{index}", host=host, port=3306, ordinal=index)
                for index, host in enumerate(hosts)
            )
            sides.append(cluster)
        name = f"link-{number:03}"
        Link.objects.create(name=name, active_cluster=sides[0], standby_cluster=sides[1], home_cluster=sides[0])


def main() -> None:
    """`monitor`, or `register NET LINKS NODES [SITE]`; the nodes are at loopback addresses, as only a test's may be."""
    sys.path.insert(0, str(Path.cwd()))
    import django
    from django.core.management import call_command

    django.setup()
    from django.conf import settings

    settings.HAWSER_ALLOW_LOOPBACK = True
    if sys.argv[1] == "register":
        register(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), *sys.argv[5:])
    else:
        call_command("hawser_monitor")


if __name__ == "__main__":
    main()

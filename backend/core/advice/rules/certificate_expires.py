"""A server whose TLS certificate is about to end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from backend.core.advice.facts import ClusterConfiguration
from backend.core.advice.model import Advice, AdviceEntry, ClusterRule, Risk
from backend.core.advice.rules.texts import NOT_MEASURED, values

WARN_BEFORE = timedelta(days=14)
ENTRY = AdviceEntry(
    code="certificate_expires",
    risk=Risk.HIGH,
    title="A server's certificate ends within 14 days",
    what_happened="The TLS certificate that a node shows to the console ends within 14 days, or has ended.",
    what_it_means=(
        "From then on a console that verifies certificates cannot read the node: it counts as down, and plans with it "
        "are refused. Channels and applications that verify it cannot connect again, either."
    ),
    what_to_do=(
        "Install a new certificate on each node, and run FLUSH SSL there: no restart is needed. Channels keep their "
        "connections until they reconnect."
    ),
    evidence=f"A session over TLS is told the end in `Ssl_server_not_after` (MariaDB 10.11). {NOT_MEASURED}",
    is_measured=False,
)


def _advise(cluster: ClusterConfiguration) -> Iterator[Advice]:
    found = {
        node.name: node.certificate_ends_at
        for node in cluster.read
        if node.certificate_ends_at is not None
        and node.certificate_ends_at - datetime.fromtimestamp(node.read_at_s or 0.0, UTC) < WARN_BEFORE
    }
    if found:
        shown = {name: f"{ends_at:%Y-%m-%d %H:%M} UTC" for name, ends_at in found.items()}
        yield Advice(
            ENTRY,
            cluster.id,
            cluster.name,
            tuple(shown),
            fact=f"The certificate ends soon or has ended ({values(shown)}).",
            consequence="Connections that verify it are refused from then on, the console's among them.",
            remedy="Install a new certificate, and run FLUSH SSL on the node.",
            facts={"Ssl_server_not_after": shown},
        )


RULE = ClusterRule(ENTRY, _advise)

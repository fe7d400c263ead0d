"""A server whose TLS certificate is about to end."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.model import Advice, AdviceEntry, ClusterRule, Risk
from backend.core.adviser.advice.rules.texts import NOT_MEASURED, values

WARN_BEFORE = timedelta(days=30)
ENTRY = AdviceEntry(
    code="certificate_expires",
    risk=Risk.MEDIUM,
    title="A certificate ends within 30 days",
    evidence=f"A session over TLS is told the end in `Ssl_server_not_after` (MariaDB 10.11). {NOT_MEASURED}",
    is_measured=False,
)


def _advise(cluster: ClusterConfiguration) -> Iterator[Advice]:
    read_at_s = max((node.read_at_s or 0.0 for node in cluster.read), default=None)
    if read_at_s is None:
        return
    soon = datetime.fromtimestamp(read_at_s, UTC) + WARN_BEFORE
    found = [one for one in cluster.certificates if one.ends_at < soon]
    if found:
        shown = {one.name if one.kind == "server" else one.shown: f"{one.ends_at:%Y-%m-%d %H:%M} UTC" for one in found}
        yield Advice(
            ENTRY,
            cluster.id,
            cluster.name,
            tuple(one.name for one in found if one.kind == "server"),
            fact=f"The certificate ends soon or has ended ({values(shown)}).",
            consequence="Connections that need it are refused from then on, the console's among them.",
            remedy="Install a new certificate, and run FLUSH SSL on the node; store a new authority or client one.",
            facts={"Ssl_server_not_after": shown},
        )


RULE = ClusterRule(ENTRY, _advise)

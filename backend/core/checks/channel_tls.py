"""Check that a channel can verify its new source: since 11.4 a replica asks for that unless it is told otherwise."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.dialects.tested_versions import VERIFIES_WITHOUT_CA, series_of
from backend.core.findings import Finding, Severity
from backend.core.topology import ChannelFacts


def check_channel_tls(ctx: CheckContext) -> Iterator[Finding]:
    """Without an authority the source proves itself by the password of the account, as releases before 11.4 cannot."""
    for move in ctx.moves:
        versions = move.source.version, move.replica.version
        if move.channel is None or not _verifies_without_ca(move.channel) or None in versions:
            continue
        source, replica = (series_of(version or "") for version in versions)
        if replica < VERIFIES_WITHOUT_CA:
            continue
        facts = {"source": versions[0], "replica": versions[1]}
        if source < VERIFIES_WITHOUT_CA:
            yield Finding(
                "channel_tls_not_verifiable",
                Severity.BLOCKER,
                f"The {move.direction} channel verifies its source without a CA, and {move.source.node.name} "
                f"({versions[0]}) cannot prove itself in that way. The channel would not connect.",
                "Set MASTER_SSL_CA of the channel, or MASTER_SSL_VERIFY_SERVER_CERT=0, while it is stopped.",
                facts,
            )
        else:
            yield Finding(
                "channel_tls_without_ca",
                Severity.INFO,
                f"The {move.direction} channel verifies its source by the password of its account, without a CA. That "
                "proves that the source knows the account, not which node it is.",
                "Set MASTER_SSL_CA of the channel if it must tell one node from another.",
                facts,
            )


def _verifies_without_ca(channel: ChannelFacts) -> bool:
    seen = channel.options
    is_on = seen.get("Master_SSL_Allowed") == "Yes" and seen.get("Master_SSL_Verify_Server_Cert") == "Yes"
    return is_on and not (seen.get("Master_SSL_CA_File") or seen.get("Master_SSL_CA_Path"))

"""Checks that a channel can verify its new source, and tells which files its new replica must have."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.checks.context import CheckContext
from backend.core.dialects.tested_versions import VERIFIES_WITHOUT_CA, series_of
from backend.core.facts.channel_files import has_client_certificate, tls_files
from backend.core.findings import Finding, Severity
from backend.core.topology import ChannelFacts


def check_channel_tls(ctx: CheckContext) -> Iterator[Finding]:
    """Since 11.4 a replica verifies its source unless it is told otherwise.

    Without an authority the source proves itself by the password of the account, as releases before 11.4 cannot.
    """
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


def check_channel_files(ctx: CheckContext) -> Iterator[Finding]:
    """A replica reads authority, certificate and key of a channel from its own disk, which no statement shows."""
    for move in ctx.moves:
        if move.channel is None or not has_client_certificate(move.channel):
            continue
        if move.old_replica_id == move.replica.node.id:
            continue
        files = tls_files(move.channel)
        name, listed = move.replica.node.name, ", ".join(files)
        yield Finding(
            "channel_files_unseen",
            Severity.WARNING,
            f"The {move.direction} channel uses {listed} on {name}. It is unknown whether {name} has them: a missing "
            "one shows only when the new channel connects, and the old channel is removed by then.",
            f"Check on {name} that its server can read {listed}, with the same content as on the present replica.",
            {"node": name, "files": files},
        )


def _verifies_without_ca(channel: ChannelFacts) -> bool:
    seen = channel.options
    is_on = seen.get("Master_SSL_Allowed") == "Yes" and seen.get("Master_SSL_Verify_Server_Cert") == "Yes"
    return is_on and not (seen.get("Master_SSL_CA_File") or seen.get("Master_SSL_CA_Path"))

"""What a channel leaves out by its replication filters: rows that the other side lacks although it is in sync."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from backend.core.findings import Finding, Severity
from backend.core.link_facts import ChannelHolder, LinkFacts
from backend.core.server_settings import applying
from backend.core.topology import Direction


def filter_column(variable: str) -> str:
    """`replicate_do_db` to the status column `Replicate_Do_DB`."""
    parts = variable.split("_")
    return "_".join("DB" if word == "db" else word.capitalize() for word in parts)


FILTER_COLUMNS = {filter_column(row.name): row.name for row in applying.FILTERS}
_COLUMNS = {name: column for column, name in FILTER_COLUMNS.items()} | {
    "DO_DOMAIN_IDS": "Replicate_Do_Domain_Ids",
    "IGNORE_DOMAIN_IDS": "Replicate_Ignore_Domain_Ids",
}


def filters_of(options: Mapping[str, str]) -> dict[str, str]:
    """The filters of a channel as its status shows them, by the names under which they are set.

    `SET GLOBAL name.replicate_…` sets one for a named channel alone: no variable of the node tells it.
    """
    return {name: options[column] for name, column in _COLUMNS.items() if options.get(column)}


def filtered_channels(link: LinkFacts) -> Iterator[Finding]:
    """A warning for each channel of the link with a filter; whether it is meant no server tells."""
    for direction in Direction:
        for holder in link.countable_holders(direction):
            filters = filters_of(holder.channel.options)
            if filters:
                yield _filtered(link, holder, filters)


def _filtered(link: LinkFacts, holder: ChannelHolder, filters: Mapping[str, str]) -> Finding:
    side, node = link.receiving_cluster(holder.direction).name, holder.replica.node
    shown = ", ".join(f"{name}={value}" for name, value in filters.items())
    return Finding(
        "channel_filtered",
        Severity.WARNING,
        f"The {holder.direction} channel on {node.name} filters: {shown}. What it leaves out never arrives at {side}, "
        "which counts as in sync without it.",
        f"If it is meant, set it on every node of {side}. Otherwise remove it on {node.name} and from the "
        "configuration, and compare the data of both sides: what was left out does not arrive later.",
        {"node": node.name, "node_id": node.id, "direction": holder.direction.value, "filters": dict(filters)},
    )


def filter_against(table: str, filters: Mapping[str, str]) -> str | None:
    """The filter by which a replica leaves out rows of a table with schema, in lower case; None where they arrive."""
    schema = table.partition(".")[0]

    def names(variable: str) -> list[str]:
        return [part.strip() for part in filters.get(variable, "").lower().split(",") if part.strip()]

    if any(pair.partition("->")[0] == schema for pair in names("replicate_rewrite_db")):
        return "replicate_rewrite_db"
    if names("replicate_do_db"):
        if schema not in names("replicate_do_db"):
            return "replicate_do_db"
    elif schema in names("replicate_ignore_db"):
        return "replicate_ignore_db"
    if table in names("replicate_do_table"):
        return None
    if table in names("replicate_ignore_table"):
        return "replicate_ignore_table"
    if any(_matches(pattern, table) for pattern in names("replicate_wild_do_table")):
        return None
    if any(_matches(pattern, table) for pattern in names("replicate_wild_ignore_table")):
        return "replicate_wild_ignore_table"
    return next((name for name in ("replicate_do_table", "replicate_wild_do_table") if names(name)), None)


def _matches(pattern: str, table: str) -> bool:
    """As LIKE does: `%` for any text, `_` for a letter, `\\` before one that stands for itself."""
    parts = re.findall(r"\\.|.", pattern)
    wild = {"%": ".*", "_": "."}
    return re.fullmatch("".join(wild.get(part, re.escape(part[-1])) for part in parts), table) is not None

"""Links whose nodes also have transactions, or a channel, of a server outside."""

from __future__ import annotations

from dataclasses import replace

from backend.core.link_facts import LinkFacts
from backend.core.topology import ChannelFacts
from tests.core.builders.link_facts import node_of, with_channel, with_node, with_variable


def logging(facts: LinkFacts, *names: str, server_id: int = 900, domain: int = 0) -> LinkFacts:
    """These nodes have transactions of that server_id in their logs."""
    for name in names:
        state = node_of(facts, name).variables["gtid_binlog_state"]
        facts = with_variable(facts, name, "gtid_binlog_state", f"{state},{domain}-{server_id}-7")
    return facts


def feeding(facts: LinkFacts, name: str, server_id: int | None = 900, **more: object) -> LinkFacts:
    """A node has a further channel, from a server outside."""
    channel = (node_of(facts, "b1").channels or ())[0]
    third = replace(channel, name="third", source_host="10.9.9.9", source_server_id=server_id, **more)  # type: ignore[arg-type]
    return with_node(facts, name, channels=(*(node_of(facts, name).channels or ()), third))


def ignoring(facts: LinkFacts, replica: str, *server_ids: int) -> LinkFacts:
    """Its channel of the link ignores these, too."""
    channel: ChannelFacts = (node_of(facts, replica).channels or ())[0]
    return with_channel(facts, replica, ignore_server_ids=(*channel.ignore_server_ids, *server_ids))

"""Reads the whole configuration of nodes with the monitor account, several at once."""

from __future__ import annotations

import time
from collections.abc import Sequence

from backend.core.adviser.advice.facts import NodeConfiguration, node_configuration
from backend.core.dialects import DialectError, dialect_to_watch, flavor_of
from backend.core.dialects.galera_configuration import ACTIVITY_QUERY, CONFIGURATION_QUERY
from backend.core.ports import NodeError
from backend.gateway.connection.endpoint import NodeAccess
from backend.gateway.parallel_reads import read_each
from backend.gateway.reader import Reader

READ_S = 2.0
DEADLINE_S = 4.0


def read_configurations(accesses: Sequence[NodeAccess], *, deadline_s: float = DEADLINE_S) -> list[NodeConfiguration]:
    """Every node's configuration; one that does not answer in time is unread, with the reason."""
    seen = read_each(accesses, read_configuration, lambda _: deadline_s)
    late = f"no response within {deadline_s:g} s"
    return [
        seen.get(access.ref.id) or NodeConfiguration(access.ref.id, access.ref.name, error=late) for access in accesses
    ]


def read_configuration(access: NodeAccess) -> NodeConfiguration:
    """One node's configuration."""
    node, reader = access.ref, Reader(access.ref, access.monitor, read_s=READ_S)
    try:
        variables = {str(row["Variable_name"]).lower(): str(row["Value"]) for row in reader.query(CONFIGURATION_QUERY)}
        flavor = flavor_of(variables)
        status = dialect_to_watch(flavor, variables["version"]).parse_pairs(reader.query(ACTIVITY_QUERY))
        return node_configuration(
            node.id, node.name, read_at_s=time.time(), flavor=flavor, variables=variables, status=status
        )
    except NodeError as error:
        return NodeConfiguration(node.id, node.name, error=error.message)
    except (DialectError, KeyError) as error:
        return NodeConfiguration(node.id, node.name, error=f"a result of the server cannot be read: {error}")
    finally:
        reader.close()

"""Whether a side holds almost nothing of what the other one holds, told by the sizes of their tables.

Sizes are the server's estimates, so only a large difference says something.
"""

from __future__ import annotations

from collections.abc import Mapping

from backend.core.equal_data.contents import LIST_SQL
from backend.core.findings import Finding, Severity
from backend.core.plural import pluralize
from backend.core.ports import NodeReader

LEAST_BYTES = 1024 * 1024
"""An empty table has some pages; below this nothing is told."""
SHARE = 10
_NAMED = 5


def sizes_of(reader: NodeReader) -> dict[str, int]:
    """The estimated size of each table, by `schema.table`; raises NodeError."""
    return {f"{row['schema']}.{row['name']}": int(str(row["bytes"])) for row in reader.query(LIST_SQL)}


def holds_less(source: str, held: Mapping[str, int], receiving: str, wanted: Mapping[str, int]) -> Finding | None:
    """What the source lacks of the receiving side's tables; None where nothing stands out.

    Tables of the receiving side alone may be its own; almost no data in all that it has is no such case.
    """
    missing = sorted(wanted.keys() - held.keys())
    shared = [name for name in wanted if name in held]
    there, here = sum(wanted.values()), sum(held[name] for name in shared)
    facts = {"missing": missing[:_NAMED], "source_bytes": here, "receiving_bytes": there}
    if (wanted and not shared) or (there >= LEAST_BYTES and here * SHARE < there):
        return Finding(
            "side_holds_less",
            Severity.BLOCKER,
            f"{source} holds almost nothing of what {receiving} holds: {here} of {there} bytes, and "
            f"{pluralize(len(missing), 'table')} less.",
            f"Stop the channel to {receiving} first: what {source} writes now is applied there. If {receiving} has the "
            f"data that counts, fail over to it, and reprotect or rebuild {source}.",
            facts,
        )
    if missing:
        return Finding(
            "side_holds_less",
            Severity.WARNING,
            f"{source} has {pluralize(len(missing), 'table')} less than {receiving}: {', '.join(missing[:_NAMED])}.",
            f"Make sure that these tables are {receiving}'s own.",
            facts,
        )
    return None

"""A cluster over two sites with the default send windows."""

from __future__ import annotations

from collections.abc import Iterator

from backend.core.adviser.advice.changes import option_change
from backend.core.adviser.advice.facts import ClusterConfiguration
from backend.core.adviser.advice.layout import Layout, layout_of
from backend.core.adviser.advice.model import Advice, AdviceEntry, ClusterRule, Risk
from backend.core.adviser.advice.options.values import number
from backend.core.adviser.advice.rules.texts import REVERSE, values

WINDOW = 512
_USER, _ALL = "evs.user_send_window", "evs.send_window"
ENTRY = AdviceEntry(
    code="send_window_small",
    risk=Risk.MEDIUM,
    title="Send windows too small for the distance",
    evidence=(
        "Measured at 50 and 100 ms round trip with 4 to 32 writers: 1.2 to 1.5 round trips a commit with windows of 4 "
        "and 2, 1.03 to 1.16 with 512. A write-set of 1 MB: 939 ms with 4 and 2, 403 ms with 512. With 1 % loss and 16 "
        "writers at 50 ms: 1.84 and 1.97 round trips. 24 writers with a connection for each small transaction gained 0 "
        "to 8 %, for 2.4 to 3.5 times the packets and 1.4 times the bytes over the line."
    ),
    is_measured=True,
)


def _advise(cluster: ClusterConfiguration) -> Iterator[Advice]:
    if layout_of(cluster) is not Layout.TWO_SITES:
        return
    windows = {node.name: number(node.options.get(_USER)) for node in cluster.read}
    small = [node for node in cluster.read if (windows[node.name] or WINDOW) < WINDOW]
    if not small:
        return
    shown = {node.name: node.options[_USER] for node in small}
    yield Advice(
        ENTRY,
        cluster.id,
        cluster.name,
        tuple(shown),
        fact=f"{_USER} is below {WINDOW} ({values(shown)}), and the cluster lies at two sites.",
        consequence="Concurrent writers and large transactions wait for more than one round trip.",
        remedy=f"Run the statements in this order, and put both options into the configuration files. {REVERSE} "
        "Measure again: where the line loses packets, nothing is gained.",
        facts={_USER: shown},
        changes=tuple(
            option_change(node, name, str(WINDOW))
            for node in small
            for name in (_ALL, _USER)
            if (number(node.options.get(name)) or 0) < WINDOW
        ),
    )


RULE = ClusterRule(ENTRY, _advise)

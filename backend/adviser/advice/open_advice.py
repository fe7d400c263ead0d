"""Numbers of open pieces of advice by risk, of all clusters and links at once, as last judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from backend.adviser.advice.configurations import KNOWN_FOR
from backend.adviser.advice.models import GivenAdvice
from backend.adviser.advice.selectors import running_dismissals
from backend.clusters.models import Link
from backend.core.adviser.advice.model import Risk


@dataclass(frozen=True, slots=True)
class OpenAdvice:
    """Of a cluster, or of a link alone. With `unread` nodes there may be more."""

    by_risk: Mapping[Risk, int]
    unread: int


def open_advice(now: datetime) -> dict[str, OpenAdvice]:
    """By id of the cluster or link; absent where no node was read, or nothing was judged for too long."""
    ended = {(one.code, one.subject_id, one.fingerprint) for one in running_dismissals(Q(), now)}
    found = {}
    for row in GivenAdvice.objects.filter(at__gt=now - KNOWN_FOR):
        if row.unread < row.nodes:
            risks = Counter(
                one["risk"] for one in row.items if (one["code"], row.subject_id, one["fingerprint"]) not in ended
            )
            found[row.subject_id] = OpenAdvice({risk: risks[risk.value] for risk in Risk}, row.unread)
    return found


def open_on_link(link: Link, found: Mapping[str, OpenAdvice]) -> OpenAdvice | None:
    """With that on both clusters; None where it is unknown."""
    own, *sides = (found.get(one) for one in (link.pk, link.active_cluster_id, link.standby_cluster_id))
    if own is None:
        return None
    known = [own, *(one for one in sides if one is not None)]
    return OpenAdvice({risk: sum(one.by_risk[risk] for one in known) for risk in Risk}, own.unread)

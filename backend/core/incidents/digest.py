"""What one confirmation covers: every plan by its own digest, what it loses, their order and the rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from backend.core.incidents.sequence import Rules
from backend.core.plan import digest_of


@dataclass(frozen=True, slots=True)
class PlannedItem:
    """A plan in its place, with the statement of its loss as it is shown."""

    link_id: str
    plan_id: str
    plan_digest: str
    loss: str


def incident_digest(incident_id: str, items: Iterable[PlannedItem], rules: Rules) -> str:
    """SHA-256 over the ordered plans and the rules: another order or limit is another digest."""
    return digest_of({"incident": incident_id, "items": [asdict(item) for item in items], **asdict(rules)})

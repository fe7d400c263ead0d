"""Everything that changes incidents from outside of a worker."""

from __future__ import annotations

from backend.incidents.services.abort import incident_abort
from backend.incidents.services.approve import incident_approve
from backend.incidents.services.confirm import incident_confirm
from backend.incidents.services.create import incident_create
from backend.incidents.services.order import order_set
from backend.incidents.services.plans import plans_request

__all__ = [
    "incident_abort",
    "incident_approve",
    "incident_confirm",
    "incident_create",
    "order_set",
    "plans_request",
]

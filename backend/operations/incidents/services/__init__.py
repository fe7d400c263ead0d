"""Everything that changes incidents from outside of a worker."""

from __future__ import annotations

from backend.operations.incidents.services.abort import incident_abort
from backend.operations.incidents.services.approve import incident_approve
from backend.operations.incidents.services.confirm import incident_confirm
from backend.operations.incidents.services.create import incident_create
from backend.operations.incidents.services.order import order_set
from backend.operations.incidents.services.plans import plans_request

__all__ = [
    "incident_abort",
    "incident_approve",
    "incident_confirm",
    "incident_create",
    "order_set",
    "plans_request",
]

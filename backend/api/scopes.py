"""How the links and clusters of each kind of object are found: the objects that paths of the API name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from backend.adviser.advice.models import AdviceDismissal
from backend.clusters.models import Cluster, Link, Node
from backend.common.rest import scope
from backend.common.rest.scope import Covered
from backend.monitoring.models import NodeMaintenance
from backend.notifications.hooks.models import Hook
from backend.operations.incidents.models import Incident, IncidentItem
from backend.operations.rehearsals.models import Rehearsal
from backend.operations.runs.models import Plan, Run
from backend.transactions.table_comparison.models import TableComparison

Find = Callable[[str], Covered | None]


def register() -> None:
    """Register all of them; called once when the application is ready."""
    for parameter, (noun, find) in _OBJECTS.items():
        scope.register(parameter, noun, find)


def _link(link_id: str) -> Covered | None:
    return Covered(links=frozenset({link_id})) if Link.objects.filter(pk=link_id).exists() else None


def _cluster(cluster_id: str) -> Covered | None:
    return Covered(clusters=frozenset({cluster_id})) if Cluster.objects.filter(pk=cluster_id).exists() else None


def _node(node_id: str) -> Covered | None:
    found = Node.objects.filter(pk=node_id).values_list("cluster_id", flat=True).first()
    return None if found is None else Covered(clusters=frozenset({found}))


def _of_link(model: type[Plan | Run | Rehearsal | Hook | TableComparison]) -> Find:
    def find(pk: str) -> Covered | None:
        found = model.objects.filter(pk=pk).values_list("link_id", flat=True).first()
        return _hook_of_all(pk) if found is None else Covered(links=frozenset({found}))

    return find


def _hook_of_all(pk: str) -> Covered | None:
    """A destination that is notified of all links is about everything."""
    return Covered() if Hook.objects.filter(pk=pk, link=None).exists() else None


def _incident(incident_id: str) -> Covered | None:
    if not Incident.objects.filter(pk=incident_id).exists():
        return None
    return Covered(links=frozenset(IncidentItem.objects.filter(incident=incident_id).values_list("link_id", flat=True)))


def _dismissal(dismissal_id: str) -> Covered | None:
    found = AdviceDismissal.objects.filter(pk=dismissal_id).values_list("cluster_id", "link_id").first()
    if found is None:
        return None
    cluster_id, link_id = found
    return Covered(links=frozenset({link_id} - {None}), clusters=frozenset({cluster_id} - {None}))


def _maintenance(maintenance_id: str) -> Covered | None:
    found = NodeMaintenance.objects.filter(pk=maintenance_id).values_list("cluster_id", flat=True).first()
    return None if found is None else Covered(clusters=frozenset({found}))


_OBJECTS: Final[dict[str, tuple[str, Find]]] = {
    "link_id": ("link", _link),
    "cluster_id": ("cluster", _cluster),
    "node_id": ("node", _node),
    "plan_id": ("plan", _of_link(Plan)),
    "run_id": ("run", _of_link(Run)),
    "rehearsal_id": ("rehearsal", _of_link(Rehearsal)),
    "comparison_id": ("comparison", _of_link(TableComparison)),
    "hook_id": ("webhook", _of_link(Hook)),
    "destination_id": ("destination", _of_link(Hook)),
    "incident_id": ("incident", _incident),
    "dismissal_id": ("dismissal", _dismissal),
    "maintenance_id": ("maintenance", _maintenance),
}

"""The REST view of what a distance does to commits."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response

from backend.adviser.concurrency.cluster_figures import cluster_concurrency
from backend.adviser.concurrency.figures import concurrency
from backend.adviser.concurrency.outputs import ClusterConcurrency, Concurrency
from backend.adviser.concurrency.serializers import ConcurrencyQuerySerializer
from backend.clusters.selectors import cluster_get
from backend.clusters.versions import check_not_retired
from backend.common.rest.limits import slow_call
from backend.common.rest.operations import operation
from backend.common.rest.scope import Where
from backend.common.rest.views import ConsoleView, respond, validated_query
from backend.common.roles import Permission


class ConcurrencyView(ConsoleView):
    """Commits over a distance."""

    permissions = {"GET": Permission.READ}
    where = Where.NOTHING

    @operation(
        "concurrency_read",
        "Compute commits over a distance",
        parameters=[ConcurrencyQuerySerializer],
        responses=Concurrency,
    )
    def get(self, request: Request) -> Response:
        """Compute the latency of a commit, the rate of many writers, and the writers that a rate needs.

        From one-way delays alone: no server is queried.
        """
        return respond(Concurrency, concurrency(validated_query(request, ConcurrencyQuerySerializer)))


class ClusterConcurrencyView(ConsoleView):
    """Commits of a running cluster over its distance."""

    permissions = {"GET": Permission.LOOKUP}

    @operation(
        "cluster_concurrency",
        "Read the distance of a running cluster",
        codes=("retired",),
        responses=ClusterConcurrency,
    )
    @slow_call
    def get(self, request: Request, cluster_id: str) -> Response:
        """Ask all nodes at once for the latency of their deliveries, and compute what writers reach over it.

        The write rate is what the monitor counted in the last hour. Nothing is changed and nothing is stored. A node
        has samples only while it writes, and they start again each `evs.stats_report_period`.
        """
        cluster = cluster_get(cluster_id)
        check_not_retired(cluster)
        return respond(ClusterConcurrency, cluster_concurrency(cluster))

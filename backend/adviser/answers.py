"""The pages of the adviser as questions with one answer each: what the REST views return, by name for the command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from django.utils import timezone
from rest_framework.serializers import Serializer

from backend.adviser.advice.by_name import advice_named
from backend.adviser.advice.configurations import read_now
from backend.adviser.advice.outputs import AdviceList, Configuration
from backend.adviser.advice.selectors import configuration_of
from backend.adviser.advice.serializers import ConfigurationQuerySerializer
from backend.adviser.bandwidth.figures import bandwidth
from backend.adviser.bandwidth.outputs import Bandwidth
from backend.adviser.concurrency.cluster_figures import cluster_concurrency
from backend.adviser.concurrency.figures import concurrency
from backend.adviser.concurrency.outputs import ClusterConcurrency, Concurrency
from backend.adviser.concurrency.serializers import ConcurrencyQuerySerializer
from backend.adviser.maintenance.absence import node_absence
from backend.adviser.maintenance.outputs import NodeAbsence, StateTransfer
from backend.adviser.maintenance.serializers import StateTransferQuerySerializer
from backend.adviser.maintenance.state_transfer import state_transfer
from backend.adviser.network.outputs import Network
from backend.adviser.network.selectors import network_view
from backend.adviser.network.serializers import NetworkQuerySerializer
from backend.clusters.models import Cluster
from backend.core.adviser.advice.layout import Layout
from backend.monitoring.apply_capacity import ApplyCapacity, apply_capacities

Given = Mapping[str, Any]
Of = Literal["link", "cluster", "name", ""]
"""What a question is about; "name": a link or a cluster, "": neither."""


@dataclass(frozen=True, slots=True)
class Question:
    """One page: whom it is about, what may be given, and the answer in the form of the API."""

    verb: str
    help: str
    of: Of
    answer: Callable[[Any, Given], Any]
    response: Any
    query: type[Serializer[Any]] | None = None


def _configuration(cluster: Cluster, given: Given) -> Any:
    read_now([cluster])
    profile = given.get("profile")
    return configuration_of(cluster, Layout(profile) if profile else None, timezone.now())


QUESTIONS: Final = (
    Question(
        "network",
        "whether one Galera cluster could span the sites of a link, by its network measurements",
        "link",
        network_view,
        Network,
        NetworkQuerySerializer,
    ),
    Question(
        "concurrency",
        "what one-way delays do to commits; no server is asked",
        "",
        lambda _, given: concurrency(dict(given)),
        Concurrency,
        ConcurrencyQuerySerializer,
    ),
    Question(
        "cluster-concurrency",
        "the distance of a running cluster, and what writers reach over it; asks its nodes",
        "cluster",
        lambda cluster, _: cluster_concurrency(cluster),
        ClusterConcurrency,
    ),
    Question(
        "configuration",
        "the settings of a cluster's nodes, with what is recommended",
        "cluster",
        _configuration,
        Configuration,
        ConfigurationQuerySerializer,
    ),
    Question(
        "bandwidth",
        "segments, bytes between the nodes of a cluster, and the load of its line",
        "cluster",
        lambda cluster, _: bandwidth(cluster),
        Bandwidth,
    ),
    Question(
        "maintenance",
        "how long each node of a cluster may be away before it needs an SST, and its donors",
        "cluster",
        lambda cluster, _: node_absence(cluster),
        NodeAbsence,
    ),
    Question(
        "state-transfer",
        "how long an SST to each node of a cluster would take",
        "cluster",
        state_transfer,
        StateTransfer,
        StateTransferQuerySerializer,
    ),
    Question(
        "apply-rate",
        "whether the replicas of a link apply as fast as the other side writes",
        "link",
        lambda link, _: apply_capacities(link, timezone.now()),
        ApplyCapacity,
    ),
    Question(
        "advice",
        "advice on a link or cluster; exit code 1 if advice of high risk is open",
        "name",
        lambda name, _: advice_named(name),
        AdviceList,
    ),
)

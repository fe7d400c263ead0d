"""All URLs below /api/v1, without trailing slashes."""

from __future__ import annotations

from django.urls import include, path

from backend.adviser import apply_capacity_views
from backend.adviser.bandwidth import views as bandwidth
from backend.adviser.concurrency import views as concurrency
from backend.adviser.maintenance import forecast_views as maintenance
from backend.api.views import (
    acceptance,
    clusters,
    explanations,
    fleet,
    lab,
    links,
    registration,
    registrations,
    service,
    streams,
)
from backend.monitoring import unaccounted_views as unaccounted
from backend.monitoring.lag_history import views as lag
from backend.monitoring.proof_views import LinkProofView
from backend.registration.declaration import views as declarations

service_patterns = [
    path("healthz", service.HealthView.as_view(), name="healthz"),
    path("readyz", service.ReadyView.as_view(), name="readyz"),
    path("metrics", service.MetricsView.as_view(), name="metrics"),
]

urlpatterns = [
    path("", include("backend.identity.accounts.urls")),
    path("", include("backend.identity.second_factors.urls")),
    path("", include("backend.audit.urls")),
    path("", include("backend.identity.access.urls")),
    path("clusters", clusters.ClusterListView.as_view(), name="clusters"),
    path("clusters/<str:cluster_id>", clusters.ClusterView.as_view(), name="cluster"),
    path("clusters/<str:cluster_id>/check", clusters.ClusterCheckView.as_view(), name="cluster-check"),
    path("clusters/<str:cluster_id>/node-absence", maintenance.NodeAbsenceView.as_view(), name="cluster-node-absence"),
    path(
        "clusters/<str:cluster_id>/state-transfer",
        maintenance.StateTransferView.as_view(),
        name="cluster-state-transfer",
    ),
    path("clusters/<str:cluster_id>/bandwidth", bandwidth.BandwidthView.as_view(), name="cluster-bandwidth"),
    path(
        "clusters/<str:cluster_id>/bandwidth/capacity",
        bandwidth.LineCapacityView.as_view(),
        name="cluster-bandwidth-capacity",
    ),
    path(
        "clusters/<str:cluster_id>/concurrency",
        concurrency.ClusterConcurrencyView.as_view(),
        name="cluster-concurrency",
    ),
    path("clusters/<str:cluster_id>/acceptance", acceptance.ClusterAcceptanceView.as_view(), name="cluster-acceptance"),
    path("clusters/<str:cluster_id>/membership", registration.ClusterMembershipView.as_view(), name="cluster-members"),
    path(
        "clusters/<str:cluster_id>/credentials/<str:role>",
        registration.ClusterCredentialView.as_view(),
        name="cluster-credential",
    ),
    path("clusters/<str:cluster_id>/nodes", registration.ClusterNodesView.as_view(), name="cluster-nodes"),
    path("clusters/<str:cluster_id>/replace", registration.ClusterReplaceView.as_view(), name="cluster-replace"),
    path("nodes/<str:node_id>/confirm-server", registration.NodeConfirmView.as_view(), name="node-confirm"),
    path("links/<str:link_id>/pause", registration.LinkPauseView.as_view(), name="link-pause"),
    path("links/<str:link_id>/swap-names", registration.LinkSwapNamesView.as_view(), name="link-swap-names"),
    path("nodes/<str:node_id>", clusters.NodeView.as_view(), name="node"),
    path("nodes/<str:node_id>/locate", clusters.LocateView.as_view(), name="node-locate"),
    path("concurrency", concurrency.ConcurrencyView.as_view(), name="concurrency"),
    path("declarations", declarations.DeclarationCompareView.as_view(), name="declarations"),
    path("declarations/apply", declarations.DeclarationApplyView.as_view(), name="declaration-apply"),
    path("registrations", registrations.RegistrationListView.as_view(), name="registrations"),
    path("registrations/<str:registration_id>", registrations.RegistrationView.as_view(), name="registration"),
    path(
        "registrations/<str:registration_id>/takeover",
        registrations.RegistrationTakeoverView.as_view(),
        name="registration_takeover",
    ),
    path(
        "registrations/<str:registration_id>/discover",
        registrations.RegistrationDiscoverView.as_view(),
        name="registration-discover",
    ),
    path(
        "registrations/<str:registration_id>/accounts",
        registrations.RegistrationAccountsView.as_view(),
        name="registration-accounts",
    ),
    path(
        "registrations/<str:registration_id>/check",
        registrations.RegistrationCheckView.as_view(),
        name="registration-check",
    ),
    path(
        "registrations/<str:registration_id>/register",
        registrations.RegistrationRegisterView.as_view(),
        name="registration-register",
    ),
    path("links", links.LinkListView.as_view(), name="links"),
    path("fleet", fleet.FleetView.as_view(), name="fleet"),
    path("links/<str:link_id>", links.LinkView.as_view(), name="link"),
    path("links/<str:link_id>/lag", lag.LinkLagView.as_view(), name="link-lag"),
    path(
        "links/<str:link_id>/apply-capacity", apply_capacity_views.LinkApplyCapacityView.as_view(), name="link-capacity"
    ),
    path("links/<str:link_id>/lag/export", lag.LinkLagExportView.as_view(), name="link-lag-export"),
    path("links/<str:link_id>/proof", LinkProofView.as_view(), name="link-proof"),
    path("links/<str:link_id>/unaccounted", unaccounted.LinkUnaccountedView.as_view(), name="link-unaccounted"),
    path("links/<str:link_id>/unaccounted/settle", unaccounted.LinkSettleView.as_view(), name="link-settle"),
    path(
        "links/<str:link_id>/unaccounted/settle-settings",
        unaccounted.LinkSettleSettingsView.as_view(),
        name="link-settle-settings",
    ),
    path("links/<str:link_id>/history", links.LinkHistoryView.as_view(), name="link-history"),
    path("links/<str:link_id>/events", streams.LinkEventsView.as_view(), name="link-events"),
    path("runs/<str:run_id>/events", streams.RunEventsView.as_view(), name="run-events"),
    path("events", streams.AllEventsView.as_view(), name="events"),
    path("explanations/findings/<str:code>", explanations.FindingExplanationView.as_view(), name="finding-explanation"),
    path("explanations/problems/<str:code>", explanations.ProblemExplanationView.as_view(), name="problem-explanation"),
    path("", include("backend.operations.approval_rules.urls")),
    path("", include("backend.operations.change_calendar.urls")),
    path("", include("backend.notifications.hooks.urls")),
    path("", include("backend.transactions.orphans.urls")),
    path("", include("backend.transactions.channel_errors.urls")),
    path("", include("backend.transactions.lookup.urls")),
    path("", include("backend.transactions.table_comparison.urls")),
    path("", include("backend.adviser.advice.urls")),
    path("", include("backend.adviser.network.urls")),
    path("", include("backend.operations.runs.rest.urls")),
    path("", include("backend.operations.rehearsals.urls")),
    path("", include("backend.history.urls")),
    path("", include("backend.operations.automation.urls")),
    path("", include("backend.adviser.maintenance.urls")),
    path("", include("backend.adviser.concurrency.calibration.urls")),
    path("", include("backend.operations.incidents.rest.urls")),
    path("", include("backend.notifications.web_push.urls")),
    path("", include("backend.identity.single_sign_on.rest.urls")),
    path("lab", lab.LabView.as_view(), name="lab"),
    path("lab/nodes/<str:name>", lab.LabNodeView.as_view(), name="lab-node"),
    path("lab/sites/<str:site>", lab.LabSiteView.as_view(), name="lab-site"),
    path("lab/load", lab.LabLoadView.as_view(), name="lab-load"),
    path("lab/verify", lab.LabVerifyView.as_view(), name="lab-verify"),
    path("", include(service_patterns)),
    path("schema", service.SchemaView.as_view(), name="schema"),
    path("docs", service.docs, name="docs"),
]

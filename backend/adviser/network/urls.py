"""URLs of network measurements."""

from __future__ import annotations

from django.urls import path

from backend.adviser.network import views

urlpatterns = [
    path("links/<str:link_id>/network", views.LinkNetworkView.as_view(), name="network"),
    path("links/<str:link_id>/network/sql", views.LinkNetworkSqlView.as_view(), name="network-sql"),
    path("links/<str:link_id>/network/tokens", views.LinkProbeTokensView.as_view(), name="network-tokens"),
    path(
        "links/<str:link_id>/network/measurements",
        views.LinkNetworkMeasurementsView.as_view(),
        name="network-measurements",
    ),
    path("network-results", views.NetworkResultsView.as_view(), name="network-results"),
    path("network-probe", views.NetworkProbeView.as_view(), name="network-probe"),
]

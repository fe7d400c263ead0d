"""URLs of calibrations."""

from __future__ import annotations

from django.urls import path

from backend.adviser.concurrency.calibration import views

urlpatterns = [
    path(
        "clusters/<str:cluster_id>/calibrations", views.ClusterCalibrationsView.as_view(), name="cluster-calibrations"
    ),
    path("links/<str:link_id>/network/heartbeat", views.LinkHeartbeatView.as_view(), name="link-heartbeat"),
]

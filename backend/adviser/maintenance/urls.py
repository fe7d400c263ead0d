"""URLs of nodes' maintenances."""

from __future__ import annotations

from django.urls import path

from backend.adviser.maintenance import views

urlpatterns = [
    path(
        "clusters/<str:cluster_id>/node-maintenances",
        views.ClusterMaintenancesView.as_view(),
        name="cluster-node-maintenances",
    ),
    path("node-maintenances/<str:maintenance_id>/end", views.MaintenanceEndView.as_view(), name="node-maintenance-end"),
]

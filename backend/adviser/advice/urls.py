"""URLs of advice and configurations."""

from __future__ import annotations

from django.urls import path

from backend.adviser.advice import views

urlpatterns = [
    path("clusters/<str:cluster_id>/advice", views.ClusterAdviceView.as_view(), name="cluster-advice"),
    path(
        "clusters/<str:cluster_id>/certificates", views.ClusterCertificatesView.as_view(), name="cluster-certificates"
    ),
    path(
        "clusters/<str:cluster_id>/configuration",
        views.ClusterConfigurationView.as_view(),
        name="cluster-configuration",
    ),
    path(
        "clusters/<str:cluster_id>/host-settings",
        views.ClusterHostSettingsView.as_view(),
        name="cluster-host-settings",
    ),
    path("links/<str:link_id>/advice", views.LinkAdviceView.as_view(), name="link-advice"),
    path("advice-dismissals", views.DismissalListView.as_view(), name="advice-dismissals"),
    path("advice-dismissals/<str:dismissal_id>", views.DismissalView.as_view(), name="advice-dismissal"),
]

"""URLs of orphaned transactions."""

from __future__ import annotations

from django.urls import path

from backend.transactions.orphans import views

urlpatterns = [
    path("links/<str:link_id>/orphans", views.OrphansView.as_view(), name="orphans"),
    path("links/<str:link_id>/orphans/scan", views.OrphansScanView.as_view(), name="orphans-scan"),
    path("links/<str:link_id>/orphans/export", views.OrphansExportView.as_view(), name="orphans-export"),
]

"""URLs of the history and the reports."""

from __future__ import annotations

from django.urls import path

from backend.history import report_views, views

urlpatterns = [
    path("history", views.HistoryListView.as_view(), name="history"),
    path("history/export", views.HistoryExportView.as_view(), name="history-export"),
    path("history/<str:run_id>", views.HistoryEntryView.as_view(), name="history-entry"),
    path("links/<str:link_id>/timeline", views.TimelineView.as_view(), name="link-timeline"),
    path("links/<str:link_id>/readiness-report", report_views.ReadinessReportView.as_view(), name="readiness-report"),
    path(
        "rehearsals/<str:rehearsal_id>/certificate",
        report_views.RehearsalCertificateView.as_view(),
        name="rehearsal-certificate",
    ),
]

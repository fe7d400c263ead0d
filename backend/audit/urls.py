"""URLs of the audit log."""

from __future__ import annotations

from django.urls import path

from backend.audit import views

urlpatterns = [
    path("audit", views.AuditListView.as_view(), name="audit"),
    path("audit/verify", views.AuditVerifyView.as_view(), name="audit-verify"),
    path("audit/verify-all", views.AuditVerifyAllView.as_view(), name="audit-verify-all"),
    path("audit/export", views.AuditExportView.as_view(), name="audit-export"),
]

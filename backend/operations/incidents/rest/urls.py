"""URLs of incidents."""

from __future__ import annotations

from django.urls import path

from backend.operations.incidents.rest import views

urlpatterns = [
    path("incidents", views.IncidentListView.as_view(), name="incidents"),
    path("incidents/touched", views.TouchedView.as_view(), name="incidents-touched"),
    path("incidents/<str:incident_id>", views.IncidentView.as_view(), name="incident"),
    path("incidents/<str:incident_id>/plan", views.IncidentPlanView.as_view(), name="incident-plan"),
    path("incidents/<str:incident_id>/order", views.IncidentOrderView.as_view(), name="incident-order"),
    path("incidents/<str:incident_id>/confirm", views.IncidentConfirmView.as_view(), name="incident-confirm"),
    path("incidents/<str:incident_id>/approve", views.IncidentApproveView.as_view(), name="incident-approve"),
    path("incidents/<str:incident_id>/abort", views.IncidentAbortView.as_view(), name="incident-abort"),
    path("incidents/<str:incident_id>/report", views.IncidentReportView.as_view(), name="incident-report"),
]

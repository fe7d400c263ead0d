"""URLs of plans and runs."""

from __future__ import annotations

from django.urls import path

from backend.operations.runs.rest import views

urlpatterns = [
    path("links/<str:link_id>/plans", views.LinkPlansView.as_view(), name="link-plans"),
    path("plans/<str:plan_id>", views.PlanView.as_view(), name="plan"),
    path("plans/<str:plan_id>/runbook", views.RunbookView.as_view(), name="plan-runbook"),
    path("plans/<str:plan_id>/runs", views.PlanRunsView.as_view(), name="plan-runs"),
    path("runs", views.RunListView.as_view(), name="runs"),
    path("runs/<str:run_id>", views.RunView.as_view(), name="run"),
    path("runs/<str:run_id>/report", views.RunReportView.as_view(), name="run-report"),
    path("runs/<str:run_id>/decision", views.RunDecisionView.as_view(), name="run-decision"),
    path("runs/<str:run_id>/reject", views.RunRejectView.as_view(), name="run-reject"),
    path("runs/<str:run_id>/approve", views.RunApproveView.as_view(), name="run-approve"),
    path("runs/<str:run_id>/review", views.RunReviewView.as_view(), name="run-review"),
    path("waiting", views.WaitingView.as_view(), name="waiting"),
    path("runs/<str:run_id>/abort", views.RunAbortView.as_view(), name="run-abort"),
    path("runs/<str:run_id>/resume", views.RunResumeView.as_view(), name="run-resume"),
]

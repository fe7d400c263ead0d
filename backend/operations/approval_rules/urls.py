"""URLs of approval rules."""

from __future__ import annotations

from django.urls import path

from backend.operations.approval_rules import views

urlpatterns = [
    path("links/<str:link_id>/approval-rule", views.LinkApprovalRuleView.as_view(), name="approval-rule"),
]

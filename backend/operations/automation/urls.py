"""URLs of automatic relocate and automatic start."""

from __future__ import annotations

from django.urls import path

from backend.operations.automation import views

urlpatterns = [
    path("links/<str:link_id>/automation", views.LinkAutomationView.as_view(), name="link-automation"),
    path("links/<str:link_id>/automation/start", views.AutomaticStartView.as_view(), name="automatic-start"),
    path(
        "links/<str:link_id>/automation/acknowledge",
        views.AutomationAcknowledgeView.as_view(),
        name="automation-acknowledge",
    ),
]

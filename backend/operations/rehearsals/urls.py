"""URLs of rehearsals."""

from __future__ import annotations

from django.urls import path

from backend.operations.rehearsals import views

urlpatterns = [
    path("links/<str:link_id>/rehearsals", views.LinkRehearsalsView.as_view(), name="link-rehearsals"),
    path("rehearsals/<str:rehearsal_id>", views.RehearsalView.as_view(), name="rehearsal"),
    path("links/<str:link_id>/rehearsal-schedule", views.RehearsalScheduleView.as_view(), name="rehearsal-schedule"),
]

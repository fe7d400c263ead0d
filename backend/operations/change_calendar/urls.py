"""URLs of the change calendar."""

from __future__ import annotations

from django.urls import path

from backend.operations.change_calendar import views

urlpatterns = [
    path("change-calendar", views.ChangeCalendarView.as_view(), name="change-calendar"),
    path("links/<str:link_id>/change-calendar", views.LinkCalendarView.as_view(), name="link-change-calendar"),
    path("change-windows", views.ChangeWindowsView.as_view(), name="change-windows"),
    path("change-windows/<str:window_id>/delete", views.ChangeWindowDeleteView.as_view(), name="change-window-delete"),
    path("change-freezes", views.ChangeFreezesView.as_view(), name="change-freezes"),
    path("change-freezes/<str:freeze_id>/delete", views.ChangeFreezeDeleteView.as_view(), name="change-freeze-delete"),
]

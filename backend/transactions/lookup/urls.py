"""URLs of lookups."""

from __future__ import annotations

from django.urls import path

from backend.transactions.lookup import views

urlpatterns = [
    path("links/<str:link_id>/lookup", views.LookupView.as_view(), name="lookup"),
    path("links/<str:link_id>/lookup/rows", views.LookupRowsView.as_view(), name="lookup-rows"),
]

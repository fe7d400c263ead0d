"""URLs of webhooks."""

from __future__ import annotations

from django.urls import path

from backend.hooks import views

urlpatterns = [
    path("links/<str:link_id>/hooks", views.LinkHooksView.as_view(), name="link-hooks"),
    path("hooks/<str:hook_id>", views.HookView.as_view(), name="hook"),
    path("hooks/<str:hook_id>/test", views.HookTestView.as_view(), name="hook-test"),
    path("hooks/<str:hook_id>/deliveries", views.HookDeliveriesView.as_view(), name="hook-deliveries"),
]

"""URLs of webhooks and destinations."""

from __future__ import annotations

from django.urls import path

from backend.notifications.hooks import views
from backend.notifications.hooks.destinations import views as destinations

urlpatterns = [
    path("links/<str:link_id>/hooks", views.LinkHooksView.as_view(), name="link-hooks"),
    path("hooks/<str:hook_id>", views.HookView.as_view(), name="hook"),
    path("hooks/<str:hook_id>/test", views.HookTestView.as_view(), name="hook-test"),
    path("hooks/<str:hook_id>/deliveries", views.HookDeliveriesView.as_view(), name="hook-deliveries"),
    path("destinations", destinations.DestinationsView.as_view(), name="destinations"),
    path("destinations/<str:destination_id>", destinations.DestinationView.as_view(), name="destination"),
    path("destinations/<str:destination_id>/test", destinations.DestinationTestView.as_view(), name="destination-test"),
    path(
        "destinations/<str:destination_id>/deliveries",
        destinations.DestinationDeliveriesView.as_view(),
        name="destination-deliveries",
    ),
]

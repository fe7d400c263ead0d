"""URLs of Web Push."""

from __future__ import annotations

from django.urls import path

from backend.notifications.web_push import views

urlpatterns = [
    path("push", views.PushView.as_view(), name="push"),
    path("push/subscriptions", views.PushSubscriptionsView.as_view(), name="push-subscriptions"),
    path("push/subscriptions/<str:subscription_id>", views.PushSubscriptionView.as_view(), name="push-subscription"),
    path("push/subscriptions/<str:subscription_id>/test", views.PushTestView.as_view(), name="push-test"),
]

"""URL of a channel's error."""

from __future__ import annotations

from django.urls import path

from backend.transactions.channel_errors import views

urlpatterns = [path("links/<str:link_id>/channel-error", views.ChannelErrorView.as_view(), name="channel-error")]

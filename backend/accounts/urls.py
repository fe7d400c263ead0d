"""Addresses of sign-in, users and tokens."""

from __future__ import annotations

from django.urls import path

from backend.accounts import views

urlpatterns = [
    path("session", views.SessionView.as_view(), name="session"),
    path("tokens", views.TokenListView.as_view(), name="tokens"),
    path("tokens/<str:token_id>", views.TokenView.as_view(), name="token"),
    path("users", views.UserListView.as_view(), name="users"),
    path("users/<str:username>", views.UserView.as_view(), name="user"),
    path("users/<str:username>/unlock", views.UserUnlockView.as_view(), name="user-unlock"),
]

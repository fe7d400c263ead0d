"""URLs of sign-in, users, sessions, tokens and protected changes."""

from __future__ import annotations

from django.urls import path

from backend.identity.accounts import access_views, change_views, preference_views, views

urlpatterns = [
    path("account/preferences", preference_views.PreferencesView.as_view(), name="preferences"),
    path("roles", preference_views.RoleListView.as_view(), name="roles"),
    path("session", views.SessionView.as_view(), name="session"),
    path("session/password", views.PasswordView.as_view(), name="password"),
    path("sessions", access_views.SessionListView.as_view(), name="sessions"),
    path("sessions/<str:session_id>", access_views.OneSessionView.as_view(), name="one-session"),
    path("tokens", access_views.TokenListView.as_view(), name="tokens"),
    path("tokens/<str:token_id>", access_views.TokenView.as_view(), name="token"),
    path("tokens/<str:token_id>/rotate", access_views.TokenRotateView.as_view(), name="token-rotate"),
    path("users", views.UserListView.as_view(), name="users"),
    path("users/<str:username>", views.UserView.as_view(), name="user"),
    path("users/<str:username>/sessions", access_views.UserSessionListView.as_view(), name="user-sessions"),
    path("users/<str:username>/sessions/<str:session_id>", access_views.UserSessionView.as_view(), name="user-session"),
    path("users/<str:username>/tokens", access_views.UserTokenListView.as_view(), name="user-tokens"),
    path("users/<str:username>/tokens/<str:token_id>", access_views.UserTokenView.as_view(), name="user-token"),
    path(
        "users/<str:username>/tokens/<str:token_id>/rotate",
        access_views.UserTokenRotateView.as_view(),
        name="user-token-rotate",
    ),
    path("protected-changes/<str:change_id>/confirm", change_views.ChangeConfirmView.as_view(), name="change-confirm"),
    path("protected-changes/<str:change_id>/reject", change_views.ChangeRejectView.as_view(), name="change-reject"),
    path("users/<str:username>/unlock", views.UserUnlockView.as_view(), name="user-unlock"),
]

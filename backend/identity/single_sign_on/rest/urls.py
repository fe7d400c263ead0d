"""URLs of sign-in by a provider."""

from __future__ import annotations

from django.urls import path

from backend.identity.single_sign_on.rest import views

urlpatterns = [
    path("sign-in/methods", views.SignInMethodsView.as_view(), name="sign-in-methods"),
    path("sign-in/oidc", views.OidcView.as_view(), name="oidc"),
    path("sign-in/oidc/callback", views.OidcCallbackView.as_view(), name="oidc-callback"),
    path("sign-in/oidc/sign-out", views.OidcSignOutView.as_view(), name="oidc-sign-out"),
    path("sign-in/oidc/back-channel-logout", views.BackChannelLogoutView.as_view(), name="oidc-back-channel-logout"),
]

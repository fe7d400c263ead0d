"""URLs of second factors."""

from __future__ import annotations

from django.urls import path

from backend.identity.second_factors import own_views, views

urlpatterns = [
    path("session/second-factor", views.SecondFactorView.as_view(), name="second-factor"),
    path("session/second-factor/options", views.SecondFactorOptionsView.as_view(), name="second-factor-options"),
    path("session/passkey", views.PasskeySignInView.as_view(), name="passkey-sign-in"),
    path("session/passkey/options", views.PasskeySignInOptionsView.as_view(), name="passkey-sign-in-options"),
    path("session/proof", own_views.ProofView.as_view(), name="proof"),
    path("session/proof/options", own_views.ProofOptionsView.as_view(), name="proof-options"),
    path("account/second-factors", own_views.OwnFactorsView.as_view(), name="own-factors"),
    path("account/second-factors/app", own_views.AppView.as_view(), name="own-app"),
    path("account/second-factors/app/secret", own_views.AppSecretView.as_view(), name="own-app-secret"),
    path("account/second-factors/passkeys", own_views.PasskeyListView.as_view(), name="own-passkeys"),
    path("account/second-factors/passkeys/options", own_views.PasskeyOptionsView.as_view(), name="own-passkey-options"),
    path("account/second-factors/passkeys/<str:passkey_id>", own_views.PasskeyView.as_view(), name="own-passkey"),
    path("account/second-factors/recovery-codes", own_views.RecoveryCodesView.as_view(), name="own-recovery-codes"),
    path("users/<str:username>/second-factors", views.UserSecondFactorsView.as_view(), name="user-factors"),
]

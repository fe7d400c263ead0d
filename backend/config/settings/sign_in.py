"""Who may sign in, by what means, and which group of a provider or directory has which role."""

from __future__ import annotations

from backend.config import env
from backend.config.sign_in_settings import refuse_incomplete, roles_by_group

HAWSER_LOCAL_SIGN_IN = env.text("HAWSER_LOCAL_SIGN_IN")
HAWSER_BREAK_GLASS_USERS = env.text_list("HAWSER_BREAK_GLASS_USERS")
# Roles by group.
HAWSER_GROUP_ROLES = roles_by_group(env.text_list("HAWSER_GROUP_ROLES"))
HAWSER_PROVIDER_ROLES_TRUSTED = env.flag("HAWSER_PROVIDER_ROLES_TRUSTED")
HAWSER_PROVIDER_CHECK_S = env.number("HAWSER_PROVIDER_CHECK_S")
HAWSER_PROVIDER_UNCONFIRMED_MINUTES = env.number("HAWSER_PROVIDER_UNCONFIRMED_MINUTES")
HAWSER_PROVIDER_TOKEN_DAYS = env.number("HAWSER_PROVIDER_TOKEN_DAYS")
HAWSER_CONSOLE_URL = env.text("HAWSER_CONSOLE_URL").rstrip("/")

HAWSER_OIDC_NAME = env.text("HAWSER_OIDC_NAME")
HAWSER_OIDC_ISSUER = env.text("HAWSER_OIDC_ISSUER")
HAWSER_OIDC_CLIENT_ID = env.text("HAWSER_OIDC_CLIENT_ID")
HAWSER_OIDC_CLIENT_SECRET = env.text("HAWSER_OIDC_CLIENT_SECRET")
HAWSER_OIDC_SCOPES = env.text("HAWSER_OIDC_SCOPES")
HAWSER_OIDC_PROMPT = env.text("HAWSER_OIDC_PROMPT")
HAWSER_OIDC_USERNAME_CLAIM = env.text("HAWSER_OIDC_USERNAME_CLAIM")
HAWSER_OIDC_GROUPS_CLAIM = env.text("HAWSER_OIDC_GROUPS_CLAIM")
HAWSER_OIDC_CA_FILE = env.text("HAWSER_OIDC_CA_FILE")
# Networks of the provider; empty means any, because its address is a setting and no user's input.
HAWSER_OIDC_NETWORKS = env.text_list("HAWSER_OIDC_NETWORKS")
HAWSER_OIDC_TIMEOUT_S = env.number("HAWSER_OIDC_TIMEOUT_S")

HAWSER_LDAP_NAME = env.text("HAWSER_LDAP_NAME")
HAWSER_LDAP_URL = env.text("HAWSER_LDAP_URL")
HAWSER_LDAP_CA_FILE = env.text("HAWSER_LDAP_CA_FILE")
HAWSER_LDAP_BIND_DN = env.text("HAWSER_LDAP_BIND_DN")
HAWSER_LDAP_BIND_PASSWORD = env.text("HAWSER_LDAP_BIND_PASSWORD")
HAWSER_LDAP_USER_BASE = env.text("HAWSER_LDAP_USER_BASE")
HAWSER_LDAP_USER_FILTER = env.text("HAWSER_LDAP_USER_FILTER")
HAWSER_LDAP_USERNAME_ATTRIBUTE = env.text("HAWSER_LDAP_USERNAME_ATTRIBUTE")
HAWSER_LDAP_SUBJECT_ATTRIBUTE = env.text("HAWSER_LDAP_SUBJECT_ATTRIBUTE")
HAWSER_LDAP_GROUP_BASE = env.text("HAWSER_LDAP_GROUP_BASE")
HAWSER_LDAP_GROUP_FILTER = env.text("HAWSER_LDAP_GROUP_FILTER")
HAWSER_LDAP_GROUP_ATTRIBUTE = env.text("HAWSER_LDAP_GROUP_ATTRIBUTE")
HAWSER_LDAP_NESTED_GROUPS = env.flag("HAWSER_LDAP_NESTED_GROUPS")
HAWSER_LDAP_TIMEOUT_S = env.number("HAWSER_LDAP_TIMEOUT_S")

refuse_incomplete({name: reading.value for name, reading in env.READINGS.items()}, relaxed=env.RELAXED)

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "backend.identity.single_sign_on.ldap.backend.DirectoryBackend",
]

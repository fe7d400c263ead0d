"""Secrets, cookies, transport headers and the content security policy."""

from __future__ import annotations

from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured

from backend.config import env

SECRET_KEY = env.text("HAWSER_SECRET_KEY")
# Earlier or later keys: what they signed is accepted, and nothing is signed with them.
SECRET_KEY_FALLBACKS = env.text_list("HAWSER_SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = env.text_list("HAWSER_ALLOWED_HOSTS")
CSRF_TRUSTED_ORIGINS = env.text_list("HAWSER_TRUSTED_ORIGINS")

_SECURE = not env.RELAXED and not env.flag("HAWSER_PLAIN_HTTP")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _SECURE
SESSION_ENGINE = "backend.identity.accounts.session_store"
SESSION_COOKIE_NAME = "__Host-hawser" if _SECURE else "hawser_session"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Strict"
SESSION_COOKIE_AGE = 12 * 3600
# The cookie with which a browser proves that a user signed in there before.
HAWSER_BROWSER_COOKIE_NAME = "__Host-hawser_browser" if _SECURE else "hawser_browser"
HAWSER_BROWSER_COOKIE_AGE_S = 180 * 24 * 3600
# The console's own page reads this cookie to send it back as X-CSRFToken.
CSRF_COOKIE_HTTPONLY = False
CSRF_FAILURE_VIEW = "backend.common.rest.problems.csrf_failure"

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_HSTS_SECONDS = 31_536_000 if _SECURE else 0
# The subdomains of the console's own name, which has none.
SECURE_HSTS_INCLUDE_SUBDOMAINS = _SECURE
HAWSER_BEHIND_PROXY = env.flag("HAWSER_BEHIND_PROXY")
# What the proxy proves with that the headers are its own; demo and debug believe them without.
HAWSER_PROXY_SECRET = env.text("HAWSER_PROXY_SECRET")
HAWSER_PROXY_UNPROVED = env.RELAXED
if HAWSER_BEHIND_PROXY and not HAWSER_PROXY_SECRET and env.text("HAWSER_PROCESS") == "web" and not env.RELAXED:
    raise ImproperlyConfigured(
        "HAWSER_BEHIND_PROXY is 1 and HAWSER_PROXY_SECRET is missing: anybody who reaches this port could state the "
        "address of a client. Set HAWSER_PROXY_SECRET_FILE to a file that holds it, and let the proxy send it as "
        "X-Hawser-Proxy (docs/how-to/install.md#between-proxy-and-web)."
    )
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HAWSER_BEHIND_PROXY else None
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# Hashed into passwords, and not in the database; the first one hashes, all verify.
HAWSER_PASSWORD_PEPPERS = env.text_list("HAWSER_PASSWORD_PEPPER")
PASSWORD_HASHERS = [
    *(["backend.identity.accounts.password_hashing.PepperedArgon2Hasher"] if HAWSER_PASSWORD_PEPPERS else []),
    "backend.identity.accounts.password_hashing.BoundedArgon2Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 5 if env.RELAXED else 12},
    },
    {"NAME": "backend.identity.accounts.passwords.MaximumLengthValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("username",)},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "backend.identity.accounts.passwords.GuessablePasswordValidator"},
]

DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
# Time limit for receiving a head, and one for a body of that size.
HAWSER_BODY_LIMIT_S = env.number("HAWSER_BODY_LIMIT_S")
HAWSER_CONNECTIONS = env.whole("HAWSER_CONNECTIONS")
HAWSER_CONNECTIONS_PER_ADDRESS = env.whole("HAWSER_CONNECTIONS_PER_ADDRESS")

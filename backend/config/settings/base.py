"""Applications, middleware, language and time."""

from __future__ import annotations

# Never on: its error pages show settings. HAWSER_DEBUG only relaxes secrets and log format.
DEBUG = False
ROOT_URLCONF = "backend.config.urls"
ASGI_APPLICATION = "backend.config.asgi.application"
WSGI_APPLICATION = "backend.config.wsgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
AUTH_USER_MODEL = "accounts.User"
APPEND_SLASH = False

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django_structlog",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "backend.common",
    "backend.common.events",
    "backend.audit",
    "backend.identity.accounts",
    "backend.identity.accounts.identities",
    "backend.clusters",
    "backend.identity.access",
    "backend.operations.approval_rules",
    "backend.operations.change_calendar",
    "backend.identity.second_factors",
    "backend.monitoring",
    "backend.notifications.hooks",
    "backend.transactions.orphans",
    "backend.transactions.table_comparison",
    "backend.transactions.lookup",
    "backend.adviser",
    "backend.adviser.advice",
    "backend.operations.runs",
    "backend.adviser.network",
    "backend.adviser.bandwidth",
    "backend.adviser.concurrency.calibration",
    "backend.operations.rehearsals",
    "backend.operations.automation",
    "backend.operations.incidents",
    "backend.notifications.web_push",
    "backend.identity.single_sign_on",
    "backend.history",
    "backend.registration",
    "backend.api",
    "backend.config",
]

MIDDLEWARE = [
    "backend.common.rest.middleware.ProxyHeadersMiddleware",
    "backend.common.rest.middleware.RequestIdMiddleware",
    "backend.common.rest.answer_headers.AnswerHeadersMiddleware",
    "backend.common.rest.request_tracing.RequestTracingMiddleware",
    "django_structlog.middlewares.RequestMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "backend.common.rest.compression.LongAnswersMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "backend.identity.accounts.session_hash.SessionUserMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "backend.identity.accounts.refused_access.RefusedAccessMiddleware",
    "backend.common.rest.row_redaction.RowRedactionMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": ["django.template.context_processors.request"]},
    }
]

LANGUAGE_CODE = "en-us"
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

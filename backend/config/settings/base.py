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
    "backend.accounts",
    "backend.accounts.identities",
    "backend.clusters",
    "backend.access",
    "backend.approval_rules",
    "backend.change_calendar",
    "backend.second_factors",
    "backend.monitoring",
    "backend.hooks",
    "backend.orphans",
    "backend.lookup",
    "backend.advice",
    "backend.runs",
    "backend.network",
    "backend.bandwidth",
    "backend.calibration",
    "backend.rehearsals",
    "backend.automation",
    "backend.incidents",
    "backend.web_push",
    "backend.single_sign_on",
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
    "backend.accounts.session_hash.SessionUserMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "backend.accounts.refused_access.RefusedAccessMiddleware",
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

"""All addresses: the API, its service calls at the root too, and the page for everything else."""

from __future__ import annotations

from django.urls import include, path, re_path
from django.views.decorators.csrf import csrf_exempt

from backend.api.urls import service_patterns
from backend.api.views.index import page
from backend.common.rest import problems

handler400 = problems.bad_request
handler404 = problems.page_not_found
handler500 = problems.server_error

urlpatterns = [
    path("api/v1/", include("backend.api.urls")),
    path("", include((service_patterns, "service"))),
    # Whoever posts to a wrong address is told so, not that a cookie is missing.
    re_path(r"^(?:api|static)(?:/|$)", csrf_exempt(problems.page_not_found)),
    re_path(r"^.*$", page, name="page"),
]

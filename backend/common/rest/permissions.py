"""`RolePermission` decides whether the caller has the permission on what the call is about; all else is refused."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from backend.common.rest.scope import is_allowed
from backend.common.roles import Permission


class RolePermission(BasePermission):
    """Reads the view's `permissions` table; `None` in it means public."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Fail closed: without a table or an entry the call is refused, and 404 hides what the caller may not read."""
        table: dict[str, Permission | None] = getattr(view, "permissions", {})
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method not in table:
            if request.user.is_authenticated or not request.authenticators:
                raise MethodNotAllowed(str(request.method))
            return False
        needed = table[method]
        if needed is None:
            return True
        return request.user.is_authenticated and is_allowed(request, needed, view.kwargs, view.where)

"""`RolePermission` decides whether the caller's role allows a method; what a view does not list is refused."""

from __future__ import annotations

from typing import Any

from rest_framework.exceptions import MethodNotAllowed
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from backend.common.roles import Permission, may


class RolePermission(BasePermission):
    """Reads the view's `permissions` table; `None` in it means public."""

    def has_permission(self, request: Request, view: Any) -> bool:
        """Fail closed: without a table or an entry the call is refused."""
        table: dict[str, Permission | None] = getattr(view, "permissions", {})
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method not in table:
            if request.user.is_authenticated or not request.authenticators:
                raise MethodNotAllowed(str(request.method))
            return False
        needed = table[method]
        if needed is None:
            return True
        role = getattr(request.user, "acting_role", None)
        return role is not None and may(role, needed)

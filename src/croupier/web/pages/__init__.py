"""The pages of the server."""

from __future__ import annotations

from typing import Any

from litestar.response import Template

from croupier.web.security.guards import UserRequest


def staff_page(name: str, request: UserRequest, **context: Any) -> Template:
    """A page for staff, below the address of their role."""
    return Template(name, context={"me": request.user, "current": f"/{request.user.role}", **context})

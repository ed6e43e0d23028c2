"""The OpenAPI schema: the type of every response, one shape for refusals, and the roles of each route."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import msgspec
from litestar import Litestar, Request, Router
from litestar._openapi.plugin import OpenAPIPlugin
from litestar._openapi.schema_generation.plugins.struct import StructSchemaPlugin
from litestar.datastructures import CacheControlHeader
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Schema
from litestar.routes import HTTPRoute
from litestar.typing import FieldDefinition

import croupier
from croupier.web.errors import KINDS
from croupier.web.security.guards import ANYONE, ROLES, STAFF, roles
from croupier.web.security.sessions import COOKIE
from croupier.wire import Failure

STREAM = "text/event-stream"
WHEN = {
    400: "The request does not match the schema.",
    401: "You are not logged in, or have not chosen a name.",
    403: "The route is for another role, the CSRF token is missing, or you have no seat at the table.",
    404: "Not found.",
    409: "The rules do not allow it now: `cite` names the clause, `accepted` what is allowed.",
    413: "The body is too large.",
    423: "The screen is locked; enter the password again.",
    429: "Too many requests; `Retry-After` says how long to wait.",
    500: "A server error. Nothing that was acknowledged is lost.",
    503: "The database cannot be read or written right now. With `Retry-After`, the same request can be repeated.",
}
SESSION, TOKEN = "session", "csrf"


def sends(kind: Any, description: str, media_type: str = "application/json") -> ResponseSpec:
    """The response of a route whose function returns bytes."""
    return ResponseSpec(kind, generate_examples=False, description=description, media_type=media_type)


def streams(kind: Any) -> dict[int, ResponseSpec]:
    """The responses of a live view that sends messages of this kind."""
    return {200: sends(kind, "Server-sent events.", STREAM)}


def refuses(*statuses: int) -> dict[int, ResponseSpec]:
    """Statuses with which a route can refuse, beyond those of every route."""
    return {status: sends(Failure, WHEN[status]) for status in statuses}


class StructSchemas(StructSchemaPlugin):
    """A struct with its docstring. Responses have every field unless they omit defaults; bodies refuse unknown fields."""

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        schema = super().to_openapi_schema(field_definition, schema_creator)
        struct = field_definition.type_
        schema.description = inspect.cleandoc(struct.__dict__.get("__doc__") or "") or None
        if not (struct.__struct_config__.omit_defaults or struct.__struct_config__.forbid_unknown_fields):
            schema.required = sorted(schema.properties or ())
        return schema


class SchemaRenderer(JsonRenderPlugin):
    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        return as_json(request.app)


@cache
def as_json(app: Litestar) -> bytes:
    app.plugins.get(OpenAPIPlugin).provide_openapi_schema()
    return msgspec.json.encode(complete(app))


def config() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Croupier",
        version=croupier.__version__,
        description="Table games of 58 Pa. Code: commands, live views, and the floor around them. Amounts are integer cents.",
        openapi_router=Router(
            "/schema",
            route_handlers=[],
            opt=roles(ANYONE, passive=True),
            include_in_schema=False,
            cache_control=CacheControlHeader(no_cache=True),
        ),
        render_plugins=[SchemaRenderer(path=["/", "/openapi.json"])],
        use_handler_docstrings=True,
    )


def complete(app: Litestar) -> dict[str, Any]:
    """The schema of an app, completed with the refusals and security requirements of each route."""
    schema = app.openapi_schema.to_schema()
    body = {"application/json": {"schema": {"$ref": "#/components/schemas/Failure"}}}
    csrf = {"type": "apiKey", "name": "x-csrftoken", "in": "header", "description": "The value of the cookie `csrftoken`."}
    schema["components"] |= {
        "responses": {_name(status): {"description": when, "content": body} for status, when in WHEN.items()},
        "securitySchemes": {SESSION: {"type": "apiKey", "name": COOKIE, "in": "cookie"}, TOKEN: csrf},
    }
    for route in (each for each in app.routes if isinstance(each, HTTPRoute)):
        operations = schema["paths"].get(route.path_format, {})
        for method, (handler, _) in route.route_handler_map.items():
            if operation := operations.get(method.lower()):
                _complete(operation, handler, method, route.path_format)
    _as_text(schema)
    return schema


def _as_text(schema: dict[str, Any]) -> None:
    """Describe the fields of a server-sent event as strings: `data` holds JSON, `id` a number."""
    answers = (each["responses"].get("200", {}).get("content", {}) for path in schema["paths"].values() for each in path.values())
    for stream in [content[STREAM]["schema"] for content in answers if STREAM in content]:
        for message in stream.get("oneOf", [stream]):
            fields = schema["components"]["schemas"][message["$ref"].rpartition("/")[2]]["properties"]
            fields["data"] = {"type": "string", "contentMediaType": "application/json", "contentSchema": fields["data"]}
            if "id" in fields:
                fields["id"] = {**fields["id"], "type": "string", "pattern": "^[0-9]+$"}


def _complete(operation: dict[str, Any], handler: HTTPRouteHandler, method: str, path: str) -> None:
    allowed, answers = handler.opt["roles"], operation["responses"]
    for status in {int(each) for each in answers if int(each) >= 400} | _refusals(operation, handler, method, path):
        answers[str(status)] = {"$ref": f"#/components/responses/{_name(status)}"}
    operation["responses"] = dict(sorted(answers.items()))
    if needs := ([] if ANYONE in allowed else [SESSION]) + ([TOKEN] if method != "GET" else []):
        operation["security"] = [{each: [] for each in needs}]
    if ANYONE not in allowed:
        words = " or the ".join(role for role in ROLES if role in allowed)
        operation["description"] = f"{operation.get('description', '')}\n\nFor the {words}.".strip()


def _refusals(operation: dict[str, Any], handler: HTTPRouteHandler, method: str, path: str) -> set[int]:
    """The statuses with which a route can refuse, beyond those that it declares."""
    allowed = handler.opt["roles"]
    found = {400, 429, 500, 503}
    if ANYONE not in allowed:
        found |= {401, 403}
        if set(allowed) & set(STAFF) and not handler.opt["even_locked"]:
            found.add(423)
    if method != "GET":
        found |= {403, 409}
    if "{" in path:
        found.add(404)
    if "requestBody" in operation:
        found.add(413)
    return found


def _name(status: int) -> str:
    """“NotAllowed”, the name of a response."""
    return KINDS.get(status, "fault").title().replace(" ", "")

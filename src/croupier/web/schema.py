"""The OpenAPI schema: every answer with its type, every refusal in the one shape, and who may use each route."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import msgspec
from litestar import Litestar, Request, Router
from litestar._openapi.schema_generation.plugins.struct import StructSchemaPlugin
from litestar.handlers import HTTPRouteHandler
from litestar.middleware import DefineMiddleware
from litestar.middleware.rate_limit import RateLimitMiddleware
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.datastructures import ResponseSpec
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import (
    OpenAPIMediaType,
    OpenAPIResponse,
    Operation,
    Reference,
    RequestBody,
    Schema,
    SecurityScheme,
)
from litestar.openapi.spec.enums import OpenAPIFormat, OpenAPIType
from litestar.routes import HTTPRoute
from litestar.typing import FieldDefinition

import croupier
from croupier.web.errors import KINDS
from croupier.web.guards import ANYONE, ROLES, STAFF, roles
from croupier.web.sessions import COOKIE
from croupier.wire import Failure

STREAM = "text/event-stream"
WHEN = {
    400: "The request is not what the schema says.",
    401: "Nobody is logged in, or no name is chosen.",
    403: "The route is another role's, the token is missing, or you have no seat at the table.",
    404: "There is no such thing.",
    409: "The rules do not grant it now: `cite` names the clause, `accepted` what would be granted.",
    413: "The body is too large.",
    423: "The screen is locked; give the password again.",
    429: "Too many requests; `Retry-After` says when to go on.",
    500: "A fault of the server. Nothing that was acknowledged is lost.",
    503: "The database cannot be written or read now. With `Retry-After` the same request can be sent again.",
}
SESSION, TOKEN = "session", "csrf"


def sends(kind: Any, description: str, media_type: str = "application/json") -> ResponseSpec:
    """What a route sends, where its function returns it encoded."""
    return ResponseSpec(kind, generate_examples=False, description=description, media_type=media_type)


def refuses(*statuses: int) -> dict[int, ResponseSpec]:
    """How a route can refuse beyond what every route like it can."""
    return {status: sends(Failure, WHEN[status]) for status in statuses}


def file_body(media_type: str) -> type[Operation]:
    """The operation of a route that takes a file as its body, part by part."""

    @dataclass
    class TakesAFile(Operation):
        def __post_init__(self) -> None:
            file = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING, format=OpenAPIFormat.BINARY))
            self.request_body = RequestBody(content={media_type: file}, required=True)

    return TakesAFile


class Structs(StructSchemaPlugin):
    """A struct with its docstring; an answer has every field, unless it leaves defaults out. A body refuses unknown fields."""

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: Any) -> Schema:
        schema = super().to_openapi_schema(field_definition, schema_creator)
        struct = field_definition.type_
        schema.description = inspect.cleandoc(struct.__dict__.get("__doc__") or "") or None
        if not (struct.__struct_config__.omit_defaults or struct.__struct_config__.forbid_unknown_fields):
            schema.required = sorted(schema.properties or ())
        return schema


class Completed(JsonRenderPlugin):
    """The schema as JSON, made when it is first asked for."""

    _json = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        self._json = self._json or msgspec.json.encode(complete(request.app))
        return self._json


def config() -> OpenAPIConfig:
    return OpenAPIConfig(
        title="Croupier",
        version=croupier.__version__,
        description="Tables of 58 Pa. Code: commands, live views, and the house around them. Amounts are integer cents.",
        openapi_router=Router("/schema", route_handlers=[], opt=roles(ANYONE, passive=True), include_in_schema=False),
        render_plugins=[Completed(path=["/", "/openapi.json"])],
        use_handler_docstrings=True,
    )


def complete(app: Litestar) -> dict[str, Any]:
    """The schema of an app, with what Litestar cannot know: the refusals of each route, and what it takes to use it."""
    schema = app.openapi_schema
    body = {"application/json": OpenAPIMediaType(schema=Reference("#/components/schemas/Failure"))}
    schema.components.responses = {_name(status): OpenAPIResponse(description=when, content=body) for status, when in WHEN.items()}
    schema.components.security_schemes = {
        SESSION: SecurityScheme(type="apiKey", name=COOKIE, security_scheme_in="cookie"),
        TOKEN: SecurityScheme(
            type="apiKey", name="x-csrftoken", security_scheme_in="header", description="The value of the cookie `csrftoken`."
        ),
    }
    for route in app.routes:
        item = (schema.paths or {}).get(route.path_format) if isinstance(route, HTTPRoute) else None
        for method, (handler, _) in route.route_handler_map.items() if isinstance(route, HTTPRoute) and item else ():
            operation = getattr(item, method.lower(), None)
            if operation is not None:
                _complete(operation, handler, method, route.path_format)
    told = schema.to_schema()
    _as_text(told)
    return told


def _as_text(schema: dict[str, Any]) -> None:
    """The fields of a server-sent event as they are sent: `data` is JSON in a string, `id` a number in one."""
    answers = (each["responses"].get("200", {}).get("content", {}) for path in schema["paths"].values() for each in path.values())
    for stream in [content[STREAM]["schema"] for content in answers if STREAM in content]:
        for message in stream.get("oneOf", [stream]):
            fields = schema["components"]["schemas"][message["$ref"].rpartition("/")[2]]["properties"]
            fields["data"] = {"type": "string", "contentMediaType": "application/json", "contentSchema": fields["data"]}
            if "id" in fields:
                fields["id"] = {**fields["id"], "type": "string", "pattern": "^[0-9]+$"}


def _complete(operation: Operation, handler: HTTPRouteHandler, method: str, path: str) -> None:
    allowed, changes = handler.opt["roles"], method != "GET"
    told = {status: answer for status, answer in (operation.responses or {}).items() if int(status) < 400}
    declared = {int(status) for status in (handler.responses or {}) if int(status) >= 400}
    refused = {
        str(status): Reference(f"#/components/responses/{_name(status)}")
        for status in refusals(operation, handler, method, path) | declared
    }
    operation.responses = dict(sorted({**told, **refused}.items()))
    needs = ([] if ANYONE in allowed else [SESSION]) + ([TOKEN] if changes else [])
    operation.security = [{each: [] for each in needs}] if needs else None
    if ANYONE not in allowed:
        words = " or the ".join(role for role in ROLES if role in allowed)
        operation.description = f"{operation.description or ''}\n\nFor the {words}.".strip()


def refusals(operation: Operation, handler: HTTPRouteHandler, method: str, path: str) -> set[int]:
    """The statuses with which a route can refuse."""
    allowed = handler.opt["roles"]
    found = {400, 500, 503}
    if ANYONE not in allowed:
        found |= {401, 403}
        if set(allowed) & set(STAFF) and not handler.opt["even_locked"]:
            found.add(423)
    if method != "GET":
        found |= {403, 409}
    if "{" in path:
        found.add(404)
    if operation.request_body:
        found.add(413)
    if any(isinstance(each, DefineMiddleware) and each.middleware is RateLimitMiddleware for each in handler.middleware or ()):
        found.add(429)
    return found


def _name(status: int) -> str:
    """“NotAllowed”, the name of a response."""
    return KINDS.get(status, "fault").title().replace(" ", "")

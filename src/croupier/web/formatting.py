"""Filters and globals of the templates."""

from __future__ import annotations

from litestar.plugins.jinja import JinjaTemplateEngine

import croupier
from croupier.money import show
from croupier.web.pages import assets
from croupier.web.security.guards import role_of


def register(engine: JinjaTemplateEngine) -> None:
    engine.engine.filters["money"] = show
    engine.engine.globals["version"] = croupier.__version__
    engine.engine.globals["assets"] = assets.prefix()
    engine.engine.globals["role_of"] = role_of
    engine.engine.trim_blocks = engine.engine.lstrip_blocks = True

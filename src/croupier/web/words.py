"""Words and figures as the pages write them."""

from __future__ import annotations

from litestar.plugins.jinja import JinjaTemplateEngine

import croupier
from croupier.money import show
from croupier.web.guards import role_of


def register(engine: JinjaTemplateEngine) -> None:
    """What every template may use."""
    engine.engine.filters["money"] = show
    engine.engine.globals["version"] = croupier.__version__
    engine.engine.globals["role_of"] = role_of
    engine.engine.trim_blocks = engine.engine.lstrip_blocks = True

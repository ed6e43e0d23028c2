"""Scripts, styles and drawings: compressed once, and cached by browsers until a new version."""

from __future__ import annotations

import re

import httpx
import pytest

from croupier.web.pages import assets
from tests.web.serving import Served

EVERY = sorted(assets.assets())
SCRIPTS = [name for name in EVERY if name.startswith("pages/")]
PLAIN = {"Accept-Encoding": "identity"}


@pytest.fixture(scope="module")
def http(served: Served) -> httpx.Client:
    return httpx.Client(base_url=served.address)


def test_pages_ask_for_the_files_of_this_version_alone(http: httpx.Client) -> None:
    for page in ("/", "/tables/three-card-poker", "/login", "/return", "/tables/three-card-poker/rules"):
        asked = re.findall(r'(?:src|href)="(/static/[^"]+)"', http.get(page).text)
        assert asked and all(each.startswith(f"{assets.prefix()}/") for each in asked), page
        for each in asked:
            assert http.get(each).status_code == 200, each


@pytest.mark.parametrize("name", ["css/house.css", "pages/player/seat.js", "css/felt.woff2", "art/cards.svg"])
def test_a_browser_keeps_a_file_for_a_year(http: httpx.Client, name: str) -> None:
    found = http.get(f"{assets.prefix()}/{name}")
    assert found.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert http.get(f"/static/{name}").headers["cache-control"] == "no-cache"
    again = http.get(f"/static/{name}", headers={"If-None-Match": found.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_what_is_sent_compressed_is_what_is_sent_plain(http: httpx.Client) -> None:
    for name in EVERY:
        plain = http.get(f"{assets.prefix()}/{name}", headers=PLAIN)
        packed = http.get(f"{assets.prefix()}/{name}", headers={"Accept-Encoding": "gzip"})
        assert "content-encoding" not in plain.headers
        assert packed.content == plain.content == assets.assets()[name].body
        assert ("content-encoding" in packed.headers) == (not name.endswith(".woff2"))


def test_a_page_is_compressed_and_an_answer_to_one_person_is_not(http: httpx.Client) -> None:
    """In a compressed answer, the length could reveal a secret that stands next to an attacker's text."""
    assert http.get("/").headers["content-encoding"] == "gzip"
    assert "content-encoding" not in http.get("/", headers=PLAIN).headers
    assert "content-encoding" not in http.get("/api/tables").headers


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_page_s_script_is_whole(name: str) -> None:
    script = assets.assets()[name].body.decode()
    assert not re.search(r"^\s*(import|export)\b", script, re.MULTILINE)
    modules = re.findall(r"^const (module\d+) =", script, re.MULTILINE)
    assert len(modules) == len(set(modules))


def test_no_string_of_a_script_looks_like_a_comment() -> None:
    """A bundle leaves out what follows “ // ” on a line."""
    for script in (assets.FOLDER / "js").rglob("*.js"):
        for code, _, _ in (line.partition(" // ") for line in script.read_text().splitlines() if " // " in line):
            assert not any(code.count(quote) % 2 for quote in '"`'), (script.name, code)


def test_a_bundle_has_each_module_once_after_what_it_imports() -> None:
    files = {
        "js/a/page.js": 'import { one as first } from "../b/one.js";\nimport * as two from "../b/two.js";\nfirst(two.two());\n',
        "js/b/one.js": 'import { two } from "./two.js";\nexport function one() { return two; }\n',
        "js/b/two.js": "// Two.\n/** @type {number}\n * @see one */\nexport const two = () => 2; // two\nexport class Three {}\n",
    }
    assert assets.bundle("js/a/page.js", files.__getitem__) == (
        "const module0 = (() => {\nconst two = () => 2;\nclass Three {}\nreturn { two, Three };\n})();\n"
        "const module1 = (() => {\nconst { two } = module0;\nfunction one() { return two; }\nreturn { one };\n})();\n"
        "const module2 = (() => {\nconst { one: first } = module1;\nconst two = module0;\nfirst(two.two());\nreturn {  };\n})();\n"
    )

"""A proof is skipped only while everything it depends on is unchanged: it imports nothing that its hash leaves out."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.proofs import PACKAGES, ROOT, TESTS

pytest_plugins = "pytester"
MARKED = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if "\npytestmark = pytest.mark.proof\n" in path.read_text()]
MAY = tuple(f"src/croupier/{each}" for each in PACKAGES) + TESTS


def imported(path: Path) -> set[Path]:
    """The modules of this repository that a module imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            base = (ROOT / "src" if name.startswith("croupier") else ROOT).joinpath(*name.split("."))
            found |= {each for each in (base.with_suffix(".py"), base / "__init__.py") if each.is_file()}
    return found


def test_some_are_marked() -> None:
    assert len(MARKED) > 5


@pytest.mark.parametrize("path", MARKED, ids=lambda path: path.stem)
def test_a_proof_imports_only_what_its_hash_covers(path: Path) -> None:
    seen, ahead = set(), [path]
    while ahead:
        module = ahead.pop()
        if module not in seen:
            seen.add(module)
            ahead += imported(module)
    strangers = {each.relative_to(ROOT).as_posix() for each in seen}
    strangers -= {each for each in strangers if each.startswith(MAY) or Path(each).parent.as_posix() == "src/croupier"}
    assert not strangers


PROOF = "import pytest\n\npytestmark = pytest.mark.proof\n\ndef test_it():\n    assert {}\n"


@pytest.fixture
def proving(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder with these hooks."""
    monkeypatch.delenv("CI", raising=False)
    pytester.makeini("[pytest]\nmarkers = proof\n")
    pytester.makeconftest("from tests.proofs import pytest_addoption, pytest_configure")
    return pytester


@pytest.mark.parametrize(("options", "runs"), [((), False), (("--all-proofs",), True)])
def test_a_proof_that_passed_is_left_out_and_the_summary_says_so(
    options: tuple[str, ...], runs: bool, proving: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    proving.makepyfile(PROOF.format("True"))
    proving.runpytest().assert_outcomes(passed=1)
    again = proving.runpytest(*options)
    again.assert_outcomes(passed=int(runs), skipped=int(not runs))
    assert ("1 proofs not run" in again.stdout.str()) == (not runs)
    monkeypatch.setenv("CI", "true")
    proving.runpytest().assert_outcomes(passed=1)


def test_a_proof_of_other_code_is_run(proving: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    proving.makepyfile(PROOF.format("True"))
    proving.runpytest().assert_outcomes(passed=1)
    monkeypatch.setattr("tests.proofs.state", lambda: "another")
    proving.runpytest().assert_outcomes(passed=1)


def test_a_proof_that_failed_is_run_again(proving: pytest.Pytester) -> None:
    proving.makepyfile(PROOF.format("False"))
    for _ in range(2):
        proving.runpytest().assert_outcomes(failed=1)


def test_without_a_cache_every_proof_is_run(proving: pytest.Pytester) -> None:
    proving.makepyfile(PROOF.format("True"))
    for _ in range(2):
        proving.runpytest("-p", "no:cacheprovider").assert_outcomes(passed=1)

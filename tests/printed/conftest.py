"""The tests in this folder also run on the examples, which are chapters outside the book."""

from tests.examples import _with_the_examples  # noqa: F401  (a fixture)

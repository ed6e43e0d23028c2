"""The tests of this folder run on the examples too, which are chapters outside the book."""

from tests.examples import _with_the_examples  # noqa: F401  (a fixture)

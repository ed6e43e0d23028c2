"""Croupier: casino table games by the book."""

__version__ = "0.2.0"

"""Tests read what the command line prints on a wide terminal."""

import os

os.environ["COLUMNS"] = "160"

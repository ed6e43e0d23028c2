"""Tests read what the command line prints on a wide terminal."""

import os

os.environ["COLUMNS"] = "160"

collect_ignore = ["bench.py"]  # needs packages that only the benchmark installs

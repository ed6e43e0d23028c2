"""Settings of a server. The command line puts them into the environment, so that every worker process reads the same ones."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from croupier.floor.house.checkpoints import Signing
from croupier.floor.registers.addresses import Network, networks
from croupier.ledger import is_postgres
from croupier.ledger.signatures.signer import signer_of
from croupier.ledger.signatures.witness import witnesses_of

PREFIX = "CROUPIER_"
IDLE = 5 * 60 * 1000  # milliseconds after which staff have to enter the password again


@dataclass(frozen=True)
class Settings:
    database: str = "croupier.db"
    house_key: str = ""  # a path, or env:NAME; by default a file beside the database
    hosts: str = ""  # allowed Host headers besides this machine's own, separated by commas
    secure: str = ""  # "yes": cookies only over HTTPS
    pace: str = "unhurried"  # of the automatic dealer: unhurried, or at once
    demo: str = "yes"  # open the seven tables if the floor is empty
    odds: str = "yes"  # compute house edges in the background
    limits: str = "yes"  # "no": no limits by address, for load tests
    connections: str = "200"  # open at the same time, per address
    requests: str = "50"  # per second, per address
    seats: str = "4"  # at the same time, per guest
    unpaid_seats: str = "8"  # without chips, for all guests of one address
    unpaid_seconds: str = "300"  # how long a seat without chips is kept; 0: no limit
    away_seconds: str = "900"  # how long a seat with chips is kept while its player does nothing; 0: no limit
    idle: str = "300"  # seconds after which staff screens lock, at most 300
    proxies: str = ""  # addresses and networks whose X-Forwarded-For is trusted, separated by commas
    signing_key: str = ""  # a path, "env:NAME" or "command:..."; empty for a file beside the ledger
    witness: str = ""  # a path, "command:..." or "https://..." that is given each checkpoint
    checkpoint_seconds: str = "60"  # between two signed checkpoints, if something was written

    @classmethod
    def from_environment(cls) -> Settings:
        named = {PREFIX + each.name.upper(): each.name for each in fields(cls)}
        return cls(**{name: os.environ[variable] for variable, name in named.items() if variable in os.environ})

    def to_environment(self) -> None:
        os.environ.update({PREFIX + name.upper(): value for name, value in asdict(self).items()})

    def signing(self) -> Signing:
        """How the ledger is signed. Creates the key file if there is none."""
        record, witnesses = witnesses_of(self.database, self.witness)
        return Signing(signer_of(self.database, self.signing_key), float(self.checkpoint_seconds), record, witnesses)

    @property
    def allowed_hosts(self) -> frozenset[str]:
        return frozenset({"127.0.0.1", "localhost", "[::1]", *(host.strip().lower() for host in self.hosts.split(",") if host)})

    @property
    def idle_milliseconds(self) -> int:
        return min(1000 * int(self.idle), IDLE)

    @property
    def trusted(self) -> tuple[Network, ...]:
        return networks(self.proxies)

    @property
    def https(self) -> bool:
        return self.secure == "yes"

    @property
    def limited(self) -> bool:
        return self.limits == "yes"

    @property
    def on_postgres(self) -> bool:
        return is_postgres(self.database)

    @property
    def path(self) -> Path | None:
        """The file of a SQLite ledger; None for one in memory or PostgreSQL."""
        if self.on_postgres or self.database == "memory:":
            return None
        return Path(self.database.removeprefix("sqlite:///")).resolve()

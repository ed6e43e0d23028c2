"""What a server is started with. The command line puts it into the environment, so that every worker process reads the same."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, fields

from croupier.floor.checkpoints import Signing
from croupier.floor.places import Network, networks
from croupier.ledger import is_postgres
from croupier.ledger.signer import signer_of

PREFIX = "CROUPIER_"
IDLE = 5 * 60 * 1000  # milliseconds after which staff give the password again


@dataclass(frozen=True)
class Settings:
    database: str = "croupier.db"
    hosts: str = ""  # allowed Host headers beside this machine's own, with commas
    secure: str = ""  # "yes": cookies only over HTTPS
    pace: str = "unhurried"  # of the automatic dealer: unhurried, or at once
    demo: str = "yes"  # open the seven tables where a floor is empty
    odds: str = "yes"  # work out house edges in the background
    limits: str = "yes"  # "no": no limits by address, for a load from one
    connections: str = "200"  # that one address may have open at the same time
    idle: str = "300"  # seconds after which the screens of staff lock, 300 at most
    proxies: str = ""  # addresses and networks whose X-Forwarded-For is believed, with commas
    signing_key: str = ""  # a path, "env:NAME" or "command:..."; empty for a file beside the ledger
    checkpoint_seconds: str = "60"  # between two signed checkpoints while something is written

    @classmethod
    def from_environment(cls) -> Settings:
        named = {PREFIX + each.name.upper(): each.name for each in fields(cls)}
        return cls(**{name: os.environ[variable] for variable, name in named.items() if variable in os.environ})

    def to_environment(self) -> None:
        os.environ.update({PREFIX + name.upper(): value for name, value in asdict(self).items()})

    def signing(self) -> Signing:
        """How the ledger is signed. A key file that does not exist is created."""
        return Signing(signer_of(self.database, self.signing_key), float(self.checkpoint_seconds))

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
    def on_postgres(self) -> bool:
        return is_postgres(self.database)

"""Staff for a test floor, and the usual steps at a table with a human dealer."""

from __future__ import annotations

from typing import Any

from croupier.client import Client
from croupier.wire import TableChoice
from tests.web.serving import Served

PASSWORD = "a word of one's own"
DEALER, FLOORPERSON = "Dora", "Flora"


def hire(served: Served, name: str, role: str, password: str = PASSWORD) -> str:
    """Have the administrator add a user. Without `password`, return the user's one-time password."""
    made = served.administrator().call("POST", "/api/users", {"name": name, "role": role})
    if password:
        client = served.client()
        client.login(name, made["password"])
        client.change_password(made["password"], password)
    return password or str(made["password"])


def staff(served: Served, name: str, password: str = PASSWORD) -> Client:
    client = served.client()
    client.login(name, password)
    return client


def put(floorperson: Client, table: str, dealer: str) -> None:
    floorperson.call("POST", f"/api/tables/{table}/dealer", {"dealer": dealer})


def choice(client: Client, table: str, do: str, **fields: Any) -> TableChoice | None:
    """One of the choices this person has now."""
    for each in client.seen(table).can:
        if each.do == do and all(each.command.get(name) == value for name, value in fields.items()):
            return each
    return None


def ready_the_deck(dealer: Client, floorperson: Client, table: str, seat: int) -> None:
    """Open the table by hand, from wherever it stands, until wagers are open and a deck is ready."""
    for _ in range(30):
        view = dealer.seen(table).view
        conditions = {deck.condition for deck in view.decks}
        if view.phase == "betting" and conditions == {"ready"}:
            return
        if "inspected" in conditions:
            floorperson.do(table, "verify inspection")
        elif "spread" in conditions:
            dealer.do(table, "view decks", seat=seat)
        else:
            expected = next(each for each in dealer.seen(table).can if each.primary)
            filled = {ask.name: ask.least for ask in expected.asks if ask.kind == "number"}
            dealer.choose(table, expected.command | filled)
    raise AssertionError("the deck never got ready")


def finish_round(dealer: Client, floorperson: Client, table: str, players: dict[int, Client], choice_of: str = "play") -> None:
    """Do whatever is expected next until the cards are cleared."""
    for _ in range(80):
        seen = dealer.seen(table)
        view = seen.view
        if view.round is None:
            return
        if asked := view.round.asked:
            players[asked[0]].do(table, "decide", seat=asked[0], choice=choice_of)
            continue
        expected = next((each for each in seen.can if each.primary), None)
        by = dealer
        if expected is None:
            by = floorperson
            expected = next(each for each in floorperson.seen(table).can if each.primary)
        left = {deck.name: deck.left for deck in view.decks if deck.condition == "in play"}
        filled = {"counted": next(iter(left.values()))} if expected.do == "count stub" else {}
        by.choose(table, expected.command | filled)
    raise AssertionError("the round never ended")

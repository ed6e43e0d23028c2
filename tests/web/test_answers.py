"""What the server sends matches /schema: for each role, in the middle of a round of each game, and when it refuses."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import httpx
import jsonschema_rs
import pytest

from croupier import book
from croupier.client import Client, Message, messages
from tests.examples import NAMED, chapters, thorough
from tests.web.playing import new_name, until
from tests.web.serving import Served, serving
from tests.web.staffing import hire, staff

GAMES = tuple(chapter.slug for chapter in chapters())
SEAT = 3
STAFF = ("dealer", "floorperson", "surveillance")
ENDLESS = re.compile("/live$")
JSON, STREAM = "application/json", "text/event-stream"
SECONDS_TO_SOLVE = 180  # for a game's first request, on a busy machine
NO_BODY = ("/api/here", "/api/lock", "/api/hands/tables/{table}/rounds/{number}/share")  # requests without a body


class Book:
    """The schema, read strictly: a field it does not name is an error."""

    def __init__(self, schema: dict[str, Any]) -> None:
        self.paths, self.components = schema["paths"], copy.deepcopy(schema["components"])
        self._validators: dict[str, Any] = {}
        for each in self.components["schemas"].values():
            if "properties" in each:
                each.setdefault("additionalProperties", False)

    def answer(self, method: str, path: str, status: int) -> dict[str, Any]:
        """What the schema says about an answer, by media type."""
        told = self.paths[path][method.lower()]["responses"].get(str(status))
        assert told, f"{method} {path}: {status} is not in the schema"
        if reference := told.get("$ref"):
            told = self.components["responses"][reference.rpartition("/")[2]]
        content: dict[str, Any] = {} if status == 204 else told["content"]
        return content

    def check(self, schema: dict[str, Any], value: Any) -> None:
        asked = json.dumps(schema)
        if asked not in self._validators:  # each is compiled with all components
            self._validators[asked] = jsonschema_rs.validator_for({**schema, "components": self.components})
        self._validators[asked].validate(value)

    def check_answer(self, method: str, path: str, answer: httpx.Response) -> None:
        content = self.answer(method, path, answer.status_code)
        kind = answer.headers["content-type"].partition(";")[0]
        assert kind in content, f"{method} {path}: {kind}, not {list(content)}"
        if kind == JSON:
            self.check(content[kind]["schema"], answer.json())

    def check_message(self, path: str, message: Message) -> None:
        """Check the message as text, as it is sent, and then its data."""
        told: dict[str, Any] = {"event": message.event, "data": message.data} | ({"id": message.id} if message.id else {})
        stream = self.answer("GET", path, 200)[STREAM]["schema"]
        self.check(stream, told)
        kinds = [self.components["schemas"][each["$ref"].rpartition("/")[2]] for each in stream.get("oneOf", [stream])]
        (data,) = (kind["properties"]["data"] for kind in kinds if kind["properties"]["event"]["const"] == message.event)
        assert data["contentMediaType"] == JSON
        self.check(data["contentSchema"], json.loads(message.data))


@dataclass
class House:
    served: Served
    people: dict[str, Client]
    book: Book

    @cached_property
    def filing(self) -> str:
        """The submission of one table."""
        found: str = self.people["administrator"].call("GET", "/api/submissions")[0]["id"]
        return found


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("answers")
    database = str(folder / "floor.db")
    with serving(database, folder, env={book.FILES_VARIABLE: NAMED}) as served:
        for role in STAFF:
            hire(served, f"The {role}", role)
        people = {role: staff(served, f"The {role}") for role in STAFF}
        people |= {"anyone": served.client(), "guest": served.guest(new_name()), "administrator": served.administrator()}
        yield House(served, people, Book(served.client().call("GET", "/schema/openapi.json")))


# a played round, as each role sees it


@pytest.mark.parametrize("table", thorough(GAMES, unless=["three-card-poker", "saigon-5-card"]))
def test_every_view_of_a_round_is_what_the_schema_says(house: House, table: str) -> None:
    guest = house.people["guest"]
    guest.do(table, "sit", seat=SEAT, player=guest.name)
    guest.do(table, "buy in", seat=SEAT, amount=200_000)
    until(lambda: guest.seen(table).view.phase == "betting")
    begun, stages = guest.seen(table).view.version, set()
    bet_everything(guest, table)
    look(house, table)
    guest.ready(table)
    while choice := next_decision(guest, table):
        stages |= look(house, table)
        guest.choose(table, choice)
    until(lambda: guest.seen(table).view.phase == "betting")
    look(house, table)
    assert stages  # someone was asked, and every role was looking
    for role in ("anyone", "guest", "dealer", "surveillance"):
        follow(house, house.people[role], table, begun, guest.seen(table).view.version)
    assert guest.call("GET", f"/api/tables/{table}/history")[0]["bets"]
    read(house, "guest", "/api/tables/{table}/history", table)
    read(house, "surveillance", "/api/surveillance/tables/{table}/rounds/{number}", table)
    guest.do(table, "leave", seat=SEAT)


def bet_everything(guest: Client, table: str) -> None:
    placed: set[Any] = set()
    while True:
        wagers = [each for each in guest.seen(table).can if each.do == "place wager" and each.command["seat"] == SEAT]
        wager = next((each for each in wagers if each.command["wager"] not in placed), None)
        if wager is None:
            return
        placed.add(wager.command["wager"])
        (ask,) = wager.asks
        guest.choose(table, wager.command | {"amount": ask.only[0] if ask.only else max(ask.least or 0, 1000)})


def next_decision(guest: Client, table: str) -> dict[str, Any] | None:
    """The next decision expected of the guest, or None when the round is over."""

    def now() -> list[Any] | None:
        seen = guest.seen(table)
        found = [each for each in seen.can if each.do in ("decide", "set hand") and not each.asks]
        if found:
            return [next((each for each in found if each.primary), found[0])]
        return [None] if seen.view.phase == "betting" and not seen.view.wagers else None

    (choice,) = until(now)
    return choice.command if choice else None


def look(house: House, table: str) -> set[str]:
    """Look at the table in every role, and return the stages they saw."""
    stages = set()
    for role in house.people:
        told = read(house, role, "/api/tables/{table}", table)["view"]
        assert ("accounts" in told) == (role in STAFF)
        if told.get("round"):
            stages.add(told["round"]["stage"]["act"])
    return stages


def follow(house: House, viewer: Client, table: str, after: int, until_version: int) -> None:
    """Check the initial message of a live view and each event of the round."""
    for last in (str(after), None):
        headers = {"Last-Event-ID": last} if last else {}
        with viewer._http.stream("GET", f"/api/tables/{table}/live", headers=headers, timeout=30) as answer:
            for message in messages(answer.iter_lines()):
                house.book.check_message("/api/tables/{table}/live", message)
                assert message.event == ("event" if last else "seen")
                if int(message.id) >= until_version:
                    break


def read(house: House, role: str, path: str, table: str) -> Any:
    answer = house.people[role]._http.get(address(house, path, table))
    assert answer.status_code == 200, (path, role, answer.text)
    house.book.check_answer("GET", path, answer)
    return answer.json()


# every route, for every role


def address(house: House, path: str, table: str = "three-card-poker") -> str:
    filled = {"table": table, "number": "1", "seat": "1", "name": "nobody", "document": "sign", "form": "json"}
    filled |= {"id": house.filing, "other": house.filing}
    return re.sub(r"{(\w+)}", lambda found: filled[found[1]], path)


@pytest.mark.thorough
def test_whatever_a_route_answers_to_anybody_is_in_the_schema(house: House) -> None:
    for path in house.book.paths:
        for role in house.people:
            if "get" in house.book.paths[path] and not ENDLESS.search(path):
                answer = house.people[role]._http.get(address(house, path), timeout=SECONDS_TO_SOLVE)
                if answer.headers["content-type"].startswith(JSON) or answer.is_error:
                    house.book.check_answer("GET", path, answer)


def test_whatever_is_refused_is_refused_as_the_schema_says(house: House) -> None:
    """Send every POST route a malformed body in every role, and a body without the CSRF token."""
    for path, methods in house.book.paths.items():
        for role in ("anyone", "guest", *STAFF):
            viewer = house.people[role]
            if "post" in methods and path not in NO_BODY:
                headers = {"x-csrftoken": viewer._http.cookies.get("csrftoken") or ""}
                answer = viewer._http.post(address(house, path), json=[], headers=headers)
                assert answer.is_error, (path, role)
                house.book.check_answer("POST", path, answer)
                without = viewer._http.post(address(house, path), json={})
                assert without.status_code == 403
                house.book.check_answer("POST", path, without)


def test_an_unknown_path_is_refused_in_the_common_shape(house: House) -> None:
    anybody = house.people["anyone"]._http
    token = {"x-csrftoken": anybody.cookies.get("csrftoken") or ""}
    nowhere, otherwise = anybody.get("/api/nothing"), anybody.put("/api/me", headers=token)
    for answer in (nowhere, otherwise):
        house.book.check({"$ref": "#/components/schemas/Failure"}, answer.json())
    assert (nowhere.status_code, nowhere.json()["error"]["reason"]) == (404, "There is nothing at this address.")
    assert otherwise.status_code == 405
    assert "GET" in otherwise.headers["allow"]


def test_the_floor_and_the_room_are_streamed_as_the_schema_says(house: House) -> None:
    for role, path in (("anyone", "/api/live"), ("surveillance", "/api/surveillance/live")):
        with house.people[role]._http.stream("GET", path, timeout=30) as answer:
            message = next(messages(answer.iter_lines()))
        house.book.check_message(path, message)
        assert len(json.loads(message.data)) >= 7


# the schema itself


def test_every_reference_leads_somewhere_and_nothing_is_untyped(house: House) -> None:
    """Everything sent is an object with properties, a list, or a file: never a string of JSON, never an untyped value."""
    text = json.dumps([house.book.paths, house.book.components])
    for kind, name in set(re.findall(r'"#/components/(\w+)/(\w+)"', text)):
        assert name in house.book.components[kind], name
    assert not list(untyped(house.book.components["schemas"]))
    for path, methods in house.book.paths.items():
        for method, operation in methods.items():
            for status, _ in operation["responses"].items():
                for kind, told in house.book.answer(method, path, int(status)).items():
                    if kind in (JSON, STREAM):
                        assert told["schema"].get("type") != "string", (path, status)
                        assert not list(untyped(told)), (path, status)


def untyped(schema: Any, where: str = "") -> Iterator[str]:
    if isinstance(schema, dict):
        for key, value in schema.items():
            if value == {} and key in ("schema", "items", "additionalProperties"):
                yield f"{where}/{key}"
            yield from untyped(value, f"{where}/{key}")
    elif isinstance(schema, list):
        for number, value in enumerate(schema):
            yield from untyped(value, f"{where}/{number}")


def test_every_refusal_has_the_common_shape(house: House) -> None:
    for path, methods in house.book.paths.items():
        for method, operation in methods.items():
            refusals = {int(status) for status in operation["responses"] if int(status) >= 400}
            assert refusals >= {400, 500, 503}, path
            for status in refusals:
                assert house.book.answer(method, path, status) == {JSON: {"schema": {"$ref": "#/components/schemas/Failure"}}}
    problem = house.book.components["schemas"]["Problem"]
    assert problem["required"] == ["accepted", "cite", "kind", "reason"]

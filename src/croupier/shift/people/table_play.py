"""The people of one table, and what they do next: mostly what the game asks for, sometimes anything else."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from random import Random

from croupier.floor.house.shuffle import Seeded
from croupier.law.procedure import Act
from croupier.shift.audit.finding import AuditFinding
from croupier.shift.filings import TableFiling
from croupier.shift.people import staff
from croupier.shift.people.players import TEMPERAMENTS, Action, answer, mischief, place_wagers, set_hand
from croupier.shift.script import Order, WriterAnswer
from croupier.shift.table_signs import menu_of
from croupier.table import commands as say
from croupier.table.accounts import kept_for
from croupier.table.rules.round_play import pending
from croupier.table.state import Phase, State, offer_of

MOST_PLAYERS = (1, 1, 2, 2, 3, 5)  # at a table, chosen by its seed
NAMES = {"dealer": "Dana", "floorperson": "Flora", "surveillance": "Sue", "device": "table game system"}
STUCK = 400  # refusals of what the game asks for, in a row

# Shares of a table's turns in which somebody does something other than what the game asks for.
RESTS = 0.02  # of turns without a wager on the layout: nobody plays for a while
NONSENSE, FLOOR, IRREGULAR, MISCHIEF, DRAW, LATE = 0.03, 0.015, 0.015, 0.04, 0.03, 0.02


class TablePlay:
    """One table of a pit. Everything it does follows from its seed and the state of the table."""

    def __init__(self, filing: TableFiling, seed: str) -> None:
        self.filing = filing
        self.random = Random(f"{seed}/{filing.table}")
        self.dealer = staff.ShiftDealer(Seeded(f"{seed}/{filing.table}"), by_card=self.random.random() < 0.1, random=self.random)
        self.most = self.random.choice(MOST_PLAYERS)
        self.planned: deque[Action] = deque()
        self.planned_for = -1
        self.closing = False  # the table is about to close, for now
        self.for_good = False
        self.resting = Random(f"{seed}/{filing.table}/rests")
        self.rests_until = 0  # milliseconds
        self.visitors: list[str] = []  # names of players
        self.refusals = 0
        self.sent = 0
        self.asked: Order | None = None  # the last order that the game asked for
        self.temperaments: set[str] = set()

    def order(self, action: Action) -> Order:
        self.sent += 1
        by, command = action
        return Order(self.filing.table, by, f"{self.filing.table}-{self.sent}", command, NAMES.get(by, ""))

    def next(self, table: State, at: int) -> list[Order]:
        """The orders of this table's turn: one, or two that arrive together; perhaps none while nobody plays."""
        if self._is_resting(table, at):
            action = self.dealer.next(table, at)
            return [self.order(action)] if action else []
        other = self._disturbance(table) if table.phase is not Phase.CLOSED and not self.for_good else None
        if other is not None and self.random.random() < 0.8:
            return [self.order(other)]
        self.asked = self.order(self._expected_action(table, at))
        orders = [self.asked, *([self.order(other)] if other else [])]
        return orders if self.random.random() < 0.5 else orders[::-1]

    def _is_resting(self, table: State, at: int) -> bool:
        """Whether the players have stopped playing, seated or not, so that the table may become idle."""
        playing = table.phase not in (Phase.OPENING, Phase.BETTING) or table.stakes or self.planned
        if playing or self.closing:
            return False
        if at >= self.rests_until and self.resting.random() < RESTS:
            self.rests_until = at + int(1000 * table.offer.devices.idle_seconds * self.resting.uniform(0.5, 2))
            if self.resting.random() < 0.5:
                self.planned.extend(("floorperson", say.Leave(seat=seat)) for seat in table.players)
        return at < self.rests_until and not self.planned

    def on_answer(self, table: State, order: Order, answer: WriterAnswer) -> None:
        """Learn from the answer to what the game asked for."""
        if answer.reply is not None and isinstance(order.command, say.CloseTable):
            self.closing = False
        if self.asked is None or order.key != self.asked.key:
            return
        if answer.reply is not None:
            self.refusals = 0
            return
        self.refusals += 1
        if self.refusals > STUCK:
            raise AuditFinding("stuck", f"{order.by} {order.command}: {answer.refusal or answer.failed}", self.filing.table)
        if answer.refusal:
            self.planned.extendleft(staff.remedies(table, order.command, self.refusals, self.random)[::-1])

    # what the game asks for

    def _expected_action(self, table: State, at: int) -> Action:
        if table.phase is Phase.CLOSED:
            return self._open()
        if table.phase in (Phase.OPENING, Phase.BETTING) and self.closing:
            return self._close(table)
        if self.planned and table.phase is not Phase.DEALING:
            return self.planned.popleft()
        return self.dealer.next(table, at) or (self._answer(table) if table.round else self._before_the_deal(table))

    def _open(self) -> Action:
        self.planned.clear()
        name, text, opener = self.filing.table, self.filing.submission, self.filing.opener
        offer = offer_of(text)
        linked = dict(offer.linked)
        return "floorperson", say.OpenTable(table=name, submission=text, offer=offer.hash, opener=opener, linked=linked)

    def _close(self, table: State) -> Action:
        """Return wagers, let players leave, close the table."""
        self.planned.clear()
        if table.stakes:
            return "dealer", say.ReturnWagers(seat=min(table.stakes))
        if table.players:
            return "floorperson", say.Leave(seat=min(table.players))
        return "floorperson", say.CloseTable()

    def _before_the_deal(self, table: State) -> Action:
        idle = [deck for deck in table.decks if deck.idle]
        if table.players and idle and (table.phase is Phase.OPENING or (not table.stakes and self.random.random() < 0.2)):
            return self._at_the_spread(table, self.random.choice(idle).name)
        free = [seat for seat in range(1, table.rules.seats + 1) if seat not in table.players and seat not in table.boxes]
        few = len(table.players) < self.most and free
        if not table.players or (few and self.random.random() < 0.05):
            return self._sit(table, self.random.choice(free))
        if self.planned_for != table.rounds or not table.stakes:
            self.planned_for = table.rounds
            for seat in table.players:
                if self.random.random() < 0.9:
                    self.planned.extend(place_wagers(table, seat, self._temperament(table, seat), self.random))
            if self.planned:
                return self.planned.popleft()
        return self.dealer.no_more_bets(table) if table.stakes else self._sit(table, self.random.randint(1, table.rules.seats))

    def _at_the_spread(self, table: State, deck: str) -> Action:
        """Somebody who sat through the idle time looks at the cards, asks for more, or wagers too early."""
        seat, pick = self.random.choice(list(table.players)), self.random.random()
        if pick < 0.3:
            return f"player:{seat}", say.RequestSpread(seat=seat, deck=deck)
        early = list(place_wagers(table, seat, self._temperament(table, seat), self.random)) if pick < 0.4 else []
        return self.random.choice(early) if early else (f"player:{seat}", say.ViewDecks(seat=seat))

    def _sit(self, table: State, seat: int) -> Action:
        """Somebody new, or somebody whose chips the house has kept since they were away."""
        if (back := [name for name in self.visitors if table.balance(kept_for(name))]) and self.random.random() < 0.5:
            return f"player:{seat}", say.Sit(seat=seat, player=self.random.choice(back))
        temperament = self.random.choice(TEMPERAMENTS)
        self.temperaments.add(temperament)
        self.visitors.append(f"{temperament} {len(self.visitors) + 1}")
        return f"player:{seat}", say.Sit(seat=seat, player=self.visitors[-1])

    def _temperament(self, table: State, seat: int) -> str:
        """The temperament of the person in a seat, by the name they sat down with."""
        return table.players.get(seat, "").rpartition(" ")[0] or "cautious"

    def _answer(self, table: State) -> Action:
        assert table.round is not None
        stage, box = table.stages[table.round.stage], pending(table, table.round)[0]
        temperament = self._temperament(table, table.boxes[box])
        if stage.act is Act.SET:
            return set_hand(table, box, temperament, self.random)
        assert stage.decision is not None
        return answer(table, box, stage.decision, temperament, self.random)

    # anything else

    def _disturbance(self, table: State) -> Action | None:
        pick = self.random.random()
        others: tuple[tuple[float, Callable[[], Action | None]], ...] = (
            (NONSENSE, lambda: staff.nonsense(table, self.random)),
            (FLOOR, lambda: self._floor(table)),
            (IRREGULAR, lambda: staff.irregularity(table, self.random)),
            (DRAW, lambda: self._draw(table)),
            (LATE, lambda: staff.late_finding(table) if table.round and table.round.parts else None),
        )
        for share, action in others:
            if pick < share:
                return action()
            pick -= share
        if pick < MISCHIEF and table.players:
            seat = self.random.choice(list(table.players))
            temperament = self._temperament(table, seat)
            if temperament == "leaver" and self.random.random() < 0.7:
                return None
            return mischief(table, seat, temperament, self.random)
        return None

    def _draw(self, table: State) -> Action | None:
        if not table.round or not any(choice.electronic for choice in menu_of(table.submission, table.posted)):
            return None
        return staff.draw(table, self.dealer, self.random)

    def _floor(self, table: State) -> Action:
        if self.random.random() < 0.01:
            self.closing = True
        return staff.floorperson_order(table, self.dealer, self.random)

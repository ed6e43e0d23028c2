// The types of what the server sends, for the checker of `make types`. They mirror src/croupier/wire.py and the other answers
// that pages read. There is nothing to run here.

/**
 * Numbers of cents, milliseconds since 1970, and card codes such as "Qs" ("" for a card face down).
 * @typedef {number} Cents
 * @typedef {number} Milliseconds
 * @typedef {string} Card
 * @typedef {Record<string, Cents>} Stakes by the wager's name, with ": hand" if it is placed on a hand
 */

/**
 * @typedef {{do: string, [field: string]: any}} Command
 * @typedef {{name: string, kind: string, least?: number, most?: number, only?: number[], now?: any, of?: string[], words?: string, times?: number, keep?: number}} Ask
 * @typedef {{do: string, words: string, cite: string, command: Command, asks: Ask[], primary?: boolean, warns?: string}} Choice
 */

/**
 * @typedef {{name: string, condition: string, commitment: string, left: number, idle: string}} DeckView
 * @typedef {{player: string, chips: Cents, game_account: Cents}} SeatView
 * @typedef {object} BoxView
 * @property {number} seat
 * @property {Stakes} wagers
 * @property {Card[]} cards
 * @property {Card[]} fourth
 * @property {string[]} decided
 * @property {boolean} folded
 * @property {boolean} left
 * @property {number[]} set
 * @property {string} hand
 * @property {boolean} settled
 * @property {Card[]} made the cards that make the hand
 */

/**
 * @typedef {object} RoundView
 * @property {number} number
 * @property {{act: string, cite: string} | null} stage
 * @property {Record<number, BoxView>} boxes
 * @property {Card[]} dealer
 * @property {string} dealer_hand
 * @property {Card[]} dealer_made
 * @property {Card[]} community
 * @property {number} discarded
 * @property {string} void
 * @property {number[]} asked
 * @property {number[]} to_settle
 */

/**
 * @typedef {object} View
 * @property {string} table
 * @property {string} for
 * @property {number} version
 * @property {string} phase
 * @property {{minimum: Cents, maximum: Cents}} limits
 * @property {number} decision_seconds
 * @property {number} rounds
 * @property {string} method
 * @property {string[]} out_of_order
 * @property {DeckView[]} decks
 * @property {Record<number, SeatView>} seats
 * @property {Record<number, Stakes>} wagers
 * @property {RoundView} [round]
 * @property {Record<string, Cents>} [accounts]
 * @property {Record<number, {seat: number, lines: Line[]}>} [results] what came of the wagers of each box, in this round or the last
 */

/**
 * @typedef {{table: string, dealer: "automatic" | "person", practice: boolean, betting_seconds: number}} Standing
 * @typedef {object} Seen
 * @property {View} view
 * @property {Choice[]} can
 * @property {Record<string, Cents>} meters
 * @property {Milliseconds | null} deadline
 * @property {Milliseconds | null} betting_until
 * @property {Standing | null} standing
 * @property {string} waits_for
 * @property {Milliseconds | null} seat_until
 * @property {Cents} kept the chips that the house keeps for this guest since their seat was freed
 * @property {Cents} keep the chips that this player needs to play the hands they have wagered on
 * @property {string} lapse what happens to this player's hand if they do not answer in time
 * @property {number[]} ready the seats for which the dealer does not wait
 */

/**
 * @typedef {object} Line one line of a settlement
 * @property {string} wager
 * @property {string} hand
 * @property {string} outcome
 * @property {Cents} stake
 * @property {Cents} pays
 * @property {Cents} returns
 * @property {string} cite
 * @property {string} [odds]
 * @property {string} [source]
 * @property {string} [on]
 * @property {number} [box] where a player has several
 * @property {boolean} [electronic] paid to the game account
 */

/**
 * @typedef {object} LiveEvent
 * @property {number} version
 * @property {Milliseconds} at
 * @property {string} by
 * @property {string} event
 * @property {string} says
 * @property {string[]} cites
 * @property {Line[]} lines
 * @property {number} seat
 * @property {Seen} [seen]
 * @typedef {{table: string, version: number, event: string, at: Milliseconds}} Reply
 * @typedef {{kind?: string, reason?: string, cite?: string | null, accepted?: string | null}} Problem
 */

/**
 * @typedef {object} TableSummary
 * @property {string} table
 * @property {string} title
 * @property {string} phase
 * @property {Cents} minimum
 * @property {Cents} maximum
 * @property {number} seats
 * @property {Record<number, string>} players
 * @property {number} rounds
 * @property {"automatic" | "person"} dealer
 * @property {boolean} practice
 * @property {string} game the number of its chapter
 * @property {{name: string, edge: string, short_edge: string}[]} wagers
 * @property {Record<string, Cents>} meters
 */

/**
 * @typedef {{name: string, role: string, locked: boolean, must_change: boolean, code?: string}} Me
 * @typedef {{wager: string, hand: string, outcome: string, stake: Cents, pays: Cents, returns: Cents, bonus?: boolean}} Bet
 * @typedef {{number: number, at: Milliseconds, net: Cents, bets: Bet[], decisions: string[], void: string}} PlayedRound
 * @typedef {{choice: string, exact: string, units: string, percent: string, cards: Card[]}} Advised
 * @typedef {{thinking?: boolean, choices: Advised[], unit: string, cite: string, assumes: string, hand: string}} Advice
 * @typedef {{words: string, cite: string}} Sentence
 * @typedef {{wagers: (Sentence & {wager: string, name: string, needed: boolean})[], stages: (Sentence & {act: string, also: Sentence[]})[], hands: string, wins: Sentence[]}} Guide
 * @typedef {Advised & {costs: string}} Weighed a choice with what it costs against the best one
 * @typedef {{held: Card[], up: Card[], board: Card[], hand: string, asks: string, cite: string, unit: string, choices: Weighed[], assumes: string}} Drill
 */

/**
 * @typedef {{words: string, cite: string, who: string, state: "done" | "now" | "later", when: string}} Step
 * @typedef {{name: string, cite: string, then: string, why_not: string, choices: Choice[]}} Irregularity
 * @typedef {{version: number, phase: string, steps: Step[], say: string, can: Choice[], irregularities: Irregularity[]}} Procedure
 */

/**
 * @typedef {object} BoardLine one table on the floorperson's board
 * @property {string} table
 * @property {string} title
 * @property {string} dealer
 * @property {string} phase
 * @property {string} stage
 * @property {number} rounds
 * @property {number} seats
 * @property {Record<number, string>} players
 * @property {Cents} minimum
 * @property {Cents} maximum
 * @property {Cents} inventory
 * @property {Cents} drop
 * @property {{name: string, condition: string, due: Milliseconds, received: Milliseconds, cite: string}[]} decks
 * @property {string} stub
 * @property {boolean} stub_due
 * @property {string[]} out_of_order
 * @property {{words: string, cite: string, who: string, when: string, command: Command | null}[]} waiting
 * @property {{says: string, at: Milliseconds} | null} last
 */

export {};

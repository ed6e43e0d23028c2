// The types of what the server sends, for the checker of `make types`, which derives them from the API's own schema (`/schema`).
// There is nothing to run here.

/**
 * @typedef {import("api").components["schemas"]} Schemas
 * @typedef {{do: string, [field: string]: any}} Command
 */

/**
 * @template T
 * @typedef {T extends object ? Command : T} AsCommand
 */

/**
 * A type of the schema: a field that may be left out is never null, and a command has fields of its own.
 * @template T
 * @typedef {T extends (infer Item)[] ? Sent<Item>[] : T extends object ? {[Key in keyof T]: Key extends "command" ? AsCommand<T[Key]> : Sent<undefined extends T[Key] ? Exclude<T[Key], null> : T[Key]>} : T} Sent
 */

/**
 * @typedef {Record<string, number>} Stakes cents by the wager's name, with ": hand" if it is placed on a hand
 * @typedef {Omit<Sent<Schemas["Ask"]>, "now"> & {now?: any}} Ask
 * @typedef {Omit<Sent<Schemas["TableChoice"]>, "primary" | "warns"> & {primary?: boolean, warns?: string}} Choice
 * @typedef {Sent<Schemas["BoxView"]>} BoxView
 * @typedef {Sent<Schemas["RoundView"]>} RoundView
 * @typedef {Sent<Schemas["View"]>} View
 * @typedef {Sent<Schemas["Seen"]>} Seen
 * @typedef {Sent<Schemas["WagerLine"]> & {box?: number, electronic?: boolean}} Line its box, where a player has several, and whether it is paid to the game account
 * @typedef {Sent<Schemas["LiveEvent"]>} LiveEvent
 * @typedef {Schemas["Reply"]} Reply
 * @typedef {Partial<Schemas["Problem"]>} Problem
 * @typedef {Schemas["TableSummary"]} TableSummary
 * @typedef {Schemas["Me"] & {code?: string}} Me
 * @typedef {Schemas["Bet"]} Bet
 * @typedef {Schemas["Played"]} PlayedRound
 * @typedef {Schemas["Valued"]} Valued
 * @typedef {Schemas["Advised"]} Advice
 * @typedef {Schemas["Weighed"]} Weighed
 * @typedef {Schemas["Drill"]} Drill
 * @typedef {Schemas["Guide"]} Guide
 * @typedef {Schemas["Sentence"]} Sentence
 * @typedef {Schemas["Item"]} Step
 * @typedef {Sent<Schemas["Mishap"]>} Irregularity
 * @typedef {Sent<Schemas["Procedure"]>} Procedure
 * @typedef {Sent<Schemas["TableLine"]>} BoardLine
 */

export {};

// Commands: a Choice as a button, the form for what it asks, and the result.
//
// button(choice, {table, primary, now, refused})        -> a <button> that sends the command
//     about: words for screen readers, on a small button beside what it is about
// sendChoice(table, choice, {now, element, refused})    -> the Reply, or null if canceled or refused;
//     now: {name: value} to start the form with; refused: (problem, command) => … instead of showing it
// mishaps(list, given, {table, …})                      -> every irregularity of a Procedure in a <ul>

import { command, post } from "../shared/api.js";
import { make } from "../shared/build.js";
import { ask as confirmed, busy } from "../shared/dialogs.js";
import { form } from "../shared/form.js";
import { clause } from "../shared/settlement.js";
import { capitalized } from "../shared/words.js";
import { handleRefusal } from "./screen_lock.js";
/** @import { Choice, Command, Irregularity } from "../shared/types.js" */

// Commands that cannot be undone ask for confirmation.
/** @type {Record<string, [string, string]>} */
const FINAL = {
  "close table": ["Close the table?", "The contents of the container, the drop box and the tip box go to the cage."],
  "remove decks": ["Remove the decks?", "New decks must be received, inspected and shuffled before the next round."],
  leave: ["Remove the player?", "They keep their chips, but the wagers they have in this round are lost."],
};
const BY_THE_HOUSE = new Set(["shuffle", "shuffles"]); // the order of a deck is made by the server, never sent

const LONG = 26; // characters on a button

/**
 * @typedef {((problem: any, command: Command) => any) | null} OnRefused
 * @param {string} table
 * @param {Choice} choice
 * @param {{now?: Record<string, any>, element?: HTMLButtonElement | null, refused?: OnRefused}} [options]
 */
export async function sendChoice(table, choice, { now = {}, element = null, refused = null } = {}) {
  const asks = choice.asks.filter((each) => !BY_THE_HOUSE.has(each.kind));
  const final = FINAL[choice.do];
  if (final && !(await confirmed({ title: final[0], body: `${choice.words}. ${final[1]} (${choice.cite})`, confirm: choice.words, danger: true }))) return null;
  const filled = asks.length ? await form({ title: choice.words, asks, cite: choice.cite, table, now, confirm: choice.words.length < LONG ? choice.words : "Continue" }) : {};
  if (!filled) return null;
  const body = { ...choice.command, ...filled };
  try {
    const sent = choice.do === "open table" ? reopen(table, body) : command(table, body);
    return await (element ? busy(element, sent) : sent);
  } catch (problem) {
    if (refused && problem.kind === "refused") await refused(problem, body);
    else await handleRefusal(problem, { table });
    return null;
  }
}

/** @param {string} table @param {Record<string, any>} body */
const reopen = (table, { opener }) => post(`/api/tables/${encodeURIComponent(table)}/open`, { opener });

/**
 * @param {Choice} choice
 * @param {{table: string, primary?: boolean, now?: Record<string, any>, refused?: OnRefused, words?: string, about?: string}} options
 */
export function button(choice, { table, primary = false, now = {}, refused = null, words = choice.words, about = "" }) {
  const asks = choice.asks.some((each) => !BY_THE_HOUSE.has(each.kind));
  const inside = [make("span", {}, words + (asks ? "\u00a0…" : ""))];
  if (about) inside.push(make("span", { class: "visually-hidden" }, about));
  else if (choice.cite) inside.push(make("span", { class: "cite" }, choice.cite));
  const element = make("button", { type: "button", class: about ? "small" : primary ? "primary" : "", "data-do": choice.do, onclick: () => sendChoice(table, choice, { now, element, refused }) }, inside);
  return element;
}

// Irregularities: those possible now have an active button, the others say why not

/**
 * @param {any} list a <ul>, which remembers what it shows
 * @param {Irregularity[]} given
 * @param {{table: string, off?: string, refused?: OnRefused}} options
 */
export function mishaps(list, given, { table, off = "", refused = null }) {
  const sorted = [...given].sort((one, other) => Number(other.choices.length > 0) - Number(one.choices.length > 0)); // possible ones first
  const shown = JSON.stringify([sorted, off]);
  if (list.shown === shown) return; // do not replace a button that is about to be pressed
  list.shown = shown;
  list.replaceChildren(...sorted.map((each) => mishap(each, { table, off, refused })));
}

/** @param {Irregularity} irregularity */
const consequence = ({ then }) => (then ? `${capitalized(then)}.` : "");

/** @param {Irregularity} each @param {{table: string, off: string, refused: OnRefused}} options */
function mishap(each, { table, off, refused }) {
  const reason = off || each.why_not;
  const details = make("span", { class: "quiet small" }, consequence(each), reason ? make("span", { class: "when" }, reason) : null);
  const element = make("button", { type: "button", class: "small", disabled: Boolean(off) || !each.choices.length, title: reason, onclick: () => raise(table, each, element, refused) }, "Raise", make("span", { class: "visually-hidden" }, `: ${each.name}`));
  const name = make("span", { class: "name" }, each.name, " ", clause(each.cite, table));
  return make("li", { "data-possible": each.choices.length && !off ? "yes" : "no" }, name, element, details);
}

/** @param {string} table @param {Irregularity} each @param {HTMLButtonElement} element @param {OnRefused} refused */
async function raise(table, each, element, refused) {
  const [first] = each.choices;
  let choice = first;
  if (each.choices.length > 1) {
    const of = each.choices.map(({ words }) => words);
    const answer = await form({ title: each.name, asks: [{ name: "what", kind: "one of", of }], cite: each.cite, table });
    if (!answer) return;
    choice = each.choices[of.indexOf(answer.what)];
  } else if (!first.asks.length) {
    const body = [consequence(each), `(${each.cite})`].filter(Boolean).join(" ");
    if (!(await confirmed({ title: `${first.words}?`, body, confirm: "Raise", danger: true }))) return;
  }
  await sendChoice(table, choice, { element, refused });
}

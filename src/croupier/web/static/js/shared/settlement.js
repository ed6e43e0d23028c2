// A settlement line by line: "Pair Plus: straight, 6 to 1, pays $30 (649a.12(d))".
//
// settlement(lines, {table})  -> <ul class="settlement">, with the total last; clauses link to the table's rule sheet
// sentence(line)              -> the words of one line without the clause
// clause("649a.12(d)", table) -> <a class="cite"> to the rule sheet, or a <span> without a table
// boxed(line)                 -> "Box 3, " where a player has several boxes
// net(lines), result(cents)   -> the sum in cents; “won”, “lost” or “even”, as a CSS class
// resultInWords(lines)        -> one sentence for the live region: "You win $30.", "You lose $10." or "You break even."

import { make } from "./build.js";
import { money, signed, sum } from "./money.js";
import { lower, shortWager } from "./words.js";
/** @import { Line } from "./types.js" */

/** @param {{pays: number, returns: number, stake: number}} line */
export const gainOf = (line) => line.pays + line.returns - line.stake;

/** @param {Line[]} lines */
export const net = (lines) => sum(lines.map(gainOf));

/** @param {number} cents */
export const result = (cents) => (cents > 0 ? "won" : cents < 0 ? "lost" : "even");

/** @param {Line} line */
export const boxed = ({ box }) => (box ? `Box ${box}, ` : "");

/** @param {Line} line */
export function sentence(line) {
  const wager = boxed(line) + shortWager(line.wager) + (line.on ? ` on the ${line.on}'s hand` : "");
  const parts = [lower(line.hand), line.odds].filter((words) => words && words.toLowerCase() !== "push"); // the outcome says it
  return `${wager}: ${[...parts, outcome(line)].join(", ")}`;
}

/** @param {Line} line */
function outcome(line) {
  if (line.pays > 0) return `pays ${money(line.pays)}${line.source === "meter" ? " from the meter" : ""}${line.electronic ? " to your game account" : ""}`;
  if (line.returns > 0) return `${money(line.returns)} returned`;
  return line.stake ? `loses ${money(line.stake)}` : "pays nothing";
}

/** @param {string} cite */
export function clause(cite, table = "") {
  const href = table ? `/tables/${encodeURIComponent(table)}/rules#${encodeURI(cite)}` : null;
  return make(table ? "a" : "span", { class: "cite", href, title: table ? cite : null }, make("span", { class: "clause" }, cite));
}

/** @param {number} gain */
const amount = (gain) => make("span", { class: "amount money" }, signed(gain));

/** @param {Line} line @param {string} table */
function item(line, table) {
  const gain = gainOf(line);
  return make("li", { class: result(gain) }, make("span", { class: "what" }, sentence(line), " ", line.cite && clause(line.cite, table)), amount(gain));
}

/** @param {Line[]} lines */
export function settlement(lines, { table = "" } = {}) {
  const all = net(lines);
  const words = all > 0 ? "You win" : all < 0 ? "You lose" : "Even";
  const sum = make("li", { class: `net ${result(all)}` }, make("span", {}, words), amount(all));
  return make("ul", { class: "settlement" }, lines.map((line) => item(line, table)), lines.length > 0 && sum);
}

/** @param {Line[]} lines */
export function resultInWords(lines) {
  const all = net(lines);
  return all > 0 ? `You win ${money(all)}.` : all < 0 ? `You lose ${money(-all)}.` : "You break even.";
}

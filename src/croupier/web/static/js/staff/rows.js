// Table rows and log lines that the pages of surveillance and the administrator share.
//
// row(...cells), cell(words, {label, number, name, cls}), dataTable(label, heads, rows)
// boxesInto(tbody, view)   the hands of a view as rows: box, player, cards, wagers, decisions
// logLine(event)           -> an event and its clauses as a line of a log

import { make } from "../shared/build.js";
import { hand } from "../shared/cards.js";
import { clock } from "../shared/dates.js";
import { money, signed } from "../shared/money.js";
import { clause, net } from "../shared/settlement.js";
import { shortWager } from "../shared/words.js";
import { timed } from "./times.js";
/** @import { Inside } from "../shared/build.js" */
/** @import { BoxView, Schemas, View } from "../shared/types.js" */

/** @param {...HTMLElement} cells */
export const row = (...cells) => make("tr", {}, cells);

/** @param {Inside} words @param {{label?: string | null, number?: boolean, name?: "td" | "th", cls?: string}} [options] */
export function cell(words, { label = null, number = false, name = "td", cls = "" } = {}) {
  const kind = [number ? "number" : "", cls].filter(Boolean).join(" ") || null;
  return make(name, { class: kind, "data-label": label, scope: name === "th" ? "row" : null }, words);
}

// A table in a box that scrolls sideways. heads: [words, whether the column holds numbers]
/** @param {string} label @param {[string, boolean | number][]} heads @param {HTMLElement[]} rows @param {{cls?: string, caption?: string | null}} [options] */
export function dataTable(label, heads, rows, { cls = "data cards", caption = null } = {}) {
  const head = heads.map(([words, number]) => make("th", { scope: "col", class: number ? "number" : null }, words));
  const table = make("table", { class: cls }, caption && make("caption", {}, caption), make("thead", {}, make("tr", {}, head)), make("tbody", {}, rows));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, table);
}

/** @param {Element} body @param {View} view */
export function boxesInto(body, view) {
  const { round, seats = {}, wagers = {}, players = {} } = view;
  /** @type {Record<string, Partial<BoxView>>} */
  const placed = Object.fromEntries(Object.entries(wagers).map(([box, stakes]) => [box, { seat: players[Number(box)] ?? Number(box), wagers: stakes }]));
  const rows = Object.entries(round ? round.boxes : placed).map(([box, each]) => {
    const { cards = [], fourth = [], decided = [] } = each;
    const player = seats[each.seat ?? 0]?.player ?? "";
    const stakes = Object.entries(each.wagers ?? {}).map(([wager, cents]) => `${shortWager(wager)} ${money(cents)}`).join(", ");
    const state = [decided.join(", "), each.folded && !["fold", "timed out"].includes(decided.at(-1) ?? "") ? "folded" : "", each.hand, each.settled ? `settled, ${signed(net(view.results?.[Number(box)]?.lines ?? []))}` : ""].filter(Boolean).join(", ");
    const cells = [cell(box, { name: "th" }), cell(player), cell(hand([...cards, ...fourth])), cell(stakes), cell(state || "–")];
    return make("tr", { class: each.folded ? "folded" : null }, cells);
  });
  if (round) {
    /** @type {[string, string[], string][]} */
    const house = [["Dealer", round.dealer, round.dealer_hand], ["Community", round.community, ""]];
    for (const [name, cards, called] of house.filter(([, each]) => each.length)) rows.unshift(row(cell("", { name: "th" }), cell(name), cell(hand(cards)), cell(""), cell(called)));
  }
  if (!rows.length) rows.push(row(make("td", { colspan: 5, class: "quiet" }, "The table is empty.")));
  body.replaceChildren(...rows);
}

/** @param {Schemas["LoggedEvent"]} event @param {(() => void) | null} [onclick] */
export function logLine(event, onclick = null) {
  const words = onclick ? make("button", { type: "button", class: "plain", onclick }, event.says) : make("span", {}, event.says);
  const meta = make("span", { class: "meta" }, ...event.cites.map((cite) => clause(cite)), timed(event.at, clock(event.at)), ` ${event.by}`);
  return make("li", { "data-version": event.version }, make("span", { class: "version" }, String(event.version)), words, meta);
}

// What the dealer's and the floorperson's table pages share: boxes, facts, the log.
//
// boxes(table, seen, extra)     fills <table id="boxes">; extra(seat, box) -> nodes for the last column
// facts(list, seen)             the <dl> of a table
// addToLog(list, event, table)  adds a line at the top of the <ol class="log">
// situation(seen)               -> what is happening, in one sentence

import { byId, make } from "../shared/build.js";
import { hand } from "../shared/cards.js";
import { clock } from "../shared/dates.js";
import { money, sum } from "../shared/money.js";
import { clause } from "../shared/settlement.js";
import { capitalized, counted, endOf, wagerName } from "../shared/words.js";
import { timed } from "./times.js";
/** @import { BoxView, LiveEvent, RoundView, Seen, View } from "../shared/types.js" */

/** @type {Record<string, string>} */
const PHASES = { closed: "Closed", opening: "Opening", betting: "Betting is open", dealing: "Dealing", completing: "Completing the round" };

/** @param {{view: View}} seen */
export function situation({ view }) {
  const { round, decks = [] } = view;
  if (view.phase === "opening" && decks.some(({ condition, idle }) => idle && condition === "spread")) return "The table was idle, so its cards are spread";
  if (view.phase !== "completing" || !round?.stage) return PHASES[view.phase] ?? view.phase;
  const [asked] = round.asked;
  const [next] = round.to_settle;
  return capitalized(round.stage.act) + (asked ? `: box ${asked}` : next ? `: box ${next}` : "");
}

/** @param {HTMLTableElement} table @param {{view: View}} seen @param {(seat: number, box?: BoxView) => HTMLElement[]} extra */
export function boxes(table, seen, extra) {
  const { seats = {}, wagers = {}, players = {}, round } = seen.view;
  const numbers = [...new Set([...Object.keys(seats), ...Object.keys(wagers), ...Object.keys(round?.boxes ?? {})])].map(Number).sort((a, b) => a - b);
  const rows = numbers.map((seat) => {
    const box = round?.boxes[seat];
    const stakes = (box ? box.wagers : wagers[seat]) ?? {};
    const staked = sum(Object.values(stakes));
    const home = seats[box?.seat || players[seat] || seat];
    const laid = Object.entries(stakes).map(([name, cents]) => make("span", { class: "laid", "data-wager": name.split(":")[0] }, `${wagerName(name)} `, make("strong", { class: "money" }, money(cents))));
    const asked = round?.asked.includes(seat) || round?.to_settle.includes(seat);
    return make(
      "tr",
      { class: asked ? "attention" : "", "data-box": seat },
      make("th", { scope: "row", class: "number" }, make("span", { class: "visually-hidden" }, "Box "), String(seat)),
      make("td", { class: "wide-cell" }, home?.player ?? make("span", { class: "quiet" }, "left")),
      make("td", { class: "wide-cell" }, ...(box?.cards.length ? [hand([...box.cards, ...box.fourth]), make("div", { class: "quiet small" }, box.hand)] : [])),
      make("td", { class: "number money", "data-label": "Chips" }, seats[seat] ? money(seats[seat].chips) : "", seats[seat]?.game_account ? make("div", { class: "quiet small" }, `account ${money(seats[seat].game_account)}`) : null),
      make("td", { class: "wagers wide-cell" }, ...laid),
      make("td", { class: "number money", "data-label": "Total" }, staked ? money(staked) : ""),
      make("td", {}, state(box, seat, round)),
      make("td", { class: "for-box wide-cell" }, ...extra(seat, box)),
    );
  });
  table.tBodies[0].replaceChildren(...rows);
  /** @type {HTMLElement} */ (table.parentElement).hidden = !rows.length;
  byId("no-boxes").hidden = rows.length > 0;
}

/** @param {BoxView | undefined} box @param {number} seat @param {RoundView | undefined} round */
function state(box, seat, round) {
  if (!box || !round) return "";
  if (box.left) return "left";
  if (box.settled) return "settled";
  if (round.asked.includes(seat)) return make("span", { class: "badge", "data-state": "live" }, "to decide");
  if (round.to_settle.includes(seat)) return make("span", { class: "badge", "data-state": "live" }, "next");
  if (box.folded) return endOf(box);
  return box.decided.length ? `“${box.decided.at(-1)}”` : box.set.length ? "hand set" : "";
}

/** @param {Element} list @param {Seen} seen */
export function facts(list, { view, meters, standing }) {
  const { accounts = {}, limits, decks = [] } = view;
  const pairs = [
    ["Limits", limits ? `${money(limits.minimum)} to ${money(limits.maximum)}` : ""],
    ["Dealer’s hand", view.round?.dealer_hand],
    ["Rounds", String(view.rounds ?? 0)],
    ["Method", view.method],
    ...decks.map((deck) => [`${capitalized(deck.name)} deck`, [deck.idle || deck.condition, deck.left ? counted(deck.left, "card") : ""].filter(Boolean).join(", ")]),
    ...Object.entries(accounts).map(([name, cents]) => [capitalized(name), money(cents)]),
    ...Object.entries(meters ?? {}).map(([name, cents]) => [`Meter: ${name}`, money(cents)]),
    ...(view.out_of_order ?? []).map((device) => ["Out of order", device]),
    ["Dealer", standing?.dealer === "automatic" ? "automatic" : "person"],
    ["Decision time", view.decision_seconds ? `${view.decision_seconds} s` : "no limit"],
  ];
  list.replaceChildren(...pairs.filter(([, value]) => value).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

/** @param {LiveEvent} event @param {string} table */
export const line = ({ version, at, by, says, cites }, table) =>
  make(
    "li",
    { "data-version": version },
    make("span", {}, says, " ", ...(cites ?? []).slice(0, 1).map((cite) => clause(cite, table))),
    make("span", { class: "quiet small" }, `${by.replace(":", " ")}, `, timed(at, clock(at))),
  );

const KEPT = 200;

/** @param {Element} list @param {LiveEvent} event @param {string} table */
export function addToLog(list, event, table) {
  if (list.querySelector(`[data-version="${event.version}"]`)) return;
  list.prepend(line(event, table));
  while (list.children.length > KEPT) list.lastElementChild?.remove();
}

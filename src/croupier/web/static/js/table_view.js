// What the dealer's and the floorperson's table have in common: boxes, facts, the log.
//
// boxes(table, seen, extra)   fill <table id="boxes">; extra(seat, box) -> nodes for the last column
// facts(list, seen)           the <dl> of a table
// logged(list, event, table)  a line on top of the <ol class="log">
// situation(seen)             -> one sentence: what is happening
// collected(seen)             -> {wager: cents} of the chips that lie there, by the wager's name

import { hand } from "./cards.js";
import { make } from "./dialog.js";
import { money } from "./money.js";
import { clause } from "./settlement.js";
import { clock, timed } from "./staff.js";

const PHASES = { closed: "Closed", opening: "Opening", betting: "Wagers are open", dealing: "Dealing", completing: "Completing the round" };

export function situation({ view }) {
  const { round, decks = [] } = view;
  if (view.phase === "opening" && decks.some(({ condition, idle }) => idle && condition === "spread")) return "The table was idle: its cards are spread";
  if (view.phase !== "completing" || !round?.stage) return PHASES[view.phase] ?? view.phase;
  const [asked] = round.asked;
  const [next] = round.to_settle;
  const act = round.stage.act[0].toUpperCase() + round.stage.act.slice(1);
  return act + (asked ? `: box ${asked}` : next ? `: box ${next}` : "");
}

const sum = (stakes) => Object.values(stakes).reduce((all, each) => all + each, 0);

export function boxes(table, seen, extra) {
  const { seats = {}, wagers = {}, round } = seen.view;
  const numbers = [...new Set([...Object.keys(seats), ...Object.keys(wagers), ...Object.keys(round?.boxes ?? {})])].map(Number).sort((a, b) => a - b);
  const rows = numbers.map((seat) => {
    const box = round?.boxes[seat];
    const stakes = (box ? (box.settled ? {} : box.wagers) : wagers[seat]) ?? {};
    const home = seats[box?.seat || seat];
    const laid = Object.entries(stakes).map(([name, cents]) => make("span", { class: "laid", "data-wager": name.split(":")[0] }, `${short(name)} `, make("strong", { class: "money" }, money(cents))));
    const asked = round?.asked.includes(seat) || round?.to_settle.includes(seat);
    return make(
      "tr",
      { class: asked ? "attention" : "", "data-box": seat },
      make("th", { scope: "row", class: "number" }, make("span", { class: "visually-hidden" }, "Box "), String(seat)),
      make("td", { class: "wide-cell" }, home?.player ?? make("span", { class: "quiet" }, "left")),
      make("td", { class: "wide-cell" }, ...(box?.cards.length ? [hand([...box.cards, ...box.fourth]), make("div", { class: "quiet small" }, box.hand)] : [])),
      make("td", { class: "number money", "data-label": "Chips" }, seats[seat] ? money(seats[seat].chips) : "", seats[seat]?.game_account ? make("div", { class: "quiet small" }, `account ${money(seats[seat].game_account)}`) : null),
      make("td", { class: "wagers wide-cell" }, ...laid),
      make("td", { class: "number money", "data-label": "In all" }, sum(stakes) ? money(sum(stakes)) : ""),
      make("td", {}, state(box, seat, round)),
      make("td", { class: "for-box wide-cell" }, ...extra(seat, box)),
    );
  });
  table.tBodies[0].replaceChildren(...rows);
  table.parentElement.hidden = !rows.length;
  document.querySelector("#no-boxes").hidden = rows.length > 0;
}

const short = (name) => name.replace(/ Wager(?=:|$)/, "");

function state(box, seat, round) {
  if (!box) return "";
  if (box.left) return "left";
  if (box.settled) return "settled";
  if (round.asked.includes(seat)) return make("span", { class: "badge", "data-state": "live" }, "to decide");
  if (round.to_settle.includes(seat)) return make("span", { class: "badge", "data-state": "live" }, "next");
  if (box.folded) return box.decided.at(-1) === "timed out" ? "timed out" : "folded";
  return box.decided.length ? `“${box.decided.at(-1)}”` : box.set.length ? "hand set" : "";
}

export function collected({ view }) {
  const found = {};
  for (const stakes of Object.values(view.wagers ?? {})) {
    for (const [key, cents] of Object.entries(stakes)) {
      const name = key.split(":")[0];
      found[name] = (found[name] ?? 0) + cents;
    }
  }
  return found;
}

export function facts(list, { view, meters, standing }) {
  const { accounts = {}, limits, decks = [] } = view;
  const pairs = [
    ["Limits", limits ? `${money(limits.minimum)} to ${money(limits.maximum)}` : ""],
    ["The dealer’s hand", view.round?.dealer_hand],
    ["Rounds", String(view.rounds ?? 0)],
    ["Method", view.method],
    ...decks.map((deck) => [`The ${deck.name} deck`, [deck.idle || deck.condition, deck.left ? `${deck.left} cards` : ""].filter(Boolean).join(", ")]),
    ...Object.entries(accounts).map(([name, cents]) => [name[0].toUpperCase() + name.slice(1), money(cents)]),
    ...Object.entries(meters ?? {}).map(([name, cents]) => [`Meter: ${name}`, money(cents)]),
    ...(view.out_of_order ?? []).map((device) => ["Out of order", device]),
    ["Dealt by", standing?.dealer === "automatic" ? "the automatic dealer" : "a person"],
    ["Time for a decision", view.decision_seconds ? `${view.decision_seconds} s` : "no limit"],
  ];
  list.replaceChildren(...pairs.filter(([, value]) => value).flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

export const line = ({ version, at, by, says, cites }, table) =>
  make(
    "li",
    { "data-version": version },
    make("span", {}, says, " ", ...(cites ?? []).slice(0, 1).map((cite) => clause(cite, table))),
    make("span", { class: "quiet small" }, `${by.replace(":", " ")}, `, timed(at, clock(at))),
  );

const KEPT = 200;

export function logged(list, event, table) {
  if (list.querySelector(`[data-version="${event.version}"]`)) return;
  list.prepend(line(event, table));
  while (list.children.length > KEPT) list.lastElementChild.remove();
}

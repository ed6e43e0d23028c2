// What the pages of surveillance and the administrator share.
//
// times(root)              every <time data-at="ms"> says how long ago it was; the exact moment stands in its title
// when(ms)                 -> such a <time>
// signed(cents)            -> "+$10", "−$10", "$0"
// boxesInto(tbody, view)   the hands of a view as rows: box, player, cards, wagers, what was decided
// told(event)              -> the words of an event and its clauses, for a log

import { hand } from "./cards.js";
import { make } from "./dialog.js";
import { money } from "./money.js";
import { clause } from "./settlement.js";

const STEPS = [[60, "second"], [60, "minute"], [24, "hour"], [7, "day"]];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const exact = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

function ago(ms) {
  let left = Math.round((ms - Date.now()) / 1000);
  if (Math.abs(left) < 5) return "now";
  for (const [many, unit] of STEPS) {
    if (Math.abs(left) < many) return relative.format(left, unit);
    left = Math.round(left / many);
  }
  return day.format(ms);
}

export function times(root = document) {
  for (const each of root.querySelectorAll("time[data-at]")) {
    const at = Number(each.dataset.at);
    each.textContent = ago(at);
    each.title = exact.format(at);
  }
}

export function when(at) {
  const element = make("time", { "data-at": at, datetime: new Date(at).toISOString(), title: exact.format(at) }, ago(at));
  return element;
}

times();
setInterval(() => times(), 10_000);

export const signed = (cents) => (cents > 0 ? `+${money(cents)}` : cents < 0 ? `−${money(-cents)}` : money(0));

export const row = (...cells) => make("tr", {}, ...cells);

export function cell(words, { label = null, number = false, name = "td", cls = "" } = {}) {
  const inside = Array.isArray(words) ? words : [words];
  return make(name, { class: [number ? "number" : "", cls].filter(Boolean).join(" ") || null, "data-label": label, scope: name === "th" ? "row" : null }, ...inside);
}

const short = (wager) => wager.replace(/ Wager$/, "").replace(/ Payout$/, "");

export function boxesInto(body, view) {
  const { round, seats = {}, wagers = {} } = view;
  const boxes = round ? Object.entries(round.boxes) : Object.entries(wagers).map(([box, stakes]) => [box, { seat: Number(box), wagers: stakes, cards: [], fourth: [], decided: [] }]);
  const rows = boxes.map(([box, each]) => {
    const player = seats[each.seat]?.player ?? "";
    const stakes = Object.entries(each.wagers).map(([wager, cents]) => `${short(wager)} ${money(cents)}`).join(", ");
    const state = [each.decided.join(", "), each.folded && !["fold", "timed out"].includes(each.decided.at(-1)) ? "folded" : "", each.hand, each.settled ? "settled" : ""].filter(Boolean).join(", ");
    const cells = [cell(box, { name: "th" }), cell(player), cell(hand([...each.cards, ...each.fourth])), cell(stakes), cell(state || "–")];
    const made = row(...cells);
    if (each.folded) made.className = "folded";
    return made;
  });
  if (round) {
    const others = [["Dealer", round.dealer, round.dealer_hand], ["Community", round.community, ""]].filter(([, cards]) => cards.length);
    for (const [name, cards, called] of others) rows.unshift(row(cell("", { name: "th" }), cell(name), cell(hand(cards)), cell(""), cell(called)));
  }
  if (!rows.length) rows.push(row(make("td", { colspan: 5, class: "quiet" }, "Nothing lies on the table.")));
  body.replaceChildren(...rows);
}

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });

export function told(event, onclick = null) {
  const words = onclick ? make("button", { type: "button", class: "plain" }, event.says) : make("span", {}, event.says);
  if (onclick) words.addEventListener("click", onclick);
  const meta = make("span", { class: "meta" }, ...event.cites.map((cite) => clause(cite)), make("time", { title: exact.format(event.at) }, clock.format(event.at)), ` ${event.by}`);
  return make("li", { "data-version": event.version }, make("span", { class: "version" }, String(event.version)), words, meta);
}

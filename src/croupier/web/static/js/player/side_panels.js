// The panels next to the felt: chips, meters, the settlement, the player's rounds, the other players, and what the dealer says.

import { held } from "../shared/amounts.js";
import { get } from "../shared/api.js";
import { byId as $, make } from "../shared/build.js";
import { withSuits } from "../shared/cards.js";
import { clock, dateTime } from "../shared/dates.js";
import { money, signed, sum } from "../shared/money.js";
import { clause, gainOf, result, sentence, settlement } from "../shared/settlement.js";
import { endOf, wagerName } from "../shared/words.js";
import { meters as meterRows } from "./meters.js";
/** @import { Line, LiveEvent, PlayedRound, Seen } from "../shared/types.js" */

const MOST_LINES = 120;

/** @param {Seen} seen @param {number} seat */
export function purse(seen, seat) {
  $("purse").hidden = !seen.view.seats?.[seat];
  const { chips, account } = held(seen, seat);
  const can = (/** @type {string} */ what) => (seen.can ?? []).some((each) => each.do === what);
  $("chips").textContent = $("balance-chips").textContent = money(chips);
  $("account").hidden = !can("fund game account") && !account;
  $("account-cents").textContent = $("balance-account-cents").textContent = money(account);
  $("balance").hidden = $("purse").hidden;
  $("balance-limits").textContent = `limits ${money(seen.view.limits.minimum)} to ${money(seen.view.limits.maximum)}`;
  $("balance-account").hidden = !account;
  $("balance-buy").hidden = !can("buy in");
}

/** @param {Seen} seen */
export function meters(seen) {
  $("meters").hidden = !Object.keys(seen.meters ?? {}).length;
  meterRows($("meter-rows"), seen.meters ?? {});
}

/** @param {Seen} seen @param {number} seat @param {number} seats */
export function people(seen, seat, seats) {
  const { seats: taken = {}, round, phase } = seen.view;
  const items = [];
  for (let n = 1; n <= seats; n += 1) {
    const who = taken[n];
    if (!who) continue;
    const boxes = Object.entries(round?.boxes ?? {}).filter(([, box]) => box.seat === n);
    const asked = boxes.some(([box]) => round?.asked.includes(Number(box)));
    const bets = phase === "betting" && Boolean(seen.view.wagers?.[n]);
    const waits = phase === "betting" && seen.ready.includes(n) ? (bets ? "ready" : "sitting out") : bets ? "has bet" : "";
    const state = asked ? "to decide" : boxes.length && boxes.every(([, box]) => box.folded) ? endOf(boxes[0][1]) : boxes.length ? "playing" : waits;
    items.push(make("li", { class: asked ? "turn" : "" },
      make("span", { class: "seat-no" }, String(n)),
      make("span", { class: "name" }, n === seat ? `${who.player} (you)` : who.player, state ? make("span", { class: "small quiet" }, ` ${state}`) : null),
      make("span", { class: "money small" }, money(who.chips))));
  }
  $("seats").replaceChildren(...(items.length ? items : [make("li", { class: "quiet small" }, "No players yet.")]));
}

/** @param {Line[]} lines @param {string} table */
export function settled(lines, table) {
  const none = make("p", { class: "quiet small" }, "The result of each wager appears here with its odds and clause.");
  $("settled").replaceChildren(lines.length ? settlement(lines, { table }) : none);
}

/** @param {LiveEvent} event @param {string} table */
export function addToLog(event, table) {
  const log = $("log");
  if (!log.querySelector("[data-version]")) log.replaceChildren();
  const at = new Date(event.at);
  const cites = [...new Set(event.cites ?? [])].slice(0, 3).flatMap((cite) => [" ", clause(cite, table)]);
  const lines = (event.lines ?? []).map((each) => make("span", { class: "line small" }, sentence(each)));
  log.prepend(make("li", { "data-version": event.version },
    make("time", { class: "quiet small", datetime: at.toISOString() }, clock(event.at)),
    make("span", {}, withSuits(event.says), cites, lines)));
  while (log.children.length > MOST_LINES) log.lastChild.remove();
}

// This player's rounds, newest first, and the net result since this browser session began.

/** @param {string} table @param {number} since */
export async function rounds(table, since) {
  /** @type {PlayedRound[]} */
  let played;
  try {
    played = await get(`/api/tables/${encodeURIComponent(table)}/history?limit=20`);
  } catch {
    return; // next time, then
  }
  $("history").hidden = !played.length;
  const here = played.filter((each) => each.at >= since);
  $("session-net").textContent = here.length ? `this session ${signed(sum(here.map((each) => each.net)))}` : "";
  $("rounds").replaceChildren(...played.map(round));
}

/** @param {PlayedRound} played */
function round({ number, at, net, bets, decisions, void: why }) {
  const items = bets.map((bet) =>
    make("li", {}, make("span", {}, wagerName(bet.wager), bet.hand ? `: ${bet.hand.toLowerCase()}` : "", " ", make("span", { class: "quiet" }, bet.outcome)),
      make("span", { class: "money" }, signed(gainOf(bet)))));
  const summary = why ? `void: ${why}` : withSuits(decisions.join(", "));
  return make("li", {}, make("details", {},
    make("summary", {}, make("span", {}, `Round ${number}`, summary ? make("span", { class: "quiet small" }, ` ${summary}`) : null), make("span", { class: `money ${result(net)}` }, signed(net))),
    make("ul", { class: "bets small" }, items), make("time", { class: "small quiet", datetime: new Date(at).toISOString() }, dateTime(at))));
}


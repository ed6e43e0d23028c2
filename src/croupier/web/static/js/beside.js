// What stands beside the felt: chips, meters, the settlement, one's rounds, the others, and what the dealer says.

import { get } from "./api.js";
import { element } from "./element.js";
import { money } from "./money.js";
import { clause, sentence, settlement } from "./settlement.js";

const MOST_LINES = 120;
const $ = (id) => document.getElementById(id);
const signed = (cents) => (cents > 0 ? `+${money(cents)}` : cents < 0 ? `−${money(-cents)}` : money(0));
const result = (cents) => (cents > 0 ? "won" : cents < 0 ? "lost" : "stood");

export function purse(seen, seat) {
  const mine = seen.view.seats?.[seat];
  $("purse").hidden = !mine;
  if (!mine) return;
  $("chips").textContent = money(mine.chips);
  const electronic = (seen.can ?? []).some((each) => each.do === "fund game account");
  $("account").hidden = !electronic && !mine.game_account;
  $("account-cents").textContent = money(mine.game_account);
}

export function meters(seen) {
  const rows = Object.entries(seen.meters ?? {});
  const holder = $("meter-rows");
  $("meters").hidden = !rows.length;
  if (holder.children.length !== rows.length) {
    holder.replaceChildren(...rows.map(([wager]) => element("div", { class: "meter" }, element("span", { class: "small" }, wager.replace(/ Wager$/, "")), element("span", { class: "money" }))));
  }
  rows.forEach(([, cents], n) => {
    holder.children[n].lastElementChild.textContent = money(cents);
  });
}

export function people(seen, seat, seats) {
  const { seats: taken = {}, round, phase } = seen.view;
  const items = [];
  for (let n = 1; n <= seats; n += 1) {
    const who = taken[n];
    if (!who) continue;
    const boxes = Object.entries(round?.boxes ?? {}).filter(([, box]) => box.seat === n);
    const asked = boxes.some(([box]) => round.asked.includes(Number(box)));
    const state = asked ? "decides" : boxes.length && boxes.every(([, box]) => box.folded) ? "folded" : boxes.length ? "in the round" : phase === "betting" && seen.view.wagers?.[n] ? "has wagered" : "";
    items.push(element("li", { class: asked ? "turn" : "" },
      element("span", { class: "seat-no" }, String(n)),
      element("span", { class: "name" }, n === seat ? `${who.player} (you)` : who.player, state ? element("span", { class: "small quiet" }, ` ${state}`) : null),
      element("span", { class: "money small" }, money(who.chips))));
  }
  $("seats").replaceChildren(...(items.length ? items : [element("li", { class: "quiet small" }, "Nobody sits here yet.")]));
}

export function settled(lines, table) {
  if (!lines.length) return;
  $("settled").replaceChildren(settlement(lines, { table }));
}

export function says(event, table) {
  const log = $("log");
  if (!log.querySelector("[data-version]")) log.replaceChildren();
  const at = new Date(event.at);
  const cites = [...new Set(event.cites ?? [])].slice(0, 3).flatMap((cite) => [" ", clause(cite, table)]);
  const line = element("li", { "data-version": event.version },
    element("time", { class: "quiet small", datetime: at.toISOString() }, at.toLocaleTimeString("en-GB")),
    element("span", {}, event.says, ...cites));
  for (const each of event.lines ?? []) line.lastChild.append(element("span", { class: "line small" }, sentence(each)));
  log.prepend(line);
  while (log.children.length > MOST_LINES) log.lastChild.remove();
}

// The rounds of this player, the newest first; what they come to since this browser sat down.

export async function rounds(table, since) {
  let played;
  try {
    played = await get(`/api/tables/${encodeURIComponent(table)}/history?limit=20`);
  } catch {
    return []; // it is there next time
  }
  $("history").hidden = !played.length;
  const here = played.filter((each) => each.at >= since);
  $("session-net").textContent = here.length ? `this session ${signed(here.reduce((sum, each) => sum + each.net, 0))}` : "";
  $("rounds").replaceChildren(...played.map(round));
  return played;
}

// What a fold lost is collected without a settlement: the lines of a round's wagers that no settlement has told.
export function forfeited({ bets }, lines, cite) {
  const told = new Set(lines.map((line) => (line.on ? `${line.wager}: ${line.on}` : line.wager)));
  return bets.filter((bet) => bet.stake && !bet.bonus && !told.has(bet.wager)).map((bet) => {
    const [wager, on = ""] = bet.wager.split(": ");
    return { ...bet, wager, on, odds: "", cite };
  });
}

function round({ number, at, net: sum, bets, decisions, void: why }) {
  const told = bets.map((bet) =>
    element("li", {}, element("span", {}, bet.wager.replace(/ Wager\b/, ""), bet.hand ? `: ${bet.hand.toLowerCase()}` : "", " ", element("span", { class: "quiet" }, bet.outcome)),
      element("span", { class: "money" }, signed(bet.pays + bet.returns - bet.stake))));
  const said = why ? `void: ${why}` : decisions.join(", ");
  return element("li", {}, element("details", {},
    element("summary", {}, element("span", {}, `Round ${number}`, said ? element("span", { class: "quiet small" }, ` ${said}`) : null), element("span", { class: `money ${result(sum)}` }, signed(sum))),
    element("ul", { class: "bets small" }, told), element("time", { class: "small quiet", datetime: new Date(at).toISOString() }, new Date(at).toLocaleString("en-GB"))));
}


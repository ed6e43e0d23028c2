// A player's own hands: the result against its expectation, and every round with what best play was and what the difference cost.

import { fromAddress, toAddress, typed } from "../shared/address.js";
import { get, pause, post } from "../shared/api.js";
import { byId as $, draw, make } from "../shared/build.js";
import { hand as drawn, withSuits } from "../shared/cards.js";
import { dateTime } from "../shared/dates.js";
import { busy, notify } from "../shared/dialogs.js";
import { minus, money, signed } from "../shared/money.js";
import { clause, result, settlement } from "../shared/settlement.js";
import { counted, endOf, shortWager } from "../shared/words.js";
/** @import { Schemas, Sent } from "../shared/types.js" */

/**
 * @typedef {Sent<Schemas["PlayerHand"]>} PlayerHand
 * @typedef {Schemas["HandDecision"]} Decision
 * @typedef {Schemas["Figures"]} Figures
 * @typedef {Schemas["FiguresPoint"]} Point
 */

const AGAIN = 2000; // milliseconds until an answer that is still being computed is asked for again
const HOUR = 3_600_000;
const form = $("filter");
let cursor = "";
let turn = 0; // a newer filter makes earlier answers worthless

function query() {
  const asked = new URLSearchParams();
  for (const [name, value] of typed(form)) {
    if (name === "hours") asked.set("since", String(Date.now() - Number(value) * HOUR));
    else asked.set(name, value);
  }
  return asked;
}

// One round

/** @param {Decision} each */
function verdict(each) {
  if (each.pending) return make("span", { class: "quiet" }, "being computed…");
  if (!each.cost) return make("span", { class: "quiet" }, `not priced: ${each.problem}`);
  if (each.cost === "0") return make("span", { class: "good" }, "best play");
  return make("span", { class: "cost" }, `best: ${each.best}, cost `, make("strong", { class: "money", title: `exactly ${each.cost} cents` }, each.shown));
}

/** @param {Decision} each @param {string} table */
function decision(each, table) {
  const values = each.choices.length ? make("details", { class: "values" },
    make("summary", {}, "Value of each choice"),
    make("table", { class: "data" },
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, "Choice"), make("th", { scope: "col", class: "number" }, "Worth"), make("th", { scope: "col", class: "number" }, "Exactly, in cents"))),
      make("tbody", {}, each.choices.map((choice) => make("tr", {}, make("th", { scope: "row" }, choice.choice), make("td", { class: "number" }, minus(choice.shown)), make("td", { class: "number exact" }, minus(choice.cents)))))),
    each.cost !== "0" && make("p", { class: "small quiet" }, `The cost is exactly ${each.cost} cents on average.`),
    each.left_out.length > 0 && make("p", { class: "small quiet" }, `Left out, because a later fold could lose it: ${each.left_out.join(", ")}.`)) : null;
  return make("li", {},
    make("p", {}, make("span", { class: "quiet" }, `${each.asked}: `), make("strong", {}, withSuits(each.said)), each.by_clock ? make("span", { class: "quiet" }, " (your time ran out)") : null, " ", clause(each.cite, table), " · ", verdict(each)),
    values);
}

/** @param {string} name @param {string[]} cards @param {string} [words] */
const held = (name, cards, words = "") => cards.length > 0 && make("div", { class: "held" }, make("span", { class: "small quiet" }, name), drawn(cards), words && make("span", { class: "small" }, withSuits(words)));

/** @param {PlayerHand} each @param {Set<string>} open the keys of those that are open */
function round(each, open) {
  const key = `${each.table}/${each.number}`;
  const cost = each.boxes.flatMap((box) => box.decisions);
  const wrong = each.cost !== "0";
  const many = each.boxes.length > 1;
  const mark = cost.some(({ pending }) => pending) ? "being computed…" : wrong ? `cost ${each.shown}` : "";
  return make("li", { class: "hand-item" }, make("details", { open: open.has(key), "data-key": key },
    make("summary", {},
      make("span", { class: "which" }, make("strong", {}, each.title), make("span", { class: "small quiet" }, ` round ${each.number.toLocaleString("en-US")} · `, make("time", { datetime: new Date(each.at).toISOString() }, dateTime(each.at)))),
      make("span", { class: "mini", "aria-hidden": "true" }, each.boxes.slice(0, 1).map((box) => drawn(box.cards))),
      make("span", { class: "small what" }, each.void ? `void: ${each.void}` : cost.map(({ said }) => withSuits(said)).join(", ")),
      make("span", { class: "small cost" }, mark),
      make("span", { class: `money ${result(each.net)}` }, signed(each.net))),
    make("div", { class: "hand-body" },
      each.boxes.map((box) => make("section", {},
        many && make("h3", {}, `Box ${box.box}`),
        make("div", { class: "cards-row" }, held("Your cards", [...box.cards, ...box.fourth], box.hand || endOf({ folded: box.folded, decided: box.decisions.map(({ said }) => said) })), held("Dealer", each.dealer, each.dealer_hand), held("Community", each.community)),
        box.decisions.length > 0 && make("ul", { class: "decisions" }, box.decisions.map((one) => decision(one, each.table))),
        settlement(box.lines, { table: each.table }))),
      actions(each))));
}

/** @param {PlayerHand} each */
function actions(each) {
  const address = `/api/hands/tables/${encodeURIComponent(each.table)}/rounds/${each.number}/share`;
  const status = make("div", { class: "share-status", "aria-live": "polite" });
  const refused = (/** @type {any} */ problem) => status.replaceChildren(make("p", { class: "problem" }, problem.reason));
  const stop = make("button", { type: "button", class: "plain", hidden: !each.shared, onclick: () => busy(stop, revoke().catch(refused)) }, "Stop sharing");
  const share = make("button", { type: "button", onclick: () => busy(share, link().catch(refused)) }, "Share link");
  async function link() {
    const { path } = await post(address);
    const input = make("input", { type: "text", readonly: true, value: `${location.origin}${path}`, "aria-label": "Link to the replay" });
    status.replaceChildren(make("p", { class: "small" }, "Anyone with this link sees what your seat saw. It is shown only now; you can stop sharing at any time."), input);
    stop.hidden = false;
    input.focus();
    input.select();
    await navigator.clipboard?.writeText(input.value).then(() => notify("Link copied."), () => {});
  }
  async function revoke() {
    await post(address, {}, { method: "DELETE" });
    stop.hidden = true;
    status.replaceChildren(make("p", { class: "small quiet" }, "This round is no longer shared."));
  }
  const replay = make("a", { class: "button", href: `/hands/${encodeURIComponent(each.table)}/${each.number}` }, "Replay");
  return make("div", {}, make("div", { class: "cluster" }, replay, share, stop), status);
}

// Shows an answer as it is computed, until it is complete or a newer filter makes it worthless.
/** @param {string} address @param {number} again milliseconds @param {(found: any) => void} show */
async function poll(address, again, show) {
  const mine = turn;
  for (;;) {
    const found = await get(address);
    if (mine !== turn) return;
    show(found);
    if (!found.pending) return;
    await pause(again);
    if (mine !== turn) return;
  }
}

async function rounds(more = false) {
  const asked = query();
  if (more) asked.set("cursor", cursor);
  const before = more ? [...$("hands").children] : [];
  try {
    await poll(`/api/hands?${asked}`, AGAIN, (page) => {
      const open = new Set([...$("hands").querySelectorAll("details[open]")].map((each) => each.dataset.key));
      $("hands").replaceChildren(...before, ...page.hands.map((/** @type {PlayerHand} */ each) => round(each, open)));
      cursor = page.cursor;
      $("older").hidden = !cursor;
      const many = $("hands").children.length;
      $("status").textContent = page.pending ? "Best play is being computed. The first time, this takes a while." : many ? `${counted(many, "round")}${cursor ? " so far" : ""}${many > 1 ? ", newest first" : ""}.` : empty();
    });
  } catch (problem) {
    $("status").textContent = problem.reason ?? String(problem);
  }
}

const empty = () => (query().size ? "No rounds match. Choose other filters." : "You have not finished a round yet. Take a seat, and every round appears here.");

// The figures

/** @param {string} name @param {string} value @param {string} [cls] @param {string} [title] */
const fact = (name, value, cls = "", title = "") => make("div", {}, make("dt", {}, name), make("dd", { class: `money ${cls}`, title: title || null }, value));

/** @param {Figures} found */
function figures(found) {
  if (!found.rounds) return [make("p", { class: "quiet" }, "Nothing to count yet.")];
  const known = found.wagers.some((each) => each.expected !== null);
  const facts = make("dl", { class: "figures" },
    fact("Rounds", found.rounds.toLocaleString("en-US") + (found.void ? ` (${found.void} void)` : "")),
    fact("Wagered", money(found.wagered)),
    fact("Result", signed(found.net), result(found.net)),
    known && fact("Best play expects", minus(found.expected_shown), "", `exactly ${found.expected} cents`),
    known && fact("Difference", minus(found.difference_shown)));
  const head = make("tr", {}, [["Wager", 0], ["Bets", 1], ["Wagered", 1], ["Result", 1], ["Expected", 1], ["Difference", 1]].map(([words, right]) => make("th", { scope: "col", class: right ? "number" : null }, words)));
  const rows = found.wagers.map((each) => make("tr", {},
    make("th", { scope: "row" }, shortWager(each.wager), make("span", { class: "small quiet" }, ` ${each.game}`), each.note && make("span", { class: "small quiet block" }, each.note)),
    [each.bets.toLocaleString("en-US"), money(each.wagered), signed(each.net), each.expected === null ? "–" : minus(each.expected_shown), each.expected === null ? "–" : minus(each.difference_shown)].map((words) => make("td", { class: "number" }, words))));
  return [facts, found.points.length > 1 && known ? plot(found.points) : "",
    make("details", {}, make("summary", {}, "By wager, with assumptions"),
      make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "By wager" }, make("table", { class: "data" }, make("thead", {}, head), make("tbody", {}, rows))),
      make("ul", { class: "small quiet" }, found.assumed.map((words) => make("li", {}, words))))];
}

/** @param {Point[]} points */
function plot(points) {
  const narrow = matchMedia("(max-width: 40rem)").matches;
  const [wide, high, left, right, top, bottom] = narrow ? [360, 220, 52, 348, 26, 190] : [900, 260, 64, 740, 12, 230];
  const all = points.flatMap(({ net, expected, deviation }) => [net, expected + 2 * deviation, expected - 2 * deviation]);
  const low = Math.min(0, ...all);
  const top_ = Math.max(0, ...all);
  const last = points[points.length - 1];
  /** @param {number} rounds */
  const x = (rounds) => left + (rounds / last.rounds) * (right - left);
  /** @param {number} cents */
  const y = (cents) => bottom - ((cents - low) / (top_ - low || 1)) * (bottom - top);
  /** @param {Point[]} list @param {(point: Point) => number} of */
  const line = (list, of) => list.map((point) => `${x(point.rounds).toFixed(1)} ${y(of(point)).toFixed(1)}`).join("L");
  const band = `M${line(points, (p) => p.expected + 2 * p.deviation)}L${line([...points].reverse(), (p) => p.expected - 2 * p.deviation)}Z`;
  const levels = ticks(low, top_).map((cents) => [
    draw("line", { class: cents ? "level" : "level zero", x1: left, x2: right, y1: y(cents), y2: y(cents) }),
    draw("text", { x: left - 6, y: y(cents) + 4, "text-anchor": "end" }, minus(money(cents))),
  ]);
  const near = Math.abs(y(last.net) - y(last.expected)) < 18 ? (y(last.net) <= y(last.expected) ? 9 : -9) : 0;
  const words = narrow
    ? [draw("text", { class: "result", x: left, y: 14 }, "— result"), draw("text", { class: "expected", x: left + 80, y: 14 }, "— best play expects")]
    : [draw("text", { class: "result", x: right + 8, y: y(last.net) + 4 - near }, `result ${signed(last.net)}`), draw("text", { class: "expected", x: right + 8, y: y(last.expected) + 4 + near }, `best play ${signed(last.expected)}`)];
  const title = `After ${counted(last.rounds, "round")}: result ${signed(last.net)}, best play expects ${signed(last.expected)}, two standard deviations are ${money(2 * last.deviation)}.`;
  return draw("svg", { class: "result-plot", viewBox: `0 0 ${wide} ${high}`, role: "img", "aria-label": title },
    draw("path", { class: "band", d: band }), levels.flat(),
    draw("path", { class: "expected", d: `M${line(points, (p) => p.expected)}` }), draw("path", { class: "result", d: `M${line(points, (p) => p.net)}` }),
    words, draw("text", { x: right, y: high - 8, "text-anchor": "end" }, `after ${counted(last.rounds, "round")}, band of two standard deviations`));
}

/** @param {number} low @param {number} high */
function ticks(low, high) {
  const rough = (high - low || 100) / 4;
  const scale = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * scale).find((each) => each >= rough) ?? rough;
  const found = [];
  for (let at = Math.ceil(low / step) * step; at <= high; at += step) found.push(Math.round(at));
  return found;
}

async function sums() {
  const asked = query();
  asked.delete("mistakes");
  asked.delete("result");
  try {
    await poll(`/api/hands/figures?${asked}`, AGAIN * 5, (found) => { // odds take minutes
      $("figures").replaceChildren(...figures(found).filter(Boolean));
      $("figures").setAttribute("aria-busy", "false");
    });
  } catch (problem) {
    $("figures").replaceChildren(make("p", { class: "problem" }, problem.reason ?? String(problem)));
  }
}

function filter() {
  turn += 1;
  cursor = "";
  const asked = query();
  toAddress(form);
  asked.delete("mistakes");
  for (const kind of ["json", "csv", "pdf"]) $(kind).href = `/api/hands/files/${kind}?${asked}`;
  $("hands").replaceChildren();
  return Promise.all([rounds(), sums()]);
}

fromAddress(form);
form.addEventListener("change", filter);
form.addEventListener("submit", (/** @type {SubmitEvent} */ event) => event.preventDefault());
$("older").addEventListener("click", () => busy($("older"), rounds(true)));
filter();

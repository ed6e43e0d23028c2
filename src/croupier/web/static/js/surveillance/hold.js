// The house's win on each wager compared with its expectation: a chart with bands, and the figures.

import { get } from "../shared/api.js";
import { byId, draw, make } from "../shared/build.js";
import { minus, money, signed } from "../shared/money.js";
import { counted, shortWager } from "../shared/words.js";
import { cell, dataTable, row } from "../staff/rows.js";
/** @import { Schemas } from "../shared/types.js" */

/**
 * @typedef {Schemas["WagerHoldSeen"]} WagerHold
 * @typedef {Schemas["TableHoldSeen"]} TableHold
 * @typedef {WagerHold & Record<"expected" | "deviation" | "z", number>} KnownHold a wager whose odds are known
 */

const MOST = 4; // standard deviations shown on either side
const WIDE = { left: 250, wide: 520, right: 330, line: 26, bar: 20, words: 0 };
const NARROW = { left: 14, wide: 332, right: 14, line: 50, bar: 18, words: 20 }; // words above each bar
const phone = matchMedia("(max-width: 40rem)");
const TOP = 30;

/** @param {number} x @param {number} y @param {string} words @param {{anchor?: string, cls?: string}} [options] */
const text = (x, y, words, { anchor = "start", cls = "" } = {}) => draw("text", { x, y, "text-anchor": anchor, class: cls }, words);
/** @param {number} cents */
const rounded = (cents) => minus(money(Math.round(cents / 100) * 100));
/** @param {number | null} share */
const percent = (share) => (share === null ? "–" : minus(`${(100 * share).toFixed(2)}%`));

// A diamond marks the win. Beyond the chart it stays at the edge, and the figures tell how far out it is.
/** @param {number} x @param {number} y */
const mark = (x, y) => draw("path", { class: "won", d: `M${x} ${y - 7}l6 7l-6 7l-6-7z` });

/** @param {TableHold} table @param {KnownHold[]} known */
function chart(table, known) {
  const shape = phone.matches ? NARROW : WIDE;
  /** @param {number} z */
  const place = (z) => shape.left + (shape.wide * (Math.max(-MOST, Math.min(MOST, z)) + MOST)) / (2 * MOST);
  const label = `${table.table}: win of each wager in standard deviations from its expectation. ${known.map((each) => `${each.wager} ${each.z}`).join(", ")}.`;
  const high = TOP + known.length * shape.line + 4;
  const svg = draw("svg", { class: "hold-chart", viewBox: `0 0 ${shape.left + shape.wide + shape.right} ${high}`, role: "img", "aria-label": label });
  const labelled = shape.words ? [-3, -2, 2, 3] : [-3, -2, -1, 1, 2, 3]; // as many as fit
  for (const n of labelled) svg.append(text(place(n), 18, `${n > 0 ? "+" : "−"}${Math.abs(n)}σ`, { anchor: "middle", cls: "axis" }));
  svg.append(text(place(0), 18, "expected", { anchor: "middle", cls: "axis" }));
  known.forEach((each, n) => svg.append(bar(each, TOP + n * shape.line + shape.words, shape, place)));
  return svg;
}

/** @param {KnownHold} each @param {number} y @param {typeof WIDE} shape @param {(z: number) => number} place */
function bar(each, y, shape, place) {
  const group = draw("g", { class: each.flagged ? "flagged" : "" });
  for (const n of [3, 2, 1]) group.append(draw("rect", { class: `band${n}`, x: place(-n), y, width: place(n) - place(-n), height: shape.bar }));
  group.append(draw("line", { class: "expected", x1: place(0), x2: place(0), y1: y - 2, y2: y + shape.bar + 2 }));
  const figures = `won ${rounded(each.win)}, expected ${rounded(each.expected)} ± ${rounded(each.deviation)}`;
  const middle = y + shape.bar / 2;
  if (shape.words) group.append(text(shape.left, y - 7, short(each.wager, 20)), text(shape.left + shape.wide, y - 7, figures.replace("expected", "exp."), { anchor: "end", cls: "axis" }));
  else group.append(text(shape.left - 12, middle + 4, short(each.wager), { anchor: "end" }), text(place(MOST) + 12, middle + 4, figures));
  group.append(mark(place(each.z), middle));
  return group;
}

/** @param {string} wager */
function short(wager, most = 34) {
  const words = shortWager(wager);
  return words.length > most ? `${words.slice(0, most - 1)}…` : words;
}

/** @param {WagerHold} each */
function verdict(each) {
  if (each.odds === "being worked out") return make("span", { class: "badge", "data-state": "off" }, "computing odds");
  if (each.expected === null) return make("span", { class: "quiet" }, "no expectation");
  if (each.flagged) return make("span", { class: "badge", "data-state": "bad" }, `beyond three${each.enough ? "" : ", few bets so far"}`);
  return make("span", { class: "badge", "data-state": each.enough ? "good" : "off" }, each.enough ? "within three" : `within three; needs ${each.needs?.toLocaleString("en-US")} bets`);
}

/** @type {[string, number][]} */
const HEADS = [["Wager", 0], ["Bets", 1], ["Handle", 1], ["Win", 1], ["Hold", 1], ["Expected", 1], ["Exp. hold", 1], ["Deviation", 1], ["σ", 1], ["Verdict", 0]];

/** @param {TableHold} table */
function figures(table) {
  const rows = table.wagers.map((each) => {
    const made = row(
      cell(each.wager, { name: "th" }),
      cell(each.bets.toLocaleString("en-US"), { number: true, label: "bets" }),
      cell(money(each.handle), { number: true, label: "handle" }),
      cell(signed(each.win), { number: true, label: "win" }),
      cell(percent(each.hold), { number: true, label: "hold" }),
      cell(each.expected === null ? "–" : signed(each.expected), { number: true, label: "expected" }),
      cell(percent(each.expected_hold), { number: true, label: "expected hold" }),
      cell(each.deviation === null ? "–" : money(each.deviation), { number: true, label: "deviation" }),
      cell(each.z === null ? "–" : `${each.z > 0 ? "+" : each.z < 0 ? "−" : ""}${Math.abs(each.z).toFixed(2)}`, { number: true, label: "standard deviations" }),
      cell(verdict(each), { cls: "wide-cell" }),
    );
    if (each.flagged) made.className = "attention";
    return made;
  });
  return dataTable(`Figures of ${table.table}`, HEADS, rows, { cls: "data cards pairs" });
}

/** @param {TableHold} table */
function section(table) {
  const known = /** @type {KnownHold[]} */ (table.wagers.filter((each) => each.z !== null));
  const heading = make(
    "header",
    {},
    make("h2", {}, make("a", { href: `/surveillance/tables/${encodeURIComponent(table.table)}` }, table.table), " ", make("span", { class: "quiet" }, table.title)),
    table.flagged ? make("span", { class: "badge", "data-state": "bad" }, "flagged") : null,
    make("span", { class: "small quiet" }, `${counted(table.rounds, "round")}${table.void ? `, ${table.void} void` : ""} · drop ${money(table.drop)} · win ${signed(table.win)}${table.hold === null ? "" : ` · hold ${percent(table.hold)} of the drop`}`),
  );
  /** @type {Element[]} */
  const parts = [heading];
  if (known.length) parts.push(chart(table, known));
  else if (table.wagers.some((each) => each.odds === "being worked out")) parts.push(make("p", { class: "quiet" }, "The exact odds of this table are being computed. The chart appears when they are ready."));
  parts.push(figures(table));
  return make("section", { class: "hold", "data-table": table.table }, ...parts);
}

async function show() {
  const hours = Number(byId("span").value);
  const since = hours ? Date.now() - hours * 3_600_000 : 0;
  const holds = byId("holds");
  try {
    /** @type {{tables: TableHold[], assumed: string[]}} */
    const { tables, assumed } = await get(`/api/surveillance/hold?since=${since}`);
    const played = tables.filter((each) => each.wagers.length).sort((a, b) => Number(b.flagged) - Number(a.flagged) || a.table.localeCompare(b.table));
    const quiet = tables.filter((each) => !each.wagers.length).map((each) => each.table);
    const none = make("div", { class: "empty" }, make("strong", {}, "No finished rounds in this period"), "Figures appear after the first one.");
    holds.replaceChildren(...(played.length ? played.map(section) : [none]), ...(quiet.length && played.length ? [make("p", { class: "quiet" }, `No finished rounds: ${quiet.join(", ")}.`)] : []));
    byId("assumed").replaceChildren(...assumed.map((words) => make("li", {}, words)));
  } catch (problem) {
    holds.replaceChildren(make("p", { class: "refusal" }, problem.reason ?? String(problem)));
  }
}

byId("span").addEventListener("change", show);
phone.addEventListener("change", show);
show();
setInterval(() => document.visibilityState === "visible" && show(), 20_000);

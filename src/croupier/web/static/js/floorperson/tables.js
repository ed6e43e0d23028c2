// The floorperson's board: one line per table, with what needs attention on top.

import { command, get } from "../shared/api.js";
import { byId, make, one } from "../shared/build.js";
import { dateTime } from "../shared/dates.js";
import { busy, notify } from "../shared/dialogs.js";
import { money, sum } from "../shared/money.js";
import { clause } from "../shared/settlement.js";
import { handleRefusal } from "../staff/screen_lock.js";
import { ago, timed, within } from "../staff/times.js";
/** @import { BoardLine, Command } from "../shared/types.js" */

const EVERY = 2000; // milliseconds
/** @type {HTMLTableElement} */
const board = byId("tables");
const link = byId("link");
let shown = "";

/** @param {string} table */
const pageOf = (table) => `/floorperson/${encodeURIComponent(table)}`;

// The game, and which of its tables it is.
/** @param {BoardLine} table */
const titleOf = ({ title, name }) => (name ? `${title} ${name}` : title);

/** @param {BoardLine} table @param {Command} order @param {any} button */
async function carryOut(table, order, button) {
  try {
    await busy(button, command(table.table, order));
    notify(`${titleOf(table)}: done.`);
    refresh();
  } catch (problem) {
    handleRefusal(problem, { table: table.table });
  }
}

/** @param {BoardLine} table @param {BoardLine["waiting"][number]} each */
function taskItem(table, each) {
  const { command: order } = each;
  const button = order && make("button", { type: "button", class: "primary", onclick: () => carryOut(table, order, button) }, verb(order), make("span", { class: "visually-hidden" }, ` at ${titleOf(table)}`));
  const state = each.when === "now" ? "warn" : "off";
  return make(
    "li",
    { "data-when": each.when },
    make("span", { class: "badge", "data-state": state }, each.when),
    make("span", {}, make("a", { href: pageOf(table.table) }, titleOf(table)), `: ${each.words[0].toLowerCase()}${each.words.slice(1)}`, each.who === "dealer" ? make("span", { class: "quiet" }, ", by the dealer") : "", " ", clause(each.cite, table.table)),
    button ?? make("a", { class: "button", href: pageOf(table.table) }, "Open", make("span", { class: "visually-hidden" }, `: ${titleOf(table)}, ${each.words}`)),
  );
}

/** @type {Record<string, string>} */
const VERBS = { "verify inspection": "Verify", "validate progressive": "Validate", "complete papers": "Done", "remove decks": "Remove the decks", "lapse decision": "Let it lapse" };

/** @param {Command} command */
const verb = ({ do: what }) => VERBS[what] ?? what;

/** @param {BoardLine[]} tables */
function showTasks(tables) {
  const all = tables.flatMap((table) => table.waiting.map((each) => ({ table, each })));
  all.sort((first, second) => Number(second.each.when === "now") - Number(first.each.when === "now"));
  const now = JSON.stringify(all.map(({ table, each }) => [table.table, each]));
  byId("nothing-waits").hidden = all.length > 0;
  if (now === shown) return; // do not replace a button that is being pressed
  shown = now;
  byId("waiting").replaceChildren(...all.map(({ table, each }) => taskItem(table, each)));
}

// “red in play, blue ready”, and below it when the first of them is due to change.
/** @param {BoardLine["decks"]} all */
function decks(all) {
  if (!all.length) return [make("span", { class: "quiet" }, "none")];
  const { due, received, cite } = all.reduce((first, each) => (each.due < first.due ? each : first));
  const late = due <= Date.now();
  const soon = due - Date.now() < 30 * 60_000;
  const when = timed(due, within(due));
  when.title = `received ${dateTime(received)}, due ${dateTime(due)} (${cite})`;
  const same = new Set(all.map(({ condition }) => condition)).size === 1;
  const words = same ? `${all.map(({ name }) => name).join(", ")}: ${all[0].condition}` : all.map(({ name, condition }) => `${name} ${condition}`).join(", ");
  const state = late ? { class: "due badge", "data-state": "bad" } : soon ? { class: "due badge", "data-state": "warn" } : { class: "due quiet" };
  return [words, make("span", state, when)];
}

/** @param {BoardLine} table */
function showRow(table) {
  const row = [...board.tBodies[0].rows].find((each) => each.dataset.table === table.table);
  if (!row) return location.reload();
  const put = (/** @type {string} */ part, /** @type {(Node | string)[]} */ ...inside) => one(`[data-part="${part}"]`, row).replaceChildren(...inside);
  row.classList.toggle("attention", table.waiting.some(({ when }) => when === "now"));
  put("dealer", make("span", { class: "badge", "data-state": table.dealer === "person" ? "good" : "off" }, table.dealer));
  const out = table.out_of_order.map((device) => make("div", {}, make("span", { class: "badge", "data-state": "bad" }, `${device} out of order`)));
  put("phase", table.idle ? "idle" : table.phase, ...(table.stage ? [make("span", { class: "stage quiet", title: table.stage }, ` ${table.stage}`)] : []), ...out);
  put("round", String(table.rounds));
  put("players", `${Object.keys(table.players).length} of ${table.seats}`);
  one('[data-part="players"]', row).title = Object.entries(table.players).map(([seat, name]) => `${seat} ${name}`).join(", ");
  put("limits", `${money(table.minimum)} to ${money(table.maximum)}`);
  put("inventory", money(table.inventory));
  put("drop", money(table.drop));
  put("decks", ...decks(table.decks));
  put("stub", make("span", table.stub_due ? { class: "badge", "data-state": "warn" } : {}, table.stub));
  put("last", ...(table.last ? [make("span", { class: "says", title: table.last.says }, table.last.says), " ", make("span", { class: "quiet" }, timed(table.last.at, ago(table.last.at)))] : []));
  board.tBodies[0].append(row); // in the order of the board: tables that need attention first
  return null;
}

/** @param {BoardLine[]} tables */
function showTotals(tables) {
  const put = (/** @type {string} */ name, /** @type {string} */ words) => (one(`[data-sum="${name}"]`, board).textContent = words);
  const all = (/** @type {"rounds" | "inventory" | "drop"} */ name) => sum(tables.map((each) => each[name]));
  put("rounds", String(all("rounds")));
  put("players", String(sum(tables.map((each) => Object.keys(each.players).length))));
  put("inventory", money(all("inventory")));
  put("drop", money(all("drop")));
}

/** @param {string} state @param {string} words */
function showConnection(state, words) {
  link.dataset.link = state;
  link.textContent = words;
}

async function refresh() {
  try {
    const tables = await get("/api/floor");
    showTasks(tables);
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    tables.forEach(showRow);
    if (board.contains(focused)) focused?.focus();
    showTotals(tables);
    showConnection("live", "live");
  } catch (problem) {
    showConnection("lost", "connection lost, reconnecting");
    if (problem.kind !== "unreachable") await handleRefusal(problem);
  }
}

async function watch() {
  if (!document.hidden) await refresh();
  setTimeout(watch, EVERY);
}

document.addEventListener("visibilitychange", () => document.hidden || refresh());
watch();

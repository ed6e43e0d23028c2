// The floorperson's board: every table in a line, what waits for a person on top.

import { command, get } from "./api.js";
import { busy, make, notify } from "./dialog.js";
import { money } from "./money.js";
import { clause } from "./settlement.js";
import { ago, heed, timed, within } from "./staff.js";

const EVERY = 2000; // milliseconds
const board = document.querySelector("#tables");
const link = document.querySelector("#link");
let told = "";

const page = (table) => `/floorperson/${encodeURIComponent(table)}`;

function wait(table, each) {
  const element = each.command ? make("button", { type: "button", class: "primary" }, verb(each), make("span", { class: "visually-hidden" }, ` at ${table.title}`)) : null;
  element?.addEventListener("click", async () => {
    try {
      await busy(element, command(table.table, each.command));
      notify(`${table.title}: done.`);
      look();
    } catch (problem) {
      heed(problem, { table: table.table });
    }
  });
  const state = each.when === "now" ? "warn" : "off";
  return make(
    "li",
    { "data-when": each.when },
    make("span", { class: "badge", "data-state": state }, each.when),
    make("span", {}, make("a", { href: page(table.table) }, table.title), `: ${each.words[0].toLowerCase()}${each.words.slice(1)}`, each.who === "dealer" ? make("span", { class: "quiet" }, ", by the dealer") : "", " ", clause(each.cite, table.table)),
    element ?? make("a", { class: "button", href: page(table.table) }, "See to it", make("span", { class: "visually-hidden" }, `: ${table.title}, ${each.words}`)),
  );
}

const VERBS = { "verify inspection": "Verify", "validate progressive": "Validate", "complete papers": "Done", "remove decks": "Remove the decks", "lapse decision": "Let it lapse" };

const verb = ({ command: { do: what } }) => VERBS[what] ?? what;

function waiting(tables) {
  const all = tables.flatMap((table) => table.waiting.map((each) => [table, each]));
  all.sort(([, one], [, other]) => (one.when === "now" ? 0 : 1) - (other.when === "now" ? 0 : 1));
  const now = JSON.stringify(all.map(([table, each]) => [table.table, each]));
  document.querySelector("#nothing-waits").hidden = all.length > 0;
  if (now === told) return; // a button that is being pressed stays
  told = now;
  document.querySelector("#waiting").replaceChildren(...all.map(([table, each]) => wait(table, each)));
}

// “red in play, blue ready”, and below it when they are to be changed: the one that is due first.
function decks(all) {
  if (!all.length) return [make("span", { class: "quiet" }, "none")];
  const { due, received, cite } = all.reduce((first, each) => (each.due < first.due ? each : first));
  const late = due <= Date.now();
  const soon = due - Date.now() < 30 * 60_000;
  const when = timed(due, within(due));
  when.title = `received ${new Date(received).toLocaleString("en-GB")}, due ${new Date(due).toLocaleString("en-GB")} (${cite})`;
  const same = new Set(all.map(({ condition }) => condition)).size === 1;
  const words = same ? `${all.map(({ name }) => name).join(", ")}: ${all[0].condition}` : all.map(({ name, condition }) => `${name} ${condition}`).join(", ");
  const state = late ? { class: "due badge", "data-state": "bad" } : soon ? { class: "due badge", "data-state": "warn" } : { class: "due quiet" };
  return [words, make("span", state, when)];
}

function show(table) {
  const row = [...board.tBodies[0].rows].find((each) => each.dataset.table === table.table);
  if (!row) return location.reload();
  const put = (part, ...inside) => row.querySelector(`[data-part="${part}"]`).replaceChildren(...inside);
  row.classList.toggle("attention", table.waiting.some(({ when }) => when === "now"));
  const person = table.dealer === "person";
  put("dealer", make("span", { class: "badge", "data-state": person ? "good" : "off" }, person ? "a person" : "automatic"));
  const out = table.out_of_order.map((device) => make("div", {}, make("span", { class: "badge", "data-state": "bad" }, `${device} out of order`)));
  put("phase", table.phase, ...(table.stage ? [make("span", { class: "stage quiet", title: table.stage }, ` ${table.stage}`)] : []), ...out);
  put("round", String(table.rounds));
  put("players", `${Object.keys(table.players).length} of ${table.seats}`);
  row.querySelector('[data-part="players"]').title = Object.entries(table.players).map(([seat, name]) => `${seat} ${name}`).join(", ");
  put("limits", `${money(table.minimum)} to ${money(table.maximum)}`);
  put("inventory", money(table.inventory));
  put("drop", money(table.drop));
  put("decks", ...decks(table.decks));
  put("stub", make("span", table.stub_due ? { class: "badge", "data-state": "warn" } : {}, table.stub));
  put("last", ...(table.last ? [make("span", { class: "says", title: table.last.says }, table.last.says), " ", make("span", { class: "quiet" }, timed(table.last.at, ago(table.last.at)))] : []));
  board.tBodies[0].append(row); // those that wait for a person come first
  return null;
}

function sums(tables) {
  const put = (name, words) => (board.querySelector(`[data-sum="${name}"]`).textContent = words);
  const all = (name) => tables.reduce((sum, each) => sum + each[name], 0);
  put("rounds", String(all("rounds")));
  put("players", String(tables.reduce((sum, each) => sum + Object.keys(each.players).length, 0)));
  put("inventory", money(all("inventory")));
  put("drop", money(all("drop")));
}

function connected(state, words) {
  link.dataset.link = state;
  link.textContent = words;
}

async function look() {
  try {
    const tables = await get("/api/floor");
    waiting(tables);
    const focused = document.activeElement;
    tables.forEach(show);
    if (board.contains(focused)) focused.focus();
    sums(tables);
    connected("live", "live");
  } catch (problem) {
    connected("lost", "connection lost, trying again");
    if (problem.kind !== "unreachable") await heed(problem);
  }
}

async function watch() {
  if (!document.hidden) await look();
  setTimeout(watch, EVERY);
}

document.addEventListener("visibilitychange", () => document.hidden || look());
watch();

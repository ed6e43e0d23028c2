// One table for the floorperson: approvals first, then everything that he may order, the accounts and the log.

import { get, post } from "./api.js";
import { ask, busy, make } from "./dialog.js";
import { Felt } from "./felt.js";
import { Keys, give as keysFor } from "./keys.js";
import { Live } from "./live.js";
import { money } from "./money.js";
import { button, mishaps } from "./orders.js";
import { clause } from "./settlement.js";
import { heed } from "./staff.js";
import { boxes, facts, line, logged, situation } from "./table_view.js";

const $ = (id) => document.querySelector(`#${id}`);
const { table } = $("floorperson").dataset;
const path = `/api/tables/${encodeURIComponent(table)}`;
const felt = new Felt($("felt"));
felt.view("whole");
const keys = new Keys();
let seen = null;

// Which orders stand together, in the order in which they stand
const GROUPS = [
  ["Inventory", ["fill", "credit", "collect drop", "collect tips"]],
  ["Limits", ["post limits"]],
  ["Decks", ["receive decks", "remove decks", "order recut", "order shuffle"]],
  ["Devices and method", ["return device", "use method"]],
  ["Seats", ["sit"]],
  ["Table", ["close table", "open table", "lapse decision"]],
];
const APART = new Set(["raise irregularity", "leave"]);

function begin(choice) {
  return choice.do === "open table" ? { opener: 10_000_000 } : {};
}

const order = (choice, options = {}) => button(choice, { table, now: begin(choice), ...options });

function orders() {
  const first = seen.can.filter((choice) => choice.primary);
  const others = seen.can.filter((choice) => !choice.primary && !APART.has(choice.do));
  const elements = first.map((choice, n) => order(choice, { primary: n === 0 }));
  $("primary").replaceChildren(...elements);
  $("nothing-waits").hidden = first.length > 0;
  const groups = GROUPS.map(([name, does]) => [name, others.filter((choice) => does.includes(choice.do))]);
  groups.push(["More", others.filter((choice) => !GROUPS.some(([, does]) => does.includes(choice.do)))]);
  const made = groups.map(([name, can]) => group(name, name === "Seats" ? seats(can) : can.map((choice) => order(choice))));
  $("groups").replaceChildren(...made.filter(Boolean), dealtBy());
  const letters = keysFor(first, "?l");
  keys.set(elements.map((element, n) => ({ key: letters[n], words: first[n].words, element, does: () => element.click() })).filter(({ key }) => key));
}

function group(name, elements) {
  if (!elements.length) return null;
  return make("section", { class: "panel" }, make("h2", {}, name), make("div", { class: "cluster" }, ...elements));
}

// One button for all free seats: the form asks which.
function seats(can) {
  if (!can.length) return [];
  const free = can.map(({ command }) => command.seat);
  const choice = { ...can[0], words: "Seat a player", command: { do: "sit" }, asks: [{ name: "seat", kind: "one of", only: free }, ...can[0].asks] };
  return [order(choice)];
}

function dealtBy() {
  const person = seen.standing.dealer === "person";
  const next = person ? "automatic" : "person";
  const element = make("button", { type: "button", id: "standing" }, person ? "Put the automatic dealer at the table" : "Put a person at the table");
  element.addEventListener("click", async () => {
    const body = person ? "The automatic dealer goes on where the table is now." : "The automatic dealer stops where it is; a dealer goes on from there.";
    if (!(await ask({ title: `${element.textContent}?`, body, confirm: "Yes, change it" }))) return;
    try {
      await busy(element, post(`${path}/dealer`, { dealer: next }));
    } catch (problem) {
      heed(problem, { table });
    }
  });
  const words = make("p", { class: "small" }, person ? "A person deals." : seen.standing.practice ? "The automatic dealer deals. At this practice table a practice floorperson does what a floorperson has to do." : "The automatic dealer deals. What a floorperson has to do waits for you.");
  return make("section", { class: "panel" }, make("h2", {}, "Dealer"), words, make("div", { class: "cluster" }, element));
}

function forBox(seat) {
  return seen.can.filter(({ do: what, command }) => what === "leave" && command.seat === seat).map((choice) => {
    const element = order(choice, { words: "Sign off", cite: false });
    element.classList.add("small");
    element.append(make("span", { class: "visually-hidden" }, ` the player of seat ${seat}`));
    return element;
  });
}

async function refresh() {
  try {
    const [procedure, books] = await Promise.all([get(`${path}/checklist`), get(`${path}/accounts`)]);
    if (procedure.version === seen.view.version && JSON.stringify(procedure.can) !== JSON.stringify(seen.can)) {
      seen.can = procedure.can; // time has passed
      orders();
    }
    mishaps($("mishaps"), procedure.irregularities, { table });
    $("waiting").replaceChildren(...procedure.steps.filter(({ state }) => state === "now").slice(0, 3).map(step));
    const rows = Object.entries(books.accounts).map(([name, cents]) => make("tr", {}, make("th", { scope: "row" }, name), make("td", { class: "number money" }, money(cents))));
    $("accounts").tBodies[0].replaceChildren(...rows);
  } catch (problem) {
    if (problem.kind !== "unreachable") await heed(problem, { table });
  }
}

const step = ({ words, cite, who }) => make("li", {}, make("span", { class: "badge", "data-state": who === "floorperson" ? "warn" : "off" }, who), make("span", {}, words, " ", clause(cite, table)));

let soon = 0;
function show(now, version, events) {
  seen = now;
  felt.show(seen, { events });
  $("phase").textContent = situation(seen);
  orders();
  boxes($("boxes"), seen, forBox);
  facts($("facts"), seen);
  clearTimeout(soon);
  soon = setTimeout(refresh, 60);
}

async function older() {
  const last = $("log").lastElementChild?.dataset.version;
  const found = await get(`${path}/events?limit=50${last ? `&before=${last}` : ""}`).catch(() => []);
  $("log").append(...found.map((event) => line(event, table)));
  $("older").hidden = !found.length || found.at(-1).version === 1;
}

$("older").addEventListener("click", () => busy($("older"), older()));
keys.add({ key: "l", words: "Lock the screen", does: () => document.querySelector("#lock").click() });
setInterval(refresh, 15_000); // what only time changes: a deck that is due, a decision that has lapsed
await older();
new Live(`${path}/live`, { badge: $("link"), seen: show, event: (event) => logged($("log"), event, table) });

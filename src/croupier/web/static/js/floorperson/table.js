// One table for the floorperson: approvals first, then every other command, the accounts and the log.

import { get, post } from "../shared/api.js";
import { byId as $, make } from "../shared/build.js";
import { clock } from "../shared/dates.js";
import { ask, busy, modal } from "../shared/dialogs.js";
import { Felt } from "../shared/felt.js";
import { form } from "../shared/form.js";
import { assignKeys, Keys } from "../shared/keys.js";
import { Live } from "../shared/live.js";
import { money } from "../shared/money.js";
import { clause } from "../shared/settlement.js";
import { button, mishaps } from "../staff/commands.js";
import { handleRefusal } from "../staff/screen_lock.js";
import { addToLog, boxes, facts, line, situation } from "../staff/table_view.js";
/** @import { Choice, LiveEvent, Seen, Step } from "../shared/types.js" */

const { table } = $("floorperson").dataset;
const path = `/api/tables/${encodeURIComponent(table)}`;
const felt = new Felt($("felt"));
felt.view("whole");
const keys = new Keys();
/** @type {Seen} */
let seen;

// Which commands are grouped, in order
/** @type {[string, string[]][]} */
const GROUPS = [
  ["Inventory", ["fill", "credit", "collect drop", "collect tips"]],
  ["Limits", ["post limits"]],
  ["Decks", ["receive decks", "remove decks", "order recut", "order shuffle"]],
  ["Devices and method", ["return device", "use method"]],
  ["Seats", ["sit"]],
  ["Table", ["close table", "open table", "lapse decision"]],
];
const APART = new Set(["raise irregularity", "leave"]);

/** @param {Choice} choice @param {{primary?: boolean, words?: string, about?: string}} [options] */
const order = (choice, options = {}) => button(choice, { table, now: choice.do === "open table" ? { opener: 10_000_000 } : {}, ...options });

function orders() {
  const first = seen.can.filter((choice) => choice.primary);
  const others = seen.can.filter((choice) => !choice.primary && !APART.has(choice.do));
  const elements = first.map((choice, n) => order(choice, { primary: n === 0 }));
  $("primary").replaceChildren(...elements);
  $("nothing-waits").hidden = first.length > 0;
  /** @type {[string, Choice[]][]} */
  const groups = GROUPS.map(([name, does]) => [name, others.filter((choice) => does.includes(choice.do))]);
  groups.push(["More", others.filter((choice) => !GROUPS.some(([, does]) => does.includes(choice.do)))]);
  const made = groups.map(([name, can]) => group(name, name === "Seats" ? seats(can) : can.map((choice) => order(choice))));
  $("groups").replaceChildren(...made.filter((each) => each !== null), dealerPanel());
  const letters = assignKeys(first, "?l");
  keys.set(elements.map((element, n) => ({ key: letters[n], words: first[n].words, element, does: () => element.click() })).filter(({ key }) => key));
}

/** @param {string} name @param {HTMLElement[]} elements */
function group(name, elements) {
  if (!elements.length) return null;
  return make("section", { class: "panel" }, make("h2", {}, name), make("div", { class: "cluster" }, ...elements));
}

// One button for all free seats; the form asks which.
/** @param {Choice[]} can */
function seats(can) {
  if (!can.length) return [];
  const free = can.map(({ command }) => command.seat);
  const choice = { ...can[0], words: "Seat a player", command: { do: "sit" }, asks: [{ name: "seat", kind: "one of", only: free }, ...can[0].asks] };
  return [order(choice)];
}

function dealerPanel() {
  const person = seen.standing?.dealer === "person";
  const next = person ? "automatic" : "person";
  const element = make("button", { type: "button", id: "standing" }, person ? "Switch to the automatic dealer" : "Switch to a live dealer");
  element.addEventListener("click", async () => {
    const body = person ? "The automatic dealer picks up from here." : "The automatic dealer stops, and a live dealer picks up from here.";
    if (!(await ask({ title: `${element.textContent}?`, body, confirm: "Switch" }))) return;
    try {
      await busy(element, post(`${path}/dealer`, { dealer: next }));
    } catch (problem) {
      handleRefusal(problem, { table });
    }
  });
  const words = make("p", { class: "small" }, person ? "A live dealer runs this table." : seen.standing?.practice ? "The automatic dealer runs this table, and a practice floorperson does the floorperson’s part." : "The automatic dealer runs this table. Floorperson steps wait for you.");
  return make("section", { class: "panel" }, make("h2", {}, "Dealer"), words, make("div", { class: "cluster" }, element));
}

// A player who has lost access to their seat returns with a one-time code. It is shown here once and stored nowhere.
/** @param {number} seat */
function handBack(seat) {
  const element = make("button", { type: "button", class: "small" }, "Hand back", make("span", { class: "visually-hidden" }, ` seat ${seat} to its player`));
  element.addEventListener("click", async () => {
    const asks = [{ name: "reason", kind: "words", words: "Recorded in the audit with your name." }];
    const filled = await form({ title: `Hand seat ${seat} back to ${seen.view.seats[seat].player}`, asks, confirm: "Create a code" });
    if (!filled) return;
    try {
      showCode(await busy(element, post(`${path}/seats/${seat}/code`, filled)));
    } catch (problem) {
      handleRefusal(problem, { table });
    }
  });
  return element;
}

/** @param {{player: string, code: string, until: number}} handed */
function showCode({ player, code, until }) {
  const link = `${location.origin}/return#${code}`;
  const done = make("button", { type: "button", class: "primary", onclick: () => dialog.close("") }, "Done");
  const dialog = modal(`Code for ${player}`,
    make("p", { class: "recovery-code", id: "handed-code" }, code),
    make("p", {}, "Give it only to the player whose seat it is. They enter it at ", make("strong", {}, `${location.host}/return`), " or open this link:"),
    make("p", { class: "small" }, link),
    make("p", { class: "small quiet" }, `It works once, until ${clock(until)}, and is shown only now. Using it logs out anyone else playing as ${player}.`),
    make("div", { class: "actions" }, done));
  done.focus();
}

/** @param {number} seat */
function forBox(seat) {
  const away = seen.can.filter(({ do: what, command }) => what === "leave" && command.seat === seat);
  const removals = away.map((choice) => order(choice, { words: "Remove", about: ` the player of seat ${seat}` }));
  return seen.view.seats?.[seat] ? [handBack(seat), ...removals] : removals;
}

async function refresh() {
  try {
    const [procedure, books] = await Promise.all([get(`${path}/checklist`), get(`${path}/accounts`)]);
    if (procedure.version === seen.view.version && JSON.stringify(procedure.can) !== JSON.stringify(seen.can)) {
      seen.can = procedure.can; // time has passed
      orders();
    }
    mishaps($("mishaps"), procedure.irregularities, { table });
    $("waiting").replaceChildren(...procedure.steps.filter((/** @type {Step} */ { state }) => state === "now").slice(0, 3).map(step));
    const rows = Object.entries(books.accounts).map(([name, cents]) => make("tr", {}, make("th", { scope: "row" }, name), make("td", { class: "number money" }, money(cents))));
    $("accounts").tBodies[0].replaceChildren(...rows);
  } catch (problem) {
    if (problem.kind !== "unreachable") await handleRefusal(problem, { table });
  }
}

/** @param {Step} step */
const step = ({ words, cite, who }) => make("li", {}, make("span", { class: "badge", "data-state": who === "floorperson" ? "warn" : "off" }, who), make("span", {}, words, " ", clause(cite, table)));

let refreshTimer = 0;
/** @param {Seen} now */
function show(now) {
  seen = now;
  felt.show(seen);
  $("phase").textContent = situation(seen);
  orders();
  boxes($("boxes"), seen, forBox);
  facts($("facts"), seen);
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(refresh, 60);
}

async function loadOlder() {
  const last = $("log").lastElementChild?.dataset.version;
  const found = await get(`${path}/events?limit=50${last ? `&before=${last}` : ""}`).catch(() => []);
  $("log").append(...found.map((/** @type {LiveEvent} */ event) => line(event, table)));
  $("older").hidden = !found.length || found.at(-1).version === 1;
}

$("older").addEventListener("click", () => busy($("older"), loadOlder()));
keys.add({ key: "l", words: "Lock the screen", does: () => $("lock").click() });
setInterval(refresh, 15_000); // changes that come with time: a deck due to change, a lapsed decision
await loadOlder();
new Live(`${path}/live`, { badge: $("link"), seen: show, event: (event) => addToLog($("log"), event, table) });

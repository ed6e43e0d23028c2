// The floor, live: seats, players, meters and house edges.

import { byId, draw, make, one } from "../shared/build.js";
import { refuse } from "../shared/dialogs.js";
import { Live } from "../shared/live.js";
import { money } from "../shared/money.js";
import { counted, listed } from "../shared/words.js";
import { meters } from "./meters.js";
import { askName } from "./name_prompt.js";
import { guestMenu } from "./guest_menu.js";
import { law } from "./law.js";
import { playNow } from "./play_now.js";
import { offerReturn } from "./recovery_code.js";
/** @import { TableSummary } from "../shared/types.js" */

const page = one(".floor-page");
/** @type {NodeListOf<HTMLElement>} */
const articles = document.querySelectorAll(".table-card");
const cards = new Map([...articles].map((card) => [card.dataset.table ?? "", card]));
/** @type {Map<string, TableSummary>} */
const tables = new Map();
/** @type {Record<string, string>} */
const PHASES = { closed: "closed", opening: "", betting: "", dealing: "in play", completing: "in play" };

/** @param {HTMLElement} card @param {string} name */
function part(card, name) {
  return one(`[data-part="${name}"]`, card);
}

// The table from above: the dealer's side is straight, the seats follow the arc from the dealer's left.
/** @param {Element} svg @param {TableSummary} table */
function drawSeats(svg, { seats, players }) {
  const taken = Object.keys(players).length;
  svg.setAttribute("aria-label", `${seats - taken} of ${seats} seats free`);
  /** @type {SVGElement[]} */
  const drawn = [draw("path", { class: "cloth", d: "M14 4H186A86 62 0 0 1 100 58A86 62 0 0 1 14 4Z" }), draw("path", { class: "rail", d: "M82 4h36v6h-36z" })];
  for (let n = 1; n <= seats; n += 1) {
    const angle = Math.PI * (0.9 - (0.8 * (seats - n)) / Math.max(1, seats - 1));
    const at = { cx: 100 + 88 * Math.cos(angle), cy: 10 + 54 * Math.sin(angle) };
    const who = players[n];
    drawn.push(draw("circle", { class: who ? "taken" : "free", ...at, r: 8 }));
    if (who) drawn.push(draw("text", { x: at.cx, y: at.cy + 3.6, "text-anchor": "middle" }, [...who][0].toUpperCase()));
  }
  svg.replaceChildren(...drawn);
}

/** @param {TableSummary} table */
function seatsInWords({ seats, players }) {
  const names = Object.values(players);
  const free = seats - names.length;
  const open = free === 0 ? "No seats free" : `${counted(free, "seat")} free`;
  if (!names.length) return `${open}. No players yet.`;
  return `${open}. ${names.length === 1 ? "Player" : "Players"}: ${listed(names)}.`;
}

/** @param {TableSummary} table */
function badges(table) {
  const list = [];
  if (table.practice) list.push(make("span", { class: "badge", "data-state": "live", title: "You can ask the coach here" }, "practice"));
  const phase = PHASES[table.phase] ?? table.phase;
  if (phase) list.push(make("span", { class: "badge", "data-state": phase === "closed" ? "off" : "good" }, phase));
  return list;
}

/** @param {HTMLTableSectionElement} body @param {TableSummary} table */
function edges(body, { wagers }) {
  const rows = [...body.rows];
  wagers.forEach(({ edge, short_edge: short }, n) => {
    const cell = rows[n]?.cells[1];
    if (!cell || !edge || cell.title === edge) return;
    cell.replaceChildren(short);
    cell.title = edge;
  });
}

/** @param {TableSummary} table */
function show(table) {
  const card = cards.get(table.table);
  if (!card) {
    location.reload(); // a new table
    return;
  }
  const mine = Object.values(table.players).includes(page.dataset.me);
  const closed = table.phase === "closed";
  const full = Object.keys(table.players).length >= table.seats && !mine;
  drawSeats(part(card, "seats"), table);
  part(card, "limits").textContent = `${money(table.minimum)} to ${money(table.maximum)}`;
  part(card, "dealer").textContent = table.dealer === "person" ? "live dealer" : "automatic dealer";
  part(card, "sitting").textContent = closed ? "This table is closed." : mine ? "Your seat is here." : seatsInWords(table);
  part(card, "badges").replaceChildren(...badges(table));
  meters(part(card, "meters"), table.meters);
  edges(part(card, "wagers"), table);
  tables.set(table.table, table);
  const now = one(".play", card);
  now.hidden = Boolean(page.dataset.role) || full || mine || closed;
  const button = one(".sit", card);
  button.classList.toggle("primary", now.hidden);
  const words = mine ? "Back to your seat" : page.dataset.role || full || closed ? "Watch" : "Sit down";
  if (button.firstChild.textContent !== words) button.firstChild.textContent = words;
  card.classList.toggle("mine", mine);
  card.classList.toggle("closed", closed);
  card.dataset.ready = "yes";
}

// Finding a table

const words = byId("find-words");
const limits = byId("find-limits");
const seats = byId("find-seats");

// The minimums of the tables, to choose the highest that one wants to play at.
function minimums() {
  const found = [...new Set([...tables.values()].map((each) => each.minimum))].sort((one, other) => one - other);
  if (limits.options.length === found.length + 1) return;
  const chosen = limits.value;
  limits.replaceChildren(limits.options[0], ...found.map((cents) => make("option", { value: String(cents) }, `Minimum ${money(cents)}${cents === found[0] ? "" : " or less"}`)));
  limits.value = chosen;
}

/** @param {TableSummary} table */
function fits(table) {
  const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
  const about = `${table.title} ${table.table} ${table.game}`.toLowerCase();
  const free = table.phase !== "closed" && Object.keys(table.players).length < table.seats;
  return wanted.every((/** @type {string} */ word) => about.includes(word)) && (!limits.value || table.minimum <= Number(limits.value)) && (!seats.checked || free);
}

function find() {
  minimums();
  const found = [...tables.values()].filter(fits);
  for (const [name, card] of cards) card.hidden = tables.has(name) && !found.some((each) => each.table === name);
  byId("none-found").hidden = found.length > 0 || !tables.size;
  const count = found.length === tables.size ? counted(tables.size, "table") : `${found.length} of ${counted(tables.size, "table")}`;
  if (byId("found").textContent !== count) byId("found").textContent = count;
}

function findAll() {
  byId("find").reset();
  byId("law").checked = law.on; // not part of the search
  find();
  words.focus();
}

byId("find").addEventListener("input", find);
byId("find").addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
byId("find-all").addEventListener("click", findAll);
law.box(byId("law"));
document.querySelector("#guest")?.addEventListener("click", () => guestMenu(page.dataset.me ?? "", [...tables.values()], Boolean(page.dataset.kept)));

/** @param {HTMLButtonElement} button */
async function play(button) {
  const table = tables.get(button.dataset.play ?? "");
  if (!table || button.hasAttribute("aria-busy")) return;
  button.setAttribute("aria-busy", "true");
  try {
    page.dataset.me = await playNow(table, page.dataset.me ?? "");
    location.assign(`/tables/${encodeURIComponent(table.table)}`);
  } catch (problem) {
    refuse(problem);
  }
  button.removeAttribute("aria-busy");
}

page.addEventListener("click", async (/** @type {any} */ event) => {
  const now = event.target.closest("[data-play]");
  if (now) await play(now);
  const button = event.target.closest("[data-sit]");
  if (!button) return;
  const to = `/tables/${encodeURIComponent(button.dataset.sit)}`;
  const sits = button.firstChild.textContent === "Sit down";
  if (sits && !page.dataset.me) {
    const title = button.closest(".table-card").querySelector("h2").textContent;
    page.dataset.me = await askName(title);
    if (!page.dataset.me) return;
  }
  location.assign(to);
});

/** @param {TableSummary[]} changed */
function showAll(changed) {
  changed.forEach(show);
  find();
}

if (!page.dataset.me) offerReturn(byId("way-back"));
new Live("/api/live", { badge: byId("link"), tables: showAll });

// The floor, live: seats, who sits, meters, edges, as they change.

import { element } from "./element.js";
import { askName } from "./guest.js";
import { Live } from "./live.js";
import { money } from "./money.js";

const SVG = "http://www.w3.org/2000/svg";
const page = document.querySelector(".floor-page");
const cards = new Map([...document.querySelectorAll(".table-card")].map((card) => [card.dataset.table, card]));
const PHASES = { closed: "closed", opening: "", betting: "", dealing: "in play", completing: "in play" };

function part(card, name) {
  return card.querySelector(`[data-part="${name}"]`);
}

function node(name, attributes, ...inside) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

// The table from above: the dealer's side straight, the seats along the arc, counted from the dealer's left.
function drawSeats(svg, { seats, players }) {
  const taken = Object.keys(players).length;
  svg.setAttribute("aria-label", `${seats - taken} of ${seats} seats are free`);
  const drawn = [node("path", { class: "cloth", d: "M14 4H186A86 62 0 0 1 100 58A86 62 0 0 1 14 4Z" }), node("path", { class: "rail", d: "M82 4h36v6h-36z" })];
  for (let n = 1; n <= seats; n += 1) {
    const angle = Math.PI * (0.9 - (0.8 * (seats - n)) / Math.max(1, seats - 1));
    const at = { cx: 100 + 88 * Math.cos(angle), cy: 10 + 54 * Math.sin(angle) };
    const who = players[n];
    drawn.push(node("circle", { class: who ? "taken" : "free", ...at, r: 8 }));
    if (who) {
      const initial = node("text", { x: at.cx, y: at.cy + 3.6, "text-anchor": "middle" });
      initial.textContent = [...who][0].toUpperCase();
      drawn.push(initial);
    }
  }
  svg.replaceChildren(...drawn);
}

function told({ seats, players }) {
  const names = Object.values(players);
  const free = seats - names.length;
  const open = free === 0 ? "No seat is free" : free === 1 ? "1 seat is free" : `${free} seats are free`;
  if (!names.length) return `${open}. Nobody sits here yet.`;
  const list = names.length === 1 ? names[0] : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  return `${open}. ${list} ${names.length === 1 ? "sits" : "sit"} here.`;
}

function badges(table) {
  const list = [];
  if (table.practice) list.push(element("span", { class: "badge", "data-state": "live", title: "The coach speaks here, if you like" }, "practice"));
  if (table.dealer === "person") list.push(element("span", { class: "badge", "data-state": "good" }, "a person deals"));
  const phase = PHASES[table.phase] ?? table.phase;
  if (phase) list.push(element("span", { class: "badge", "data-state": phase === "closed" ? "off" : "good" }, phase));
  return list;
}

function meters(holder, table) {
  const rows = Object.entries(table.meters);
  if (holder.children.length !== rows.length) {
    holder.replaceChildren(...rows.map(([wager]) => element("div", { class: "meter" }, element("span", { class: "small" }, wager.replace(/ Wager$/, "")), element("span", { class: "money" }))));
  }
  rows.forEach(([, cents], n) => {
    const figure = holder.children[n].lastElementChild;
    if (figure.textContent !== money(cents)) figure.textContent = money(cents);
  });
}

function edges(body, { wagers }) {
  const rows = [...body.rows];
  wagers.forEach(({ edge }, n) => {
    const cell = rows[n]?.cells[1];
    if (cell && edge && cell.textContent !== edge) cell.replaceChildren(edge);
  });
}

function show(table) {
  const card = cards.get(table.table);
  if (!card) {
    location.reload(); // a table has been opened
    return;
  }
  const mine = Object.values(table.players).includes(page.dataset.me);
  const full = Object.keys(table.players).length >= table.seats && !mine;
  drawSeats(part(card, "seats"), table);
  part(card, "limits").textContent = `${money(table.minimum)} to ${money(table.maximum)}`;
  part(card, "sitting").textContent = mine ? "You sit here." : told(table);
  part(card, "badges").replaceChildren(...badges(table));
  meters(part(card, "meters"), table);
  edges(part(card, "wagers"), table);
  const button = card.querySelector(".sit");
  const words = page.dataset.role || full ? "Watch" : mine ? "Back to your seat" : "Sit down";
  if (button.firstChild.textContent !== words) button.firstChild.textContent = words;
  card.classList.toggle("mine", mine);
  card.dataset.ready = "yes";
}

page.addEventListener("click", async (event) => {
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

new Live("/api/live", { badge: document.querySelector("#link"), on: { tables: (tables) => tables.forEach(show) } });

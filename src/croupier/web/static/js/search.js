// Rounds by player, person, table, time, amount, hand and irregularity; each leads to its replay.

import { cell, row, signed, when } from "./back.js";
import { get } from "./api.js";
import { busy, make } from "./dialog.js";
import { cents, money } from "./money.js";

const form = document.querySelector("#search");
const found = document.querySelector("#found");
const told = document.querySelector("#told");
const older = document.querySelector("#older");
let cursor = "";

const sum = (values) => values.reduce((all, each) => all + each, 0);
const unique = (words) => [...new Set(words)].filter(Boolean);

function query() {
  const asked = new URLSearchParams();
  for (const [name, value] of new FormData(form)) {
    if (!value.trim()) continue;
    if (name === "amount") {
      const amount = cents(value);
      if (Number.isNaN(amount)) throw Object.assign(new Error("An amount of dollars, such as 10 or 10.50."), { field: "amount" });
      asked.set(name, amount);
    } else if (name === "since" || name === "until") asked.set(name, new Date(value).getTime());
    else asked.set(name, value.trim());
  }
  return asked;
}

function entry(round) {
  const bets = round.boxes.flatMap((box) => box.bets);
  const people = Object.entries(round.net).map(([name, net]) => make("li", {}, `${name} `, make("span", { class: "money quiet" }, signed(net))));
  const won = Object.values(Object.groupBy(round.boxes, ({ player }) => player)).map((boxes) => sum(boxes.flatMap((box) => box.bets.map((bet) => bet.pays))));
  const house = -sum(Object.values(round.net));
  const remarks = [round.void ? `void: ${round.void}` : "", ...round.irregularities, ...Object.entries(round.jackpots).map(([wager, paid]) => `${wager} paid ${money(paid)}`)];
  const link = make("a", { href: `/surveillance/tables/${encodeURIComponent(round.table)}/rounds/${round.number}` }, `${round.table}, round ${round.number.toLocaleString("en-US")}`);
  const made = row(
    cell(when(round.begun), { cls: "wide-cell" }),
    cell(link, { name: "th" }),
    cell(make("ul", { class: "people" }, ...people), { label: "players", cls: "wide-cell" }),
    cell(unique(bets.map((bet) => bet.hand)).join(", ") || "–", { label: "hands", cls: "wide-cell" }),
    cell(money(sum(bets.map((bet) => bet.stake))), { number: true, label: "staked" }),
    cell(money(Math.max(0, ...won)), { number: true, label: "most won" }),
    cell(signed(house), { number: true, label: "house" }),
    cell(unique(remarks).join(", ") || "–", { label: "remarks" }),
  );
  if (round.void || round.irregularities.length) made.className = "attention";
  return made;
}

async function search(more = false) {
  const body = found.querySelector("tbody");
  try {
    const asked = query();
    history.replaceState(null, "", `?${new URLSearchParams([...new FormData(form)].filter(([, value]) => value))}`);
    if (more) asked.set("cursor", cursor);
    const page = await get(`/api/surveillance/search?${asked}`);
    const rows = page.rounds.map(entry);
    if (more) body.append(...rows);
    else body.replaceChildren(...rows);
    cursor = page.cursor;
    older.hidden = !cursor;
    found.hidden = !body.children.length;
    const many = body.children.length;
    told.textContent = many ? `${many.toLocaleString("en-US")}${cursor ? " or more" : ""} ${many === 1 && !cursor ? "round" : "rounds"}, the newest first.` : "No round is like that. Only rounds that are over are searched.";
  } catch (problem) {
    told.textContent = problem.reason ?? problem.message;
    if (problem.field) document.querySelector(`#${problem.field}`).focus();
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  busy(form.querySelector(".primary"), search());
});
form.addEventListener("reset", () => setTimeout(() => search()));
older.addEventListener("click", () => busy(older, search(true)));

for (const [name, value] of new URLSearchParams(location.search)) {
  const field = form.elements.namedItem(name);
  if (field?.type === "checkbox") field.checked = value === "true";
  else if (field) field.value = value;
}
search();

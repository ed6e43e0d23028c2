// Search rounds by player, person, table, time, amount, hand and irregularity. Each result links to its replay.

import { fromAddress, toAddress, typed } from "../shared/address.js";
import { get } from "../shared/api.js";
import { byId, make, one } from "../shared/build.js";
import { busy } from "../shared/dialogs.js";
import { cents, money, signed, sum } from "../shared/money.js";
import { cell } from "../staff/rows.js";
import { when } from "../staff/times.js";
/** @import { Schemas } from "../shared/types.js" */

/** @typedef {Schemas["RecordedRound"]} FoundRound */

const form = byId("search");
const found = byId("found");
const status = byId("status");
const older = byId("older");
let cursor = "";

/** @param {string[]} words */
const unique = (words) => [...new Set(words)].filter(Boolean);

function query() {
  const asked = new URLSearchParams();
  for (const [name, value] of typed(form)) {
    if (!value.trim()) continue;
    if (name === "amount") {
      const amount = cents(value);
      if (Number.isNaN(amount)) throw Object.assign(new Error("Enter an amount in dollars, such as 10 or 10.50."), { field: "amount" });
      asked.set(name, String(amount));
    } else if (name === "since" || name === "until") asked.set(name, String(new Date(value).getTime()));
    else asked.set(name, value.trim());
  }
  return asked;
}

/** @param {FoundRound} round */
function entry(round) {
  const bets = round.boxes.flatMap((box) => box.bets);
  const people = Object.entries(round.net).map(([name, net]) => make("li", {}, `${name} `, make("span", { class: "money quiet" }, signed(net))));
  const won = Object.values(Object.groupBy(round.boxes, ({ player }) => player)).map((boxes = []) => sum(boxes.flatMap((box) => box.bets.map((bet) => bet.pays))));
  const house = -sum(Object.values(round.net));
  const notes = [round.void ? `void: ${round.void}` : "", ...round.irregularities, ...Object.entries(round.jackpots).map(([wager, paid]) => `${wager} paid ${money(paid)}`)];
  const link = make("a", { href: `/surveillance/tables/${encodeURIComponent(round.table)}/rounds/${round.number}` }, `${round.table}, round ${round.number.toLocaleString("en-US")}`);
  const irregular = round.void || round.irregularities.length;
  return make("tr", { class: irregular ? "attention" : null },
    cell(when(round.begun), { cls: "wide-cell" }),
    cell(link, { name: "th" }),
    cell(make("ul", { class: "people" }, ...people), { label: "players", cls: "wide-cell" }),
    cell(unique(bets.map((bet) => bet.hand)).join(", ") || "–", { label: "hands", cls: "wide-cell" }),
    cell(money(round.wagered), { number: true, label: "bet" }),
    cell(money(Math.max(0, ...won)), { number: true, label: "top win" }),
    cell(signed(house), { number: true, label: "house" }),
    cell(unique(notes).join(", ") || "–", { label: "notes" }),
  );
}

async function search(more = false) {
  const body = one("tbody", found);
  try {
    const asked = query();
    toAddress(form);
    if (more) asked.set("cursor", cursor);
    const page = await get(`/api/surveillance/search?${asked}`);
    const rows = page.rounds.map(entry);
    if (more) body.append(...rows);
    else body.replaceChildren(...rows);
    cursor = page.cursor;
    older.hidden = !cursor;
    found.hidden = !body.children.length;
    const many = body.children.length;
    status.textContent = many ? `${many.toLocaleString("en-US")}${cursor ? " or more" : ""} ${many === 1 && !cursor ? "round" : "rounds"}, newest first.` : "No matching rounds. Only finished rounds are searched.";
  } catch (problem) {
    status.textContent = problem.reason ?? problem.message;
    if (problem.field) byId(problem.field).focus();
  }
}

form.addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  busy(one(".primary", form), search());
});
form.addEventListener("reset", () => setTimeout(() => search()));
older.addEventListener("click", () => busy(older, search(true)));

fromAddress(form);
search();

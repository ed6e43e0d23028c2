// The dealer's choice of a table, kept live.

import { make } from "./dialog.js";
import { Live } from "./live.js";
import { money } from "./money.js";

const page = document.querySelector("#tables");

function show(table) {
  const row = [...page.tBodies[0].rows].find((each) => each.dataset.table === table.table);
  if (!row) return location.reload(); // a table is new on the floor
  const put = (part, ...inside) => row.querySelector(`[data-part="${part}"]`).replaceChildren(...inside);
  const person = table.dealer === "person";
  put("dealer", make("span", { class: "badge", "data-state": person ? "good" : "off" }, person ? "a person" : "automatic"));
  put("phase", table.phase);
  put("players", `${Object.keys(table.players).length} of ${table.seats}`);
  put("limits", `${money(table.minimum)} to ${money(table.maximum)}`);
  put("rounds", String(table.rounds));
  const go = row.querySelector('[data-part="go"]');
  go.firstChild.textContent = person ? "Deal" : "Watch";
  go.classList.toggle("primary", person);
  return null;
}

new Live("/api/live", { badge: document.querySelector("#link"), on: { tables: (tables) => tables.forEach(show) } });

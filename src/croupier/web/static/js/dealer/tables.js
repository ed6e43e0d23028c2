// The list of tables for a dealer, live.

import { byId, make, one } from "../shared/build.js";
import { Live } from "../shared/live.js";
import { money } from "../shared/money.js";
/** @import { TableSummary } from "../shared/types.js" */

/** @type {HTMLTableElement} */
const page = byId("tables");

/** @param {TableSummary} table */
function show(table) {
  const row = [...page.tBodies[0].rows].find((each) => each.dataset.table === table.table);
  if (!row) return location.reload(); // a new table
  /** @param {string} part @param {...(Node | string)} inside */
  const put = (part, ...inside) => one(`[data-part="${part}"]`, row).replaceChildren(...inside);
  const person = table.dealer === "person";
  put("dealer", make("span", { class: "badge", "data-state": person ? "good" : "off" }, table.dealer));
  put("phase", table.idle ? "idle" : table.phase);
  put("players", `${Object.keys(table.players).length} of ${table.seats}`);
  put("limits", `${money(table.minimum)} to ${money(table.maximum)}`);
  put("rounds", String(table.rounds));
  const go = one('[data-part="go"]', row);
  go.firstChild.textContent = person ? "Deal" : "Watch";
  go.classList.toggle("primary", person);
  return null;
}

new Live("/api/live", { badge: byId("link"), tables: (tables) => tables.forEach(show) });

// All tables at a glance, live, over one connection.

import { get } from "../shared/api.js";
import { byId, make } from "../shared/build.js";
import { hand } from "../shared/cards.js";
import { Live } from "../shared/live.js";
import { money } from "../shared/money.js";
import { capitalized } from "../shared/words.js";
import { when } from "../staff/times.js";
/** @import { Schemas } from "../shared/types.js" */

/** @typedef {Schemas["Glance"]} Glance */

const grid = byId("grid");
/** @type {Map<string, HTMLElement>} */
const shown = new Map();
/** @type {Map<string, Glance>} */
const latest = new Map();
/** @type {Set<string>} */
let flagged = new Set(); // tables whose hold is beyond three standard deviations

/** @param {Glance} each @returns {[string, string]} */
const state = (each) => {
  if (each.void) return ["bad", `void: ${each.void}`];
  if (each.out_of_order.length) return ["warn", "out of order"];
  if (each.phase === "closed") return ["off", "closed"];
  if (each.idle) return ["off", "idle"];
  if (each.phase === "betting" || each.phase === "opening") return ["good", each.phase];
  return ["live", "in a round"];
};

/** @param {Glance} each */
function hands(each) {
  const rows = each.boxes.flatMap((box) => [
    make("dt", { title: box.player }, `${box.box} ${box.player}`),
    make("dd", { class: box.folded ? "folded" : null }, box.cards.length ? hand(box.cards) : "", box.decided.length ? make("span", { class: "quiet" }, ` ${box.decided.join(", ")}`) : null),
    make("dd", { class: "stake money" }, money(box.stake)),
  ]);
  /** @type {[string, string[], string][]} */
  const house = [["Dealer", each.dealer, each.dealer_hand], ["Community", each.community, ""]];
  for (const [name, cards, called] of house.filter(([, cards]) => cards.length).reverse()) rows.unshift(make("dt", {}, name), make("dd", {}, hand(cards), called ? make("span", { class: "quiet" }, ` ${called}`) : null), make("dd", {}));
  return make("dl", { class: "hands" }, ...rows);
}

/** @param {Glance} each */
function draw(each) {
  const [shape, words] = state(each);
  const seated = Object.keys(each.players).length;
  const facts = [`${seated} of ${each.seats} seated`, each.round ? `round ${each.round.toLocaleString("en-US")}` : "no round yet", each.dealer_is === "person" ? "dealer" : "automatic dealer", each.practice ? "practice" : ""];
  return make(
    "article",
    { class: `panel glance${each.void || each.out_of_order.length || flagged.has(each.table) ? " attention" : seated ? "" : " idle"}`, "data-table": each.table, "data-version": each.version },
    make("div", { class: "row spread" }, make("h2", {}, make("a", { href: `/surveillance/tables/${encodeURIComponent(each.table)}` }, each.table)), make("span", { class: "badge", "data-state": shape }, words)),
    make("div", { class: "small quiet" }, `${each.title} · ${facts.filter(Boolean).join(" · ")}`),
    flagged.has(each.table) ? make("a", { class: "badge", "data-state": "bad", href: "/surveillance/hold" }, "hold beyond three deviations") : null,
    each.stage ? make("div", { class: "small" }, `${capitalized(each.stage)}.`) : null,
    hands(each),
    each.at_risk ? make("div", { class: "small" }, "At risk ", make("strong", { class: "money" }, money(each.at_risk))) : null,
    make("p", { class: "last" }, each.says, " ", each.at ? make("span", { class: "quiet" }, when(each.at)) : null),
  );
}

/** @param {Glance[]} changed */
function show(changed) {
  const first = !shown.size;
  if (first) grid.replaceChildren();
  for (const each of changed) {
    latest.set(each.table, each);
    const fresh = draw(each);
    const old = shown.get(each.table);
    if (old) {
      const held = old.contains(document.activeElement);
      old.replaceWith(fresh);
      if (held) fresh.querySelector("a")?.focus();
    } else grid.append(fresh);
    shown.set(each.table, fresh);
  }
  if (!shown.size) grid.append(make("div", { class: "empty" }, make("strong", {}, "No tables are open")));
}

new Live("/api/surveillance/live", { badge: byId("link"), tables: show });

async function holds() {
  /** @type {{tables: {table: string, flagged: boolean}[]}} */
  const { tables } = await get("/api/surveillance/hold");
  const now = new Set(tables.filter((each) => each.flagged).map((each) => each.table));
  const changed = [...latest.values()].filter((each) => now.has(each.table) !== flagged.has(each.table));
  flagged = now;
  if (changed.length) show(changed);
}

holds().catch(() => {});
setInterval(() => document.visibilityState === "visible" && holds().catch(() => {}), 60_000); // the page works without it
setTimeout(() => shown.size || show([]), 3000);

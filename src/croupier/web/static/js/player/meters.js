// meters(holder, {wager: cents})   shows the progressive meters in an element; a figure that rises ticks up

import { make, one } from "../shared/build.js";
import { money } from "../shared/money.js";
import { wagerName } from "../shared/words.js";

/** @param {Element} holder @param {Record<string, number>} amounts */
export function meters(holder, amounts) {
  const rows = Object.entries(amounts);
  if (holder.children.length !== rows.length) {
    holder.replaceChildren(...rows.map(([wager]) => make("div", { class: "meter" }, make("span", { class: "small" }, wagerName(wager)), make("span", { class: "money" }))));
  }
  rows.forEach(([, cents], n) => show(one(".money", holder.children[n]), cents));
}

const TICKS = 8;
const TICK = 30; // milliseconds

/** @param {HTMLElement} figure @param {number} cents */
function show(figure, cents) {
  const from = Number(figure.dataset.cents ?? cents);
  figure.dataset.cents = String(cents);
  if (figure.textContent === money(cents)) return;
  const still = from >= cents || document.hidden || matchMedia("(prefers-reduced-motion: reduce)").matches;
  tick(figure, from, cents, still ? TICKS : 1);
}

/** @param {HTMLElement} figure @param {number} from @param {number} to @param {number} n */
function tick(figure, from, to, n) {
  if (figure.dataset.cents !== String(to)) return; // it has risen again
  figure.textContent = money(n >= TICKS ? to : from + Math.floor(((to - from) * n) / TICKS));
  if (n < TICKS) setTimeout(() => tick(figure, from, to, n + 1), TICK);
}

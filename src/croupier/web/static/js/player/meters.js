// meters(holder, {wager: cents})   shows the progressive meters in an element; unchanged figures stay

import { make, one } from "../shared/build.js";
import { money } from "../shared/money.js";
import { wagerName } from "../shared/words.js";

/** @param {Element} holder @param {Record<string, number>} amounts */
export function meters(holder, amounts) {
  const rows = Object.entries(amounts);
  if (holder.children.length !== rows.length) {
    holder.replaceChildren(...rows.map(([wager]) => make("div", { class: "meter" }, make("span", { class: "small" }, wagerName(wager)), make("span", { class: "money" }))));
  }
  rows.forEach(([, cents], n) => {
    const figure = one(".money", holder.children[n]);
    if (figure.textContent !== money(cents)) figure.textContent = money(cents);
  });
}

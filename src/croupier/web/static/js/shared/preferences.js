// What a player prefers, kept in this browser.
//
// const law = preference("law", (on) => …)   what follows from it, done at once and after each change
// law.on; law.turn(true)
// law.box(checkbox)                          a checkbox that turns it on and off

import { recall, remember } from "./memory.js";

/** @param {string} name @param {(on: boolean) => void} follow */
export function preference(name, follow) {
  const key = `croupier.${name}`;
  const kept = {
    on: recall(key) === "yes",
    /** @param {boolean} on */
    turn(on) {
      kept.on = on;
      remember(key, on ? "yes" : "no");
      follow(on);
    },
    /** @param {HTMLInputElement} element */
    box(element) {
      element.checked = kept.on;
      element.addEventListener("change", () => kept.turn(element.checked));
    },
  };
  follow(kept.on);
  return kept;
}

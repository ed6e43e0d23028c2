// What a player prefers, kept in this browser.
//
// const law = preference("law", (on) => …)   what follows from it, done at once and after each change
// law.on; law.turn(true)
// law.box(checkbox)                          a checkbox that turns it on and off

/** @param {string} name @param {(on: boolean) => void} follow */
export function preference(name, follow) {
  const key = `croupier.${name}`;
  const kept = {
    on: read(key),
    /** @param {boolean} on */
    turn(on) {
      kept.on = on;
      write(key, on);
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

/** @param {string} key */
function read(key) {
  try {
    return localStorage.getItem(key) === "yes";
  } catch {
    return false; // storage may be disabled
  }
}

/** @param {string} key @param {boolean} on */
function write(key, on) {
  try {
    localStorage.setItem(key, on ? "yes" : "no");
  } catch {
    // only for this page, then
  }
}

// Every action has a key; "?" shows them all, and beside the actions on the page.
//
// const keys = new Keys()
// keys.set([{key: "p", words: "Play $10", does: () => …, element: button}])   what can be done now; replaces what was set before
// keys.add({key: "m", words: "Whole table", does: () => …})                   what can always be done on this page
// give(choices)   -> a key for each of some Choices: the first free letter of its words, then digits
//
// An element gets aria-keyshortcuts and a <span class="key">, which shows only after "?" was pressed once.
// Keys rest while a person types into a field, a dialog is open, or Ctrl, Alt or Meta is held.

import { make, modal } from "./dialog.js";

export class Keys {
  constructor(target = document) {
    this.always = [];
    this.now = [];
    target.addEventListener("keydown", (event) => this._press(event));
  }

  add(...actions) {
    this.always.push(...actions);
    actions.forEach(mark);
  }

  set(actions) {
    this.now = actions;
    actions.forEach(mark);
  }

  _press(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented || event.repeat) return;
    if (event.target.closest?.("input, textarea, select, [contenteditable]") || document.querySelector("dialog[open]")) return;
    if (event.key === "?") {
      event.preventDefault();
      this.show();
      return;
    }
    const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const action = [...this.now, ...this.always].find((each) => each.key.toLowerCase() === pressed.toLowerCase());
    if (!action || action.element?.disabled) return;
    event.preventDefault();
    action.does();
  }

  show() {
    document.documentElement.dataset.keys = "shown";
    const all = [...this.now, ...this.always, { key: "?", words: "Show the keys" }];
    const rows = all.flatMap(({ key, words }) => [make("dt", {}, make("kbd", {}, shown(key))), make("dd", {}, words)]);
    const shut = make("button", { type: "button", class: "primary" }, "Close");
    const dialog = modal("Keys", make("dl", { class: "keys" }, ...rows), make("div", { class: "actions" }, shut));
    shut.addEventListener("click", () => dialog.close());
  }
}

const NAMES = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" };

const shown = (key) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);

function mark({ key, element }) {
  if (!element) return;
  element.setAttribute("aria-keyshortcuts", key === " " ? "Space" : key);
  element.querySelector(":scope > .key")?.remove();
  element.append(make("span", { class: "key", "aria-hidden": "true" }, shown(key)));
}

export function give(choices, taken = "?") {
  const used = new Set(taken.toLowerCase());
  return choices.map(({ words }) => {
    const letters = [...words.toLowerCase().replaceAll(/[^a-z0-9]/g, ""), ..."123456789"];
    const key = letters.find((each) => !used.has(each)) ?? "";
    used.add(key);
    return key;
  });
}

// Keyboard shortcuts: every action has a key, and "?" shows them all, also next to the buttons.
//
// const keys = new Keys()
// keys.set([{key: "p", words: "Play $10", does: () => …, element: button}])   what can be done now; replaces the previous set
// keys.add({key: "m", words: "Whole table", does: () => …})                   what this page always offers
// assignKeys(choices)   -> a key for each Choice: the multiple of “Play 4x”, the first free letter of its words, or else a digit
//
// An element gets aria-keyshortcuts and a <span class="key">, which shows only after "?" has been pressed.
// Keys are off while a field has the focus, a dialog is open, or Ctrl, Alt or Meta is held.

import { make } from "./build.js";
import { modal } from "./dialogs.js";

/** @typedef {{key: string, words: string, does?: () => unknown, element?: HTMLElement}} Action */
export class Keys {
  constructor(target = document) {
    /** @type {Action[]} */
    this.always = [];
    /** @type {Action[]} */
    this.now = [];
    target.addEventListener("keydown", (event) => this._press(event));
  }

  /** @param {...Action} actions */
  add(...actions) {
    this.always.push(...actions);
    actions.forEach(mark);
  }

  /** @param {Action[]} actions */
  set(actions) {
    this.now = actions;
    actions.forEach(mark);
  }

  /** @param {any} event a key pressed */
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
    if (!action?.does || action.element?.matches(":disabled")) return;
    event.preventDefault();
    action.does();
  }

  show() {
    document.documentElement.dataset.keys = "shown";
    const all = [...this.now, ...this.always, { key: "?", words: "Show keyboard shortcuts" }];
    const rows = all.flatMap(({ key, words }) => [make("dt", {}, make("kbd", {}, shown(key))), make("dd", {}, words)]);
    const shut = make("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Close");
    const dialog = modal("Keyboard shortcuts", make("dl", { class: "keys" }, ...rows), make("div", { class: "actions" }, shut));
  }
}

/** @type {Record<string, string>} */
const NAMES = { " ": "Space", ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Escape: "Esc" };

/** @param {string} key */
const shown = (key) => NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);

/** @param {Action} action */
function mark({ key, element }) {
  if (!element) return;
  element.setAttribute("aria-keyshortcuts", key === " " ? "Space" : key);
  element.querySelector(":scope > .key")?.remove();
  element.append(make("span", { class: "key", "aria-hidden": "true" }, shown(key)));
}

/** @param {{words: string, choice?: string}[]} choices */
export function assignKeys(choices, taken = "?") {
  const used = new Set(taken.toLowerCase());
  return choices.map(({ words, choice = "" }) => {
    const multiple = /(\d)x$/.exec(choice)?.[1] ?? "";
    const letters = [...multiple, ...words.toLowerCase().replaceAll(/[^a-z0-9]/g, ""), ..."123456789"];
    const key = letters.find((each) => !used.has(each)) ?? "";
    used.add(key);
    return key;
  });
}

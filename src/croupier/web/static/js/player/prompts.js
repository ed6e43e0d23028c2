// Two dialogs of a seat: an amount, and one of several choices.
//
// await askMoney({title, words, quick: [1000], least, most, button})  -> cents, or 0 if canceled
// await oneOf({title, choices: [[words, value]], signal})             -> a value, or null, also when the signal says that it is too late

import { make } from "../shared/build.js";
import { modal } from "../shared/dialogs.js";
import { cents, money } from "../shared/money.js";
/** @import { Inside } from "../shared/build.js" */

/**
 * @typedef {(value: any) => void} Finish closes the dialog with a value
 * @param {string} title
 * @param {(finish: Finish) => Inside[]} parts
 * @param {(finish: Finish) => void} [submit]
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>}
 */
function open(title, parts, submit = () => {}, signal) {
  return new Promise((done) => {
    /** @type {any} */
    let answer = null;
    /** @type {Finish} */
    const finish = (value) => {
      answer = value;
      dialog.close();
    };
    /** @param {SubmitEvent} event */
    const onsubmit = (event) => {
      event.preventDefault();
      submit(finish);
    };
    const form = make("form", { method: "dialog", novalidate: true, onsubmit }, ...parts(finish));
    const dialog = modal(title, form);
    dialog.addEventListener("close", () => done(answer));
    signal?.addEventListener("abort", () => dialog.close());
    /** @type {HTMLElement | null} */ (form.querySelector("[autofocus]"))?.focus();
  });
}

/** @param {Finish} finish */
const cancel = (finish) => make("button", { type: "button", onclick: () => finish(null) }, "Cancel");

/**
 * @param {{title: string, words?: string, quick?: number[], least?: number, most?: number, button?: string}} asked
 * @returns {Promise<number>}
 */
export async function askMoney({ title, words = "", quick = [], least = 1, most = Infinity, button = "OK" }) {
  const input = make("input", { id: "ask-money", inputmode: "decimal", autocomplete: "off", class: "money", placeholder: "dollars" });
  const problem = make("p", { class: "problem", role: "alert" });
  /** @param {Finish} finish */
  const take = (finish) => {
    const sum = cents(input.value);
    if (Number.isNaN(sum) || sum < least || sum > most) {
      problem.textContent = most === Infinity ? `Enter at least ${money(least)}.` : `Enter ${money(least)} to ${money(most)}.`;
      input.setAttribute("aria-invalid", "true");
      input.focus();
    } else finish(sum);
  };
  const sums = quick.filter((each) => each >= least && each <= most);
  /** @param {Finish} finish */
  const parts = (finish) => [
    words && make("p", {}, words),
    make("div", { class: "amounts" }, sums.map((each, n) => make("button", { type: "button", autofocus: n === 0, onclick: () => finish(each) }, money(each)))),
    make("div", { class: "field other" }, make("label", { for: "ask-money" }, "Other amount"), input, problem),
    make("div", { class: "actions" }, cancel(finish), make("button", { type: "submit", class: "primary" }, button)),
  ];
  return (await open(title, parts, take)) ?? 0;
}

/** @param {{title: string, choices: [string, any][], signal?: AbortSignal}} asked */
export function oneOf({ title, choices, signal }) {
  /** @param {Finish} finish */
  const parts = (finish) => [
    make("div", { class: "stacked" }, choices.map(([words, value], n) => make("button", { type: "button", autofocus: n === 0, onclick: () => finish(value) }, words))),
    make("div", { class: "actions" }, cancel(finish)),
  ];
  return open(title, parts, undefined, signal);
}

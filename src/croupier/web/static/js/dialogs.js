// Two small dialogs of a seat, beside those of dialog.js.
//
// await askMoney({title, words, quick: [1000], least, most, button})  -> cents, or 0 where it was closed
// await oneOf({title, choices: [[words, value]]})                     -> a value, or null

import { modal } from "./dialog.js";
import { element } from "./element.js";
import { cents, money } from "./money.js";

function open(title, parts, submit = () => {}) {
  return new Promise((done) => {
    let answer = null;
    let dialog = null;
    const finish = (value) => {
      answer = value;
      dialog.close();
    };
    const form = element("form", { method: "dialog", novalidate: true }, parts(finish));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submit(finish);
    });
    dialog = modal(title, form);
    dialog.addEventListener("close", () => done(answer));
    form.querySelector("[autofocus]")?.focus();
  });
}

const cancel = (finish) => element("button", { type: "button", onclick: () => finish(null) }, "Cancel");

export async function askMoney({ title, words = "", quick = [], least = 1, most = Infinity, button = "OK" }) {
  const input = element("input", { id: "ask-money", inputmode: "decimal", autocomplete: "off", class: "money", placeholder: "dollars" });
  const problem = element("p", { class: "problem", role: "alert" });
  const take = (finish) => {
    const sum = cents(input.value);
    if (Number.isNaN(sum) || sum < least || sum > most) {
      problem.textContent = most === Infinity ? `An amount from ${money(least)} on.` : `An amount from ${money(least)} to ${money(most)}.`;
      input.setAttribute("aria-invalid", "true");
      input.focus();
    } else finish(sum);
  };
  const sums = quick.filter((each) => each >= least && each <= most);
  const parts = (finish) => [
    words ? element("p", {}, words) : null,
    element("div", { class: "amounts" }, sums.map((each, n) => element("button", { type: "button", autofocus: n === 0, onclick: () => finish(each) }, money(each)))),
    element("div", { class: "field other" }, element("label", { for: "ask-money" }, "Another amount"), input, problem),
    element("div", { class: "actions" }, cancel(finish), element("button", { type: "submit", class: "primary" }, button)),
  ].filter(Boolean);
  return (await open(title, parts, take)) ?? 0;
}

export function oneOf({ title, choices }) {
  const parts = (finish) => [
    element("div", { class: "stacked" }, choices.map(([words, value], n) => element("button", { type: "button", autofocus: n === 0, onclick: () => finish(value) }, words))),
    element("div", { class: "actions" }, cancel(finish)),
  ];
  return open(title, parts);
}

// Dialogs, messages and announcements.
//
// await ask({title, body, confirm: "Leave the table", cancel: "Stay", danger: true})     -> true or false
// await fill({title, cite, asks: choice.asks, confirm: "Bet"})  -> {amount: 1000, …}, or null where it was given up;
//     `asks` as in a Choice: money, number, words, one of, three of the hand
// modal(title, ...nodes)        -> an open <dialog> with a close button; it removes itself when closed
// announce("Your cards: …")     -> said by screen readers (#announcer)
// notify("Chips bought.")       -> a message that goes by itself
// refuse(refused, {table})      -> the reason, what would be accepted, and the clause, until it is closed; said as well
// busy(button, promise)         -> aria-busy and disabled while it lasts; gives the promise back

import { cents, money } from "./money.js";
import { clause } from "./settlement.js";

export function make(name, attributes = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key === "class") element.className = value;
    else if (key in element && typeof value === "boolean") element[key] = value;
    else if (value !== null && value !== undefined) element.setAttribute(key, value);
  }
  element.append(...inside.filter((each) => each !== null && each !== undefined));
  return element;
}

let numbered = 0;

export function modal(title, ...inside) {
  numbered += 1;
  const heading = make("h2", { id: `dialog-${numbered}` }, title);
  const dialog = make("dialog", { "aria-labelledby": heading.id }, heading, ...inside);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close("");
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

const button = (words, attributes = {}) => make("button", { type: "button", ...attributes }, words);

function answered(dialog) {
  return new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));
}

export async function ask({ title, body = "", confirm = "Yes", cancel = "Cancel", danger = false }) {
  const no = button(cancel);
  const yes = button(confirm, { class: danger ? "danger" : "primary" });
  const dialog = modal(title, ...(body ? [typeof body === "string" ? make("p", {}, body) : body] : []), make("div", { class: "actions" }, no, yes));
  no.addEventListener("click", () => dialog.close(""));
  yes.addEventListener("click", () => dialog.close("yes"));
  yes.focus();
  return (await answered(dialog)) === "yes";
}

export async function fill({ title, cite = "", asks = [], confirm = "Go", table = "", body = "" }) {
  const fields = asks.map(field);
  const no = button("Cancel");
  const yes = make("button", { class: "primary" }, confirm);
  const form = make("form", { method: "dialog", novalidate: "" }, ...fields.map((each) => each.element), make("div", { class: "actions" }, no, yes));
  const told = [body ? make("p", {}, body) : null, cite ? make("p", {}, clause(cite, table)) : null].filter(Boolean);
  const dialog = modal(title, ...told, form);
  no.addEventListener("click", () => dialog.close(""));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const wrong = fields.filter((each) => !each.check());
    if (wrong.length) wrong[0].focus();
    else dialog.close("yes");
  });
  fields[0]?.focus();
  if ((await answered(dialog)) !== "yes") return null;
  return Object.fromEntries(fields.map((each) => [each.name, each.value()]));
}

// One thing that is asked: how it looks, whether it will do, and its value.
function field(asked) {
  numbered += 1;
  const id = `field-${numbered}`;
  const hint = make("span", { class: "hint", id: `${id}-hint` }, hintOf(asked));
  const problem = make("span", { class: "problem", id: `${id}-problem`, role: "alert" });
  const input = inputOf(asked, id);
  input.setAttribute("aria-describedby", `${hint.id} ${problem.id}`);
  const label = asked.name[0].toUpperCase() + asked.name.slice(1).replaceAll("_", " ");
  const element = make("div", { class: "field" }, make("label", { for: id }, label), input, hint, problem);
  const value = () => valueOf(asked, input);
  const check = () => {
    const wrong = wrongWith(asked, value());
    problem.textContent = wrong;
    input.setAttribute("aria-invalid", String(Boolean(wrong)));
    return !wrong;
  };
  return { name: asked.name, element, value, check, focus: () => input.focus() };
}

function inputOf(asked, id) {
  if (asked.kind === "one of" || asked.only?.length) {
    const options = (asked.of ?? asked.only).map((each) => {
      const words = asked.kind === "money" ? money(each) : String(each);
      return make("option", { value: each, selected: each === asked.now }, words);
    });
    return make("select", { id }, ...options);
  }
  if (asked.kind === "money") {
    const now = asked.now ? money(asked.now).slice(1).replaceAll(",", "") : "";
    return make("input", { id, class: "money", inputmode: "decimal", autocomplete: "off", value: now });
  }
  if (asked.kind === "number") {
    return make("input", { id, type: "number", min: asked.least, max: asked.most, value: asked.now ?? asked.least ?? "" });
  }
  return make("input", { id, autocomplete: "off", maxlength: 200, value: asked.now ?? "" });
}

function valueOf(asked, input) {
  if (asked.kind === "money") return asked.only?.length ? Number(input.value) : cents(input.value);
  if (asked.kind === "number") return input.value === "" ? NaN : Number(input.value);
  if (asked.kind === "three of the hand") return input.value.split(/[\s,]+/).filter(Boolean).map(Number);
  return input.value.trim();
}

const bounds = ({ least, most }, show) =>
  [least === undefined || least === null ? "" : `at least ${show(least)}`, most === undefined || most === null ? "" : `at most ${show(most)}`]
    .filter(Boolean)
    .join(", ");

function hintOf(asked) {
  if (asked.kind === "money") return asked.only?.length ? "" : bounds(asked, money);
  if (asked.kind === "number") return bounds(asked, String);
  return asked.kind === "three of the hand" ? "three numbers, counted from 1" : "";
}

function wrongWith(asked, value) {
  if (asked.kind === "words") return value ? "" : "Please say why, in a few words.";
  if (asked.kind === "three of the hand") return new Set(value).size === 3 ? "" : "Three different cards.";
  if (asked.kind !== "money" && asked.kind !== "number") return "";
  if (!Number.isFinite(value)) return asked.kind === "money" ? "An amount of dollars, such as 10 or 10.50." : "A number.";
  const show = asked.kind === "money" ? money : String;
  if (asked.least !== undefined && asked.least !== null && value < asked.least) return `At least ${show(asked.least)}.`;
  if (asked.most !== undefined && asked.most !== null && value > asked.most) return `At most ${show(asked.most)}.`;
  return "";
}

// Messages

export function announce(words) {
  const announcer = document.querySelector("#announcer");
  if (announcer) announcer.textContent = announcer.textContent === words ? `${words}\u00a0` : words; // the same again is said again
}

function toast(element) {
  const shut = button("×", { class: "plain", "aria-label": "Close this message" });
  shut.addEventListener("click", () => element.remove());
  element.append(shut);
  document.querySelector("#toasts")?.append(element);
  return element;
}

export function notify(words, { state = "good", time = 6000 } = {}) {
  const element = toast(make("div", { class: "notice", "data-state": state }, make("div", {}, words)));
  announce(words);
  setTimeout(() => element.remove(), time);
}

export function refuse(problem, { table = "" } = {}) {
  const reason = problem.reason ?? String(problem.message ?? problem);
  const told = make("p", {}, reason, " ", problem.cite ? clause(problem.cite, table) : null);
  const accepted = problem.accepted ? make("p", { class: "accepted" }, `Accepted: ${problem.accepted}`) : null;
  document.querySelector("#toasts .refusal")?.remove(); // one at a time
  toast(make("div", { class: "refusal" }, make("div", {}, told, accepted)));
  announce([reason, problem.cite].filter(Boolean).join(" "));
}

export async function busy(element, promise) {
  element.setAttribute("aria-busy", "true");
  element.disabled = true;
  try {
    return await promise;
  } finally {
    element.removeAttribute("aria-busy");
    element.disabled = false;
  }
}

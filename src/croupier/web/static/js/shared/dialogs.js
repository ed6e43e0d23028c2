// Dialogs, messages and announcements.
//
// await ask({title, body, confirm: "Leave the table", cancel: "Stay", danger: true})     -> true or false
// modal(title, ...nodes)        -> an open <dialog>, which a click outside closes too; it is removed when closed
// await closed(dialog)          -> its return value
// announce("Your cards: …")     -> read aloud by screen readers (#announcer)
// notify("Chips bought.")       -> a message that disappears after a few seconds
// refuse(refused, {table})      -> a message with the reason, the clause and what is allowed, until it is closed; announced too
// await copied(text, element)   -> "Copied", or "Press Ctrl+C to copy" with the element's text selected, where a page may not copy
// busy(button, promise)         -> aria-busy and disabled until the promise settles; returns the promise
// onSubmit(form, work)          -> work() when the form is submitted, with its primary button busy; its .problem tells a refusal

import { explained } from "./api.js";
import { make, one } from "./build.js";
import { clause } from "./settlement.js";
/** @import { Inside } from "./build.js" */
/** @import { Problem } from "./types.js" */

let numbered = 0;

/** @param {string} title @param {...Inside} inside */
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

/** @param {HTMLDialogElement} dialog @returns {Promise<string>} */
export const closed = (dialog) => new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));

/** @param {{title: string, body?: string | Node, confirm?: string, cancel?: string, danger?: boolean}} asked */
export async function ask({ title, body = "", confirm = "Yes", cancel = "Cancel", danger = false }) {
  const no = make("button", { type: "button", onclick: () => dialog.close("") }, cancel);
  const yes = make("button", { type: "button", class: danger ? "danger" : "primary", onclick: () => dialog.close("yes") }, confirm);
  const dialog = modal(title, body && typeof body === "string" ? make("p", {}, body) : body, make("div", { class: "actions" }, no, yes));
  (danger ? no : yes).focus();
  return (await closed(dialog)) === "yes";
}

// Messages

/** @param {string} words */
export function announce(words) {
  const announcer = document.querySelector("#announcer");
  if (announcer) announcer.textContent = announcer.textContent === words ? `${words}\u00a0` : words; // so that a repeated message is read again
}

/** @param {HTMLElement} element */
function toast(element) {
  element.append(make("button", { type: "button", class: "plain", "aria-label": "Close this message", onclick: () => element.remove() }, "×"));
  document.querySelector("#toasts")?.append(element);
  return element;
}

/** @param {string} words */
export function notify(words, { state = "good", time = 6000 } = {}) {
  const element = toast(make("div", { class: "notice", "data-state": state }, make("div", {}, words)));
  announce(words);
  setTimeout(() => element.remove(), time);
}

/** @param {any} problem what was thrown */
export function refuse(problem, { table = "" } = {}) {
  const reason = problem.reason ?? String(problem.message ?? problem);
  document.querySelector("#toasts .refusal")?.remove(); // one at a time
  toast(make("div", { class: "refusal" }, refusal({ ...problem, reason }, table)));
  announce([reason, problem.cite].filter(Boolean).join(" "));
}

// The reason of a refusal, its clause, and what is allowed instead.
/** @param {Problem} problem @param {string} table */
export function refusal({ reason, cite, accepted }, table) {
  return make("div", {}, make("p", {}, reason, " ", cite && clause(cite, table)), accepted && make("p", { class: "accepted" }, `Allowed: ${accepted}.`));
}

/**
 * @template T
 * @param {HTMLButtonElement} element
 * @param {Promise<T>} promise
 */
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

/** @param {HTMLFormElement} form @param {() => Promise<unknown>} work @param {HTMLInputElement} [field] that gets the focus after a refusal */
export function onSubmit(form, work, field = one("input", form)) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    one(".problem", form).textContent = "";
    field.removeAttribute("aria-invalid");
    try {
      await busy(one(".primary", form), work());
    } catch (refused) {
      one(".problem", form).textContent = explained(refused);
      field.setAttribute("aria-invalid", "true");
      field.focus();
    }
  });
}

/** @param {string} text @param {Element} element */
export async function copied(text, element) {
  try {
    await navigator.clipboard.writeText(text); // without HTTPS there is no clipboard
    return "Copied";
  } catch {
    getSelection()?.selectAllChildren(element);
    return "Press Ctrl+C to copy";
  }
}

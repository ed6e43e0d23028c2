// The form for what a Choice asks.
//
// await form({title, asks, cite, table, body, now, confirm})  -> {name: value}, or null if canceled;
//     `asks` as in a Choice; now: {name: value} to start with

import { make } from "./build.js";
import { closed, modal } from "./dialogs.js";
import { cents, money } from "./money.js";
import { clause } from "./settlement.js";
import { capitalized } from "./words.js";
/** @import { Ask } from "./types.js" */

/** @type {Record<string, string>} */
const LABELS = {
  amount: "Amount in dollars", depth: "Cards above the cover card", counted: "Cards counted", misdealt: "Were cards misdealt?",
  defects: "Defects", player: "Player’s name", opener: "Chips in the container, in dollars", cards: "Exposed cards",
  seat: "Box", collected: "Chips collected, in dollars", what: "Which one",
};
let numbered = 0;

/**
 * @typedef {object} Field
 * @property {HTMLElement} element
 * @property {() => any} value
 * @property {() => string} wrong what is wrong with the value, if anything
 * @property {HTMLElement} [first] what gets the focus, if not the element
 * @property {boolean} [group]
 * @property {string} [hint]
 */

/**
 * @param {{title: string, asks: Ask[], cite?: string, table?: string, body?: string, now?: Record<string, any>, confirm?: string}} asked
 * @returns {Promise<Record<string, any> | null>}
 */
export async function form({ title, asks, cite = "", table = "", body = "", now = {}, confirm = "Continue" }) {
  const fields = asks.map((each) => field(each, now[each.name]));
  const no = make("button", { type: "button", onclick: () => dialog.close("") }, "Cancel");
  const yes = make("button", { class: "primary" }, confirm);
  /** @param {SubmitEvent} event */
  const submit = (event) => {
    event.preventDefault();
    const wrong = fields.filter((each) => !each.check());
    if (wrong.length) wrong[0].focus();
    else dialog.close("yes");
  };
  const inside = make("form", { novalidate: true, onsubmit: submit }, fields.map((each) => each.element), make("div", { class: "actions" }, no, yes));
  const dialog = modal(title, body && make("p", {}, body), cite && make("p", {}, clause(cite, table)), inside);
  fields[0]?.focus();
  return (await closed(dialog)) === "yes" ? Object.fromEntries(fields.map((each) => [each.name, each.value()])) : null;
}

// One field: its element, its check and its value.
/** @param {Ask} asked @param {any} begin */
function field(asked, begin) {
  numbered += 1;
  const id = `field-${numbered}`;
  const label = LABELS[asked.name] ?? capitalized(asked.name.replaceAll("_", " "));
  const kind = KINDS[asked.kind] ?? (asked.only?.length ? KINDS["one of"] : KINDS.words);
  const made = kind(asked, id, begin ?? asked.now);
  const first = made.first ?? made.element;
  const hint = make("span", { class: "hint", id: `${id}-hint` }, made.hint ?? asked.words ?? "");
  const problem = make("span", { class: "problem", id: `${id}-problem`, role: "alert" });
  const ids = `${hint.id} ${problem.id}`;
  const element = made.group
    ? make("fieldset", { class: "field", "aria-describedby": ids }, make("legend", {}, label), made.element, hint, problem)
    : make("div", { class: "field" }, make("label", { for: id }, label), made.element, hint, problem);
  if (!made.group) first.setAttribute("aria-describedby", ids);
  const check = () => {
    problem.textContent = made.wrong();
    first?.setAttribute("aria-invalid", String(Boolean(problem.textContent)));
    return !problem.textContent;
  };
  return { name: asked.name, element, value: made.value, check, focus: () => first?.focus() };
}

/** @param {number} sum */
const dollars = (sum) => money(sum).slice(1).replaceAll(",", "");
const NO_AMOUNT = "Enter an amount in dollars, such as 10 or 10.50.";
const MOST_SHOWN = 10 ** 13; // a limit of the system, not of the table

/** @param {number} value @param {Ask} asked @param {(value: number) => string} show */
const outOfBounds = (value, { least = -Infinity, most = Infinity }, show) => (value < least ? `At least ${show(least)}.` : value > most ? `At most ${show(most)}.` : "");

/** @param {Ask} asked @param {(value: number) => string} show */
const bounds = ({ least = 0, most = Infinity }, show) => {
  const low = least <= 1 ? "" : show(least);
  const high = most >= MOST_SHOWN ? "" : show(most);
  return low && high ? `${low} to ${high}` : low ? `at least ${low}` : high ? `at most ${high}` : "";
};

/** @param {string} id @param {number} [begin] */
const moneyInput = (id, begin) => make("input", { id, class: "money", inputmode: "decimal", autocomplete: "off", value: begin ? dollars(begin) : "" });

/** @type {Record<string, (asked: Ask, id: string, begin: any) => Field>} */
const KINDS = {
  money(asked, id, begin) {
    const element = moneyInput(id, begin);
    const value = () => cents(element.value);
    const wrong = () => (Number.isFinite(value()) ? outOfBounds(value(), asked, money) : NO_AMOUNT);
    return { element, value, wrong, hint: bounds(asked, money) };
  },
  number(asked, id, begin) {
    const element = make("input", { id, type: "number", min: asked.least, max: asked.most, value: begin ?? "" });
    const value = () => (element.value === "" ? NaN : Number(element.value));
    const wrong = () => (Number.isInteger(value()) ? outOfBounds(value(), asked, String) : "Enter a number.");
    return { element, value, wrong, hint: bounds(asked, String) };
  },
  words(asked, id, begin) {
    const element = make("input", { id, autocomplete: "off", maxlength: 200, value: begin ?? "" });
    return { element, value: () => element.value.trim(), wrong: () => (element.value.trim() ? "" : "Enter a few words.") };
  },
  "one of"(asked, id, begin) {
    const of = asked.of?.length ? asked.of : (asked.only ?? []);
    const element = make("select", { id }, of.map((each) => make("option", { value: each, selected: each === begin }, String(each))));
    const numbers = !asked.of?.length;
    return { element, value: () => (numbers ? Number(element.value) : element.value), wrong: () => "" };
  },
  "yes or no"(asked, id) {
    const element = make("select", { id }, make("option", { value: "" }, "No"), make("option", { value: "yes" }, "Yes"));
    return { element, value: () => element.value === "yes", wrong: () => "" };
  },
  "some of"(asked, id) {
    const boxes = (asked.only ?? []).map((each) => make("input", { type: "checkbox", value: each, id: `${id}-${each}` }));
    const element = make("div", { class: "cluster" }, boxes.map((each) => make("label", { class: "check" }, each, `card ${each.value}`)));
    const value = () => boxes.filter((each) => each.checked).map((each) => Number(each.value));
    return { element, group: true, first: boxes[0], value, wrong: () => "" };
  },
  counted(asked, id, begin) {
    const inputs = (asked.of ?? []).map((name, n) => /** @type {const} */ ([name, moneyInput(`${id}-${n}`, begin?.[name])]));
    const rows = inputs.map(([name, input]) => make("div", { class: "counted" }, make("label", { for: input.id }, name), input));
    const value = () => Object.fromEntries(inputs.map(([name, input]) => [name, cents(input.value)]));
    const wrong = () => (Object.values(value()).every(Number.isFinite) ? "" : "Enter what you counted in dollars, such as 10 or 10.50.");
    const hint = "Count the chips you collect for each wager. They must match what the system accepted.";
    return { element: make("div", {}, rows), group: true, first: inputs[0]?.[1], value, wrong, hint };
  },
};

// Orders: a Choice as a button, the form for what it asks, and what becomes of it.
//
// button(choice, {table, primary, now, done, refused})  -> a <button> that gives the order when it is pressed
// give(table, choice, {now, element, refused})          -> the Reply, or null where it was given up or refused;
//     now: {name: value} to begin with in the form; refused: (problem, command) => … instead of telling it
// form(title, asks, {cite, table, now, confirm})        -> {name: value} or null
// mishaps(list, given, {table, …})                      -> every irregularity of a Procedure into a <ul>

import { command, post } from "./api.js";
import { ask as confirmed, busy, make, modal } from "./dialog.js";
import { cents, money } from "./money.js";
import { clause } from "./settlement.js";
import { heed } from "./staff.js";

// What cannot be undone is asked once more.
const GRAVE = {
  "close table": ["Close the table?", "The container, the drop box and the tip box go to the cage."],
  "remove decks": ["Remove the decks?", "New ones are received, inspected and shuffled before the next round."],
  leave: ["Sign the player off?", "He takes his chips along; what he has wagered in this round is abandoned and lost."],
};
const BY_THE_HOUSE = new Set(["shuffle", "shuffles"]); // the order of a deck: made by the house, never sent

const LONG = 26; // letters of a button

export async function give(table, choice, { now = {}, element = null, refused = null } = {}) {
  const asks = choice.asks.filter((each) => !BY_THE_HOUSE.has(each.kind));
  const grave = GRAVE[choice.do];
  if (grave && !(await confirmed({ title: grave[0], body: `${choice.words}. ${grave[1]} (${choice.cite})`, confirm: choice.words, danger: true }))) return null;
  const filled = asks.length ? await form(choice.words, asks, { cite: choice.cite, table, now, confirm: choice.words.length < LONG ? choice.words : "Go on" }) : {};
  if (!filled) return null;
  const body = { ...choice.command, ...filled };
  try {
    const sent = choice.do === "open table" ? reopen(table, body) : command(table, body);
    return await (element ? busy(element, sent) : sent);
  } catch (problem) {
    if (refused && problem.kind === "refused") await refused(problem, body);
    else await heed(problem, { table });
    return null;
  }
}

const reopen = (table, { opener }) => post(`/api/tables/${encodeURIComponent(table)}/open`, { opener });

export function button(choice, { table, primary = false, now = {}, refused = null, words = choice.words, cite = true }) {
  const asks = choice.asks.some((each) => !BY_THE_HOUSE.has(each.kind));
  const inside = [make("span", {}, words + (asks ? "\u00a0…" : ""))];
  if (cite && choice.cite) inside.push(make("span", { class: "cite" }, choice.cite));
  const element = make("button", { type: "button", class: primary ? "primary" : "", "data-do": choice.do }, ...inside);
  element.addEventListener("click", () => give(table, choice, { now, element, refused }));
  return element;
}

// Forms

const LABELS = {
  amount: "Amount in dollars", depth: "Cards above the cover card", counted: "Cards counted", misdealt: "Were cards misdealt?",
  why: "Why", defects: "Which defects", player: "The player’s name", minimum: "Minimum", maximum: "Maximum",
  opener: "Chips in the container, in dollars", cards: "Which cards became known", seat: "Box", deck: "Deck",
  collected: "Chips collected, in dollars", what: "Which",
};
let numbered = 0;

export async function form(title, asks, { cite = "", table = "", now = {}, confirm = "Go on" } = {}) {
  const fields = asks.map((each) => field(each, now[each.name]));
  const no = make("button", { type: "button" }, "Cancel");
  const yes = make("button", { class: "primary" }, confirm);
  const inside = make("form", { novalidate: "" }, ...fields.map((each) => each.element), make("div", { class: "actions" }, no, yes));
  const dialog = modal(title, ...(cite ? [make("p", {}, clause(cite, table))] : []), inside);
  no.addEventListener("click", () => dialog.close(""));
  inside.addEventListener("submit", (event) => {
    event.preventDefault();
    const wrong = fields.filter((each) => !each.check());
    if (wrong.length) wrong[0].focus();
    else dialog.close("yes");
  });
  fields[0]?.focus();
  const answer = await new Promise((done) => dialog.addEventListener("close", () => done(dialog.returnValue), { once: true }));
  return answer === "yes" ? Object.fromEntries(fields.map((each) => [each.name, each.value()])) : null;
}

function field(asked, begin) {
  numbered += 1;
  const id = `order-${numbered}`;
  const label = LABELS[asked.name] ?? asked.name.replaceAll("_", " ");
  const kind = KINDS[asked.kind] ?? (asked.only?.length ? KINDS["one of"] : KINDS.words);
  const made = kind(asked, id, begin ?? asked.now);
  const hint = make("span", { class: "hint", id: `${id}-hint` }, made.hint ?? asked.words ?? "");
  const problem = make("span", { class: "problem", id: `${id}-problem`, role: "alert" });
  const inside = made.group
    ? make("fieldset", { class: "field", "aria-describedby": `${hint.id} ${problem.id}` }, make("legend", {}, label), made.element, hint, problem)
    : make("div", { class: "field" }, make("label", { for: id }, label), made.element, hint, problem);
  if (!made.group) made.element.setAttribute("aria-describedby", `${hint.id} ${problem.id}`);
  const check = () => {
    problem.textContent = made.wrong();
    return !problem.textContent;
  };
  return { name: asked.name, element: inside, value: made.value, check, focus: () => (made.first ?? made.element).focus() };
}

const dollars = (sum) => money(sum).slice(1).replaceAll(",", "");

const within = (value, { least, most }, show) => {
  if (least !== undefined && least !== null && value < least) return `At least ${show(least)}.`;
  if (most !== undefined && most !== null && value > most) return `At most ${show(most)}.`;
  return "";
};

const MOST_TOLD = 10 ** 13; // a limit of the system rather than of the table

const bounds = ({ least, most }, show) => {
  const low = least === undefined || least === null || least <= 1 ? "" : show(least);
  const high = most === undefined || most === null || most >= MOST_TOLD ? "" : show(most);
  return low && high ? `${low} to ${high}` : low ? `at least ${low}` : high ? `at most ${high}` : "";
};

const KINDS = {
  money(asked, id, begin) {
    const element = make("input", { id, class: "money", inputmode: "decimal", autocomplete: "off", value: begin ? dollars(begin) : "" });
    const value = () => cents(element.value);
    const wrong = () => (Number.isFinite(value()) ? within(value(), asked, money) : "An amount of dollars, such as 10 or 10.50.");
    return { element, value, wrong, hint: bounds(asked, money) };
  },
  number(asked, id, begin) {
    const element = make("input", { id, type: "number", min: asked.least, max: asked.most, value: begin ?? "" });
    const value = () => (element.value === "" ? NaN : Number(element.value));
    const wrong = () => (Number.isInteger(value()) ? within(value(), asked, String) : "A number.");
    return { element, value, wrong, hint: bounds(asked, String) };
  },
  words(asked, id, begin) {
    const element = make("input", { id, autocomplete: "off", maxlength: 200, value: begin ?? "" });
    return { element, value: () => element.value.trim(), wrong: () => (element.value.trim() ? "" : "Please say it in a few words.") };
  },
  "one of"(asked, id, begin) {
    const of = asked.of?.length ? asked.of : asked.only;
    const element = make("select", { id }, ...of.map((each) => make("option", { value: each, selected: each === begin }, String(each))));
    const numbers = !asked.of?.length;
    return { element, value: () => (numbers ? Number(element.value) : element.value), wrong: () => "" };
  },
  "yes or no"(asked, id) {
    const element = make("select", { id }, make("option", { value: "" }, "No"), make("option", { value: "yes" }, "Yes"));
    return { element, value: () => element.value === "yes", wrong: () => "" };
  },
  "some of"(asked, id) {
    const boxes = (asked.only ?? []).map((each) => make("input", { type: "checkbox", value: each, id: `${id}-${each}` }));
    const element = make("div", { class: "cluster" }, ...boxes.map((each) => make("label", { class: "check" }, each, `card ${each.value}`)));
    const value = () => boxes.filter((each) => each.checked).map((each) => Number(each.value));
    return { element, group: true, first: boxes[0], value, wrong: () => "", hint: asked.words ?? "" };
  },
  counted(asked, id, begin = {}) {
    const inputs = asked.of.map((name, n) => {
      const value = begin?.[name] ? dollars(begin[name]) : "";
      return [name, make("input", { id: `${id}-${n}`, class: "money", inputmode: "decimal", autocomplete: "off", value })];
    });
    const rows = inputs.map(([name, input]) => make("div", { class: "counted" }, make("label", { for: input.id }, name), input));
    const value = () => Object.fromEntries(inputs.filter(([, input]) => input.value.trim()).map(([name, input]) => [name, cents(input.value)]));
    const wrong = () => (Object.values(value()).every(Number.isFinite) ? "" : "Amounts of dollars, such as 10 or 10.50.");
    const hint = "The chips of each wager that you collect, counted. They must equal what the system accepted.";
    return { element: make("div", {}, ...rows), group: true, first: inputs[0]?.[1], value, wrong, hint };
  },
};

// Irregularities: those possible now can be pressed, the others say why not

export function mishaps(list, given, { table, off = "", refused = null }) {
  const sorted = [...given].sort((one, other) => (other.choices.length > 0) - (one.choices.length > 0)); // those possible now first
  const shown = JSON.stringify([sorted, off]);
  if (list.shown === shown) return; // a button stays where the hand is
  list.shown = shown;
  list.replaceChildren(...sorted.map((each) => mishap(each, { table, off, refused })));
}

function mishap(each, { table, off, refused }) {
  const reason = off || each.why_not;
  const details = make("span", { class: "quiet small" }, [each.then && `${each.then[0].toUpperCase()}${each.then.slice(1)}.`, reason].filter(Boolean).join(" "));
  const element = make("button", { type: "button", class: "small", disabled: Boolean(off) || !each.choices.length, title: reason }, "Raise", make("span", { class: "visually-hidden" }, `: ${each.name}`));
  element.addEventListener("click", () => raise(table, each, element, refused));
  const name = make("span", { class: "name" }, each.name, " ", clause(each.cite, table));
  return make("li", { "data-possible": each.choices.length && !off ? "yes" : "no" }, name, element, details);
}

async function raise(table, each, element, refused) {
  const [first] = each.choices;
  let choice = first;
  if (each.choices.length > 1) {
    const of = each.choices.map(({ words }) => words);
    const answer = await form(each.name, [{ name: "what", kind: "one of", of }], { cite: each.cite, table });
    if (!answer) return;
    choice = each.choices[of.indexOf(answer.what)];
  } else if (!first.asks.length) {
    const body = `${each.then ? `${each.then[0].toUpperCase()}${each.then.slice(1)}. ` : ""}(${each.cite})`;
    if (!(await confirmed({ title: `${first.words}?`, body, confirm: "Raise it", danger: true }))) return;
  }
  await give(table, choice, { element, refused });
}

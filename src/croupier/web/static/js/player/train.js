// The trainer: one hard hand after another, what each choice is worth, and a score that this browser keeps.

import { getComputed } from "../shared/api.js";
import { byId, make } from "../shared/build.js";
import { card, namesOf } from "../shared/cards.js";
import { announce } from "../shared/dialogs.js";
import { assignKeys, Keys } from "../shared/keys.js";
import { recall, remember } from "../shared/memory.js";
import { clause } from "../shared/settlement.js";
import { capitalized, listed } from "../shared/words.js";
/** @import { Drill, Weighed } from "../shared/types.js" */

/**
 * @typedef {{hands: number, right: number, cost: number}} Score the cost in millionths of a unit
 */

const page = byId("train");
const { table, game } = page.dataset;
const MEMORY = `croupier.train.${game}`;
const FEW = 4; // hands left when more are asked for
const MILLION = 1e6;
const keys = new Keys();
/** @type {Drill[]} */
const drills = [];
/** @type {Promise<void> | null} */
let asking = null;

// The score

const none = () => ({ hands: 0, right: 0, cost: 0 });
let score = { ...none(), ...JSON.parse(recall(MEMORY) || "{}") };

/** @param {Score} changed */
function count(changed) {
  score = changed;
  remember(MEMORY, JSON.stringify(score));
  showScore();
}

/** @param {number} millionths */
const units = (millionths) => `${(millionths / MILLION).toFixed(4)} units`;

function showScore() {
  const { hands, right, cost } = score;
  byId("hands").textContent = hands.toLocaleString("en-US");
  byId("right").textContent = hands ? `${right.toLocaleString("en-US")} (${Math.round((100 * right) / hands)}%)` : "0";
  byId("cost").textContent = units(cost);
  byId("each").textContent = units(hands ? cost / hands : 0);
}

// The hands

/** @returns {Promise<void>} */
async function ask() {
  drills.push(...(await getComputed(`/api/tables/${encodeURIComponent(table)}/training`)).drills);
}

// One request at a time; a hand that is there need not wait for it.
function more() {
  asking ??= ask().finally(() => {
    asking = null;
  });
  return asking;
}

async function next() {
  byId("choices").replaceChildren();
  byId("verdict").replaceChildren();
  try {
    if (!drills.length) await more();
  } catch (problem) {
    refused(problem);
    return;
  }
  const drill = drills.shift();
  if (!drill) return;
  if (drills.length < FEW) more().catch(() => {}); // asked again when none is left
  show(drill);
}

/** @param {any} problem */
function refused({ status, reason }) {
  const again = make("button", { type: "button", class: "primary", onclick: next }, "Try again");
  byId("cloth").replaceChildren(make("p", {}, reason));
  byId("asks").replaceChildren();
  byId("beside").hidden = status === 409; // nothing to practice, so no score
  byId("choices").replaceChildren(...(status === 409 ? [make("a", { class: "button", href: `/tables/${encodeURIComponent(table)}/rules` }, "Read the rules")] : [again]));
  announce(reason);
}

/** @param {string} words @param {string[]} codes */
const lane = (words, codes) => codes.length > 0 && make("div", { class: "lane" }, make("h2", {}, words), make("div", { class: "cards" }, codes.map(card)));

/** @param {Drill} drill */
function show(drill) {
  const { held, up, board, hand, asks, cite, unit } = drill;
  byId("cloth").replaceChildren(
    ...[lane("Dealer shows", up), lane("Community cards", board), lane(hand ? `Your cards: ${hand}` : "Your cards", held)].filter((each) => each !== false));
  byId("asks").replaceChildren(asks, " ", clause(cite, table));
  byId("unit").textContent = `One unit is your ${unit}.`;
  const words = drill.choices.map((each) => each.words);
  const letters = assignKeys(drill.choices, "?n");
  const buttons = words.map((each, n) => make("button", { type: "button", class: "choice", onclick: () => answer(drill, n) }, make("span", { class: "words" }, each)));
  const had = document.activeElement === document.body || page.contains(document.activeElement);
  byId("choices").replaceChildren(...buttons);
  keys.set(buttons.map((element, n) => ({ key: letters[n], words: words[n], element, does: () => element.click() })));
  if (had) buttons[0]?.focus({ preventScroll: true });
  page.dataset.state = "asked";
  announce([up.length && `The dealer shows ${namesOf(up)}.`, board.length && `On the board: ${namesOf(board)}.`, `You hold ${namesOf(held)}.`, `${listed(words)}?`].filter(Boolean).join(" "));
}

/** @param {Weighed} choice */
const costOf = ({ costs }) => Math.round(Number(costs) * MILLION);

// What the choice was worth

/** @param {Drill} drill @param {number} chosen */
function answer(drill, chosen) {
  if (page.dataset.state !== "asked") return;
  page.dataset.state = "answered";
  const taken = drill.choices[chosen];
  const best = drill.choices.filter((each) => costOf(each) === 0);
  const cost = costOf(taken);
  const second = Math.min(...drill.choices.map(costOf).filter(Boolean));
  count({ hands: score.hands + 1, right: score.right + (cost ? 0 : 1), cost: score.cost + cost });
  const words = cost
    ? `“${best[0].words}” is best. “${taken.words}” costs ${units(cost)} on average.`
    : `Right. “${taken.words}” is best, by ${units(second)}.`;
  byId("verdict").replaceChildren(
    make("p", { class: cost ? "missed" : "right" }, make("strong", {}, words)), choiceTable(drill, taken),
    ...(drill.assumes ? [make("p", { class: "small quiet" }, `${capitalized(drill.assumes)}.`)] : []));
  const go = make("button", { type: "button", class: "primary", onclick: next }, make("span", { class: "words" }, "Next hand"));
  byId("choices").replaceChildren(go);
  keys.set([{ key: "n", words: "Next hand", element: go, does: () => go.click() }]);
  go.focus({ preventScroll: true });
  announce(words);
}

/** @param {Drill} drill @param {Weighed} taken */
function choiceTable({ choices }, taken) {
  const rows = choices.map((each) =>
    make("tr", { class: costOf(each) ? "" : "best" },
      make("th", { scope: "row" }, each.words, costOf(each) === 0 && make("span", { class: "badge", "data-state": "good" }, "best"), each === taken && make("span", { class: "badge", "data-state": "live" }, "yours")),
      make("td", { class: "number" }, each.units, make("span", { class: "exact quiet" }, each.exact)),
      make("td", { class: "number" }, each.costs)));
  const heads = ["Choice", "Worth, in units", "Costs"].map((words, n) => make("th", { scope: "col", class: n ? "number" : null }, words));
  return make("table", { class: "coach-table weighed" }, make("thead", {}, make("tr", {}, ...heads)), make("tbody", {}, rows));
}

byId("reset").addEventListener("click", () => count(none()));
byId("help").addEventListener("click", () => keys.show());
showScore();
next();

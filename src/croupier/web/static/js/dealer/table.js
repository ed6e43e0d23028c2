// The dealer's side of a table: the current step and its clause, what the dealer announces, every command and irregularity.

import { get, post } from "../shared/api.js";
import { byId as $, make } from "../shared/build.js";
import { now } from "../shared/clock.js";
import { announce } from "../shared/dialogs.js";
import { Felt } from "../shared/felt.js";
import { assignKeys, Keys } from "../shared/keys.js";
import { Live } from "../shared/live.js";
import { clause } from "../shared/settlement.js";
import { capitalized } from "../shared/words.js";
import { button, mishaps, sendChoice } from "../staff/commands.js";
import { handleRefusal } from "../staff/screen_lock.js";
import { addToLog, boxes, facts, situation } from "../staff/table_view.js";
/** @import { Ask, Choice, Command, LiveEvent, Procedure, Seen, Step } from "../shared/types.js" */

const page = $("dealer");
const { table } = page.dataset;
const path = `/api/tables/${encodeURIComponent(table)}`;
const practice = page.dataset.practice === "yes";
const felt = new Felt($("felt"));
const keys = new Keys();
/** @type {Seen} */
let seen;
/** @type {Procedure} */
let procedure;

const ASIDE = new Set(["raise irregularity", "buy in", "return wagers"]); // shown with the boxes, and in a separate list
const isTraining = () => practice && $("by-myself").checked;
const isDealtByPerson = () => seen?.standing?.dealer === "person";

// What a form starts with. Chips and cards are counted by the dealer, so these fields start empty.
/** @param {Choice} choice */
function startingValues({ asks }) {
  const depth = asks.find(({ name }) => name === "depth");
  return depth ? { depth: Math.round(((depth.least ?? 0) + (depth.most ?? 0)) / 2) } : {};
}

// Commands

/** @param {Choice} choice @param {{primary?: boolean, words?: string, about?: string}} [options] */
const order = (choice, options = {}) => button(choice, { table, now: startingValues(choice), refused: correct, ...options });

function showActions() {
  const can = isDealtByPerson() ? seen.can.filter((choice) => !ASIDE.has(choice.do)) : [];
  const shown = isTraining() ? [] : [...can.filter((each) => each.primary), ...can.filter((each) => !each.primary)];
  const elements = shown.map((each, n) => order(each, { primary: n === 0 && each.primary }));
  const focused = document.activeElement?.closest("#choices") && document.activeElement.getAttribute("data-do");
  $("choices").replaceChildren(...elements);
  if (focused) ($("choices").querySelector(`[data-do="${focused}"]`) ?? $("choices").querySelector("button"))?.focus();
  const letters = assignKeys(shown, "?l");
  keys.set(elements.map((element, n) => ({ key: letters[n], words: shown[n].words, element, does: () => element.click() })).filter(({ key }) => key));
  if (shown[0]?.primary) keys.now.unshift({ key: "Enter", words: shown[0].words, does: () => elements[0].click() });
}

/** @param {number} seat */
function forBox(seat) {
  const own = isDealtByPerson() ? seen.can.filter(({ do: what, command }) => ["buy in", "return wagers"].includes(what) && command.seat === seat) : [];
  return own.map((choice) => order(choice, { words: choice.do === "buy in" ? "Sell chips" : "Return wagers", about: `, box ${seat}` }));
}

// The procedure

function showSteps() {
  const list = $("steps");
  list.hidden = isTraining();
  list.replaceChildren(...procedure.steps.map(step));
  if (!procedure.steps.length) list.replaceChildren(make("li", { class: "quiet small" }, "The table is closed. A floorperson can open it."));
  const now = list.querySelector('[data-state="now"]');
  if (now) list.scrollTop = Math.max(0, now.offsetTop - list.offsetTop - 40);
}

// Says so if the table is waiting for someone else.
function showAwaited() {
  const now = procedure.steps.find(({ state }) => state === "now");
  const other = isDealtByPerson() && !isTraining() && now && now.who !== "dealer" && !seen.can.some((choice) => choice.primary);
  $("awaits").hidden = !other;
  if (other) $("awaits").replaceChildren(`Waiting for the ${now.who}: ${now.words} `, clause(now.cite, table));
}

/** @type {Record<string, string>} */
const MARKS = { done: "done: ", passed: "only if it applied: ", now: "now: ", later: "" };

/** @param {Step} step */
function step({ words, cite, who, state, when }) {
  const text = make("span", {}, make("span", { class: "visually-hidden" }, MARKS[state]), words, when && make("span", { class: "quiet small" }, ` if ${when}`));
  const by = who === "dealer" ? null : make("span", { class: "by" }, who);
  return make("li", { "data-state": state, "aria-current": state === "now" && "step" }, text, " ", clause(cite, table), by && " ", by);
}

async function refresh() {
  try {
    procedure = await get(`${path}/checklist`);
  } catch (problem) {
    if (problem.kind !== "unreachable") await handleRefusal(problem, { table });
    return;
  }
  if (procedure.version === seen.view.version && JSON.stringify(procedure.can) !== JSON.stringify(seen.can)) {
    seen.can = procedure.can; // time has passed
    showActions();
  }
  $("say").hidden = !procedure.say || !isDealtByPerson() || isTraining();
  showAwaited();
  if ($("say").textContent !== procedure.say) $("say").textContent = procedure.say;
  showSteps();
  mishaps($("mishaps"), procedure.irregularities, { table, off: isDealtByPerson() ? "" : "The automatic dealer runs this table.", refused: correct });
  $("mishaps").dataset.version = procedure.version;
}

let refreshTimer = 0;
function refreshSoon() {
  clearTimeout(refreshTimer);
  refreshTimer = setTimeout(refresh, 60);
}

// Practice: what was wrong and why, and the right step

/** @param {any} problem @param {object} command @returns {Promise<any>} */
async function correct(problem, command) {
  if (!practice) return handleRefusal(problem, { table });
  let correction;
  try {
    correction = await post(`${path}/correction`, command);
  } catch {
    return handleRefusal(problem, { table });
  }
  const { right } = correction;
  const wrong = correction.wrong ? `${capitalized(correction.wrong)}.` : problem.reason;
  const cite = correction.cite || problem.cite;
  const accepted = correction.accepted || problem.accepted;
  const shut = make("button", { type: "button", class: "small", onclick: () => ($("correction").hidden = true) }, "Got it");
  $("correction").replaceChildren(
    make("h2", {}, "Wrong step"),
    make("p", {}, wrong, " ", cite ? clause(cite, table) : null),
    ...(accepted ? [make("p", { class: "small quiet" }, `Allowed: ${accepted}.`)] : []),
    ...(right ? [make("p", { class: "right" }, make("strong", {}, "The right step: "), right.words, right.when ? ` if ${right.when}` : "", right.who === "dealer" ? "" : `, by the ${right.who}`, " ", clause(right.cite, table))] : []),
    shut,
  );
  $("correction").hidden = false;
  $("correction").scrollIntoView({ block: "nearest" });
  return null;
}

const BOX = { name: "seat", kind: "number", least: 1, most: 7 };
/**
 * words, the command, what it asks, and more fields
 * @type {[string, Command, (() => Ask[])?, (() => object)?][]}
 */
const ACTS = [
  ["Receive the decks", { do: "receive decks" }, () => [], () => ({ decks: ["red", "blue"].slice(0, Math.max(1, seen.view.decks?.length || 1)) })],
  ["Inspect the cards", { do: "inspect decks" }],
  ["Spread the cards face up", { do: "spread decks", face_up: true }],
  ["Spread the cards face down", { do: "spread decks" }],
  ["Wash and stack the cards", { do: "wash decks" }],
  ["Stack the cards for the shuffling device", { do: "stack decks" }],
  ["Shuffle", { do: "shuffle deck" }, () => [deckAsked()]],
  ["Cut", { do: "cut deck" }, () => [deckAsked(), { name: "depth", kind: "number", least: 1, most: 60 }]],
  ["“No more bets”", { do: "no more bets" }, () => seen.can.find((each) => each.do === "no more bets")?.asks ?? []],
  ["Deal one card", { do: "deal cards" }],
  ["Burn the next card", { do: "burn card" }],
  ["Deal the community cards", { do: "deal community" }],
  ["Turn over a community card", { do: "turn card" }],
  ["Collect the forfeited wagers", { do: "collect forfeited" }],
  ["Turn over the dealer’s cards", { do: "reveal dealer" }],
  ["Turn over the hand of a box", { do: "turn hand" }, () => [BOX]],
  ["Settle a box", { do: "settle seat" }, () => [BOX]],
  ["Count the stub", { do: "count stub" }, () => [{ name: "counted", kind: "number", least: 0, most: 99 }]],
  ["Clear the cards", { do: "clear cards" }],
];

const deckAsked = () => ({ name: "deck", kind: "one of", of: (seen.view.decks ?? []).map(({ name }) => name) });

// Every act of a dealer, whether it is its turn or not: trainees find the next one themselves.
function showActs() {
  if (!practice) return;
  const place = $("acts");
  place.hidden = !isTraining();
  if (place.childElementCount) return;
  for (const [words, command, asks = () => [], more = () => ({})] of ACTS) {
    const element = make("button", { type: "button", class: "small", "data-act": command.do }, words);
    element.addEventListener("click", async () => {
      $("correction").hidden = true;
      const choice = { do: command.do, words, cite: "", asks: asks().filter((each) => each.kind !== "one of" || each.of?.length), command: { ...command, ...more() } };
      await sendChoice(table, choice, { element, refused: correct });
    });
    place.append(element);
  }
}

// Live

/** @param {Seen} now @param {number} version @param {LiveEvent[]} events */
function show(now, version, events) {
  seen = now;
  felt.show(seen);
  $("not-yours").hidden = isDealtByPerson();
  $("moment").textContent = situation(isTraining() ? { view: { ...seen.view, round: undefined } } : seen);
  $("phase").textContent = seen.view.round ? `${seen.view.phase}, round ${seen.view.round.number}` : seen.view.phase;
  if (events.length) $("correction").hidden = true;
  showActions();
  showActs();
  boxes($("boxes"), seen, forBox);
  facts($("facts"), seen);
  refreshSoon();
}

let lapsed = 0;
function tick() {
  const until = seen?.deadline;
  $("clock").hidden = !until;
  if (until) {
    const left = Math.ceil((until - now()) / 1000);
    if (left <= 0 && lapsed !== until) {
      lapsed = until;
      refreshSoon();
    }
    $("clock").textContent = left > 0 ? `${left} s left to decide` : "The time to decide is up";
  }
}

async function start() {
  for (const event of await get(`${path}/events?limit=30`).then((all) => all.reverse()).catch(() => [])) addToLog($("log"), event, table);
  new Live(`${path}/live`, {
    badge: $("link"),
    seen: show,
    event: (event) => {
      addToLog($("log"), event, table);
      announce(event.says);
    },
  });
}

if (practice) $("by-myself").addEventListener("change", () => seen && show(seen, 0, [])); // not before the first view
keys.add({ key: "l", words: "Lock the screen", does: () => $("lock").click() });
setInterval(tick, 500);
setInterval(refresh, 15_000); // not reported as activity; it also notices that the screen is locked
start();

// A seat: the felt, the available actions, and the results. Everything follows from the last Seen, so a reload changes nothing.

import { held, lacking, linesOf, onFelt, total } from "../shared/amounts.js";
import { command, explained, get, ready as saysReady } from "../shared/api.js";
import { byId as $, make } from "../shared/build.js";
import { card, fourColors, namesOf, withSuits } from "../shared/cards.js";
import { now } from "../shared/clock.js";
import { hourMinute } from "../shared/dates.js";
import { announce, ask, modal, notify, refusal } from "../shared/dialogs.js";
import { Felt, cardsInWords } from "../shared/felt.js";
import { form } from "../shared/form.js";
import { assignKeys, Keys } from "../shared/keys.js";
import { Live } from "../shared/live.js";
import { recall, remember, TAB } from "../shared/memory.js";
import { money, signed } from "../shared/money.js";
import { boxed, clause, gainOf, net, result, resultInWords } from "../shared/settlement.js";
import { capitalized, endOf, shortWager, wagerName } from "../shared/words.js";
import { Coach } from "./coach.js";
import { law } from "./law.js";
import { askName } from "./name_prompt.js";
import { askMoney, oneOf } from "./prompts.js";
import { offerReturn, showCode } from "./recovery_code.js";
import * as panels from "./side_panels.js";
import { sound, sounds } from "./sounds.js";
import { Wagering } from "./wagering.js";
/** @import { Choice, Command, Line, LiveEvent, Seen } from "../shared/types.js" */

const page = $("seat-page");
const { table, title, role } = page.dataset;
const seats = Number(page.dataset.seats);
const electronic = (page.dataset.electronic ?? "").split("|"); // wagers that are paid to the game account

/**
 * @typedef {object} State
 * @property {number} seat this player's seat, or 0
 * @property {string} me this player's name
 * @property {Seen} seen the last view, null before the first
 * @property {Line[]} lines of this round so far, or of the last one
 * @property {Set<number>} mine the boxes of this player
 * @property {number[]} picked cards, counted from 1
 * @property {string} best the coach's choice
 * @property {string[]} bestCards the cards that the coach would set
 * @property {Promise<any>} doing the actions under way
 * @property {string} cause what was refused under: when it changes, the refusal goes
 * @property {Seen | null} kept the settled round, shown until the player goes on or the next round begins
 * @property {AbortController} betting ends with the time for wagers
 * @property {boolean} again whether to make the same wagers once wagers are open
 * @property {number} [gone] the round after whose result the player went on
 * @property {number} [turning] the seat towards which the felt is being turned
 * @property {string} [announced] the decision last announced
 * @property {number} [warned] the deadline last warned about
 * @property {number} [recorded] the round last read from the record
 * @property {string} [paid] the payment last heard
 */

/** @type {State} */
const state = {
  seat: Number(page.dataset.seat), me: page.dataset.me, seen: /** @type {any} */ (null), lines: [], mine: new Set(), picked: [], best: "", bestCards: [],
  doing: Promise.resolve(), cause: "", kept: null, again: false, betting: new AbortController(),
};
const memory = `croupier.${table}`;
const TOUCH = matchMedia("(pointer: coarse)").matches;
const since = Number(recall(`${memory}.since`, TAB) || now()); // when this browser session began
remember(`${memory}.since`, String(since), TAB);

let felt = new Felt($("felt"));
const wagering = new Wagering($("rack"), act, `${memory}.wagers`);
const keys = new Keys();
const coach = page.dataset.practice ? new Coach($("coach"), table) : null;

// Actions

/** @param {Command} order */
async function act(order) {
  try {
    const reply = await command(table, order);
    $("refused").replaceChildren();
    await waitForVersion(reply.version);
    return reply;
  } catch (problem) {
    showRefusal(problem);
    return null;
  }
}

// The refusal, next to the buttons.
/** @param {any} problem */
function showRefusal(problem) {
  const { status, reason, cite, accepted } = problem;
  if (status === 401) location.reload(); // the session has ended; the reloaded page offers the way back
  state.cause = refusalCauses();
  $("refused").replaceChildren(make("div", { class: "refusal" }, refusal(problem, table)));
  announce(["Refused:", reason, cite ? `Clause ${cite}.` : "", accepted ? `Allowed: ${accepted}.` : ""].filter(Boolean).join(" "));
}

// What a refusal may depend on: the player's money and choices.
const refusalCauses = () => JSON.stringify([state.seen?.view.phase, state.seen?.view.seats?.[state.seat], state.seen?.can]);

// The reply comes before the view that includes it; wait for that view before the next action.
/** @param {number} version @returns {Promise<void>} */
function waitForVersion(version) {
  return new Promise((done) => {
    const until = Date.now() + 2000;
    const look = () => (state.seen?.view.version >= version || Date.now() > until ? done() : setTimeout(look, 15));
    look();
  });
}

// Actions run one after another, and a double click acts once.
/** @param {HTMLElement | null} pressed @param {() => any} work */
function runOnce(pressed, work) {
  if (pressed?.hasAttribute("aria-busy")) return state.doing;
  pressed?.setAttribute("aria-busy", "true");
  const done = () => {
    pressed?.removeAttribute("aria-busy");
    render();
  };
  state.doing = state.doing.then(work).then(done, done);
  return state.doing;
}

/** @param {HTMLElement} button */
async function ready(button) {
  await wagering.turn;
  await runOnce(button, async () => {
    try {
      await saysReady(table);
    } catch (problem) {
      showRefusal(problem);
    }
  });
}

// From the result to the next wagers; the dealer is told if the cards are still there.
/** @param {HTMLElement} button */
async function continuePlay(button) {
  const settling = Boolean(state.seen.view.round);
  state.kept = null;
  state.gone = state.seen.view.rounds;
  if (settling) await ready(button);
  felt.show(state.seen);
  render();
  await repeatWagers();
}

/** @param {HTMLElement} button */
function sameAgain(button) {
  state.again = true;
  return continuePlay(button);
}

// The same wagers as last time, and “Deal”, once wagers are open.
async function repeatWagers() {
  if (!state.again || !wagering.canRepeat) return;
  state.again = false;
  await wagering.again();
  if (total(wagering.laid) === total(wagering.last)) await ready($("choices"));
}

/** @param {number} seat @param {HTMLElement} button */
async function sit(seat, button) {
  if (!state.me) {
    state.me = await askName(title);
    if (!state.me) return;
    connect(); // again, with a name
    $("way-back").replaceChildren();
    showCode($("recovery"), state.me);
  }
  await runOnce(button, async () => {
    if (await act({ do: "sit", seat, player: state.me })) panels.rounds(table, since);
  });
}

/** @param {number} seat */
async function turnFelt(seat) {
  $("where").textContent = seat ? `· seat ${seat}` : "";
  if (felt.near === seat || state.turning === seat) return;
  state.turning = seat;
  const drawn = await (await fetch(`/tables/${encodeURIComponent(table)}/felt/${seat}`)).text();
  const fresh = $("felt").cloneNode(false);
  fresh.append(new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement);
  $("felt").replaceWith(fresh);
  felt = new Felt(fresh);
  state.turning = 0;
  felt.view($("whole").checked ? "whole" : "auto");
  if (state.seen) felt.show(state.kept ?? state.seen);
  render();
}

/** @param {number} [cents] @param {HTMLElement | null} [pressed] */
async function buyIn(cents, pressed = null) {
  const choice = choicesFor("buy in")[0];
  const most = choice?.asks[0]?.most ?? Infinity;
  const amount = cents ?? (await askMoney({ title: "Buy chips", words: "Play money: it costs nothing and is worth nothing.", quick: [20000, 50000, 100000, 500000], least: 100, most, button: "Buy" }));
  if (amount) await runOnce(pressed, () => act({ do: "buy in", seat: state.seat, amount }));
}

/** @type {Record<string, {title: string, words: string, quick: number[], button: string}>} */
const MONEY = {
  tip: { title: "Tip the dealer", words: "Your tip goes to the tip box.", quick: [100, 500, 2500], button: "Tip" },
  "fund game account": { title: "Game account", words: "Electronic wagers are placed from the game account and paid to it.", quick: [500, 1000, 2500, 10000], button: "Add to the account" },
};

/** @param {string} what */
async function askAndPay(what) {
  const choice = choicesFor(what)[0];
  if (!choice) return;
  const { least = 100, most = Infinity } = choice.asks[0] ?? {};
  const amount = await askMoney({ ...MONEY[what], least, most });
  if (amount && (await act({ ...choice.command, amount })) && what === "tip") notify("The dealer says thank you.");
}

// To another seat with the same money. If somebody is quicker, back to the old one.
async function changeSeat() {
  const [away] = choicesFor("leave");
  const from = state.seat;
  const { chips, account } = held(state.seen, from);
  const to = await oneOf({ title: "Which seat?", choices: freeSeats().map((n) => [`Seat ${n}`, n]) });
  if (!away || !to || !mayMove()) return;
  await runOnce(null, async () => {
    if (!(await act(away.command))) return;
    const sits = (await act({ do: "sit", seat: to, player: state.me })) ? to : (await act({ do: "sit", seat: from, player: state.me })) ? from : 0;
    if (sits && chips + account) await act({ do: "buy in", seat: sits, amount: chips + account });
    if (sits && account) await act({ do: "fund game account", seat: sits, amount: account });
  });
}

// A player who has nothing at stake may change seats.
const mayMove = () => choicesFor("leave").length > 0 && !boxesOf(state.seen).length && !wagering.laid.length && freeSeats().length > 0;
const freeSeats = () => Array.from({ length: seats }, (_, n) => n + 1).filter((n) => !state.seen.view.seats?.[n]);

async function leave() {
  const choice = choicesFor("leave")[0];
  if (!choice) return notify("You can leave when this step is over.", { state: "warn" });
  const loses = boxesOf(state.seen).some(([, box]) => Object.keys(box.wagers).length > 0);
  const body = make("div", {}, make("p", {}, `${choice.words} (${choice.cite}).`), make("p", {}, `Others can then take your seat.${loses ? " If you leave in the middle of a round, you give up your hand." : ""}`));
  if (await ask({ title: "Leave the table?", body, confirm: "Leave", cancel: "Stay", danger: loses })) {
    if (await act(choice.command)) location.assign("/");
  }
  return undefined;
}

/** @param {Choice} choice @param {HTMLElement} button */
async function decide(choice, button) {
  const asks = choice.asks ?? [];
  if (choice.warns && !(await ask({ title: `${choice.words}?`, body: choice.warns, confirm: capitalized(choice.command.choice), cancel: "Keep the hand", danger: true }))) return;
  const more = asks.length ? await form({ title: choice.words, cite: choice.cite, table, asks, confirm: "Confirm" }) : {};
  if (more) await runOnce(button, () => act({ ...choice.command, ...more }));
}

/** @param {HTMLElement} pressed */
async function setHand(pressed) {
  await runOnce(pressed, async () => {
    if (await act({ do: "set hand", seat: boxToSet(), cards: state.picked })) state.picked = [];
  });
}

// The player's own hand before those of adjacent boxes.
function boxToSet() {
  const boxes = choicesFor("set hand").map(({ command: order }) => order.seat);
  return boxes.includes(felt.near) ? felt.near : (boxes[0] ?? 0);
}

// The available actions

/** @param {string} what */
const choicesFor = (what) => (state.seen?.can ?? []).filter((choice) => choice.do === what);
/** @param {Seen} seen */
const boxesOf = (seen) => Object.entries(seen.view.round?.boxes ?? {}).filter(([, box]) => box.seat === state.seat);

function mode() {
  const { view } = state.seen;
  if (!state.seat) return "watch";
  if (state.kept) return "settled";
  if (choicesFor("set hand").length) return "set";
  if (choicesFor("decide").length) return "decide";
  const boxes = boxesOf(state.seen);
  if (view.round && boxes.length) return boxes.every(([, box]) => box.settled || box.left) || view.round.void ? "settled" : "play";
  if (!view.seats?.[state.seat]?.chips && !wagering.laid.length && !view.seats?.[state.seat]?.game_account) return "buy";
  return view.phase === "betting" ? "bet" : "wait";
}

const isReady = () => state.seen.ready.includes(state.seat);
const moment = () => `${state.seen.view.rounds} ${state.seen.view.phase}`;

/**
 * @typedef {{key?: string, primary?: boolean, cite?: string, disabled?: boolean, best?: boolean, kind?: string}} Look
 * @param {string} words
 * @param {(made: HTMLButtonElement) => unknown} onclick
 * @param {Look} [look]
 */
const button = (words, onclick, { key = "", primary = false, cite = "", disabled = false, best = false, kind = "" } = {}) => {
  const made = make("button", { type: "button", class: `${primary ? "primary" : ""} ${kind}`.trim(), "aria-disabled": disabled ? "true" : null, "data-key": key || null },
    make("span", { class: "words" }, words), cite ? make("span", { class: "cite" }, cite) : null,
    best ? make("span", { class: "badge coached", "data-state": "live" }, "coach") : null);
  made.addEventListener("click", () => !disabled && onclick(made));
  return made;
};

// A step that the code gives to a floorperson waits for one.
const forFloorperson = () => ({ moment: "Waiting for a floorperson", hint: `The table is waiting for ${state.seen.waits_for}.` });

/**
 * @typedef {{moment: string, hint?: string, cite?: string, buttons: HTMLButtonElement[], asked?: number, sum?: number}} Shown
 * @type {Record<string, () => Shown>}
 */
const MODES = {
  watch() {
    if (role) return { moment: "You are watching.", hint: `You are logged in as ${role}. Staff cannot play: log out to sit down.`, buttons: [] };
    const free = freeSeats();
    const { kept } = state.seen;
    const sitDown = kept ? `Sit down with ${money(kept)} at seat` : "Sit down at seat";
    const buttons = free.map((n) => button(n === felt.near ? `${sitDown} ${n}` : `Seat ${n}`, (made) => sit(n, made), { primary: n === felt.near, key: String(n) }));
    if (kept) return { moment: `The house is holding ${money(kept)} for you`, hint: free.length ? "You were away, so your seat was freed. Sit down again to get your chips back." : "You were away, so your seat was freed. No seat is free right now, but your chips are safe.", buttons };
    return { moment: free.length ? "Choose a seat" : "No seats free", hint: free.length ? "You are watching. Seats are numbered from the dealer's left." : "You can watch the game.", buttons };
  },
  buy() {
    const buttons = [20000, 50000, 500000].map((cents) => button(money(cents), (made) => buyIn(cents, made)));
    return {
      moment: "Buy chips to play", hint: state.seen.seat_until ? `Buy in by ${clockTime(state.seen.seat_until)} to keep this seat.` : "Play money: buy in as often as you like.",
      buttons: [...buttons, button("Other amount", () => buyIn(), { key: "b" }), button("Buy in for $1,000", (made) => buyIn(100000, made), { primary: true, key: "d" })],
    };
  },
  bet() {
    const sum = total(wagering.laid);
    const waiting = isReady();
    const others = Object.values(state.seen.view.wagers).length > 0;
    const lacks = lacking(state.seen, state.seat);
    const missing = sum ? wagering.places.filter(({ primary, command: order }) => primary && order.seat === state.seat) : [];
    const refused = sum ? state.seen.not_dealt : null;
    const buttons = [
      !sum && others && !waiting ? button("Sit this one out", ready, { key: "n" }) : null,
      wagering.canRepeat ? button(`Repeat bets, ${money(total(wagering.last))}`, () => wagering.again(), { key: "s", primary: true }) : null,
      sum ? button("Clear bets", () => wagering.clear(), { key: "x" }) : null,
      buyToPlay(lacks),
      sum || !wagering.canRepeat ? button(sum && waiting ? "Waiting for others" : "Deal", ready, { primary: !lacks, key: "d", disabled: !sum || waiting || missing.length > 0 || Boolean(refused) }) : null,
    ].filter((each) => each !== null);
    if (missing.length) return { moment: `Still needed: ${missing.map(({ command: order }) => order.wager).join(", ")}`, hint: "Without it you are not dealt in.", cite: missing[0].cite, buttons };
    if (refused) return { moment: "You will not be dealt in with these bets", hint: explained(refused), cite: refused.cite ?? "", buttons };
    if (state.seen.waits_for) return { ...forFloorperson(), buttons };
    if (lacks) return { moment: "Not enough chips left to play", hint: `You need ${money(state.seen.keep)} to play this hand and have ${money(held(state.seen, state.seat).chips)}. Buy chips or take back a bet; otherwise you can only fold.`, buttons };
    if (!sum && waiting) return { moment: "You are sitting this one out", hint: "Place a bet if you want to join.", buttons };
    const keep = state.seen.keep ? `Keep ${money(state.seen.keep)} to play the hand. ` : "";
    return { moment: sum ? "Your bets are placed" : "Place your bets", hint: sum ? `${keep}${waiting ? "You can still add to your bets." : "Add to your bets, or press Deal."}` : TOUCH ? "Tap a betting area to add the selected chip." : "Click a betting area to add the selected chip. Right-click to take a bet back.", buttons };
  },
  decide() {
    const choices = choicesFor("decide");
    const box = choices[0].command.seat;
    const letters = assignKeys(choices.map(({ command: { choice }, words }) => ({ words, choice })));
    const where = box === state.seat ? "" : ` for box ${box}`;
    const first = choices.find(isBest) ?? choices.find((each) => each.primary);
    const lacks = lacking(state.seen, state.seat);
    const buy = buyToPlay(lacks, !first);
    const buttons = choices.map((choice, n) =>
      button(choice.words, (made) => decide(choice, made), { primary: choice === first, cite: choice.cite, key: letters[n], best: isBest(choice), kind: "choice" }));
    const hint = lacks ? `You need ${money(state.seen.keep)} to play this hand and have ${money(held(state.seen, state.seat).chips)}.` : "";
    return { moment: `Your decision${where}`, hint, cite: choices[0].cite, buttons: buy ? [...buttons, buy] : buttons, asked: box };
  },
  set() {
    const [first] = choicesFor("set hand");
    const box = boxToSet();
    const where = box === state.seat ? "" : ` of box ${box}`;
    const set = button("Set these three", setHand, { primary: true, cite: first.cite, key: "d", disabled: state.picked.length !== 3 });
    const clear = state.picked.length ? [button("Choose again", () => pick([]), { key: "x" })] : [];
    const held = state.seen.view.round?.boxes[box]?.cards ?? [];
    const coached = state.bestCards.map((code) => held.indexOf(code) + 1);
    if (coached.length && !coached.includes(0)) clear.unshift(button("Choose the coach's three", () => pick(coached), { key: "c" }));
    return { moment: `Set your hand${where}`, hint: `${state.seen.aim} ${state.picked.length} of 3 chosen.`, cite: first.cite, buttons: [...clear, set], asked: box };
  },
  play() {
    if (state.seen.waits_for) return { ...forFloorperson(), buttons: [] };
    const { round, seats: taken } = state.seen.view;
    const asked = round?.asked[0];
    const who = asked ? taken[round.boxes[asked].seat]?.player : "";
    const boxes = boxesOf(state.seen).map(([, box]) => box);
    const out = boxes.length > 0 && boxes.every((box) => endOf(box) === "timed out");
    const rest = out ? "Your time ran out" : boxes.every((box) => box.folded) ? "You have folded" : "Waiting for the dealer";
    return { moment: who ? `${who} is deciding` : rest, hint: round?.stage ? `${capitalized(round.stage.act)}.` : "", cite: round?.stage?.cite, buttons: [] };
  },
  settled() {
    const sum = net(state.lines);
    const words = state.lines.length ? resultInWords(state.lines) : state.seen.view.round?.void ? "The hands are void" : "The round is settled.";
    const waiting = !state.kept && isReady();
    const same = total(wagering.last);
    const lines = state.lines.map((line) => `${boxed(line)}${shortWager(line.wager)} ${signed(gainOf(line))}`);
    const dealer = (state.kept ?? state.seen).view.round?.dealer_hand;
    const account = state.lines.reduce((all, line) => all + (line.electronic ? line.pays : 0), 0);
    const paid = account ? [`${money(account)} is in your game account`] : [];
    return { moment: words, hint: [...(dealer ? [`Dealer: ${withSuits(dealer)}`] : []), ...lines, ...paid].join(" · "), sum, buttons: [
      ...(same && same <= held(state.seen, state.seat).chips && !waiting ? [button(`Repeat bets and deal, ${money(same)}`, sameAgain, { key: "s" })] : []),
      button(waiting ? "Next round soon" : "Next round", continuePlay, { primary: true, key: "d", disabled: waiting }),
    ] };
  },
  wait() {
    const { phase, round, decks = [] } = state.seen.view;
    if (state.seen.waits_for) return { ...forFloorperson(), buttons: [] };
    if (choicesFor("view decks").length) {
      const [look] = choicesFor("view decks");
      const asks = choicesFor("request spread").map((choice) => button(choice.words, () => act(choice.command), { cite: choice.cite, kind: "choice" }));
      const idle = decks.some((deck) => deck.idle);
      return {
        moment: idle ? "The table was idle, so its cards are spread" : "The cards are spread for inspection",
        hint: "Look at them, then the dealer shuffles.", cite: look.cite,
        buttons: [...asks, button("Look at the cards", () => act(look.command), { primary: true, key: "d", cite: look.cite })],
      };
    }
    const words = phase === "closed" ? "The table is closed" : phase === "opening" ? "The dealer is preparing the cards" : "A round is in progress";
    return { moment: words, hint: round ? "You can join in the next round." : "", buttons: [] };
  },
};

// Exactly the chips that are lacking to play the hand.
/** @param {number} lacks */
function buyToPlay(lacks, primary = true) {
  return lacks && choicesFor("buy in").length ? button(`Buy ${money(lacks)} to play`, (made) => buyIn(lacks, made), { primary, key: "b" }) : null;
}

/** @param {number} ms */
const clockTime = (ms) => hourMinute(Date.now() + ms - now());

/** @param {Choice} choice */
function isBest({ command: order }) {
  return Boolean(state.best) && (state.best === order.choice || state.best.endsWith(`: ${order.choice}`));
}

// What can be done now, each with its clause.
const rulesNow = () => state.seen.can.filter((each) => each.cite && ["decide", "set hand", "place wager", "view decks"].includes(each.do) && !state.kept);

function showRules() {
  const rules = new Map(rulesNow().map((each) => [each.do === "set hand" ? "Set your hand" : each.words, each.cite]));
  const rows = [...rules].flatMap(([words, cite]) => [make("dt", {}, clause(cite, table)), make("dd", {}, words)]);
  const always = make("input", { type: "checkbox" });
  law.box(always);
  always.addEventListener("change", () => ($("law").checked = law.on));
  const shut = make("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Close");
  const dialog = modal("The rules behind this", make("dl", { class: "keys" }, ...rows),
    make("label", { class: "check" }, always, " Show the law everywhere"), make("div", { class: "actions" }, shut));
}

// Showing

function render() {
  if (!state.seen) return;
  const shown = mode();
  const { moment: words, hint = "", cite = "", buttons, asked = 0, sum = 0 } = MODES[shown]();
  page.dataset.mode = shown;
  page.dataset.moment = `${moment()} ${state.seen.view.round?.stage?.cite ?? ""} ${asked}`;
  page.dataset.result = shown === "settled" ? result(sum) : "";
  $("moment").textContent = words;
  $("hint").replaceChildren(hint, cite ? " " : "", cite ? clause(cite, table) : "");
  $("why").hidden = !rulesNow().length;
  $("rack").hidden = shown !== "bet" || !wagering.places.length;
  if (coach && state.lines.length) { // not the first time anymore
    remember(`${memory}.played`, "yes", TAB);
    $("first-time").hidden = true;
  }
  const kept = document.getElementById("seat-kept");
  if (kept) kept.hidden = shown === "buy" && Boolean(state.seen.seat_until); // the hint has the deadline
  showButtons(buttons, shown, asked);
  showLaid(shown);
  purseActions();
  felt.pick(shown === "set" && asked === felt.near ? state.picked : null);
  showHand(asked, shown);
  coach?.show(Boolean(asked), asked ? `${state.seen.view.rounds} ${state.seen.view.round?.stage?.cite} ${asked}` : "");
  announceMode(shown, asked);
  bindKeys(shown);
  showClock();
  page.dispatchEvent(new CustomEvent("shown", { detail: { seen: state.kept ?? state.seen, mode: shown, asked, seat: state.seat, lines: state.lines } }));
}

// The guided round: guide.js hears what is shown, and is loaded only when it is asked for.
/** @param {Event} [event] */
function guide(event) {
  event?.preventDefault();
  history.replaceState(null, "", location.pathname); // to load the page again is not to ask again
  $("first-time").hidden = true;
  const [style, script] = (page.dataset.guideFiles ?? "").split(" ");
  if (document.querySelector("#guide-script")) page.dispatchEvent(new CustomEvent("guide-again"));
  else document.head.append(make("link", { rel: "stylesheet", href: style }), make("script", { id: "guide-script", type: "module", src: script }));
}

function offerGuide() {
  if (!coach || role) return;
  $("first-time").hidden = Boolean(recall(`croupier.guide.${page.dataset.game}`) || recall(`${memory}.played`, TAB));
  if (location.hash === "#guide") guide();
}

// Unchanged buttons keep the focus; when they change, the focus stays among them.
/** @param {HTMLButtonElement[]} buttons @param {string} shown @param {number} asked the box they are for: its neighbor's may look the same */
function showButtons(buttons, shown, asked) {
  const bar = $("choices");
  const looks = JSON.stringify([shown, asked, buttons.map((each) => each.outerHTML)]);
  if (bar.looks === looks && shown !== "bet") return;
  const had = bar.contains(document.activeElement) || document.activeElement === document.body;
  bar.looks = looks;
  bar.replaceChildren(...buttons);
  if (had && shown !== "watch") (bar.querySelector(".primary:not([aria-disabled])") ?? bar.querySelector("button"))?.focus({ preventScroll: true });
}

/** @param {string} shown */
function showLaid(shown) {
  const holder = $("laid");
  holder.hidden = shown !== "bet" || !wagering.laid.length;
  holder.replaceChildren(
    ...wagering.laid.map(({ seat, wager, amount, times }) => {
      const words = times > 1 ? `${times} × ${money(amount)}` : money(amount);
      return make("button", { type: "button", class: "laid-wager", "aria-label": `Take back the ${wager}, ${words}`, onclick: () => wagering.takeBack(seat, wager) },
        make("span", {}, wagerName(wager), seat === state.seat ? "" : ` (box ${seat})`), make("strong", { class: "money" }, words), make("span", { class: "cross", "aria-hidden": "true" }, "×"));
    }),
    make("span", { class: "sum" }, "total ", make("strong", { class: "money" }, money(total(wagering.laid)))),
  );
}

// The hand of a box other than the near one, large enough to read and choose from.
/** @param {number} box @param {string} shown */
function showHand(box, shown) {
  const holder = $("hand");
  const cards = (box !== felt.near && state.seen.view.round?.boxes[box]?.cards) || [];
  holder.hidden = !cards.length;
  holder.replaceChildren(...cards.map((code, n) =>
    shown === "set"
      ? make("button", { type: "button", class: "plain", "aria-pressed": String(state.picked.includes(n + 1)), onclick: () => toggle(n + 1) }, card(code))
      : card(code)));
}

function purseActions() {
  if (!state.seat) return;
  const looks = mode() === "wait" ? [] : [...choicesFor("view decks"), ...choicesFor("request spread")];
  /** @type {[string, () => unknown, string][]} */
  const offered = looks.map((choice) => [choice.words, () => act(choice.command), ""]);
  if (choicesFor("tip").length) offered.unshift(["Tip", () => askAndPay("tip"), "t"]);
  if (choicesFor("fund game account").length) offered.unshift(["Game account", () => askAndPay("fund game account"), "g"]);
  if (choicesFor("buy in").length) offered.unshift(["Buy chips", () => buyIn(), "b"]);
  if (mayMove()) offered.push(["Change seat", changeSeat, ""]);
  offered.push(["Leave", leave, "l"]);
  const wanted = offered.map(([words]) => words).join();
  const holder = $("purse-actions");
  if (holder.dataset.offered === wanted) return;
  holder.dataset.offered = wanted;
  holder.replaceChildren(...offered.map(([words, work, key]) => button(words, work, { key })));
}

/** @param {string} shown @param {number} box */
function announceMode(shown, box) {
  const key = ["decide", "set"].includes(shown) ? `${shown} ${state.seen.view.rounds} ${state.seen.view.round?.stage?.cite} ${box}` : shown;
  if (state.announced === key) return;
  state.announced = key;
  if (shown === "decide") announce(`Your decision. ${cardsInWords(state.seen, box)} You may: ${choicesFor("decide").map((each) => each.words).join(", or ")}.`);
  else if (shown === "set") announce(`Set your hand. ${cardsInWords(state.seen, box)} Choose three with the keys 1 to 5.`);
  else if (shown === "bet") announce("Place your bets.");
  else if (shown === "settled" && state.lines.length) announce(resultInWords(state.lines));
}

// The clock, in words and as a bar

function showClock() {
  const { deadline, betting_until: until, view, standing } = state.seen;
  const [end, most] = deadline ? [deadline, view.decision_seconds] : until ? [until, standing?.betting_seconds] : [0, 0];
  $("clock").hidden = !end;
  if (!end) return;
  const left = Math.min(Math.max(0, end - now()), 1000 * (most || 3600)); // the two clocks may differ slightly
  const seconds = Math.ceil(left / 1000);
  $("clock-bar").max = 1000 * (most || 60);
  $("clock-bar").value = left;
  const count = seconds === 1 ? "1 second" : `${seconds} seconds`;
  const mine = ["decide", "set"].includes(page.dataset.mode);
  const words = !deadline ? `${count} until “no more bets”` : mine ? `${count} to decide${state.seen.lapse ? `, then: ${state.seen.lapse[0].toLowerCase()}${state.seen.lapse.slice(1)}` : ""}` : `${count} to decide`;
  if ($("clock-words").textContent !== words) $("clock-words").textContent = words;
  $("clock").classList.toggle("short", seconds <= 10 && mine);
  if (mine && seconds === 10 && state.warned !== end) {
    state.warned = end;
    announce("Ten seconds left to decide.");
  }
}

setInterval(() => state.seen && showClock(), 250);

// Picking cards

/** @param {number[]} indices */
function pick(indices) {
  state.picked = indices;
  render();
}

/** @param {number} index */
function toggle(index) {
  const chosen = state.picked.includes(index) ? state.picked.filter((each) => each !== index) : [...state.picked, index].slice(-3);
  const cards = state.seen.view.round?.boxes[boxToSet()]?.cards ?? [];
  pick(chosen);
  $("refused").replaceChildren();
  announce(chosen.length ? `Chosen: ${namesOf(chosen.map((each) => cards[each - 1] ?? ""))}.` : "No cards chosen.");
}

// Events

/** @param {LiveEvent} event */
function onEvent(event) {
  panels.addToLog(event, table);
  const mine = state.seat && (event.by === `player:${state.seat}` || state.mine.has(event.seat));
  if (event.event === "irregularity" && state.seen?.view.round) notify(event.says, { state: "warn", time: 15000 });
  else if (event.event === "wagers given back" && mine) notify(event.says, { state: "warn" });
  else if (event.event === "player left" && event.by === "device" && event.seat === state.seat) notify(event.says, { state: "warn" });
  else if (event.event === "decision lapsed" && mine) notify(event.says.replace(`Box ${state.seat}'s time`, "Your time"), { state: "warn" });
}

/** @param {Seen} seen */
function onSeen(seen) {
  const before = state.seen;
  state.seen = seen;
  if (!before && !seen.view.round) state.recorded = seen.view.rounds;
  wagering.show(seen, state.seat);
  const own = Object.entries(seen.view.seats ?? {}).find(([, each]) => each.player === state.me)?.[0];
  state.seat = role ? 0 : Number(own ?? 0);
  page.dataset.seat = state.seat;
  if (state.seat && seen.view.for === "public") checkSession();
  for (const [box] of boxesOf(seen)) state.mine.add(Number(box));
  for (const each of wagering.laid) state.mine.add(each.seat);
  if (state.seat) state.mine.add(state.seat);
  keepResult(seen);
  felt.show(state.kept ? { ...state.kept, can: seen.can } : seen);
  if (state.seat) turnFelt(state.seat);
  if (seen.view.phase !== "betting") state.betting.abort();
  else if (state.betting.signal.aborted) state.betting = new AbortController();
  if (before && (before.view.rounds !== seen.view.rounds || before.view.phase !== seen.view.phase)) state.picked = [];
  if (state.cause && refusalCauses() !== state.cause) {
    state.cause = "";
    $("refused").replaceChildren();
  }
  state.lines = linesOf(seen.view, state.seat).map((line) => (electronic.includes(line.wager) ? { ...line, electronic: true } : line));
  panels.settled(state.lines, table);
  panels.purse(seen, state.seat);
  panels.meters(seen);
  panels.people(seen, state.seat, seats);
  render();
  if (before) playSounds(before, seen);
  if (seen.view.phase === "betting") repeatWagers();
  if (state.seat && before && seen.view.rounds !== state.recorded && !seen.view.round) {
    state.recorded = seen.view.rounds;
    panels.rounds(table, since);
  }
}

const RARE = 25; // times the stake: from a straight flush up

// What has changed is heard, and a rare hand is celebrated.
/** @param {Seen} before @param {Seen} seen */
function playSounds(before, seen) {
  const cards = cardsOn(seen) - cardsOn(before);
  if (cards > 0) sound("card", cards);
  if (staked(seen) !== staked(before)) sound("chips");
  if (!before.view.round?.asked.some(isMine) && seen.view.round?.asked.some(isMine)) sound("turn");
  const key = `${seen.view.rounds} ${state.lines.length}`;
  if (state.paid === key || !state.lines.some((line) => line.pays > 0)) return;
  state.paid = key;
  sound("win");
  if (state.lines.some((line) => line.source === "meter" || line.pays >= RARE * Math.max(line.stake, 1))) felt.celebrate();
}

/** @param {number} box */
const isMine = (box) => state.mine.has(box);
/** @param {Seen} seen */
const cardsOn = ({ view: { round } }) => (round ? round.dealer.length + round.community.length + Object.values(round.boxes).reduce((sum, box) => sum + box.cards.length, 0) : 0);
/** @param {Seen} seen */
const staked = ({ view }) => JSON.stringify(onFelt(view));

// The settled round stays on the page until the player goes on; the table does not wait for it.
/** @param {Seen} seen */
function keepResult(seen) {
  const { round, rounds } = seen.view;
  const boxes = boxesOf(seen);
  if (round) state.kept = boxes.length && boxes.every(([, box]) => box.settled) && state.gone !== rounds ? seen : null;
  else if (state.kept?.view.rounds !== rounds || !state.seat) state.kept = null;
}

// The seat is taken under this name, but not by this session. If the session has ended, the page offers the way back.
async function checkSession() {
  const me = await get("/api/me").catch(() => ({ name: state.me }));
  if (me.name !== state.me) location.reload();
}

/** @type {Live | null} */
let live = null;

function connect() {
  live?.close();
  live = new Live(`/api/tables/${encodeURIComponent(table)}/live`, { seen: onSeen, event: onEvent, badge: $("link") });
}

// Keys

/** @param {string} shown */
function bindKeys(shown) {
  const bound = [...$("choices").querySelectorAll("[data-key]")].map((each) => ({
    key: each.dataset.key, words: each.querySelector(".words").textContent, element: each, does: () => each.click(),
  }));
  const picks = [1, 2, 3, 4, 5].map((n) => ({ key: String(n), words: `Choose card ${n}`, does: () => toggle(n) }));
  keys.set([...bound, ...(shown === "bet" ? betKeys() : shown === "set" ? picks : shown === "settled" ? [{ key: " ", words: "Continue", does: pressSpace }] : [])]);
}

// Space goes on, unless something else has the focus that it would press.
function pressSpace() {
  const on = /** @type {HTMLElement | null} */ (document.activeElement);
  (on?.matches("button, summary, a, [role=button]") ? on : $("choices").querySelector(".primary"))?.click();
}

function betKeys() {
  const own = wagering.places.filter(({ command: order }) => order.seat === state.seat).slice(0, 9);
  return [
    ...own.map(({ command: order }, n) => ({ key: String(n + 1), words: `Add the selected chip to the ${order.wager}`, does: () => wagering.place(order.seat, order.wager) })),
    { key: "[", words: "Select a smaller chip", does: () => announce(`${money(wagering.next(-1))} chips`) },
    { key: "]", words: "Select a larger chip", does: () => announce(`${money(wagering.next(1))} chips`) },
    { key: "Backspace", words: "Take back the focused wager, or the last one", does: () => takeBackOf(document.activeElement?.closest?.(".area.open")) || takeBackLast() },
  ];
}

function takeBackLast() {
  const last = wagering.laid.at(-1);
  if (last) wagering.takeBack(last.seat, last.wager);
}

/** @param {Element | null | undefined} area */
function takeBackOf(area) {
  const bet = area && felt.bets.find((each) => each.area === area);
  const words = bet?.choices.map(({ command: order }) => order.wager) ?? [];
  const lies = wagering.laid.filter((each) => each.seat === bet?.seat && words.includes(each.wager)).at(-1);
  if (lies) wagering.takeBack(lies.seat, lies.wager);
  return Boolean(bet);
}

keys.add(
  { key: "b", words: "Buy chips", does: () => state.seat && buyIn() },
  { key: "t", words: "Tip the dealer", does: () => askAndPay("tip") },
  { key: "g", words: "Add chips to the game account", does: () => askAndPay("fund game account") },
  { key: "l", words: "Leave the table", does: () => state.seat && leave() },
  { key: "h", words: "Open the rule sheet", does: () => location.assign($("to-rules").href) },
  { key: "k", words: "Coach on or off (practice tables)", does: () => coach?.turn(!coach.on) },
  { key: "v", words: "Show the whole table, or your seat", does: () => $("whole").click() },
  { key: "o", words: "Four-color suits on or off", does: () => $("four").click() },
  { key: "m", words: "Sounds on or off", does: () => $("sounds").click() },
  { key: "i", words: "Show or hide the law", does: () => $("law").click() },
);

// The page

// Why a betting area accepts no wager now: the game account is empty, or what the table's own refusal says.
/** @param {{detail: {seat: number, wager: string}}} event */
async function explainShut({ detail: { seat, wager } }) {
  if (page.dataset.mode !== "bet" || seat !== state.seat) return;
  const [name] = wager.split(":");
  if (electronic.includes(name) && !held(state.seen, state.seat).account) showRefusal({ reason: `The ${name} is placed from your game account, which is empty. Add chips to the account first.` });
  else await runOnce(null, () => act({ do: "place wager", seat, wager, amount: wagering.value }));
}

/** @param {{detail: {seat: number, choices: Choice[]}}} event */
async function onWager({ detail: { seat, choices: open } }) {
  if (state.kept) await continuePlay($("choices"));
  if (open.length === 1) return wagering.place(seat, open[0].command.wager);
  const chosen = await oneOf({ title: "Which wager?", signal: state.betting.signal, choices: open.map(({ command: order, words }) => [words, order.wager]) });
  return chosen ? wagering.place(seat, chosen) : null;
}

page.addEventListener("wager", onWager);
page.addEventListener("shut", explainShut);
page.addEventListener("card", (/** @type {CustomEvent} */ { detail }) => toggle(detail.index));
page.addEventListener("best", (/** @type {CustomEvent} */ { detail }) => {
  state.best = detail.words;
  state.bestCards = detail.cards;
  if (state.seen && state.announced) render();
});
page.addEventListener("contextmenu", (/** @type {any} */ event) => {
  const area = event.target.closest?.(".felt .area.open");
  if (!area) return;
  event.preventDefault();
  takeBackOf(area);
});
fourColors.box($("four"));
law.box($("law"));
sounds.box($("sounds"));
$("why").addEventListener("click", showRules);
$("whole").addEventListener("change", () => felt.view($("whole").checked ? "whole" : "auto"));
$("help").addEventListener("click", () => keys.show());
$("balance-buy").addEventListener("click", () => buyIn());
for (const each of document.querySelectorAll("[data-guide]")) each.addEventListener("click", guide);
page.addEventListener("guide", render);
offerGuide();
onSeen(JSON.parse($("seen").textContent ?? "")); // as the server saw it; the connection brings what follows
connect();
if (state.seat) panels.rounds(table, since);
if (state.me) showCode($("recovery"), state.me);
else offerReturn($("way-back"));

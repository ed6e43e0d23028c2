// A seat: the felt, what can be done now, and what was told. Everything follows from the last Seen; a reload changes nothing.

import { command, ready as saysReady } from "./api.js";
import * as beside from "./beside.js";
import { card, fourColours, namesOf } from "./cards.js";
import { Coach } from "./coach.js";
import { announce, ask, fill, notify } from "./dialog.js";
import { askMoney, oneOf } from "./dialogs.js";
import { element } from "./element.js";
import { Felt, told as cardsTold } from "./felt.js";
import { askName } from "./guest.js";
import { Keys } from "./keys.js";
import { Live } from "./live.js";
import { money } from "./money.js";
import { clause, net, told as resultTold } from "./settlement.js";
import { Wagering } from "./wagering.js";

const $ = (id) => document.getElementById(id);
const page = $("seat-page");
const { table, title, role } = page.dataset;
const seats = Number(page.dataset.seats);
const offset = Number(page.dataset.now) - Date.now(); // the house's clock against this one
const now = () => Date.now() + offset;
const at = { seat: Number(page.dataset.seat), me: page.dataset.me, seen: null, lines: [], mine: new Set(), ready: "", picked: [], best: "", doing: Promise.resolve() };
const memory = `croupier.${table}`;
const since = sessionSince();

let felt = new Felt($("felt"));
const wagering = new Wagering($("rack"), act, `${memory}.wagers`);
const keys = new Keys();
const coach = page.dataset.practice ? new Coach($("coach"), table) : null;

function sessionSince() {
  try {
    if (!sessionStorage.getItem(`${memory}.since`)) sessionStorage.setItem(`${memory}.since`, String(now()));
    return Number(sessionStorage.getItem(`${memory}.since`));
  } catch {
    return now();
  }
}

// Doing

async function act(said) {
  try {
    const reply = await command(table, said);
    $("refused").replaceChildren();
    await reached(reply.version);
    return reply;
  } catch (problem) {
    refused(problem);
    return null;
  }
}

// Why not, under which clause and what would be accepted, beside what was pressed.
function refused({ reason, cite, accepted }) {
  const told = element("p", {}, reason, " ", cite ? clause(cite, table) : null);
  $("refused").replaceChildren(element("div", { class: "refusal" }, told, accepted ? element("p", { class: "accepted" }, `Accepted: ${accepted}.`) : null));
  announce(["Refused:", reason, cite ? `Clause ${cite}.` : "", accepted ? `Accepted: ${accepted}.` : ""].join(" "));
}

// The answer comes before the view that shows it; what is wished next is wished of that view.
function reached(version) {
  return new Promise((done) => {
    const until = Date.now() + 2000;
    const look = () => (at.seen?.view.version >= version || Date.now() > until ? done() : setTimeout(look, 15));
    look();
  });
}

// One thing after another; what is pressed twice is done once.
function once(pressed, work) {
  if (pressed?.hasAttribute("aria-busy")) return at.doing;
  pressed?.setAttribute("aria-busy", "true");
  const done = () => {
    pressed?.removeAttribute("aria-busy");
    render();
  };
  at.doing = at.doing.then(work).then(done, done);
  return at.doing;
}

async function ready(button) {
  await wagering.turn;
  await once(button, async () => {
    try {
      await saysReady(table);
      at.ready = moment();
    } catch (problem) {
      refused(problem);
    }
  });
}

async function sit(seat, button) {
  if (!at.me) {
    at.me = await askName(title);
    if (!at.me) return;
    connect(); // as somebody now
  }
  await once(button, async () => {
    if (await act({ do: "sit", seat, player: at.me })) beside.rounds(table, since);
  });
}

async function turnFelt(seat) {
  $("where").textContent = seat ? `· seat ${seat}` : "";
  if (felt.near === seat || at.turning === seat) return;
  at.turning = seat;
  const drawn = await (await fetch(`/tables/${encodeURIComponent(table)}/felt/${seat}`)).text();
  const fresh = $("felt").cloneNode(false);
  fresh.append(new DOMParser().parseFromString(drawn, "image/svg+xml").documentElement);
  $("felt").replaceWith(fresh);
  felt = new Felt(fresh);
  at.turning = 0;
  felt.view($("whole").checked ? "whole" : "auto");
  if (at.seen) felt.show(at.seen);
  render();
}

async function buyIn(cents, pressed = null) {
  const choice = can("buy in")[0];
  const most = choice?.asks[0]?.most ?? Infinity;
  const amount = cents ?? (await askMoney({ title: "Buy chips", words: "Play chips: they cost nothing and are worth nothing.", quick: [20000, 50000, 100000, 500000], least: 100, most, button: "Buy" }));
  if (amount) await once(pressed, () => act({ do: "buy in", seat: at.seat, amount }));
}

const MONEY = {
  tip: { title: "Tip the dealer", words: "It goes to the tip box, with thanks.", quick: [100, 500, 2500], button: "Tip" },
  "fund game account": { title: "Game account", words: "Electronic wagers are placed from the game account and paid to it.", quick: [500, 1000, 2500, 10000], button: "Put on the account" },
};

async function withMoney(what) {
  const choice = can(what)[0];
  if (!choice) return;
  const { least = 100, most = Infinity } = choice.asks[0] ?? {};
  const amount = await askMoney({ ...MONEY[what], least, most });
  if (amount && (await act({ ...choice.command, amount })) && what === "tip") notify("The dealer says thank you.");
}

async function leave() {
  const choice = can("leave")[0];
  if (!choice) return notify("Wait for the end of this step; then you can leave.", { state: "warn" });
  const lying = Object.values(at.seen.view.round?.boxes ?? {}).filter((box) => box.seat === at.seat).flatMap((box) => Object.values(box.wagers)).reduce((a, b) => a + b, 0);
  const words = [`You take ${money(at.seen.view.seats[at.seat].chips)} with you. Your seat is free for others.`];
  if (lying) words.push(`${choice.words}: a hand that its player leaves in the middle of a round is given up, and ${money(lying)} on the layout is lost (${choice.cite}).`);
  const body = element("div", {}, words.map((each) => element("p", {}, each)));
  if (await ask({ title: "Leave the table?", body, confirm: "Leave", cancel: "Stay", danger: lying > 0 })) {
    if (await act(choice.command)) location.assign("/");
  }
  return undefined;
}

async function decide(choice, button) {
  const asks = choice.asks ?? [];
  const more = asks.length ? await fill({ title: choice.words, cite: choice.cite, table, asks, body: asks[0].words ?? "", confirm: "Say it" }) : {};
  if (more) await once(button, () => act({ ...choice.command, ...more }));
}

async function setHand(pressed) {
  await once(pressed, async () => {
    if (await act({ do: "set hand", seat: toSet(), cards: at.picked })) at.picked = [];
  });
}

// One's own hand before those of the boxes beside it.
function toSet() {
  const boxes = can("set hand").map(({ command: said }) => said.seat);
  return boxes.includes(felt.near) ? felt.near : (boxes[0] ?? 0);
}

// What can be done now

const can = (what) => (at.seen?.can ?? []).filter((choice) => choice.do === what);
const boxesOf = (seen) => Object.entries(seen.view.round?.boxes ?? {}).filter(([, box]) => box.seat === at.seat);

function mode() {
  const { view } = at.seen;
  if (!at.seat) return "watch";
  if (can("set hand").length) return "set";
  if (can("decide").length) return "decide";
  const boxes = boxesOf(at.seen);
  if (view.round && boxes.length) return boxes.every(([, box]) => box.settled || box.left) || view.round.void ? "settled" : "play";
  if (!view.seats?.[at.seat]?.chips && !wagering.laid.length && !view.seats?.[at.seat]?.game_account) return "buy";
  return view.phase === "betting" ? "bet" : "wait";
}

const moment = () => `${at.seen.view.rounds} ${at.seen.view.phase}`;

const button = (words, onclick, { key = "", primary = false, cite = "", disabled = false, best = false, kind = "" } = {}) => {
  const made = element("button", { type: "button", class: `${primary ? "primary" : ""} ${kind}`.trim(), "aria-disabled": disabled ? "true" : null, "data-key": key || null },
    element("span", { class: "words" }, words), cite ? element("span", { class: "cite" }, cite) : null,
    best ? element("span", { class: "badge coached", "data-state": "live" }, "coach") : null);
  made.addEventListener("click", () => !disabled && onclick(made));
  return made;
};

// What the text gives to a floorperson waits for one; the dealer goes on afterwards.
const forFloorperson = () => ({ moment: "Waiting for a floorperson", hint: `The table waits for ${at.seen.waits_for}.` });

const MODES = {
  watch() {
    if (role) return { moment: "You are watching.", hint: `Logged in as ${role}; players sit down without an account.`, buttons: [] };
    const taken = at.seen.view.seats ?? {};
    const free = Array.from({ length: seats }, (_, n) => n + 1).filter((n) => !taken[n]);
    const buttons = free.map((n) => button(n === felt.near ? `Sit down at seat ${n}` : `Seat ${n}`, (made) => sit(n, made), { primary: n === felt.near, key: String(n) }));
    return { moment: free.length ? "Choose a seat" : "No seat is free", hint: free.length ? "You are watching. Seats are counted from the dealer's left." : "You are watching, and see what lies open.", buttons };
  },
  buy() {
    const buttons = [20000, 50000, 500000].map((cents) => button(money(cents), (made) => buyIn(cents, made)));
    return {
      moment: "Buy chips to play", hint: "Play chips: one click, as often as you like.",
      buttons: [...buttons, button("Other amount", () => buyIn(), { key: "b" }), button("Buy in for $1,000", (made) => buyIn(100000, made), { primary: true, key: "d" })],
    };
  },
  bet() {
    const sum = wagering.laid.reduce((all, each) => all + each.amount, 0);
    const waiting = at.ready === moment();
    const missing = sum ? wagering.places.filter(({ primary, command: said }) => primary && said.seat === at.seat) : [];
    const buttons = [
      wagering.canRepeat ? button(`Same again, ${money(wagering.last.reduce((all, each) => all + each.amount, 0))}`, () => wagering.again(), { key: "s", primary: true }) : null,
      sum ? button("Clear wagers", () => wagering.clear(), { key: "x" }) : null,
      sum || !wagering.canRepeat ? button(waiting ? "Waiting for the others" : "Deal", ready, { primary: true, key: "d", disabled: !sum || waiting || missing.length > 0 }) : null,
    ].filter(Boolean);
    if (missing.length) return { moment: `Still needed: ${missing.map(({ command: said }) => said.wager).join(", ")}`, hint: "Without it no cards are dealt to you.", cite: missing[0].cite, buttons };
    if (at.seen.waits_for) return { ...forFloorperson(), buttons };
    return { moment: sum ? "Your wagers are down" : "Place your wagers", hint: sum ? "Add to them, or say that you are ready." : "Click an area of the felt: each click adds the chip in hand. Right-click takes it back.", buttons };
  },
  decide() {
    const choices = can("decide");
    const box = choices[0].command.seat;
    const letters = lettered(choices);
    const where = box === at.seat ? "" : ` for box ${box}`;
    const first = choices.find((each) => each.primary) ?? choices[0];
    const buttons = choices.map((choice, n) =>
      button(choice.words, (made) => decide(choice, made), { primary: choice === first, cite: choice.cite, key: letters[n], best: isBest(choice), kind: "choice" }));
    return { moment: `Your decision${where}`, hint: "Asked under", cite: choices[0].cite, buttons, asked: box };
  },
  set() {
    const [first] = can("set hand");
    const box = toSet();
    const where = box === at.seat ? "" : ` of box ${box}`;
    const set = button("Set these three", setHand, { primary: true, cite: first.cite, key: "d", disabled: at.picked.length !== 3 });
    const clear = at.picked.length ? [button("Choose again", () => pick([]), { key: "x" })] : [];
    return { moment: `Set your hand${where}`, hint: at.picked.length === 3 ? "Three for the three-card hand, the other two for the showdown." : `Choose three cards for the three-card hand: ${at.picked.length} of 3.`, cite: first.cite, buttons: [...clear, set], asked: box };
  },
  play() {
    if (at.seen.waits_for) return { ...forFloorperson(), buttons: [] };
    const { round } = at.seen.view;
    const asked = round.asked[0];
    const who = asked ? at.seen.view.seats?.[round.boxes[asked]?.seat]?.player : "";
    const boxes = boxesOf(at.seen).map(([, box]) => box);
    const out = boxes.length > 0 && boxes.every((box) => box.decided.at(-1) === "timed out");
    const rest = out ? "Your time ran out" : boxes.every((box) => box.folded) ? "You have folded" : "The dealer is at work";
    return { moment: who ? `${who} decides` : rest, hint: round.stage ? sentenceOf(round.stage.act) : "", cite: round.stage?.cite, buttons: [] };
  },
  settled() {
    const sum = net(at.lines);
    const words = at.lines.length ? resultTold(at.lines) : "The round is settled.";
    const waiting = at.ready === moment();
    const lines = at.lines.map((line) => `${line.wager.replace(/ (Wager|Payout)\b/g, "")} ${signed(line.pays + line.returns - line.stake)}`);
    const dealer = at.seen.view.round?.dealer_hand;
    return { moment: words, hint: [...(dealer ? [`Dealer: ${dealer}`] : []), ...lines].join(" · "), result: sum, buttons: [button(waiting ? "Next round soon" : "Next round", ready, { primary: true, key: "d", disabled: waiting })] };
  },
  wait() {
    const { phase, round, decks = [] } = at.seen.view;
    if (at.seen.waits_for) return { ...forFloorperson(), buttons: [] };
    if (can("view decks").length) {
      const [look] = can("view decks");
      const asks = can("request spread").map((choice) => button(choice.words, () => act(choice.command), { cite: choice.cite, kind: "choice" }));
      const idle = decks.some((deck) => deck.idle);
      return {
        moment: idle ? "The table was idle: its cards are spread" : "The cards are spread for you to see",
        hint: "Look at them, and the dealer shuffles.", cite: look.cite,
        buttons: [...asks, button("Look at the cards", () => act(look.command), { primary: true, key: "d", cite: look.cite })],
      };
    }
    const words = phase === "closed" ? "The table is closed" : phase === "opening" ? "The dealer prepares the cards" : "A round is being played";
    return { moment: words, hint: round ? "You join in at the next one." : "", buttons: [] };
  },
};

const signed = (cents) => (cents > 0 ? `+${money(cents)}` : cents < 0 ? `−${money(-cents)}` : money(0));
const sentenceOf = (deed) => `${deed[0].toUpperCase()}${deed.slice(1)}.`;

function lettered(choices) {
  const used = new Set();
  return choices.map(({ command: said, words }) => {
    const multiple = /(\d)x$/.exec(said.choice ?? "")?.[1];
    const letters = [multiple, ...words.toLowerCase().replace(/[^a-z]/g, "")].filter(Boolean);
    const key = letters.find((each) => !used.has(each)) ?? "";
    used.add(key);
    return key;
  });
}

function isBest({ command: said }) {
  return Boolean(at.best) && (at.best === said.choice || at.best.endsWith(`: ${said.choice}`));
}

// Showing

function render() {
  if (!at.seen) return;
  const shown = mode();
  const { moment: words, hint = "", cite = "", buttons, asked = 0, result = 0 } = MODES[shown]();
  page.dataset.mode = shown;
  page.dataset.moment = `${moment()} ${at.seen.view.round?.stage?.cite ?? ""} ${asked}`;
  page.dataset.result = shown === "settled" ? (result > 0 ? "won" : result < 0 ? "lost" : "stood") : "";
  $("moment").textContent = words;
  $("hint").replaceChildren(hint, cite ? " " : "", cite ? clause(cite, table) : "");
  $("rack").hidden = shown !== "bet" || !wagering.places.length;
  choices(buttons, shown);
  laid(shown);
  purseActions();
  felt.pick(shown === "set" && asked === felt.near);
  if (shown === "set") felt.select(at.picked);
  handOf(asked, shown);
  coach?.show(Boolean(asked), asked ? `${at.seen.view.rounds} ${at.seen.view.round.stage?.cite} ${asked}` : "");
  tellDecision(shown, asked);
  bindKeys(shown);
  clock();
}

// Buttons that stay as they are keep their focus; where they change, the focus stays among them.
function choices(buttons, shown) {
  const bar = $("choices");
  const looks = JSON.stringify([shown, buttons.map((each) => each.outerHTML)]);
  if (bar.looks === looks && shown !== "bet") return;
  const had = bar.contains(document.activeElement) || document.activeElement === document.body;
  bar.looks = looks;
  bar.replaceChildren(...buttons);
  if (had && shown !== "watch") (bar.querySelector(".primary:not([aria-disabled])") ?? bar.querySelector("button"))?.focus({ preventScroll: true });
}

function laid(shown) {
  const holder = $("laid");
  holder.hidden = shown !== "bet" || !wagering.laid.length;
  const sum = wagering.laid.reduce((all, each) => all + each.amount, 0);
  holder.replaceChildren(
    ...wagering.laid.map(({ seat, wager, amount }) =>
      element("button", { type: "button", class: "laid-wager", "aria-label": `Take back the ${wager}, ${money(amount)}`, onclick: () => wagering.takeBack(seat, wager) },
        element("span", {}, wager.replace(/ Wager\b/, ""), seat === at.seat ? "" : ` (box ${seat})`), element("strong", { class: "money" }, money(amount)), element("span", { class: "cross", "aria-hidden": "true" }, "×"))),
    element("span", { class: "sum" }, "in all ", element("strong", { class: "money" }, money(sum))),
  );
}

// The hand of a box that is not the near one, large enough to read and to choose from.
function handOf(box, shown) {
  const holder = $("hand");
  const cards = box && box !== felt.near ? at.seen.view.round.boxes[box].cards : [];
  holder.hidden = !cards.length;
  holder.replaceChildren(...cards.map((code, n) =>
    shown === "set"
      ? element("button", { type: "button", class: "plain", "aria-pressed": String(at.picked.includes(n + 1)), onclick: () => toggle(n + 1) }, card(code))
      : card(code)));
}

function purseActions() {
  if (!at.seat) return;
  const looks = mode() === "wait" ? [] : [...can("view decks"), ...can("request spread")];
  const offered = [
    can("buy in").length ? ["Buy chips", () => buyIn(), "b"] : null,
    can("fund game account").length ? ["Game account", () => withMoney("fund game account"), "g"] : null,
    can("tip").length ? ["Tip", () => withMoney("tip"), "t"] : null,
    ...looks.map((choice) => [choice.words, () => act(choice.command), ""]),
    ["Leave", leave, "l"],
  ].filter(Boolean);
  const wanted = offered.map(([words]) => words).join();
  const holder = $("purse-actions");
  if (holder.dataset.offered === wanted) return;
  holder.dataset.offered = wanted;
  holder.replaceChildren(...offered.map(([words, work, key]) => button(words, work, { key })));
}

function tellDecision(shown, box) {
  const key = ["decide", "set"].includes(shown) ? `${shown} ${at.seen.view.rounds} ${at.seen.view.round.stage?.cite} ${box}` : shown;
  if (at.announced === key) return;
  at.announced = key;
  if (shown === "decide") announce(`Your decision. ${cardsTold(at.seen, box)} You may: ${can("decide").map((each) => each.words).join(", or ")}.`);
  else if (shown === "set") announce(`Set your hand. ${cardsTold(at.seen, box)} Choose three of them with the keys 1 to 5.`);
  else if (shown === "bet") announce("Place your wagers.");
  else if (shown === "settled" && at.lines.length) announce(resultTold(at.lines));
}

// The clock: in words and figures, and as a bar

function clock() {
  const { deadline, betting_until: until, view, standing } = at.seen;
  const [end, most] = deadline ? [deadline, view.decision_seconds] : until ? [until, standing?.betting_seconds] : [0, 0];
  $("clock").hidden = !end;
  if (!end) return;
  const left = Math.min(Math.max(0, end - now()), 1000 * (most || 3600)); // two clocks never quite agree
  const seconds = Math.ceil(left / 1000);
  $("clock-bar").max = 1000 * (most || 60);
  $("clock-bar").value = left;
  const count = seconds === 1 ? "1 second" : `${seconds} seconds`;
  const mine = ["decide", "set"].includes(page.dataset.mode);
  const words = !deadline ? `${count} until “no more bets”` : mine ? `${count} to decide; then the choice that risks no further money is taken for you` : `${count} to decide`;
  if ($("clock-words").textContent !== words) $("clock-words").textContent = words;
  $("clock").classList.toggle("short", seconds <= 10 && mine);
  if (mine && seconds === 10 && at.warned !== end) {
    at.warned = end;
    announce("Ten seconds left to decide.");
  }
}

setInterval(() => at.seen && clock(), 250);

// Picking cards

function pick(indices) {
  at.picked = indices;
  render();
}

function toggle(index) {
  const chosen = at.picked.includes(index) ? at.picked.filter((each) => each !== index) : [...at.picked, index].slice(-3);
  const cards = at.seen.view.round.boxes[toSet()]?.cards ?? [];
  pick(chosen);
  $("refused").replaceChildren();
  announce(chosen.length ? `Chosen: ${namesOf(chosen.map((each) => cards[each - 1] ?? ""))}.` : "None chosen.");
}

// What is heard

function heard(event) {
  beside.says(event, table);
  const mine = at.seat && (event.by === `player:${at.seat}` || at.mine.has(event.seat));
  if (event.event === "no more bets") {
    at.lines = [];
    at.forfeited = "";
  } else if (event.event === "forfeited wagers collected") {
    [at.forfeited = ""] = event.cites;
  } else if (event.lines?.length && mine) {
    at.lines = [...at.lines, ...event.lines];
    beside.settled(at.lines, table);
    announce(resultTold(at.lines));
  } else if (event.event === "wagers given back" && mine) notify(event.says, { state: "warn" });
  else if (event.event === "decision lapsed" && mine) notify(event.says.replace(`Box ${at.seat}'s time`, "Your time"), { state: "warn" });
}

function see(seen, events) {
  const before = at.seen;
  at.seen = seen;
  if (!before && !seen.view.round) at.recorded = seen.view.rounds;
  wagering.show(seen, at.seat);
  const own = Object.entries(seen.view.seats ?? {}).find(([, each]) => each.player === at.me)?.[0];
  at.seat = role ? 0 : Number(own ?? 0);
  page.dataset.seat = at.seat;
  for (const [box] of boxesOf(seen)) at.mine.add(Number(box));
  for (const each of wagering.laid) at.mine.add(each.seat);
  if (at.seat) at.mine.add(at.seat);
  felt.show(seen, { events });
  if (at.seat) turnFelt(at.seat);
  if (before && (before.view.rounds !== seen.view.rounds || before.view.phase !== seen.view.phase)) {
    at.picked = [];
    $("refused").replaceChildren();
  }
  beside.purse(seen, at.seat);
  beside.meters(seen);
  beside.people(seen, at.seat, seats);
  render();
  if (at.seat && before && seen.view.rounds !== at.recorded && !seen.view.round) ended(seen.view.rounds);
}

// A round is over: it stands in the record now, with what a fold has lost.
async function ended(number) {
  at.recorded = number;
  const [last] = await beside.rounds(table, since);
  if (last?.number !== number) return;
  const more = beside.forfeited(last, at.lines, at.forfeited);
  if (!more.length) return;
  at.lines = [...more, ...at.lines];
  beside.settled(at.lines, table);
  announce(resultTold(at.lines));
}

let live = null;

function connect() {
  live?.close();
  live = new Live(`/api/tables/${encodeURIComponent(table)}/live`, { seen: (seen, _, events) => see(seen, events), event: heard, badge: $("link") });
}

// Keys

function bindKeys(shown) {
  const bound = [...$("choices").querySelectorAll("[data-key]")].map((each) => ({
    key: each.dataset.key, words: each.querySelector(".words").textContent, element: each, does: () => each.click(),
  }));
  const picks = [1, 2, 3, 4, 5].map((n) => ({ key: String(n), words: `Choose card ${n}, or not`, does: () => toggle(n) }));
  keys.set([...bound, ...(shown === "bet" ? betKeys() : shown === "set" ? picks : [])]);
}

function betKeys() {
  const own = wagering.places.filter(({ command: said }) => said.seat === at.seat).slice(0, 9);
  return [
    ...own.map(({ command: said }, n) => ({ key: String(n + 1), words: `Add the chip in hand to the ${said.wager}`, does: () => wagering.place(said.seat, said.wager) })),
    { key: "[", words: "A smaller chip in hand", does: () => announce(`Chips of ${money(wagering.next(-1))}`) },
    { key: "]", words: "A larger chip in hand", does: () => announce(`Chips of ${money(wagering.next(1))}`) },
    { key: "Backspace", words: "Take back the wager under the focus, or the last one", does: () => takeBackOf(document.activeElement?.closest?.(".area.open")) || takeBackLast() },
  ];
}

function takeBackLast() {
  const last = wagering.laid.at(-1);
  if (last) wagering.takeBack(last.seat, last.wager);
}

function takeBackOf(area) {
  const bet = area && felt.bets.find((each) => each.area === area);
  const words = bet?.choices.map(({ command: said }) => said.wager) ?? [];
  const lies = wagering.laid.filter((each) => each.seat === bet?.seat && words.includes(each.wager)).at(-1);
  if (lies) wagering.takeBack(lies.seat, lies.wager);
  return Boolean(bet);
}

keys.add(
  { key: "b", words: "Buy chips", does: () => at.seat && buyIn() },
  { key: "t", words: "Tip the dealer", does: () => withMoney("tip") },
  { key: "g", words: "Put chips on the game account", does: () => withMoney("fund game account") },
  { key: "l", words: "Leave the table", does: () => at.seat && leave() },
  { key: "h", words: "How it is played: the rule sheet", does: () => location.assign($("to-rules").href) },
  { key: "k", words: "Coach on or off (practice tables)", does: () => coach?.turn(!coach.on) },
  { key: "v", words: "The whole table, or your seat", does: () => $("whole").click() },
  { key: "o", words: "Four colours of suits, or two", does: () => $("four").click() },
);

// The page

async function onWager({ detail: { seat, choices: open } }) {
  if (open.length === 1) return wagering.place(seat, open[0].command.wager);
  const chosen = await oneOf({ title: "Which wager?", choices: open.map(({ command: said, words }) => [words, said.wager]) });
  return chosen ? wagering.place(seat, chosen) : null;
}

page.addEventListener("wager", onWager);
page.addEventListener("card", ({ detail }) => toggle(detail.index));
page.addEventListener("best", ({ detail }) => {
  at.best = detail.words;
  if (at.seen && at.announced) render();
});
page.addEventListener("contextmenu", (event) => {
  const area = event.target.closest?.(".felt .area.open");
  if (!area) return;
  event.preventDefault();
  takeBackOf(area);
});
$("four").checked = fourColours();
$("four").addEventListener("change", () => fourColours($("four").checked));
$("whole").addEventListener("change", () => felt.view($("whole").checked ? "whole" : "auto"));
$("help").addEventListener("click", () => keys.show());
connect();
if (at.seat) beside.rounds(table, since);

// Betting: the selected chip, what a click adds, taking wagers back, and repeating the last ones.
//
// const wagering = new Wagering(rack, act)     act(command) -> a promise of the reply, or of null if refused
// wagering.show(seen, seat)                    call before each use
// wagering.place(seat, wager) takeBack(seat, wager) clear() again()   one after another, each based on the wagers at that time
// wagering.laid                                [{seat, wager, amount, times}] of this player now
// wagering.canRepeat                           whether the last round's wagers can be repeated

import { leavesTooLittle, placed } from "../shared/amounts.js";
import { make } from "../shared/build.js";
import { chip, VALUES } from "../shared/chips.js";
import { notify } from "../shared/dialogs.js";
import { recall, remember, TAB } from "../shared/memory.js";
import { money } from "../shared/money.js";
import { capitalized, listed } from "../shared/words.js";
/** @import { Placed as Wager } from "../shared/amounts.js" */
/** @import { Choice, Command, Seen, View } from "../shared/types.js" */

const RACK = [...VALUES].reverse(); // smallest first

export class Wagering {
  /** @param {HTMLElement} rack @param {(command: Command) => Promise<any>} act @param {string} memory */
  constructor(rack, act, memory) {
    this.rack = rack;
    this.act = act;
    this.memory = memory;
    this.value = 0; // cents of the selected chip, once the minimum is known
    /** @type {Choice[]} */
    this.can = [];
    /** @type {Wager[]} */
    this.laid = [];
    /** @type {Promise<any>} */
    this.turn = Promise.resolve();
    /** @type {Wager[]} */
    this.last = JSON.parse(recall(this.memory, TAB) || "[]");
    this.most = Infinity; // cents of the largest chip offered
    this.limits = make("span", { class: "money" });
    this._draw();
  }

  /** @param {Seen} seen @param {number} seat */
  show(seen, seat) {
    this.can = (seen.can ?? []).filter(({ do: what }) => what === "place wager" || what === "take back wager");
    if (!this.value) this.choose(RACK.find((value) => value >= Math.max(500, seen.view.limits.minimum)) ?? 500);
    this._limit(seen.view.limits);
    this._mark(seen, seat);
    if (seen.view.phase === "betting") this.laid = placed(seen);
    else if (this.laid.length) {
      this.last = this.laid; // the wagers of the round that has just begun
      this.laid = [];
      remember(this.memory, JSON.stringify(this.last), TAB);
    }
  }

  get places() {
    return this.can.filter((each) => each.do === "place wager");
  }

  get canRepeat() {
    return this.last.length > 0 && this.laid.length === 0 && this.places.length > 0;
  }

  /** @param {number} value */
  choose(value) {
    this.value = value;
    for (const button of this.rack.querySelectorAll("button")) button.setAttribute("aria-pressed", String(Number(button.dataset.value) === value));
  }

  /** @param {number} step */
  next(step) {
    const offered = RACK.filter((value) => value <= this.most);
    const value = offered[offered.indexOf(this.value) + step] ?? this.value;
    this.choose(value);
    return value;
  }

  // Actions run in order, each with the amounts at its turn.
  /** @param {() => any} work @returns {Promise<any>} */
  _then(work) {
    this.turn = this.turn.then(work, work);
    return this.turn;
  }

  /** @param {number} seat @param {string} wager */
  place(seat, wager) {
    return this._then(() => {
      const choice = this._find("place wager", seat, wager);
      const amount = choice ? this._raised(choice) : 0;
      return choice && amount ? this.act({ ...choice.command, amount }) : null;
    });
  }

  /** @param {number} seat @param {string} wager */
  takeBack(seat, wager) {
    return this._then(() => (this._find("take back wager", seat, wager) ? this.act({ do: "take back wager", seat, wager }) : null));
  }

  clear() {
    for (const { seat, wager } of [...this.laid].reverse()) this.takeBack(seat, wager);
  }

  // All of the last wagers, or none after one that is refused.
  again() {
    return this._then(async () => {
      for (const { seat, wager, amount } of this.last) {
        if (this._find("place wager", seat, wager) && !(await this.act({ do: "place wager", seat, wager, amount }))) return;
      }
    });
  }

  /** @param {string} what @param {number} seat @param {string} wager */
  _find(what, seat, wager) {
    return this.can.find(({ do: kind, command }) => kind === what && command.seat === seat && command.wager === wager);
  }

  // The wager with the selected chip added, or nothing: a chip never bets more or less than it shows without a word. A chip below the
  // minimum bets the minimum, and a wager with fixed amounts takes the next of them.
  /** @param {Choice} choice */
  _raised({ asks, command }) {
    const { least = 1, most = Infinity, only = [], now = 0, words = "" } = asks[0] ?? {};
    if (only.length) {
      const higher = only.find((sum) => sum > now) ?? 0;
      const rule = `The ${command.wager} is ${words || only.map(money).join(" or ")}`;
      if (!higher) notify(`${rule}. Right-click or press ⌫ to take it back.`, { state: "warn" });
      else if (higher - now !== this.value) notify(`${rule}, so you bet ${money(higher)}.`);
      return higher;
    }
    const amount = Math.max(now + this.value, least);
    if (amount > most) notify(`The ${command.wager} can be at most ${money(most)} now. Choose a smaller chip.`, { state: "warn" });
    else if (amount > now + this.value) notify(`The minimum is ${money(least)}, so you bet ${money(least)}.`);
    return amount > most ? 0 : amount;
  }

  // The posted limits, and no chip above what some wager accepts.
  /** @param {View["limits"]} limits */
  _limit({ minimum, maximum }) {
    this.most = Math.max(maximum, ...this.places.map(({ asks }) => asks[0]?.most ?? 0));
    this.limits.textContent = `${money(minimum)} to ${money(maximum)}`;
    for (const button of this.rack.querySelectorAll("button")) button.hidden = Number(button.dataset.value) > this.most;
    if (this.value > this.most) this.choose(RACK.findLast((value) => value <= this.most) ?? RACK[0]);
  }

  // Chips after which too little would be left to play the hand, whatever they are bet on; the title names the wagers.
  /** @param {Seen} seen @param {number} seat */
  _mark(seen, seat) {
    for (const button of this.rack.querySelectorAll("button")) {
      const value = Number(button.dataset.value);
      const short = leavesTooLittle(seen, seat, value);
      const all = short.length > 0 && short.length === this.places.filter(({ command }) => command.seat === seat).length;
      const words = !short.length ? "" : all ? "leaves too little to play" : `on the ${listed(short)}, leaves too little to play`;
      button.classList.toggle("short", all);
      button.setAttribute("aria-label", `Bet with ${money(value)} chips${words ? `, ${words}` : ""}`);
      button.title = capitalized(words);
    }
  }

  _draw() {
    const chips = RACK.map((value) =>
      make("button", { type: "button", "data-value": value, "aria-pressed": String(value === this.value), "aria-label": `Bet with ${money(value)} chips`, onclick: () => this.choose(value) }, chip(value)));
    this.rack.replaceChildren(make("span", { class: "small quiet rack-words" }, make("span", { class: "rack-limits" }, "Table limits ", this.limits), " ", make("span", { class: "key" }, "["), make("span", { class: "key" }, "]")), make("div", { class: "tray", role: "group", "aria-label": "Chip" }, chips));
  }
}

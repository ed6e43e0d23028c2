// Chips on the felt: which chip is in hand, what a click adds, what is taken back, the same wagers again.
//
// const wagering = new Wagering(rack, act)     act(command) -> a promise of the reply, or of null where it was refused
// wagering.show(seen, seat)                    before each use
// wagering.place(choice) takeBack(seat, word) clear() again()      one after another, each on what lies there by then
// wagering.laid                                [{seat, wager, amount}] of this player now
// wagering.canRepeat                           whether the last round's wagers can be laid again

import { chip, VALUES } from "./chips.js";
import { notify } from "./dialog.js";
import { element } from "./element.js";
import { money } from "./money.js";

const RACK = [...VALUES].reverse(); // the smallest first

export class Wagering {
  constructor(rack, act, memory) {
    Object.assign(this, { rack, act, memory, value: 500, can: [], laid: [], turn: Promise.resolve() });
    this.last = this._remembered();
    this._draw();
  }

  show(seen, seat) {
    this.can = (seen.can ?? []).filter(({ do: what }) => what === "place wager" || what === "take back wager");
    this.seat = seat;
    const betting = seen.view.phase === "betting";
    const now = this.can.filter((each) => each.do === "place wager" && each.asks[0]?.now);
    const laid = now.map(({ command, asks }) => ({ seat: command.seat, wager: command.wager, amount: asks[0].now }));
    if (betting) this.laid = laid;
    else if (this.laid.length) {
      this.last = this.laid; // the wagers of the round that has begun
      this.laid = [];
      this._remember();
    }
  }

  get places() {
    return this.can.filter((each) => each.do === "place wager");
  }

  get canRepeat() {
    return this.last.length > 0 && this.laid.length === 0 && this.places.length > 0;
  }

  choose(value) {
    this.value = value;
    for (const button of this.rack.querySelectorAll("button")) button.setAttribute("aria-pressed", String(Number(button.dataset.value) === value));
  }

  next(step) {
    const at = RACK.indexOf(this.value) + step;
    if (RACK[at]) this.choose(RACK[at]);
    return RACK[at] ?? this.value;
  }

  // What is wished is done in order, each with the amounts that lie there when its turn comes.
  _then(work) {
    this.turn = this.turn.then(work, work);
    return this.turn;
  }

  place(seat, wager) {
    return this._then(() => {
      const choice = this._find("place wager", seat, wager);
      const amount = choice ? this._raised(choice) : 0;
      return amount ? this.act({ ...choice.command, amount }) : null;
    });
  }

  takeBack(seat, wager) {
    return this._then(() => (this._find("take back wager", seat, wager) ? this.act({ do: "take back wager", seat, wager }) : null));
  }

  clear() {
    for (const { seat, wager } of [...this.laid].reverse()) this.takeBack(seat, wager);
  }

  again() {
    for (const { seat, wager, amount } of this.last) {
      this._then(() => (this._find("place wager", seat, wager) ? this.act({ do: "place wager", seat, wager, amount }) : null));
    }
  }

  _find(what, seat, wager) {
    return this.can.find(({ do: kind, command }) => kind === what && command.seat === seat && command.wager === wager);
  }

  // What lies there with the chip in hand added; the least or one of the fixed sums where the table knows only those.
  _raised({ asks, command }) {
    const { least = 1, most = Infinity, only = [], now = 0, words = "" } = asks[0] ?? {};
    if (only.length) {
      const higher = only.find((sum) => sum > (now ?? 0));
      if (!higher) notify(`The ${command.wager} is ${words || only.map(money).join(" or ")}. Right-click or ⌫ takes it back.`, { state: "warn" });
      return higher ?? 0;
    }
    const wished = Math.max(least ?? 1, (now ?? 0) + this.value);
    if (wished <= most) return wished;
    if ((now ?? 0) < most && this.value > 100) return most;
    notify(`No more than ${money(most)} on the ${command.wager}.`, { state: "warn" });
    return 0;
  }

  _draw() {
    const chips = RACK.map((value) =>
      element("button", { type: "button", "data-value": value, "aria-pressed": String(value === this.value), "aria-label": `Bet with chips of ${money(value)}`, onclick: () => this.choose(value) }, chip(value)));
    this.rack.replaceChildren(element("span", { class: "small quiet rack-words" }, "Chip in hand ", element("span", { class: "key" }, "["), element("span", { class: "key" }, "]")), element("div", { class: "tray", role: "group", "aria-label": "Chip in hand" }, chips));
  }

  _remember() {
    try {
      sessionStorage.setItem(this.memory, JSON.stringify(this.last));
    } catch {
      // then only for this page
    }
  }

  _remembered() {
    try {
      return JSON.parse(sessionStorage.getItem(this.memory) ?? "[]");
    } catch {
      return [];
    }
  }
}

// The coach of a practice table: the exact value of each choice, if switched on.
//
// const coach = new Coach(panel, table)
// coach.show(asked, version)     asked: whether this player has to decide now
// coach.on                       whether it is switched on; a "best" event of the panel names the best choice {words, cards}, with the
//                                cards to set as a hand

import { getComputed } from "../shared/api.js";
import { byId, make } from "../shared/build.js";
import { hand, namesOf } from "../shared/cards.js";
import { announce } from "../shared/dialogs.js";
import { clause } from "../shared/settlement.js";
/** @import { Advice } from "../shared/types.js" */

export class Coach {
  /** @param {HTMLElement} panel @param {string} table */
  constructor(panel, table) {
    this.panel = panel;
    this.table = table;
    this.asked = false;
    this.on = false;
    this.best = "";
    this.version = ""; // of the decision that was asked about last
    this.wanted = "";
    this.says = byId("coach-says");
    this.box = byId("coach-on");
    this.box.addEventListener("change", () => this.turn(this.box.checked));
    panel.hidden = false;
  }

  /** @param {boolean} on */
  turn(on) {
    this.on = this.box.checked = on;
    this.version = "";
    this.says.replaceChildren();
    this._best("");
    this.show(this.asked, this.wanted);
  }

  /** @param {boolean} asked @param {string} version */
  show(asked, version) {
    this.asked = asked;
    this.wanted = version;
    if (!this.on) return;
    if (!asked) {
      this.version = "";
      this._best("");
      this.says.replaceChildren(make("p", { class: "quiet small" }, "At your next decision, the coach shows what each choice is worth."));
    } else if (this.version !== version) {
      this.version = version;
      this._ask(version);
    }
  }

  /** @param {string} version */
  async _ask(version) {
    this.says.replaceChildren(make("p", { class: "thinking small" }, "The coach is thinking. The first time takes longer."));
    announce("The coach is thinking.");
    const open = () => this.version === version && this.on; // not decided yet
    try {
      const advice = await getComputed(`/api/tables/${encodeURIComponent(this.table)}/coach`, open);
      if (advice) this._show(advice);
    } catch (problem) {
      if (open()) this.says.replaceChildren(make("p", { class: "problem" }, problem.reason));
    }
  }

  /** @param {Advice} advice */
  _show({ choices, unit, cite, assumes }) {
    const [best] = choices;
    const rows = choices.map((each, n) =>
      make("tr", { class: n ? "" : "best" },
        make("th", { scope: "row" }, each.words, n ? null : make("span", { class: "badge", "data-state": "good" }, "best"),
          each.cards.length ? make("div", { class: "to-set" }, hand(each.cards)) : null),
        make("td", { class: "number", title: `exactly ${each.exact}` }, each.units),
        make("td", { class: "number" }, each.percent)));
    const head = make("tr", {}, make("th", { scope: "col" }, "Choice"), make("th", { scope: "col", class: "number" }, "units"), make("th", { scope: "col", class: "number" }, "percent"));
    this.says.replaceChildren(
      make("table", { class: "coach-table" }, make("thead", {}, head), make("tbody", {}, rows)),
      make("p", { class: "small quiet" }, `Average over every remaining deal, in units of one ${unit}${assumes ? `, ${assumes}` : ""}. `, clause(cite, this.table)),
    );
    this._best(best.choice, best.cards);
    announce(`The coach: ${best.words} is best, worth ${best.units} units.${best.cards.length ? ` Set ${namesOf(best.cards)}.` : ""}`);
  }

  /** @param {string} words @param {string[]} [cards] */
  _best(words, cards = []) {
    if (this.best === words) return;
    this.best = words;
    this.panel.dispatchEvent(new CustomEvent("best", { detail: { words, cards }, bubbles: true }));
  }
}

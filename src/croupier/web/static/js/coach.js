// The coach of a practice table: the exact value of each choice, for who switches it on.
//
// const coach = new Coach(panel, table)
// coach.show(asked, version)     asked: whether a decision is asked of this player now
// coach.on                       switched on or not; "best" events of the panel name the best choice {words}

import { get } from "./api.js";
import { announce } from "./dialog.js";
import { element } from "./element.js";
import { clause } from "./settlement.js";

export class Coach {
  constructor(panel, table) {
    Object.assign(this, { panel, table, asked: false, version: -1, on: false, best: "" });
    this.says = panel.querySelector("#coach-says");
    this.box = panel.querySelector("#coach-on");
    this.box.addEventListener("change", () => this.turn(this.box.checked));
    panel.hidden = false;
  }

  turn(on) {
    this.on = this.box.checked = on;
    this.version = -1;
    this.says.replaceChildren();
    this._best("");
    this.show(this.asked, this.wanted);
  }

  show(asked, version) {
    this.asked = asked;
    this.wanted = version;
    if (!this.on) return;
    if (!asked) {
      this.version = -1;
      this._best("");
      this.says.replaceChildren(element("p", { class: "quiet small" }, "At your next decision the coach tells what each choice is worth."));
    } else if (this.version !== version) {
      this.version = version;
      this._ask(version);
    }
  }

  async _ask(version) {
    this.says.replaceChildren(element("p", { class: "thinking small" }, "The coach is thinking. The first time at a game takes longer."));
    announce("The coach is thinking.");
    let told = { thinking: true };
    while (told.thinking) {
      try {
        told = await get(`/api/tables/${encodeURIComponent(this.table)}/coach`);
      } catch (problem) {
        if (this.version === version) this.says.replaceChildren(element("p", { class: "problem" }, problem.reason));
        return;
      }
      if (this.version !== version || !this.on) return; // decided meanwhile
    }
    this._tell(told);
  }

  _tell({ choices, unit, cite, assumes }) {
    const [best] = choices;
    const rows = choices.map((each, n) =>
      element("tr", { class: n ? "" : "best" },
        element("th", { scope: "row" }, each.choice[0].toUpperCase() + each.choice.slice(1), n ? null : element("span", { class: "badge", "data-state": "good" }, "best")),
        element("td", { class: "number", title: `exactly ${each.exact}` }, each.units),
        element("td", { class: "number" }, each.percent)));
    const head = element("tr", {}, element("th", { scope: "col" }, "Choice"), element("th", { scope: "col", class: "number" }, "units"), element("th", { scope: "col", class: "number" }, "percent"));
    this.says.replaceChildren(
      element("table", { class: "coach-table" }, element("thead", {}, head), element("tbody", {}, rows)),
      element("p", { class: "small quiet" }, `On average over every deal that is left, in units of one ${unit}${assumes ? `, ${assumes}` : ""}. `, clause(cite, this.table)),
    );
    this._best(best.choice);
    announce(`The coach: ${best.choice} is best, worth ${best.units} units.`);
  }

  _best(words) {
    if (this.best === words) return;
    this.best = words;
    this.panel.dispatchEvent(new CustomEvent("best", { detail: { words }, bubbles: true }));
  }
}

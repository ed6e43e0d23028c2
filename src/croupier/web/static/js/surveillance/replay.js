// A round event by event, with a slider, steps and play.

import { get } from "../shared/api.js";
import { byId, make, one } from "../shared/build.js";
import { dateTime } from "../shared/dates.js";
import { refuse } from "../shared/dialogs.js";
import { Felt } from "../shared/felt.js";
import { money, signed } from "../shared/money.js";
import { clause, gainOf } from "../shared/settlement.js";
import { Stepper } from "../shared/stepper.js";
import { boxesInto, cell, logLine, row } from "../staff/rows.js";
import { timed } from "../staff/times.js";
/** @import { Schemas, Seen, Sent } from "../shared/types.js" */

const { table, number } = byId("replay").dataset;
const felt = new Felt(byId("felt"));
felt.view("whole");
const log = byId("log");
const body = one("#boxes tbody");
const stepper = new Stepper();
/** @type {Sent<Schemas["Frame"]>[]} */
let frames = [];
/** @type {Schemas["RecordedRound"]} */
let round;

/** @param {number} place */
function show(place) {
  const frame = frames[place];
  felt.show(/** @type {Seen} */ ({ view: frame.view }));
  boxesInto(body, frame.view);
  log.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const item = log.children[place];
  item.setAttribute("aria-current", "step");
  log.scrollTop = Math.max(0, item.offsetTop - log.offsetTop - log.clientHeight / 2);
  history.replaceState(null, "", `#${frame.version}`);
}

// The settled round, with a total for each player.
function result() {
  const rows = round.boxes.flatMap((box) =>
    box.bets.map((bet) => row(cell(String(box.box), { name: "th" }), cell(box.player), cell(bet.wager), cell(money(bet.stake), { number: true }), cell(bet.hand || "–"), cell(bet.outcome), cell(money(bet.pays), { number: true }), cell(signed(gainOf(bet)), { number: true }), cell(bet.cite ? clause(bet.cite) : ""))),
  );
  const sums = Object.entries(round.net).map(([player, net]) =>
    make("tr", { class: "total" }, cell(""), cell(player), make("td", { colspan: 5 }), cell(signed(net), { number: true }), cell("")),
  );
  byId("result").hidden = !rows.length;
  byId("result").querySelector("tbody").replaceChildren(...rows, ...sums);
}

/** @param {string} id */
const follow = (id) => /** @type {HTMLElement | null} */ (document.querySelector(`#${id}`))?.click();
stepper.keys.add(
  { key: "[", words: "Previous round", does: () => follow("before") },
  { key: "]", words: "Next round", does: () => follow("after") },
);

try {
  ({ frames, round } = await get(`/api/surveillance/tables/${encodeURIComponent(table)}/rounds/${number}`));
  log.replaceChildren(...frames.map((frame, n) => logLine(frame, () => stepper.step(n - stepper.place))));
  byId("begun").replaceChildren("Began ", timed(round.begun, dateTime(round.begun)));
  result();
  stepper.start(frames, show, frames.findIndex((frame) => String(frame.version) === location.hash.slice(1)));
} catch (problem) {
  byId("now").replaceChildren(make("span", { class: "problem" }, problem.reason ?? String(problem)));
  refuse(problem);
}

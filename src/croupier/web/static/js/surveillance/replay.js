// A round event by event, with a slider, steps and play.

import { get } from "../shared/api.js";
import { byId, make, one } from "../shared/build.js";
import { refuse } from "../shared/dialogs.js";
import { Felt } from "../shared/felt.js";
import { Keys } from "../shared/keys.js";
import { money, signed } from "../shared/money.js";
import { clause, gainOf } from "../shared/settlement.js";
import { boxesInto, cell, row, told } from "../staff/rows.js";

const PACE = 900; // milliseconds per event
const { table, number } = byId("replay").dataset;
const felt = new Felt(byId("felt"));
felt.view("whole");
const [slider, play, back, on, now, count, log] = ["at", "play", "back", "on", "now", "count", "log"].map(byId);
const body = one("#boxes tbody");
/** @type {(import("../shared/types.js").LiveEvent & {view: import("../shared/types.js").View})[]} */
let frames = [];
/** @type {{boxes: {box: number, player: string, bets: import("../shared/types.js").Bet[]}[], net: Record<string, number>}} */
let round;
let place = -1;
let timer = 0;

/** @param {number} to */
function go(to) {
  const next = Math.max(0, Math.min(frames.length - 1, to));
  if (next === place) return;
  place = next;
  const frame = frames[place];
  const seen = /** @type {import("../shared/types.js").Seen} */ ({ view: frame.view });
  felt.show(seen);
  now.replaceChildren(frame.says, " ", ...frame.cites.flatMap((cite) => [clause(cite), " "]));
  slider.value = place;
  slider.setAttribute("aria-valuetext", `${place + 1} of ${frames.length}: ${frame.says}`);
  count.textContent = `${place + 1} of ${frames.length}`;
  back.disabled = place === 0;
  on.disabled = place === frames.length - 1;
  const last = place === frames.length - 1;
  boxesInto(body, frame.view);
  log.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const item = log.children[place];
  item.setAttribute("aria-current", "step");
  log.scrollTop = Math.max(0, item.offsetTop - log.offsetTop - log.clientHeight / 2);
  history.replaceState(null, "", `#${frame.version}`);
  if (last) pause();
}

function pause() {
  clearInterval(timer);
  timer = 0;
  play.firstChild.textContent = "Play";
}

function toggle() {
  if (timer) {
    pause();
    return;
  }
  if (place === frames.length - 1) go(0);
  play.firstChild.textContent = "Pause";
  timer = setInterval(() => go(place + 1), PACE);
}

// The settled round, with a total for each player.
function result() {
  const rows = round.boxes.flatMap((box) =>
    box.bets.map((bet) => row(cell(String(box.box), { name: "th" }), cell(box.player), cell(bet.wager), cell(money(bet.stake), { number: true }), cell(bet.hand || "–"), cell(bet.outcome), cell(money(bet.pays), { number: true }), cell(signed(gainOf(bet)), { number: true }))),
  );
  const sums = Object.entries(round.net).map(([player, net]) =>
    make("tr", { class: "total" }, cell(""), cell(player), make("td", { colspan: 5 }), cell(signed(net), { number: true })),
  );
  byId("result").hidden = !rows.length;
  byId("result").querySelector("tbody").replaceChildren(...rows, ...sums);
}

/** @param {number} by */
const step = (by) => {
  pause();
  go(place + by);
};
/** @param {string} id */
const follow = (id) => /** @type {HTMLElement | null} */ (document.querySelector(`#${id}`))?.click();

back.addEventListener("click", () => step(-1));
on.addEventListener("click", () => step(1));
play.addEventListener("click", toggle);
slider.addEventListener("input", () => {
  pause();
  go(Number(slider.value));
});

const keys = new Keys();
keys.add(
  { key: "ArrowLeft", words: "Previous event", does: () => step(-1), element: back },
  { key: "ArrowRight", words: "Next event", does: () => step(1), element: on },
  { key: " ", words: "Play or pause", does: toggle, element: play },
  { key: "Home", words: "First event", does: () => step(-frames.length) },
  { key: "End", words: "Last event", does: () => step(frames.length) },
  { key: "[", words: "Previous round", does: () => follow("before") },
  { key: "]", words: "Next round", does: () => follow("after") },
);
slider.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.key !== " ") return; // the slider handles the arrow keys
  event.preventDefault();
  toggle();
});

try {
  ({ frames, round } = await get(`/api/surveillance/tables/${encodeURIComponent(table)}/rounds/${number}`));
  log.replaceChildren(...frames.map((frame, n) => told(frame, () => step(n - place))));
  result();
  slider.max = frames.length - 1;
  slider.disabled = false;
  const asked = frames.findIndex((frame) => String(frame.version) === location.hash.slice(1));
  go(Math.max(0, asked));
} catch (problem) {
  now.replaceChildren(make("span", { class: "problem" }, problem.reason ?? String(problem)));
  refuse(problem);
}

// A round event by event: a slider, steps and play, by hand or by key.

import { boxesInto, cell, row, signed, told } from "./back.js";
import { get } from "./api.js";
import { make, refuse } from "./dialog.js";
import { Felt } from "./felt.js";
import { Keys } from "./keys.js";
import { money } from "./money.js";
import { clause } from "./settlement.js";

const PACE = 900; // milliseconds for each event
const { table, number } = document.querySelector("#replay").dataset;
const felt = new Felt(document.querySelector("#felt"));
felt.view("whole");
const part = (id) => document.querySelector(`#${id}`);
const [slider, play, back, on, now, count, log] = ["at", "play", "back", "on", "now", "count", "log"].map(part);
const body = document.querySelector("#boxes tbody");
let frames = [];
let round = null;
let place = -1;
let timer = 0;

function go(to) {
  const next = Math.max(0, Math.min(frames.length - 1, to));
  if (next === place) return;
  const forward = next === place + 1;
  place = next;
  const frame = frames[place];
  const seen = { view: frame.view, can: [], meters: {} };
  felt.show(seen, { events: forward ? [{ ...frame, seat: frame.seat ?? 0 }] : [] });
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

// The whole round as it was settled, each player with his sum.
function result() {
  const rows = round.boxes.flatMap((box) =>
    box.bets.map((bet) => row(cell(String(box.box), { name: "th" }), cell(box.player), cell(bet.wager), cell(money(bet.stake), { number: true }), cell(bet.hand || "–"), cell(bet.outcome), cell(money(bet.pays), { number: true }), cell(signed(bet.pays + bet.returns - bet.stake), { number: true }))),
  );
  const sums = Object.entries(round.net).map(([player, net]) => {
    const made = row(cell(""), cell(player), make("td", { colspan: 5 }), cell(signed(net), { number: true }));
    made.className = "total";
    return made;
  });
  part("result").hidden = !rows.length;
  part("result").querySelector("tbody").replaceChildren(...rows, ...sums);
}

const step = (by) => {
  pause();
  go(place + by);
};
const follow = (id) => part(id)?.click();

back.addEventListener("click", () => step(-1));
on.addEventListener("click", () => step(1));
play.addEventListener("click", toggle);
slider.addEventListener("input", () => {
  pause();
  go(Number(slider.value));
});

const keys = new Keys();
keys.add(
  { key: "ArrowLeft", words: "One event back", does: () => step(-1), element: back },
  { key: "ArrowRight", words: "One event on", does: () => step(1), element: on },
  { key: " ", words: "Play or pause", does: toggle, element: play },
  { key: "Home", words: "The first event", does: () => step(-frames.length) },
  { key: "End", words: "The last event", does: () => step(frames.length) },
  { key: "[", words: "The round before", does: () => follow("before") },
  { key: "]", words: "The next round", does: () => follow("after") },
);
slider.addEventListener("keydown", (event) => {
  if (event.key !== " ") return; // the slider's own arrows step already
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

// One table, large and live, with every dealt card and the log of its events.

import { boxesInto, told } from "./back.js";
import { get } from "./api.js";
import { make, refuse } from "./dialog.js";
import { Felt } from "./felt.js";
import { Live } from "./live.js";
import { money } from "./money.js";

const MOST = 400; // events on the page
const table = document.querySelector("#watch").dataset.table;
const address = `/api/surveillance/tables/${encodeURIComponent(table)}/events`;
const felt = new Felt(document.querySelector("#felt"));
felt.view("whole");
const log = document.querySelector("#log");
const older = document.querySelector("#older");
const strip = document.querySelector("#strip");
const replay = document.querySelector("#replay");

const fact = (name, words) => make("div", {}, make("dt", {}, name), make("dd", {}, words));

function facts(seen) {
  const { view, meters } = seen;
  const items = [["Phase", view.round?.stage ? `${view.phase}, ${view.round.stage.act}` : view.phase], ["Round", (view.round?.number ?? view.rounds).toLocaleString("en-US")], ["Limits", `${money(view.limits.minimum)} to ${money(view.limits.maximum)}`]];
  for (const [name, cents] of Object.entries(view.accounts ?? {})) items.push([name[0].toUpperCase() + name.slice(1), money(cents)]);
  for (const [wager, cents] of Object.entries(meters ?? {})) items.push([`${wager.replace(/ Wager$/, "")} meter`, money(cents)]);
  if (view.round?.void) items.push(["Void", view.round.void]);
  strip.replaceChildren(...items.map(([name, words]) => fact(name, words)));
}

function show(seen, version, events) {
  if (version > newest() && !events.length) anew(version).catch(refuse); // connected, for the first time or after a while
  felt.show(seen, { events });
  facts(seen);
  boxesInto(document.querySelector("#boxes tbody"), seen.view);
  if (seen.view.rounds) {
    replay.hidden = false;
    replay.href = `/surveillance/tables/${encodeURIComponent(table)}/rounds/${seen.view.rounds}`;
  }
}

function add(event) {
  if (event.version <= newest()) return;
  if (newest() && event.version > newest() + 1) return void anew(event.version).catch(refuse); // something was missed
  log.prepend(told(event));
  while (log.children.length > MOST) log.lastElementChild.remove();
  more();
}

const versionOf = (item) => Number(item?.dataset.version ?? 0);
const newest = () => versionOf(log.firstElementChild);

const upTo = (version) => get(`${address}?before=${version + 1}`);

// The log up to an event, below what has happened since: nothing is missing between the two.
async function anew(version) {
  const events = await upTo(version);
  if (events[0]?.version < version) return void setTimeout(() => anew(version).catch(refuse), 1000); // a server that is a little behind
  log.replaceChildren(...[...log.children].filter((item) => versionOf(item) > version), ...events.map((event) => told(event)));
  more();
}

async function before(version) {
  const events = await upTo(version - 1);
  if (versionOf(log.lastElementChild) !== version) return; // asked for twice
  log.append(...events.map((event) => told(event)));
  more();
}

function more() {
  older.hidden = versionOf(log.lastElementChild) <= 1 || log.children.length >= MOST;
}

older.addEventListener("click", () => before(versionOf(log.lastElementChild)).catch(refuse));

new Live(`/api/tables/${encodeURIComponent(table)}/live`, { seen: show, event: add, badge: document.querySelector("#link") });

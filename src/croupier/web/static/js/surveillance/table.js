// One table, large and live, with every dealt card and the log of its events.

import { get } from "../shared/api.js";
import { byId, make, one } from "../shared/build.js";
import { refuse } from "../shared/dialogs.js";
import { Felt } from "../shared/felt.js";
import { Live } from "../shared/live.js";
import { money } from "../shared/money.js";
import { capitalized, wagerName } from "../shared/words.js";
import { boxesInto, logLine } from "../staff/rows.js";
/** @import { LiveEvent, Seen } from "../shared/types.js" */

const MOST = 400; // events on the page
const table = byId("watch").dataset.table;
const address = `/api/surveillance/tables/${encodeURIComponent(table)}/events`;
const felt = new Felt(byId("felt"));
felt.view("whole");
const log = byId("log");
const older = byId("older");
const strip = byId("strip");
const replay = byId("replay");

/** @param {string} name @param {string} words */
const fact = (name, words) => make("div", {}, make("dt", {}, name), make("dd", {}, words));

/** @param {Seen} seen */
function facts(seen) {
  const { view, meters } = seen;
  const items = [["Phase", view.round?.stage ? `${view.phase}, ${view.round.stage.act}` : view.phase], ["Round", (view.round?.number ?? view.rounds).toLocaleString("en-US")], ["Limits", `${money(view.limits.minimum)} to ${money(view.limits.maximum)}`]];
  for (const [name, cents] of Object.entries(view.accounts ?? {})) items.push([capitalized(name), money(cents)]);
  for (const [wager, cents] of Object.entries(meters ?? {})) items.push([`${wagerName(wager)} meter`, money(cents)]);
  if (view.round?.void) items.push(["Void", view.round.void]);
  strip.replaceChildren(...items.map(([name, words]) => fact(name, words)));
}

/** @param {Seen} seen @param {number} version @param {LiveEvent[]} events */
function show(seen, version, events) {
  if (version > newest() && !events.length) reload(version).catch(refuse); // connected, for the first time or again
  felt.show(seen);
  facts(seen);
  boxesInto(one("#boxes tbody"), seen.view);
  if (seen.view.rounds) {
    replay.hidden = false;
    replay.href = `/surveillance/tables/${encodeURIComponent(table)}/rounds/${seen.view.rounds}`;
  }
}

/** @param {LiveEvent} event */
function add(event) {
  if (event.version <= newest()) return;
  if (newest() && event.version > newest() + 1) return void reload(event.version).catch(refuse); // events were missed
  log.prepend(logLine(event));
  while (log.children.length > MOST) log.lastElementChild.remove();
  more();
}

/** @param {any} item */
const versionOf = (item) => Number(item?.dataset.version ?? 0);
const newest = () => versionOf(log.firstElementChild);

/** @param {number} version @returns {Promise<LiveEvent[]>} */
const upTo = (version) => get(`${address}?before=${version + 1}`);

// Fetch the log up to an event and put it below the newer lines, so that nothing is missing in between.
/** @param {number} version @returns {Promise<void>} */
async function reload(version) {
  const events = await upTo(version);
  if (events[0]?.version < version) return void setTimeout(() => reload(version).catch(refuse), 1000); // the server is slightly behind
  log.replaceChildren(...[...log.children].filter((item) => versionOf(item) > version), ...events.map((event) => logLine(event)));
  more();
}

/** @param {number} version */
async function before(version) {
  const events = await upTo(version - 1);
  if (versionOf(log.lastElementChild) !== version) return; // fetched twice
  log.append(...events.map((event) => logLine(event)));
  more();
}

function more() {
  older.hidden = versionOf(log.lastElementChild) <= 1 || log.children.length >= MOST;
}

older.addEventListener("click", () => before(versionOf(log.lastElementChild)).catch(refuse));

new Live(`/api/tables/${encodeURIComponent(table)}/live`, { seen: show, event: add, badge: byId("link") });

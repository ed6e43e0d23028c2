// "Play now": a name, a free seat and chips with one press. Chips that the house has kept for this name come first.
//
// await playNow(table, me)  -> this guest's name, seated with chips; throws what was refused

import { command, get } from "../shared/api.js";
import { newGuest } from "./recovery_code.js";
/** @import { TableSummary } from "../shared/types.js" */

const CHIPS = 100000; // cents
const TRIES = 5;

async function anyName() {
  for (let n = 1; ; n += 1) {
    try {
      return await newGuest(`Guest ${10000 + Math.floor(Math.random() * 90000)}`);
    } catch (problem) {
      if (n === TRIES) throw problem; // names that are taken, or something else
    }
  }
}

// The free seats, from the middle of the table outward.
/** @param {TableSummary} table */
function freeSeats({ seats, players }) {
  const free = Array.from({ length: seats }, (_, n) => n + 1).filter((n) => !players[n]);
  return free.sort((one, other) => Math.abs(one - (seats + 1) / 2) - Math.abs(other - (seats + 1) / 2));
}

/** @param {TableSummary} table @param {string} me */
export async function playNow(table, me) {
  const name = me || (await anyName());
  const kept = me ? (await get(`/api/tables/${encodeURIComponent(table.table)}`)).kept : 0;
  const [first, ...others] = freeSeats(table);
  const sit = (/** @type {number} */ seat) => command(table.table, { do: "sit", seat, player: name }).then(() => seat);
  let seated = sit(first);
  for (const seat of others.slice(0, TRIES)) seated = seated.catch(() => sit(seat)); // somebody was quicker
  const seat = await seated;
  if (!kept) await command(table.table, { do: "buy in", seat, amount: CHIPS });
  return name;
}

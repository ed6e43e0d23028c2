// Requests to the server: commands once and only once, refusals as exceptions that carry their clause.
//
// await post("/api/tables/T1/commands", {do: "decide", seat: 3, choice: "play"})  -> the Reply
//   sends x-csrftoken (from the cookie csrftoken) and an Idempotency-Key; a POST that gets lost is sent again with the same key
// await get("/api/tables")                                                        -> JSON
// await command("T1", {...})                                                      -> post to that table's commands
// await ready("T1")                                                               -> this player is done wagering
// Refused: an Error with .kind .reason .cite .accepted .status; kind "unreachable" where the server was not reached
// newKey()                                                                        -> a fresh idempotency key

export class Refused extends Error {
  constructor({ kind = "refused", reason = "That did not work.", cite = null, accepted = null } = {}, status = 0) {
    super(reason);
    this.name = "Refused";
    Object.assign(this, { kind, reason, cite, accepted, status });
  }
}

const TRIES = 4;
const WAITS = [300, 1000, 2500]; // milliseconds before another try
const AGAIN = new Set([502, 503, 504]);

export function newKey() {
  if (globalThis.crypto?.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // where the page has no secure context
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function cookie(name) {
  const found = document.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

const pause = (time) => new Promise((done) => setTimeout(done, time));

async function read(response) {
  const body = response.status === 204 ? null : await response.json().catch(() => null);
  if (response.ok) return body;
  throw new Refused(body?.error ?? { kind: "unknown", reason: `The server answered ${response.status}.` }, response.status);
}

export async function post(address, body = {}, { key = newKey(), method = "POST" } = {}) {
  const headers = { "content-type": "application/json", "x-csrftoken": cookie("csrftoken"), "idempotency-key": key };
  const request = { method, headers, body: JSON.stringify(body), credentials: "same-origin" };
  for (let n = 0; n < TRIES; n += 1) {
    if (n) await pause(WAITS[n - 1]);
    try {
      const response = await fetch(address, request);
      if (!AGAIN.has(response.status)) return await read(response);
    } catch (problem) {
      if (problem instanceof Refused) throw problem; // an answer; only a lost one is asked for again
    }
  }
  throw new Refused({ kind: "unreachable", reason: "The server was not reached. Nothing was lost: try again." });
}

export async function get(address) {
  const headers = { accept: "application/json" };
  try {
    return await read(await fetch(address, { headers, credentials: "same-origin" }));
  } catch (problem) {
    if (problem instanceof Refused) throw problem;
    throw new Refused({ kind: "unreachable", reason: "The server was not reached." });
  }
}

export const command = (table, body, options) => post(`/api/tables/${encodeURIComponent(table)}/commands`, body, options);

export const ready = (table) => post(`/api/tables/${encodeURIComponent(table)}/ready`);

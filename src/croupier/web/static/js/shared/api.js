// Requests to the server. A command takes effect exactly once; a refusal is thrown with its clause.
//
// await post("/api/tables/T1/commands", {do: "decide", seat: 3, choice: "play"})  -> the Reply
//   sends x-csrftoken (from the cookie csrftoken) and an Idempotency-Key; a POST without an answer is retried with the same key
// await get("/api/tables")                                                        -> JSON
// await command("T1", {...})                                                      -> post to that table's commands
// await ready("T1")                                                               -> this player has finished betting
// Refused: an Error with .kind .reason .cite .accepted .status; kind "unreachable" if the server could not be reached
// explained(refused)                                                              -> the reason and what is allowed, in one line
// await getComputed(address, wanted)                                              -> the JSON once `thinking` is false; null if `wanted` turns false
// newKey(), cookie(name), await pause(ms)                                         -> a new idempotency key; a cookie; a delay

/** @import { Command, Problem, Reply } from "./types.js" */

export class Refused extends Error {
  /** @param {Problem} problem @param {number} status */
  constructor({ kind = "refused", reason = "That did not work.", cite = null, accepted = null } = {}, status = 0) {
    super(reason);
    this.name = "Refused";
    this.kind = kind;
    this.reason = reason;
    this.cite = cite;
    this.accepted = accepted;
    this.status = status;
  }
}

/** @param {{reason?: string, message?: string, accepted?: string | null}} refused */
export const explained = ({ reason, message, accepted }) => [reason ?? message, accepted ? `Allowed: ${accepted}.` : ""].filter(Boolean).join(" ");

const TRIES = 4;
const WAITS = [300, 1000, 2500]; // milliseconds before each retry
const AGAIN = new Set([502, 503, 504]);

export function newKey() {
  if (isSecureContext) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID needs a secure context
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** @param {string} name */
export function cookie(name) {
  const found = document.cookie.split("; ").find((each) => each.startsWith(`${name}=`));
  return found ? decodeURIComponent(found.slice(name.length + 1)) : "";
}

/** @param {number} time @returns {Promise<void>} */
export const pause = (time) => new Promise((done) => setTimeout(done, time));

/** @param {Response} response @returns {Promise<any>} */
async function read(response) {
  const body = response.status === 204 ? null : await response.json().catch(() => null);
  if (response.ok) return body;
  throw new Refused(body?.error ?? { kind: "unknown", reason: `The server answered with status ${response.status}.` }, response.status);
}

/** @param {string} address @param {object} [body] @param {{key?: string, method?: string}} [options] @returns {Promise<any>} */
export async function post(address, body = {}, { key = newKey(), method = "POST" } = {}) {
  const headers = { "content-type": "application/json", "x-csrftoken": cookie("csrftoken"), "idempotency-key": key };
  /** @type {RequestInit} */
  const request = { method, headers, body: JSON.stringify(body), credentials: "same-origin" };
  for (let n = 0; n < TRIES; n += 1) {
    if (n) await pause(WAITS[n - 1]);
    try {
      const response = await fetch(address, request);
      if (!AGAIN.has(response.status)) return await read(response);
    } catch (problem) {
      if (problem instanceof Refused) throw problem; // an answer: only a lost one is retried
    }
  }
  throw new Refused({ kind: "unreachable", reason: "Could not reach the server. Nothing was lost: try again." });
}

/** @param {string} address @param {Record<string, string>} [more] headers @returns {Promise<any>} */
export async function get(address, more = {}) {
  const headers = { accept: "application/json", ...more };
  try {
    return await read(await fetch(address, { headers, credentials: "same-origin" }));
  } catch (problem) {
    if (problem instanceof Refused) throw problem;
    throw new Refused({ kind: "unreachable", reason: "Could not reach the server." });
  }
}

/** @param {string} address @returns {Promise<any>} */
export async function getComputed(address, wanted = () => true) {
  for (;;) {
    const reply = await get(address); // which takes a few seconds while the server computes
    if (!wanted()) return null;
    if (!reply.thinking) return reply;
  }
}

/** @param {string} table @param {Command} body @returns {Promise<Reply>} */
export const command = (table, body) => post(`/api/tables/${encodeURIComponent(table)}/commands`, body);

/** @param {string} table */
export const ready = (table) => post(`/api/tables/${encodeURIComponent(table)}/ready`);

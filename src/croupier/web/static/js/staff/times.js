// Times on the staff's pages: relative, with the exact moment on hover.
//
// when(at)            -> <time>, “12 seconds ago”, kept up to date
// timed(at, words)    -> <time> with those words
// ago(at), within(at) -> “12 s ago”; “in 3 h 12 min”, or “4 min overdue”

import { make } from "../shared/build.js";
import { dateTime, toMinute } from "../shared/dates.js";

/** @type {[number, Intl.RelativeTimeFormatUnit][]} */
const STEPS = [[60, "second"], [60, "minute"], [24, "hour"], [7, "day"]];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

/** @param {number} ms */
function since(ms) {
  let left = Math.round((ms - Date.now()) / 1000);
  if (Math.abs(left) < 5) return "now";
  for (const [many, unit] of STEPS) {
    if (Math.abs(left) < many) return relative.format(left, unit);
    left = Math.round(left / many);
  }
  return toMinute(ms);
}

/** @param {number} at @param {string} words @param {object} [attributes] */
export const timed = (at, words, attributes = {}) => make("time", { datetime: new Date(at).toISOString(), title: dateTime(at), ...attributes }, words);

/** @param {number} at */
export const when = (at) => timed(at, since(at), { "data-at": at });

function update() {
  /** @type {NodeListOf<HTMLTimeElement>} */
  const times = document.querySelectorAll("time[data-at]");
  for (const each of times) {
    const at = Number(each.dataset.at);
    each.textContent = since(at);
    each.title = dateTime(at);
  }
}

update();
setInterval(update, 10_000);

/** @param {number} ms */
function duration(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
}

/** @param {number} at */
export const ago = (at) => `${duration(Date.now() - at)} ago`;

/** @param {number} until */
export const within = (until) => (until > Date.now() ? `in ${duration(until - Date.now())}` : `${duration(Date.now() - until)} overdue`);

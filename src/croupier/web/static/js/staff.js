// For every page of the house's own people: lock, log out, and the lock that covers the page when the server locks the screen.
// The server locks after five minutes in which nobody touches a page of this person; this module tells it when somebody does.
//
// heed(problem, {table})  -> what to do about a refusal: a locked screen is unlocked, a lost login is made again, all else is told;
//                            true where the same may be tried again
// locked()                -> cover the page until the password is given again; resolves once it is
// ago(at, now)            -> "12 s ago"; within(until, now) -> "in 3 h 12 min"; clock(at) -> "14:03:22"
// timed(element, at, words) -> <time> with the exact moment on hover

import { get, post } from "./api.js";
import { busy, make, refuse } from "./dialog.js";

let unlocking = null;

const toLogin = () => location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);

export function heed(problem, { table = "" } = {}) {
  if (problem.status === 423) return locked();
  if (problem.status === 401) {
    toLogin();
    return Promise.resolve(false);
  }
  refuse(problem, { table });
  return Promise.resolve(false);
}

export function locked() {
  unlocking ??= cover().finally(() => {
    unlocking = null;
  });
  return unlocking;
}

function cover() {
  const me = document.querySelector("#me")?.dataset ?? {};
  const password = make("input", { id: "lock-password", type: "password", autocomplete: "current-password", maxlength: 200 });
  const problem = make("p", { class: "problem", role: "alert" });
  const yes = make("button", { class: "primary" }, "Unlock");
  const leave = make("button", { type: "button", class: "plain" }, "Log out");
  const form = make(
    "form",
    { method: "dialog" },
    make("div", { class: "field" }, make("label", { for: password.id }, "Password"), password),
    problem,
    make("div", { class: "actions" }, leave, yes),
  );
  const heading = make("h1", { id: "lock-heading" }, "The screen is locked");
  const who = make("p", {}, make("strong", {}, me.name ?? ""), " ", make("span", { class: "quiet" }, me.role ?? ""));
  const why = make("p", { class: "quiet small" }, "Give your password again. The page is as you left it.");
  const dialog = make("dialog", { class: "lock", "aria-labelledby": heading.id }, heading, who, why, form);
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  leave.addEventListener("click", () => logOut());
  document.body.append(dialog);
  dialog.showModal();
  password.focus();
  return new Promise((done) => {
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (!password.value) return;
      try {
        await busy(yes, post("/api/unlock", { password: password.value }));
      } catch (refused) {
        if (refused.status === 401) return toLogin();
        problem.textContent = refused.accepted ? `${refused.reason} Accepted: ${refused.accepted}.` : refused.reason;
        password.value = "";
        return password.focus();
      }
      dialog.remove();
      return done(true);
    });
  });
}

export async function logOut() {
  await post("/api/session", {}, { method: "DELETE" }).catch(() => null);
  location.assign("/login");
}

document.querySelector("#lock")?.addEventListener("click", async () => {
  await post("/api/lock").catch(() => null);
  locked();
});
document.querySelector("#log-out")?.addEventListener("click", () => logOut());

// Is somebody there? Where the server cannot be asked, the page locks by its own clock.

const LOOK_EVERY = 5000; // milliseconds
const IDLE = 5 * 60 * 1000;
let touched = Date.now();
let told = Date.now(); // what was touched before has been told

for (const name of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
  addEventListener(name, () => (touched = Date.now()), { capture: true, passive: true });
}

async function look() {
  if (unlocking) {
    touched = told = Date.now();
    return;
  }
  try {
    if (touched > told) {
      told = Date.now();
      await post("/api/here");
    } else {
      const me = await get("/api/me");
      if (me.locked) locked();
      else if (me.role !== document.querySelector("#me").dataset.role) toLogin(); // logged out, or somebody else by now
    }
  } catch (problem) {
    if (problem.status === 423) locked();
    else if (problem.status === 401) toLogin();
    else if (Date.now() - touched > IDLE) locked();
  }
}

if (document.querySelector("#me")) setInterval(look, LOOK_EVERY);

// Times: relative, the exact one on hover

const parts = (ms) => {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`;
};

export const ago = (at, now = Date.now()) => `${parts(now - at)} ago`;

export const within = (until, now = Date.now()) => (until > now ? `in ${parts(until - now)}` : `${parts(now - until)} overdue`);

export const clock = (at) => new Date(at).toLocaleTimeString("en-GB");

export function timed(at, words) {
  const exact = new Date(at);
  return make("time", { datetime: exact.toISOString(), title: exact.toLocaleString("en-GB") }, words);
}

// On every staff page: lock, log out, and the cover while the screen is locked. The server locks a screen after five minutes
// without activity on any of the user's pages; this module reports activity to it.
//
// await handleRefusal(problem, {table})  asks to unlock or log in again, or shows the refusal
// await logOut()                         ends the session and shows the login page

import { get, post } from "../shared/api.js";
import { byId, make } from "../shared/build.js";
import { onSubmit, refuse } from "../shared/dialogs.js";

/** @type {Promise<void> | null} */
let unlocking = null;

const toLogin = () => location.assign(`/login?next=${encodeURIComponent(location.pathname)}`);

/** @param {any} problem @param {{table?: string}} [options] */
export async function handleRefusal(problem, { table = "" } = {}) {
  if (problem.status === 423) await showLock();
  else if (problem.status === 401) toLogin();
  else refuse(problem, { table });
}

function showLock() {
  unlocking ??= cover().finally(() => {
    unlocking = null;
  });
  return unlocking;
}

/** @returns {Promise<void>} */
function cover() {
  const me = byId("me").dataset;
  const password = make("input", { id: "lock-password", type: "password", autocomplete: "current-password", maxlength: 200 });
  const leave = make("button", { type: "button", class: "plain", onclick: logOut }, "Log out");
  const form = make("form", {},
    make("div", { class: "field" }, make("label", { for: password.id }, "Password"), password),
    make("p", { class: "problem", role: "alert" }),
    make("div", { class: "actions" }, leave, make("button", { class: "primary" }, "Unlock")));
  const heading = make("h1", { id: "lock-heading" }, "Screen locked");
  const who = make("p", {}, make("strong", {}, me.name ?? ""), " ", make("span", { class: "quiet" }, me.role ?? ""));
  const why = make("p", { class: "quiet small" }, "Enter your password. The page is as you left it.");
  const dialog = make("dialog", { class: "lock", "aria-labelledby": heading.id }, heading, who, why, form);
  dialog.addEventListener("cancel", (event) => event.preventDefault());
  document.body.append(dialog);
  dialog.showModal();
  password.focus();
  return new Promise((done) => {
    onSubmit(form, async () => {
      if (!password.value) return;
      try {
        await post("/api/unlock", { password: password.value });
      } catch (refused) {
        if (refused.status === 401) return toLogin();
        password.value = "";
        throw refused;
      }
      dialog.remove();
      done();
    });
  });
}

export async function logOut() {
  await post("/api/session", {}, { method: "DELETE" }).catch(() => null);
  location.assign("/login");
}

document.querySelector("#lock")?.addEventListener("click", async () => {
  await post("/api/lock").catch(() => null);
  showLock();
});
document.querySelector("#log-out")?.addEventListener("click", () => logOut());

// Activity. If the server cannot be reached, the page locks by its own clock.

const POLL_EVERY = 5000; // milliseconds
const IDLE = 5 * 60 * 1000;
let touched = Date.now();
let reported = Date.now(); // when activity was last reported

for (const name of ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"]) {
  addEventListener(name, () => (touched = Date.now()), { capture: true, passive: true });
}

async function pollSession() {
  if (unlocking) {
    touched = reported = Date.now();
    return;
  }
  try {
    if (touched > reported) {
      reported = Date.now();
      await post("/api/here");
    } else {
      const me = await get("/api/me");
      if (me.locked) showLock();
      else if (me.role !== byId("me").dataset.role) toLogin(); // logged out, or someone else logged in
    }
  } catch (problem) {
    if (problem.status === 423) showLock();
    else if (problem.status === 401) toLogin();
    else if (Date.now() - touched > IDLE) showLock();
  }
}

if (document.querySelector("#me")) setInterval(pollSession, POLL_EVERY);

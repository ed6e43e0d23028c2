// The guest's recovery code: the browser keeps it, shows it, and uses it to return after the session has ended.
//
// await newGuest(name)   -> the name, now this guest's own; throws if refused
// storedGuest()          -> {name, code, noted}, or null
// await comeBack(code)   -> the guest again; throws if refused
// offerReturn(holder)    -> "Come back as Ada" in an element, if the browser has a code
// showCode(panel, name)  -> the code in a panel, open until the guest has saved it

import { explained, post } from "../shared/api.js";
import { make } from "../shared/build.js";
import { busy, copied, notify } from "../shared/dialogs.js";
import { recall, remember } from "../shared/memory.js";
/** @import { Me } from "../shared/types.js" */

const KEPT = "croupier.guest";

/**
 * @typedef {{name: string, code: string, noted?: boolean}} Guest
 * @param {Guest} guest
 */
function storeGuest(guest) {
  remember(KEPT, JSON.stringify({ noted: false, ...guest }));
}

/** @param {string} wanted @returns {Promise<string>} */
export async function newGuest(wanted) {
  const { name, code } = await post("/api/guests", { name: wanted });
  storeGuest({ name, code });
  return name;
}

/** @returns {Guest | null} */
export const storedGuest = () => JSON.parse(recall(KEPT) || "null");

export const forgetGuest = () => remember(KEPT, "");

/** @param {string} code @returns {Promise<Me>} */
export async function comeBack(code) {
  const me = await post("/api/return", { code });
  const before = storedGuest();
  storeGuest({ name: me.name, code: me.code || code, noted: !me.code && before?.code === code && before.noted });
  return me;
}

/** @param {Element} holder */
export function offerReturn(holder) {
  const guest = storedGuest();
  if (!guest) return;
  const problem = make("p", { class: "problem", role: "alert" });
  const yes = make("button", { type: "button", class: "primary", onclick: async () => {
    try {
      await busy(yes, comeBack(guest.code));
      location.reload();
    } catch (refused) {
      problem.textContent = explained(refused);
    }
  } }, `Come back as ${guest.name}`);
  const no = make("button", { type: "button", onclick: () => {
    forgetGuest();
    holder.replaceChildren();
  } }, "I am someone else");
  holder.replaceChildren(make("section", { class: "panel way-back", "aria-label": "Return to your seat" },
    make("p", {}, "Your session has ended. This browser still has your recovery code, which brings back your seat and your chips."),
    problem, make("div", { class: "actions" }, no, yes)));
}

/** @param {HTMLElement} panel @param {string} name */
export function showCode(panel, name) {
  const guest = storedGuest();
  panel.hidden = guest?.name !== name;
  if (!guest || panel.hidden) return;
  const code = make("p", { class: "recovery-code", id: "recovery-code" }, guest.code);
  const copy = make("button", { type: "button", class: "small", onclick: async () => notify(`${await copied(guest.code, code)}.`) }, "Copy");
  const details = make("details", { open: !guest.noted },
    make("summary", {}, make("h2", {}, "Your recovery code")), code,
    make("p", { class: "small quiet" }, "Write it down. If your session ends, it brings back your seat and your chips. Anyone who has it can play as you."),
    make("div", { class: "cluster" }, copy, make("button", { type: "button", class: "small", id: "code-noted", onclick: () => {
      storeGuest({ ...guest, noted: true });
      details.open = false;
    } }, "I have saved it")));
  panel.replaceChildren(details);
}

// Log in, choose a new password, unlock: each form asks the server and then opens the page of the role.

import { post } from "../shared/api.js";
import { byId } from "../shared/build.js";
import { onSubmit } from "../shared/dialogs.js";
import { logOut } from "./screen_lock.js";
/** @import { Me } from "../shared/types.js" */

const page = byId("login");
const forms = Object.fromEntries(["login", "change", "unlock"].map((name) => [name, byId(`form-${name}`)]));
let oneTime = ""; // just entered: it need not be typed again

/** @param {string} name */
function show(name) {
  for (const [each, form] of Object.entries(forms)) form.hidden = each !== name;
  forms[name].querySelector("input:not([readonly]):not([type=hidden])").focus();
}

/** @param {Me} me */
function goOn(me) {
  if (me.must_change) {
    forms.change.querySelector("[data-old]").hidden = Boolean(oneTime);
    forms.change.elements.username.value = me.name;
    show("change");
    return;
  }
  location.assign(page.dataset.next || `/${me.role}`);
}

// The same for all three forms: check the fields, send them, show the result.
/**
 * @typedef {Record<string, string>} Fields
 * @param {string} name
 * @param {(fields: Fields) => string} missing
 * @param {(fields: Fields) => Promise<Me>} asked
 */
function submit(name, missing, asked) {
  const form = forms[name];
  const password = form.querySelector("input[type=password]");
  onSubmit(form, async () => {
    const fields = /** @type {Fields} */ (Object.fromEntries(new FormData(form)));
    if (missing(fields)) throw new Error(missing(fields));
    try {
      goOn(await asked(fields));
    } catch (refused) {
      if (refused.status === 401) location.reload();
      if (name !== "change") password.value = "";
      throw refused.status === 429 ? new Error("Too many attempts. Please wait a minute.") : refused;
    }
  }, password);
}

submit(
  "login",
  ({ name, password }) => (name && password ? "" : "Enter your name and password."),
  ({ name, password }) => {
    oneTime = password;
    return post("/api/login", { name, password });
  },
);

submit(
  "change",
  (fields) => {
    if (!(oneTime || fields.old) || !fields.new) return "Enter the one-time password and a new one.";
    return fields.new === fields.again ? "" : "The new passwords do not match.";
  },
  (fields) => post("/api/password", { old: oneTime || fields.old, new: fields.new }),
);

submit(
  "unlock",
  ({ password }) => (password ? "" : "Enter your password."),
  ({ password }) => post("/api/unlock", { password }),
);

for (const leave of document.querySelectorAll("[data-leave]")) leave.addEventListener("click", () => logOut());

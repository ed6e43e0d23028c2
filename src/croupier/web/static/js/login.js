// Log in, choose a password of one's own, unlock: each form asks the server and goes on to the page of the role.

import { post } from "./api.js";
import { busy } from "./dialog.js";
import { logOut } from "./staff.js";

const page = document.querySelector("#login");
const forms = Object.fromEntries(["login", "change", "unlock"].map((name) => [name, document.querySelector(`#form-${name}`)]));
let oneTime = ""; // just given: it need not be typed again

function show(name) {
  for (const [each, form] of Object.entries(forms)) form.hidden = each !== name;
  forms[name].querySelector("input:not([readonly]):not([type=hidden])").focus();
}

function goOn(me) {
  if (me.must_change) {
    forms.change.querySelector("[data-old]").hidden = Boolean(oneTime);
    forms.change.elements.username.value = me.name;
    show("change");
    return;
  }
  location.assign(page.dataset.next || `/${me.role}`);
}

const told = (refused) =>
  refused.status === 429
    ? "Too many attempts from here. Please wait a minute."
    : [refused.reason, refused.accepted ? `Accepted: ${refused.accepted}.` : ""].filter(Boolean).join(" ");

// One way for all three: what is missing, what is asked, what became of it.
function submit(name, missing, asked) {
  const form = forms[name];
  const problem = form.querySelector("[data-problem]");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(form));
    problem.textContent = missing(fields);
    if (problem.textContent) return;
    try {
      goOn(await busy(form.querySelector("button.primary"), asked(fields)));
    } catch (refused) {
      if (refused.status === 401) location.reload();
      problem.textContent = told(refused);
      const password = form.querySelector("input[type=password]");
      if (name !== "change") password.value = "";
      password.focus();
    }
  });
}

submit(
  "login",
  ({ name, password }) => (name && password ? "" : "Your name and your password, please."),
  ({ name, password }) => {
    oneTime = password;
    return post("/api/login", { name, password });
  },
);

submit(
  "change",
  (fields) => {
    if (!(oneTime || fields.old) || !fields.new) return "The one-time password and a new one, please.";
    return fields.new === fields.again ? "" : "The two new passwords differ.";
  },
  (fields) => post("/api/password", { old: oneTime || fields.old, new: fields.new }),
);

submit(
  "unlock",
  ({ password }) => (password ? "" : "Your password, please."),
  ({ password }) => post("/api/unlock", { password }),
);

for (const leave of document.querySelectorAll("[data-leave]")) leave.addEventListener("click", () => logOut());

// Who is here. A visitor needs nothing but a name that nobody else has.
//
// await askName("Three Card Poker")  -> the name that was chosen, or "" where the dialog was closed

import { post } from "./api.js";
import { element } from "./element.js";

export function askName(where) {
  return new Promise((done) => {
    const input = element("input", { id: "guest-name", name: "name", maxlength: "40", required: true, autocomplete: "nickname", "aria-describedby": "guest-hint" });
    const problem = element("p", { class: "problem", role: "alert" });
    const ok = element("button", { type: "submit", class: "primary" }, "Sit down");
    const cancel = element("button", { type: "button", onclick: () => dialog.close() }, "Not now");
    const form = element("form", { method: "dialog" },
      element("h2", { id: "guest-title" }, `Your name at ${where}`),
      element("div", { class: "field" },
        element("label", { for: "guest-name" }, "Name"), input,
        element("p", { class: "hint", id: "guest-hint" }, "As others at the table see it. No account, no password; this browser remembers you.")),
      problem, element("div", { class: "actions" }, cancel, ok));
    const dialog = element("dialog", { "aria-labelledby": "guest-title" }, form);
    let chosen = "";
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      ok.setAttribute("aria-busy", "true");
      try {
        chosen = (await post("/api/guests", { name: input.value.trim() })).name;
        dialog.close();
      } catch (refused) {
        problem.textContent = [refused.reason, refused.accepted ? `Accepted: ${refused.accepted}.` : ""].join(" ");
        input.setAttribute("aria-invalid", "true");
        input.focus();
      }
      ok.removeAttribute("aria-busy");
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      done(chosen);
    });
    document.body.append(dialog);
    dialog.showModal();
    input.focus();
  });
}

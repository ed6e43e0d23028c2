// A guest needs only a name that nobody else has.
//
// await askName("Three Card Poker")  -> the chosen name, or "" if canceled

import { explained, post } from "../shared/api.js";
import { make } from "../shared/build.js";
import { keep } from "./recovery_code.js";

/** @param {string} where @returns {Promise<string>} */
export function askName(where) {
  return new Promise((done) => {
    const input = make("input", { id: "guest-name", name: "name", maxlength: "40", required: true, autocomplete: "nickname", "aria-describedby": "guest-hint" });
    const problem = make("p", { class: "problem", role: "alert" });
    const ok = make("button", { type: "submit", class: "primary" }, "Sit down");
    const cancel = make("button", { type: "button", onclick: () => dialog.close() }, "Not now");
    const form = make("form", { method: "dialog" },
      make("h2", { id: "guest-title" }, `Your name at ${where}`),
      make("div", { class: "field" },
        make("label", { for: "guest-name" }, "Name"), input,
        make("p", { class: "hint", id: "guest-hint" }, "Shown to others at the table. No account or password needed; this browser remembers you.")),
      make("p", { class: "small" }, make("a", { href: "/return" }, "Return to your seat")),
      problem, make("div", { class: "actions" }, cancel, ok));
    const dialog = make("dialog", { "aria-labelledby": "guest-title" }, form);
    let chosen = "";
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      ok.setAttribute("aria-busy", "true");
      try {
        const guest = await post("/api/guests", { name: input.value.trim() });
        keep({ name: guest.name, code: guest.code });
        chosen = guest.name;
        dialog.close();
      } catch (refused) {
        problem.textContent = explained(refused);
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

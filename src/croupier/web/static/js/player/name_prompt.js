// A guest needs only a name that nobody else has.
//
// await askName("Three Card Poker")  -> the chosen name, or "" if canceled

import { make } from "../shared/build.js";
import { closed, modal, onSubmit } from "../shared/dialogs.js";
import { newGuest } from "./recovery_code.js";

/** @param {string} where */
export async function askName(where) {
  let chosen = "";
  const input = make("input", { id: "guest-name", name: "name", maxlength: "40", required: true, autocomplete: "nickname", "aria-describedby": "guest-hint" });
  const form = make("form", {},
    make("div", { class: "field" },
      make("label", { for: "guest-name" }, "Name"), input,
      make("p", { class: "hint", id: "guest-hint" }, "Shown to others at the table. No account or password needed; this browser remembers you.")),
    make("p", { class: "small" }, make("a", { href: "/return" }, "Return to your seat")),
    make("p", { class: "problem", role: "alert" }),
    make("div", { class: "actions" },
      make("button", { type: "button", onclick: () => dialog.close() }, "Not now"), make("button", { class: "primary" }, "Sit down")));
  const dialog = modal(`Your name at ${where}`, form);
  onSubmit(form, async () => {
    chosen = await newGuest(input.value.trim());
    dialog.close();
  });
  input.focus();
  await closed(dialog);
  return chosen;
}

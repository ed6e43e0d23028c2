// Return to your seat: a code is typed in, or comes in a link after #, where no server or log sees it.

import { explained } from "../shared/api.js";
import { byId, one } from "../shared/build.js";
import { busy } from "../shared/dialogs.js";
import { comeBack, kept } from "./recovery_code.js";

const form = byId("form-return");
const { code } = form.elements;
const problem = one("[data-problem]", form);
const linked = decodeURIComponent(location.hash.slice(1));
if (linked) history.replaceState(null, "", location.pathname);
code.value = linked || kept()?.code || "";
code.focus();

form.addEventListener("submit", async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  problem.textContent = code.value.trim() ? "" : "Enter your code.";
  if (problem.textContent) return;
  try {
    await busy(one("button.primary", form), comeBack(code.value.trim()));
    location.assign("/");
  } catch (refused) {
    problem.textContent = explained(refused);
    code.setAttribute("aria-invalid", "true");
    code.focus();
  }
});

// Return to your seat: a code is typed in, or comes in a link after #, where no server or log sees it.

import { byId } from "../shared/build.js";
import { onSubmit } from "../shared/dialogs.js";
import { comeBack, storedGuest } from "./recovery_code.js";

const form = byId("form-return");
const { code } = form.elements;
const linked = decodeURIComponent(location.hash.slice(1));
if (linked) history.replaceState(null, "", location.pathname);
code.value = linked || storedGuest()?.code || "";
code.focus();

onSubmit(form, async () => {
  if (!code.value.trim()) throw new Error("Enter your code.");
  await comeBack(code.value.trim());
  location.assign("/");
});

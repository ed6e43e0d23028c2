// “Show the law”: every clause written out, or behind an (i). player.css shows and hides them.

import { preference } from "../shared/preferences.js";

export const law = preference("law", (on) => {
  document.documentElement.dataset.law = on ? "shown" : "";
});

// The replay of one round with the eyes of its player: one's own, or one that a link opens. The link's secret follows #,
// which browsers do not send; it goes to the server in a header, so no log has it.

import { get } from "../shared/api.js";
import { byId as $, make } from "../shared/build.js";
import { dateTime } from "../shared/dates.js";
import { Felt } from "../shared/felt.js";
import { settlement } from "../shared/settlement.js";
import { Stepper } from "../shared/stepper.js";
/** @import { Seen, View } from "../shared/types.js" */

const { source } = $("replay").dataset;
const token = location.hash.slice(1);

/** @param {{says: string, cites: string[], view: View}[]} frames @param {number} seat */
function play(frames, seat) {
  const felt = new Felt($("felt"));
  new Stepper().start(frames, (n) => {
    const { view } = frames[n];
    felt.show(/** @type {Seen} */ ({ view }));
    const lines = Object.values(view.results ?? {}).filter((each) => each.seat === seat).flatMap((each) => each.lines);
    $("settled-panel").hidden = !lines.length;
    $("settled").replaceChildren(settlement(lines));
  });
}

async function load() {
  try {
    const found = await get(source || "/api/shared", source ? {} : { "x-share-token": token });
    $("title").textContent = `${found.title}, round ${found.number.toLocaleString("en-US")}`;
    $("seen-by").append(` ${dateTime(found.at)}, table ${found.table}, seat ${found.seat}.`);
    const drawing = new DOMParser().parseFromString(found.felt, "image/svg+xml").documentElement;
    $("felt").replaceChildren(document.importNode(drawing, true));
    play(found.frames, found.seat);
  } catch (problem) {
    $("now").replaceChildren(make("span", { class: "problem" }, problem.reason ?? String(problem)));
  }
}

load();

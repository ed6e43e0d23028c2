// A guest's name on the floor: change it, or leave the floor.
//
// guestMenu(name, tables, chips)   -> a dialog; tables are the summaries, which say where the guest sits; does the house keep chips?

import { command, explained, post } from "../shared/api.js";
import { make } from "../shared/build.js";
import { busy, modal, onSubmit } from "../shared/dialogs.js";
import { counted, listed } from "../shared/words.js";
import { comeBack, forgetGuest, newGuest, storedGuest } from "./recovery_code.js";
/** @import { TableSummary } from "../shared/types.js" */

/** @typedef {{table: TableSummary, seat: number}} Seat */

/** @param {string} name @param {TableSummary[]} tables @param {boolean} chips */
export function guestMenu(name, tables, chips) {
  const seats = seatsOf(name, tables);
  const code = storedGuest()?.name === name ? storedGuest()?.code : "";
  const problem = make("p", { class: "problem", role: "alert" });
  const input = make("input", { id: "new-name", maxlength: "40", required: true, autocomplete: "nickname", value: name });
  const away = () => leaveFloor(seats).then(() => location.reload(), (refused) => (problem.textContent = explained(refused)));
  const leave = make("button", { type: "button", class: "danger", onclick: () => busy(leave, away()) }, "Leave the floor");
  const close = make("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const rename = make("form", {}, make("div", { class: "field" }, make("label", { for: "new-name" }, "Another name"), input), problem,
    make("button", { class: "primary" }, "Change name"));
  onSubmit(rename, () => changeName(input.value.trim(), code ?? "").then(() => location.reload()));
  const stays = seats.length ? "To change it, leave your seat first." : chips ? "The house is holding chips for this name. To change it, sit down to get them back, then leave." : code ? "" : "This browser does not have your code, so it cannot change your name.";
  const where = seats.length ? `You are seated at ${listed(seats.map(({ table, seat }) => `${table.title}, seat ${seat}`))}. ` : "";
  const dialog = modal(`You are ${name}`,
    stays ? make("div", {}, make("p", {}, `${where}Seats, chips and your recovery code belong to a name. ${stays}`), problem) : rename,
    make("p", { class: "small quiet" }, `${seats.length ? `Leaving the floor gives up your ${counted(seats.length, "seat")} and the chips there. ` : ""}This browser then forgets you.`,
      code ? make("span", {}, " To come back under this name, keep your recovery code: ", make("strong", { class: "money" }, code)) : null),
    make("div", { class: "actions" }, close, leave));
}

/** @param {string} name @param {TableSummary[]} tables @returns {Seat[]} */
const seatsOf = (name, tables) => tables.flatMap((table) => Object.entries(table.players).filter(([, player]) => player === name).map(([seat]) => ({ table, seat: Number(seat) })));

const endSession = () => post("/api/session", {}, { method: "DELETE" });

// A name that is refused leaves the guest under the old one.
/** @param {string} name @param {string} code of the old name */
async function changeName(name, code) {
  await endSession();
  try {
    await newGuest(name);
  } catch (refused) {
    await comeBack(code);
    throw refused;
  }
}

/** @param {Seat[]} seats */
async function leaveFloor(seats) {
  for (const { table, seat } of seats) await command(table.table, { do: "leave", seat });
  await endSession();
  forgetGuest();
}

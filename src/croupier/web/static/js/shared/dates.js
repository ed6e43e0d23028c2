// Dates as American readers write them, with the 24-hour clock of the log.
//
// dateTime(at)   -> “Nov 17, 2026, 14:03:22”
// toMinute(at)   -> “Nov 17, 2026, 14:03”
// clock(at)      -> “14:03:22”
// hourMinute(at) -> “14:03”

/** @param {Intl.DateTimeFormatOptions} parts */
const format = (parts) => {
  const made = new Intl.DateTimeFormat("en-US", { hourCycle: "h23", ...parts });
  return (/** @type {number} */ at) => made.format(at);
};

export const dateTime = format({ dateStyle: "medium", timeStyle: "medium" });
export const toMinute = format({ dateStyle: "medium", timeStyle: "short" });
export const clock = format({ timeStyle: "medium" });
export const hourMinute = format({ timeStyle: "short" });

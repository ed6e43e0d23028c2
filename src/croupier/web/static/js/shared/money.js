// Money is integer cents; it is shown in dollars, with cents only if there are any.
//
// money(1000) -> "$10"; money(1050) -> "$10.50"; money(-500) -> "-$5"
// signed(1000) -> "+$10"; signed(-1000) -> "−$10"; signed(0) -> "$0"
// minus("-$5") -> "−$5", with the sign that figures have
// sum([500, 1000]) -> 1500
// cents("10.50") -> 1050; NaN if it is not an amount in dollars and whole cents

/** @param {number} cents */
export function money(cents) {
  const whole = Math.trunc(Math.abs(cents) / 100);
  const rest = Math.abs(cents) % 100;
  const sign = cents < 0 ? "-" : "";
  return `${sign}$${whole.toLocaleString("en-US")}${rest ? "." + String(rest).padStart(2, "0") : ""}`;
}

/** @param {string} words */
export const minus = (words) => words.replace("-", "−");

/** @param {number} cents */
export const signed = (cents) => (cents > 0 ? `+${money(cents)}` : cents < 0 ? `−${money(-cents)}` : money(0));

/** @param {number[]} amounts */
export const sum = (amounts) => amounts.reduce((all, each) => all + each, 0);

/** @param {string} text */
export function cents(text) {
  const found = /^\s*\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?\s*$/.exec(text);
  if (!found) return NaN;
  return Number(found[1].replaceAll(",", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}

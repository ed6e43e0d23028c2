// Money is integer cents everywhere; people read dollars, and cents only where there are cents.
//
// money(1000) -> "$10"; money(1050) -> "$10.50"; money(-500) -> "-$5"
// cents("10.50") -> 1050; NaN for what is no amount of dollars and whole cents

export function money(cents) {
  const whole = Math.trunc(Math.abs(cents) / 100);
  const rest = Math.abs(cents) % 100;
  const sign = cents < 0 ? "-" : "";
  return `${sign}$${whole.toLocaleString("en-US")}${rest ? "." + String(rest).padStart(2, "0") : ""}`;
}

export function cents(text) {
  const found = /^\s*\$?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?\s*$/.exec(String(text));
  if (!found) return NaN;
  return Number(found[1].replaceAll(",", "")) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}

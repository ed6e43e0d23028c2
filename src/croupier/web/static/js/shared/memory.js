// What this browser remembers: text by key. If its storage is disabled, a page works without.
//
// remember(key, text), recall(key)                -> the text, "" if there is none
// remember(key, text, TAB), recall(key, TAB)      until the tab is closed

export const TAB = "sessionStorage";
/** @typedef {"localStorage" | "sessionStorage"} Where */

/** @param {string} key @param {Where} [where] */
export function recall(key, where = "localStorage") {
  try {
    return window[where].getItem(key) ?? "";
  } catch {
    return "";
  }
}

/** @param {string} key @param {string} text @param {Where} [where] */
export function remember(key, text, where = "localStorage") {
  try {
    window[where].setItem(key, text);
  } catch {
    // only for this page, then
  }
}

// Words as the pages write them.
//
// capitalized("deal the cards")        -> "Deal the cards"; lower("Deal the cards") -> "deal the cards"
// counted(1, "round")                  -> "1 round"; counted(1200, "round") -> "1,200 rounds"
// listed(["Ada", "Bo", "Cy"])          -> "Ada, Bo and Cy"
// wagerName("Ante Wager")              -> "Ante"; a key such as "Bonus Wager: dealer" keeps what follows the colon
// shortWager("Progressive Payout Wager") -> "Progressive"
// endOf({folded, decided})             -> "folded", or "timed out", which may lose less; "" for a hand still in play

/** @param {string} words */
export const capitalized = (words) => (words ? words[0].toUpperCase() + words.slice(1) : "");

// A name such as “Point Count 5” stays as it is.
/** @param {string} [words] */
export const lower = (words = "") => (/^\S+ [A-Z]/.test(words) ? words : words.slice(0, 1).toLowerCase() + words.slice(1));

/** @param {number} n @param {string} noun */
export const counted = (n, noun) => `${n.toLocaleString("en-US")} ${noun}${n === 1 ? "" : "s"}`;

/** @param {string[]} names */
export const listed = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

/** @param {string} name */
export const wagerName = (name) => name.replace(/ Wager(?=:|$)/, "");

/** @param {string} name */
export const shortWager = (name) => wagerName(name).replace(/ Payout(?=:|$)/, "");

/** @param {{folded: boolean, decided: readonly string[]}} box */
export const endOf = ({ folded, decided }) => (!folded ? "" : decided.at(-1) === "timed out" ? "timed out" : "folded");

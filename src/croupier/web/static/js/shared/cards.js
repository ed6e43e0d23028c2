// A playing card, drawn from the sprite at /art/cards.svg.
//
// card("Qs")            -> <svg class="card" role="img" aria-label="queen of spades">; card("") is face down
// cardUse("Qs", x, y, wide)  -> the same as an SVG group for another drawing, with its upper left corner at x, y
// hand(["Qs", ""])      -> a <span class="hand"> of cards side by side, for a line of text or a table
// nameOf("Qs")          -> "queen of spades"; nameOf("") -> "a face-down card"
// namesOf(["Qs", "", ""]) -> "queen of spades and 2 face-down cards"
// withSuits("7s Td (20) and Jk 4d") -> "7♠ 10♦ (20) and joker 4♦": the cards of a text as people read them, if two or more are together
// fourColors.turn(true) -> four colors from now on, kept in this browser; cards on the page change too

import { draw, make } from "./build.js";
import { preference } from "./preferences.js";
import { listed } from "./words.js";

/** @typedef {string} Card */

/** @type {Record<string, string>} */
const RANKS = {
  2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9", T: "10", J: "jack", Q: "queen", K: "king", A: "ace",
};
/** @type {Record<string, string>} */
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };

/** @param {boolean} on */
const spriteOf = (on) => (on ? "/art/cards-four.svg" : "/art/cards.svg");

export const fourColors = preference("four-colours", (on) => {
  for (const each of document.querySelectorAll("use[data-card]")) each.setAttribute("href", `${spriteOf(on)}#${each.getAttribute("data-card")}`);
});

const sprite = () => spriteOf(fourColors.on);

/** @param {Card} code */
export function nameOf(code) {
  if (!code) return "a face-down card";
  if (code === "Jk") return "joker";
  return `${RANKS[code[0]]} of ${SUITS[code[1]]}`;
}

/** @param {Card[]} codes */
export function namesOf(codes) {
  const backs = codes.filter((code) => !code).length;
  const names = codes.filter(Boolean).map(nameOf);
  if (backs) names.push(backs === 1 ? "a face-down card" : `${backs} face-down cards`);
  return listed(names);
}

/** @type {Record<string, string>} */
const SYMBOLS = { c: "♣", d: "♦", h: "♥", s: "♠" };

// One code alone may be a word: “As”.
/** @param {string} text */
export const withSuits = (text) => text.replace(/\b(?:[2-9TJQKA][cdhs]|Jk)(?: (?:[2-9TJQKA][cdhs]|Jk)\b)+/g, (codes) =>
  codes.replace(/Jk|(\w)(\w)/g, (code, rank, suit) => (suit ? (rank === "T" ? "10" : rank) + SYMBOLS[suit] : "joker")));

/** @param {Card} code @param {object} [place] */
const use = (code, place = {}) => draw("use", { "data-card": code || "back", href: `${sprite()}#${code || "back"}`, ...place });

/** @param {Card} code */
export const card = (code) => draw("svg", { class: code ? "card" : "card down", viewBox: "0 0 50 70", role: "img", "aria-label": nameOf(code) }, use(code));

/** @param {Card} code @param {number} x @param {number} y @param {number} wide */
export const cardUse = (code, x, y, wide) => draw("g", { class: code ? "card" : "card down" }, use(code, { x, y, width: wide, height: wide * 1.4 }));

/** @param {Card[]} codes */
export const hand = (codes) => make("span", { class: "hand" }, codes.map(card));

// A playing card, drawn from the sprite at /art/cards.svg.
//
// card("Qs")            -> <svg class="card" role="img" aria-label="queen of spades">; card("") lies face down
// cardUse("Qs", x, y, wide)  -> the same as an SVG group to put into another drawing, its upper left corner there
// hand(["Qs", ""])      -> a <span class="hand"> of cards side by side, for a line of text or a table
// nameOf("Qs")          -> "queen of spades"; nameOf("") -> "a card face down"
// namesOf(["Qs", "", ""]) -> "queen of spades and 2 cards face down"
// fourColours(true)     -> four colours from now on, remembered in this browser; cards already there change too

const SVG = "http://www.w3.org/2000/svg";
const RANKS = {
  2: "2", 3: "3", 4: "4", 5: "5", 6: "6", 7: "7", 8: "8", 9: "9", T: "10", J: "jack", Q: "queen", K: "king", A: "ace",
};
const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
const REMEMBERED = "croupier.four-colours";

let four = remembered();

function remembered() {
  try {
    return localStorage.getItem(REMEMBERED) === "yes";
  } catch {
    return false; // a browser may refuse to remember
  }
}

const sprite = () => (four ? "/art/cards-four.svg" : "/art/cards.svg");

export function nameOf(code) {
  if (!code) return "a card face down";
  if (code === "Jk") return "joker";
  return `${RANKS[code[0]]} of ${SUITS[code[1]]}`;
}

export function namesOf(codes) {
  const backs = codes.filter((code) => !code).length;
  const told = codes.filter(Boolean).map(nameOf);
  if (backs) told.push(backs === 1 ? "a card face down" : `${backs} cards face down`);
  if (told.length < 2) return told.join("");
  return `${told.slice(0, -1).join(", ")} and ${told.at(-1)}`;
}

function use(code) {
  const inside = document.createElementNS(SVG, "use");
  inside.dataset.card = code || "back";
  inside.setAttribute("href", `${sprite()}#${code || "back"}`);
  return inside;
}

export function card(code) {
  const element = document.createElementNS(SVG, "svg");
  element.setAttribute("class", code ? "card" : "card down");
  element.setAttribute("viewBox", "0 0 50 70");
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", nameOf(code));
  element.append(use(code));
  return element;
}

export function cardUse(code, x, y, wide) {
  const element = document.createElementNS(SVG, "g");
  element.setAttribute("class", code ? "card" : "card down");
  const inside = use(code);
  for (const [name, value] of Object.entries({ x, y, width: wide, height: wide * 1.4 })) inside.setAttribute(name, value);
  element.append(inside);
  return element;
}

export function hand(codes) {
  const element = document.createElement("span");
  element.className = "hand";
  element.append(...codes.map(card));
  return element;
}

export function fourColours(yes = four) {
  four = yes;
  try {
    localStorage.setItem(REMEMBERED, yes ? "yes" : "no");
  } catch {
    // then only for this page
  }
  for (const each of document.querySelectorAll("use[data-card]")) each.setAttribute("href", `${sprite()}#${each.dataset.card}`);
  return four;
}

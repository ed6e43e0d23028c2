// Chips of the house, drawn from the sprite at /art/chips.svg: one stack for each wager, its amount in figures.
//
// stack(1500)              -> <span class="stack" aria-label="$15 in chips"> for a page
// stackGroup(1500, {across: 60, label: true, bank: "left"}) -> an SVG group around (0, 0) for another drawing
// chipsOf(1500)            -> [500, 500, 500]: the fewest chips, highest first; what is below a dollar has no chip
// chip(2500)               -> one chip as <svg class="chip">, for a rack of chips to bet with

import { money } from "./money.js";

const SVG = "http://www.w3.org/2000/svg";
export const VALUES = [100000, 50000, 10000, 2500, 500, 100]; // cents
const TALLEST = 6; // chips that a stack shows; the figures say the rest

export function chipsOf(cents) {
  const chips = [];
  for (const value of VALUES) {
    for (; cents >= value && chips.length < 40; cents -= value) chips.push(value);
  }
  return chips;
}

function node(name, attributes, ...inside) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

const use = (value, x, y, across) =>
  node("use", { href: `/art/chips.svg#chip-${value / 100}`, x: x - across / 2, y: y - across / 2, width: across, height: across });

export function chip(value) {
  return node("svg", { class: "chip", viewBox: "-20.5 -20.5 41 41", role: "img", "aria-label": `a chip of ${money(value)}` },
    use(value, 0, 0, 41));
}

// From above and a little from the front: each chip of the stack a little higher, the highest values below.
export function stackGroup(cents, { across = 60, label = true } = {}) {
  const shown = chipsOf(cents).slice(-TALLEST);
  if (!shown.length) shown.push(100);
  const rise = across * 0.09;
  const group = node("g", { class: "stack" });
  group.append(node("ellipse", { class: "shadow", cx: across * 0.02, cy: across * 0.06, rx: across * 0.51, ry: across * 0.5 }));
  shown.forEach((value, n) => {
    if (n) group.append(node("circle", { class: "rim", cx: 0, cy: -rise * n + rise * 0.45, r: across * 0.485 }));
    group.append(use(value, 0, -rise * n, across));
  });
  if (label) group.append(plate(money(cents), across * 0.62, across));
  return group;
}

// The amount in figures on a plate of its own, so that it can be read on any felt.
function plate(words, y, across) {
  const size = across * 0.34;
  const wide = Math.max(across * 0.62, words.length * size * 0.62 + size * 0.7);
  const group = node("g", { class: "plate", transform: `translate(0 ${y})` });
  group.append(node("rect", { x: -wide / 2, y: -size * 0.68, width: wide, height: size * 1.36, rx: size * 0.68 }));
  const text = node("text", { x: 0, y: size * 0.35, "font-size": size, "text-anchor": "middle" });
  text.textContent = words;
  group.append(text);
  return group;
}

export function stack(cents) {
  const element = document.createElement("span");
  element.className = "stack";
  element.setAttribute("role", "img");
  element.setAttribute("aria-label", `${money(cents)} in chips`);
  const drawing = node("svg", { viewBox: "-36 -52 72 86", "aria-hidden": "true" }, stackGroup(cents, { across: 60, label: false }));
  const amount = document.createElement("span");
  amount.className = "money";
  amount.textContent = money(cents);
  element.append(drawing, amount);
  return element;
}

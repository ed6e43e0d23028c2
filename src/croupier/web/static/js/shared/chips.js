// Chips, drawn from the sprite at /art/chips.svg: one stack per wager, with its amount in figures.
//
// stackGroup(1500, {across: 60, label: true}) -> an SVG group around (0, 0) for another drawing
// chip(2500)               -> one chip as <svg class="chip">, for the rack of chips to bet with
// plate("+$30", size, transform, name) -> words on a plate, readable on any felt; plateWidth(words, size) -> how wide it is

import { draw } from "./build.js";
import { money } from "./money.js";

export const VALUES = [100000, 50000, 10000, 2500, 500, 100]; // cents
const TALLEST = 6; // chips shown in a stack; the figures tell the rest

// The fewest chips, highest first; amounts below a dollar have no chip.
/** @param {number} cents */
function chipsOf(cents) {
  const chips = [];
  for (const value of VALUES) {
    for (; cents >= value && chips.length < 40; cents -= value) chips.push(value);
  }
  return chips;
}

/** @param {number} value @param {number} x @param {number} y @param {number} across */
const use = (value, x, y, across, part = "chip") =>
  draw("use", { href: `/art/chips.svg#${part}-${value / 100}`, x: x - across / 2, y: y - across / 2, width: across, height: across });

/** @param {number} value */
export function chip(value) {
  return draw("svg", { class: "chip", viewBox: "-20.5 -20.5 41 41", role: "img", "aria-label": `${money(value)} chip` },
    use(value, 0, 0, 41));
}

// Seen from above and slightly from the front: each chip a little higher than the last, the highest values at the bottom.
/** @param {number} cents */
export function stackGroup(cents, { across = 60, label = true } = {}) {
  const shown = chipsOf(cents).slice(-TALLEST);
  if (!shown.length) shown.push(100);
  const rise = across * 0.1;
  const group = draw("g", { class: "stack" });
  group.append(draw("ellipse", { class: "shadow", cx: across * 0.05, cy: across * 0.09, rx: across * 0.52, ry: across * 0.5 }));
  shown.forEach((value, n) => {
    group.append(use(value, 0, -rise * (n - 0.62), across, "edge"));
    if (n === shown.length - 1) group.append(use(value, 0, -rise * n, across));
  });
  if (label) group.append(plate(money(cents), across * 0.34, `translate(0 ${across * 0.62})`));
  return group;
}

/** @param {string} words @param {number} size of the letters */
export const plateWidth = (words, size) => words.length * size * 0.6 + size * 0.9;

/** @param {string} words @param {number} size of the letters @param {string} transform */
export function plate(words, size, transform, name = "plate") {
  const wide = plateWidth(words, size);
  return draw("g", { class: name, transform },
    draw("rect", { x: -wide / 2, y: -size * 0.7, width: wide, height: size * 1.4, rx: size * 0.7 }),
    draw("text", { x: 0, y: size * 0.35, "font-size": size, "text-anchor": "middle" }, words));
}

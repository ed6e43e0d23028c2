// Building elements, and finding them on the page.
//
// make("p", {class: "quiet", onclick: () => …}, "words", [more])   -> an HTML element; null, undefined and false are skipped
// draw("circle", {r: 8}, …)                                        -> an SVG element, the same way
// setAttributes(element, {role: "button", tabindex: null})          sets these attributes; null, undefined and false remove them
// byId("chips"), one(".sit", card)                                 -> an element that must exist

/**
 * @typedef {Node | string | number | false | null | undefined | (Node | string | false | null | undefined)[]} Inside
 * @typedef {Record<string, any>} Attributes a listener for a name such as onclick
 */

const SVG = "http://www.w3.org/2000/svg";
/** @param {unknown} value */
const isPresent = (value) => value !== null && value !== undefined && value !== false;

/** @param {Element} element @param {Attributes} attributes */
export function setAttributes(element, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (isPresent(value)) element.setAttribute(key, value === true ? "" : value);
    else element.removeAttribute(key);
  }
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {Inside[]} inside
 * @returns {E}
 */
function fill(element, attributes, inside) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (isPresent(value)) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...inside.flat().filter(isPresent).map((each) => (each instanceof Node ? each : String(each))));
  return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...Inside} inside
 * @returns {HTMLElementTagNameMap[K]}
 */
export const make = (name, attributes = {}, ...inside) => fill(document.createElement(name), attributes, inside);

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} name
 * @param {Attributes} [attributes]
 * @param {...Inside} inside
 * @returns {SVGElementTagNameMap[K]}
 */
export const draw = (name, attributes = {}, ...inside) => fill(document.createElementNS(SVG, name), attributes, inside);

/** @param {string} selector @param {ParentNode} [root] @returns {any} of the kind that the caller knows it to be */
export function one(selector, root = document) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`The page has no ${selector}.`);
  return found;
}

/** @param {string} id */
export const byId = (id) => one(`#${id}`);

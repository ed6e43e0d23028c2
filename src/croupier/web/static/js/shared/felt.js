// The felt: cards and chips on a layout, drawn from a Seen. The layout is the inline SVG of layout_drawing(offer, near=seat) in printed/drawing/felt.py;
// near=0 shows the dealer's side.
//
// const felt = new Felt(element)        element: <div class="felt"> with the SVG in it
// felt.show(seen)                       draw it; what changed since the last Seen moves there
// felt.view("auto"|"whole"|"focus")     focus: the near seat and the dealer's cards; auto: focus if there is little room
// felt.pick([1, 4]); felt.pick(null)    let the cards of the near hand be picked, these are, counted from 1 (setting a hand); or no longer
//
// Events of the element, all bubbling:
// "wager" {seat, wager, area, choices}  an open betting area was clicked, tapped or pressed; `choices` are its Choices of seen.can
//                                       (several if the area serves several wagers)
// "shut"  {seat, wager}                 a betting area that accepts no wager now was clicked or tapped
// "card"  {seat, index}                 a card of the near hand was clicked, counted from 1; only while they are picked

import { onFelt } from "./amounts.js";
import { draw, one, setAttributes } from "./build.js";
import { cardUse, nameOf, namesOf, withSuits } from "./cards.js";
import { plate, plateWidth, stackGroup } from "./chips.js";
import { money, signed, sum } from "./money.js";
import { leave, pay, settleAll, travel, turn } from "./motion.js";
import { net } from "./settlement.js";
import { counted, endOf, lower } from "./words.js";
/** @import { BoxView, Choice, Line, Seen, Stakes } from "./types.js" */

const HAND_NAME = 22; // the size of its letters
const NARROW = 640; // pixels; a narrower felt shows only the near seat and the dealer's cards

/**
 * @typedef {{x: number, y: number, turn: number, scale: number}} Place
 * @typedef {Place & {wide: number}} Slot
 * @typedef {object} Item something on the felt: a card, a stack of chips, or the discard rack
 * @property {"card" | "stack" | "rack"} kind
 * @property {Place} at
 * @property {any} [element] its drawing, an SVG element
 * @property {string} [code]
 * @property {number} [wide]
 * @property {boolean} [faded]
 * @property {string} [place]
 * @property {number} [index]
 * @property {number} [seat]
 * @property {number} [cents]
 * @property {number} [across]
 * @property {string} [key]
 * @property {boolean} [small]
 * @property {number} [count]
 * @typedef {Map<string, Item>} Items
 * @typedef {{area: SVGElement, seat: number, name: string, wagers: string[], choices: Choice[]}} Bet
 */
export class Felt {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {SVGSVGElement} */
    this.svg = one("svg", element);
    this.near = Number(this.svg.dataset.near ?? 0);
    this.whole = this.svg.getAttribute("viewBox") ?? "";
    this.mode = "auto";
    /** @type {Items} */
    this.items = new Map(); // what is on the felt, by its place
    /** @type {number[] | null} */
    this.picked = null;
    /** @type {Seen | undefined} */
    this.seen = undefined;
    this._prepare();
    /** @type {NodeListOf<SVGElement>} */
    const areas = this.svg.querySelectorAll(".bet[data-wagers]");
    this.bets = [...areas].map((area) => this._bet(area));
    this.rings = this.svg.appendChild(draw("g", { class: "rings", "aria-hidden": "true" }));
    this.laid = this.svg.appendChild(draw("g", { class: "laid" }));
    this.words = this.svg.appendChild(draw("g", { class: "words" }));
    new ResizeObserver(() => this._resize()).observe(element);
    this._resize();
  }

  /** @param {"auto" | "whole" | "focus"} mode */
  view(mode) {
    this.mode = mode;
    this._resize();
  }

  /** @param {Seen} seen */
  show(seen) {
    settleAll();
    const before = this.seen;
    this.seen = seen;
    this._areas(seen);
    this._lay(this._wanted(seen), before ? this._paid(before, seen) : null);
    if (before) this._winnings(before, seen);
    this._names(seen);
    this._raise(seen);
    this._live(seen);
  }

  /** @param {number[] | null} indices */
  pick(indices) {
    this.picked = indices;
    /** @type {NodeListOf<SVGElement>} */
    const cards = this.laid.querySelectorAll("[data-index]");
    for (const element of cards) {
      const yes = Boolean(indices?.includes(Number(element.dataset.index)));
      element.classList.toggle("picked", yes);
      element.classList.toggle("pickable", Boolean(indices));
      setAttributes(element, indices ? { role: "checkbox", tabindex: 0, "aria-checked": String(yes) } : { role: "img", tabindex: null, "aria-checked": null });
    }
  }

  // The drawing

  _prepare() {
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", this.svg.querySelector(":scope > title")?.textContent ?? "Layout");
    this.svg.querySelector(":scope > title")?.remove(); // it would pop up as a tooltip everywhere
    for (const each of this.svg.querySelectorAll(".seat-number, .inscriptions, .equipment")) each.setAttribute("aria-hidden", "true");
    this.svg.addEventListener("click", (event) => this._press(event));
    this.svg.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      if (this._press(event)) event.preventDefault();
    });
  }

  /** @param {SVGElement} area @returns {Bet} */
  _bet(area) {
    const edge = one(".edge", area);
    for (const kind of ["hit", "ring"]) {
      const copy = edge.cloneNode();
      for (const name of ["fill", "stroke", "stroke-width"]) copy.removeAttribute(name);
      copy.setAttribute("class", kind);
      area.append(copy);
    }
    area.querySelector("title")?.remove();
    for (const words of area.querySelectorAll(":scope > text")) {
      if (words.getAttribute("x") === "0") words.classList.add("label"); // not the sign between two areas
    }
    return { area, seat: Number(area.dataset.seat), name: area.dataset.area ?? "", wagers: (area.dataset.wagers ?? "").split("|"), choices: [] };
  }

  _resize() {
    const narrow = this.mode === "focus" || (this.mode === "auto" && this.element.clientWidth < NARROW);
    this.svg.setAttribute("viewBox", narrow ? (this.svg.dataset.focus ?? this.whole) : this.whole);
    this.element.dataset.view = narrow ? "focus" : "whole";
  }

  // Where the origin of an element's coordinates, or another point of them, is on the felt.
  /** @param {any} element an SVG element @returns {Place} */
  _at(element, x = 0, y = 0) {
    let matrix = this.svg.createSVGMatrix();
    for (let each = element; each && each !== this.svg; each = each.parentNode) {
      const own = each.transform?.baseVal.consolidate();
      if (own) matrix = own.matrix.multiply(matrix);
    }
    const scale = Math.hypot(matrix.a, matrix.b);
    const turned = (Math.atan2(matrix.b, matrix.a) * 180) / Math.PI;
    return { x: matrix.a * x + matrix.c * y + matrix.e, y: matrix.b * x + matrix.d * y + matrix.f, turn: turned, scale };
  }

  /** @param {string} place @param {number} seat @returns {Slot[]} */
  _slots(place, seat) {
    const where = seat ? `[data-place="${place}"][data-seat="${seat}"]` : `[data-place="${place}"]:not([data-seat])`;
    return [...this.svg.querySelectorAll(where)].flatMap((area) =>
      [...area.querySelectorAll("rect.slot")].map((slot) => {
        const [x, y, wide, high] = ["x", "y", "width", "height"].map((name) => Number(slot.getAttribute(name)));
        return { ...this._at(area, x + wide / 2, y + high / 2), wide };
      }),
    );
  }

  /** @param {string} name @returns {Place} */
  _thing(name) {
    const box = this.svg.querySelector(`[data-equipment^="${name}"] rect`);
    if (!box) return { x: 915, y: 60, turn: 0, scale: 0.6 };
    const [x, y, wide, high] = ["x", "y", "width", "height"].map((key) => Number(box.getAttribute(key)));
    return { x: x + wide / 2, y: y + high / 2, turn: 0, scale: 0.6 };
  }

  _shoe() {
    const shoe = this.svg.querySelector('[data-equipment="Dealing shoe"]') ? "Dealing shoe" : "Table inventory";
    return { ...this._thing(shoe), turn: this.near ? -20 : 160 };
  }

  // What should be on the felt

  /** @param {Seen} seen */
  _wanted(seen) {
    const { round } = seen.view;
    /** @type {Items} */
    const wanted = new Map();
    for (const { area } of this.bets) area.classList.remove("covered");
    for (const [box, each] of Object.entries(onFelt(seen.view))) this._stacks(wanted, Number(box), each);
    if (round) {
      for (const [box, each] of Object.entries(round.boxes)) this._held(wanted, Number(box), each);
      this._cards(wanted, "dealer", 0, round.dealer);
      this._cards(wanted, "community", 0, round.community);
      this._rack(wanted, round.discarded);
    }
    return wanted;
  }

  /** @param {Items} wanted @param {number} box @param {BoxView} each */
  _held(wanted, box, each) {
    let order = each.cards.map((_, n) => n);
    if (each.set.length) {
      const three = each.set.map((n) => n - 1);
      order = [...three, ...order.filter((n) => !three.includes(n))];
    }
    this._cards(wanted, "player", box, each.cards, order, each.folded);
    this._cards(wanted, "fourth", box, each.fourth);
  }

  /** @param {Items} wanted @param {string} place @param {number} seat @param {string[]} codes */
  _cards(wanted, place, seat, codes, order = codes.map((_, n) => n), faded = false) {
    const slots = this._slots(place, seat);
    if (!slots.length) return;
    codes.forEach((code, n) => {
      const slot = slots[order.indexOf(n)] ?? slots[slots.length - 1];
      wanted.set(`card ${place} ${seat} ${n}`, { kind: "card", code, at: slot, wide: slot.wide, faded, seat, place, index: n + 1 });
    });
  }

  /** @param {Items} wanted @param {number} seat @param {Stakes} stakes */
  _stacks(wanted, seat, stakes) {
    for (const bet of this.bets.filter((each) => each.seat === seat)) {
      const laid = Object.entries(stakes).filter(([key, cents]) => cents && bet.wagers.includes(key));
      bet.area.classList.toggle("covered", laid.length > 0);
      laid.forEach(([key, cents], n) => {
        const aside = (n - (laid.length - 1) / 2) * 42;
        const at = this._at(bet.area, aside, -5);
        const across = laid.length > 1 ? 40 : 56;
        wanted.set(`stack ${seat} ${key}`, { kind: "stack", cents, at, across, seat, key, small: seat !== this.near && this.near > 0 });
      });
    }
  }

  /** @param {Items} wanted @param {number} count */
  _rack(wanted, count) {
    if (!count || !this.svg.querySelector('[data-equipment="Discard rack"]')) return;
    wanted.set("rack", { kind: "rack", count, at: { ...this._thing("Discard rack"), scale: 1 } });
  }

  // Update it: new items travel in, old ones leave, turned cards turn

  /** @param {Items} wanted @param {Map<string, boolean> | null} paid */
  _lay(wanted, paid) {
    /** @type {Item[]} */
    const fresh = [];
    for (const [key, item] of this.items) {
      const next = wanted.get(key);
      if (next && this._same(item, next)) wanted.set(key, item);
    }
    const gone = [...this.items].filter(([key]) => !wanted.has(key));
    gone.forEach(([key, item], n) => this._remove(key, item, paid, n, gone.length));
    for (const [key, next] of wanted) {
      const old = this.items.get(key);
      if (old === next) continue;
      next.element = this._draw(next);
      next.element.setAttribute("transform", attribute(next.at));
      if (old) {
        old.element.replaceWith(next.element);
        this._change(old, next);
      } else fresh.push(next);
      this.items.set(key, next);
    }
    fresh.forEach((item) => this.laid.append(item.element));
    this._sort();
    if (paid === null) return; // the first Seen of a page appears without motion
    const dealt = fresh.filter((item) => item.kind === "card");
    dealt.sort((one, other) => dealtAt(one) - dealtAt(other)).forEach((item, n) => travel(item.element, this._shoe(), item.at, n, dealt.length));
    for (const item of fresh.filter((each) => each.kind === "stack")) travel(item.element, this._purse(item.seat), item.at);
  }

  _sort() {
    const rank = { rack: 0, stack: 1, card: 2 };
    const all = [...this.items.values()].sort((a, b) => rank[a.kind] - rank[b.kind] || a.at.x - b.at.x);
    const there = [...this.laid.children].filter((element) => !element.classList.contains("leaving"));
    if (all.every((item, n) => item.element === there[n])) return;
    this.laid.append(...all.map((item) => item.element));
  }

  /** @param {Item} item @param {Item} next */
  _same(item, next) {
    const looks = /** @type {const} */ (["kind", "code", "cents", "count", "faded", "across"]);
    const alike = looks.every((key) => item[key] === next[key]);
    return alike && item.at.x === next.at.x && item.at.y === next.at.y;
  }

  /** @param {Item} old @param {Item} next */
  _change(old, next) {
    if (next.kind === "card" && old.code !== next.code) turn(next.element, next.at);
    else if (old.at.x !== next.at.x || old.at.y !== next.at.y) travel(next.element, old.at, next.at);
  }

  /** @param {string} key @param {Item} item @param {Map<string, boolean> | null} paid @param {number} n @param {number} of */
  _remove(key, item, paid, n, of) {
    this.items.delete(key);
    item.element.classList.add("leaving");
    if (paid === null || item.kind === "rack") return item.element.remove();
    const to = item.kind === "card" ? this._thing("Discard rack") : paid.get(key) ? this._purse(item.seat) : this._thing("Table inventory");
    return leave(item.element, item.at, { ...to, scale: item.at.scale * 0.5 }, n, of);
  }

  /** @param {number} [seat] */
  _purse(seat) {
    const group = this.svg.querySelector(`#seat-${seat}`);
    const at = group ? this._at(group, 0, 0) : { x: 915, y: 1040, turn: 0, scale: 1 };
    return { ...at, scale: 0.5 };
  }

  /** @param {any} item an Item with all that its kind needs */
  _draw(item) {
    if (item.kind === "stack") return this._drawStack(item);
    if (item.kind === "rack") return this._drawRack(item);
    const own = item.wide / 50;
    const pickable = item.place === "player" && item.seat === this.near ? { "data-index": item.index, "data-seat": item.seat } : {};
    const attributes = { class: item.faded ? "lies folded" : "lies", role: "img", "aria-label": nameOf(item.code), ...pickable };
    return draw("g", attributes, cardUse(item.code, -25 * own, -35 * own, 50 * own));
  }

  /** @param {any} item */
  _drawStack(item) {
    const name = `Seat ${item.seat}, ${item.key.replace(": ", " on the ")}: ${money(item.cents)}`;
    return draw("g", { class: "lies", role: "img", "aria-label": name }, stackGroup(item.cents, { across: item.across, label: !item.small }));
  }

  /** @param {any} item */
  _drawRack(item) {
    const group = draw("g", { class: "lies", role: "img", "aria-label": `${counted(item.count, "card")} in the discard rack` });
    const backs = Math.min(4, Math.ceil(item.count / 4));
    for (let n = 0; n < backs; n += 1) group.append(cardUse("", -26 + n * 3, -44 - n * 3, 50));
    return group;
  }

  // Names, results and whose turn it is

  /** @param {Seen} seen */
  _names(seen) {
    const { seats = {}, round, wagers = {} } = seen.view;
    const results = (round && seen.view.results) ?? {}; // on a felt that is open for bets, they would look like bets
    this.words.replaceChildren();
    /** @type {NodeListOf<SVGElement>} */
    const groups = this.svg.querySelectorAll("g.seat");
    for (const group of groups) {
      const seat = Number(group.dataset.seat);
      const box = round?.boxes[seat];
      const player = seats[box?.seat ?? seat]?.player ?? seats[seat]?.player;
      const numeral = one(".seat-number", group);
      numeral.classList.toggle("taken", Boolean(player));
      if (seat !== this.near && player) this._name(group, numeral, player, sum(Object.values((box ? box.wagers : wagers[seat]) ?? {})), round?.asked.includes(seat));
      const lines = results[seat]?.lines ?? [];
      if (seat === this.near) {
        this._wagerResults(seat, lines);
        const hand = box?.hand || (box?.folded ? endOf(box) : lower(lines.find((line) => line.hand)?.hand));
        const settled = lines.length > 0 && box?.settled;
        const words = [hand, settled && gainInWords(net(lines))].filter(Boolean).join(", ");
        if (words && box?.cards.length) this._handName(this._slots("player", seat), words, `plate own-hand-name${settled && net(lines) > 0 ? " won" : ""}`);
      } else if (lines.length && box?.settled) this._result(group, net(lines));
    }
    if (round?.dealer_hand) this._handName(this._slots("dealer", 0), round.dealer_hand, "plate dealer-hand");
    this._hideBehind();
  }

  // The names of card areas that the name of the dealer's hand would cover.
  _hideBehind() {
    const plate = this.words.querySelector(".dealer-hand")?.getBoundingClientRect();
    for (const label of this.svg.querySelectorAll(".dealer text")) {
      const box = plate && label.getBoundingClientRect();
      label.classList.toggle("behind", Boolean(plate && box && box.left < plate.right && plate.left < box.right));
    }
  }

  /** @param {Element} group @param {Element} numeral @param {string} player @param {number} staked @param {boolean} [asked] */
  _name(group, numeral, player, staked, asked) {
    const text = draw("text", { class: asked ? "name turn" : "name", "text-anchor": "middle", "font-size": 38 });
    text.setAttribute("transform", attribute(this._at(group, 0, Number(numeral.getAttribute("y")))));
    const short = player.length > 12 ? `${player.slice(0, 11)}…` : player;
    const lines = staked ? [short, money(staked)] : [short];
    lines.forEach((words, n) => {
      text.append(draw("tspan", { x: 0, y: (this.near ? n : n - lines.length + 1) * 40 }, words));
    });
    this.words.append(text);
  }

  /** @param {Element} group @param {number} gain */
  _result(group, gain) {
    const at = this._at(group, 0, this.near === 0 ? 132 : -132); // between the cards and the wagers, which are gone by then
    this._plate(gainInWords(gain), at, 42, gain > 0 ? "plate won" : "plate");
  }

  // Below the cards, in place of the words that stand there.
  /** @param {Slot[]} slots @param {string} called @param {string} name */
  _handName(slots, called, name) {
    const words = withSuits(called);
    const [first] = slots;
    const last = slots.at(-1);
    if (!last) return;
    const [left, , width] = (this.svg.dataset.focus ?? this.whole).split(" ").map(Number);
    const half = plateWidth(words, HAND_NAME) / 2;
    const x = Math.min(Math.max((first.x + last.x) / 2, left + half), left + width - half); // also visible on a phone
    this._plate(words, { x, y: first.y + first.wide * first.scale * 0.7 + 0.8 * HAND_NAME, turn: 0, scale: 1 }, HAND_NAME, name);
  }

  /** @param {string} words @param {Place} at @param {number} size @param {string} name */
  _plate(words, at, size, name) {
    this.words.append(plate(words, size, attribute(at), name));
  }

  // The result of each wager, where it lay.
  /** @param {number} seat @param {Line[]} lines */
  _wagerResults(seat, lines) {
    for (const bet of this.bets.filter((each) => each.seat === seat)) {
      const matching = lines.filter((line) => bet.wagers.includes(keyOf(line)));
      if (!matching.length || bet.area.classList.contains("covered")) continue; // the next wager lies there
      bet.area.classList.add("covered");
      const gain = net(matching);
      this._plate(gain ? signed(gain) : "even", this._at(bet.area, 0, -5), 20, gain > 0 ? "plate wager-result won" : "plate wager-result");
    }
  }

  // Which stacks go to their player: those that a line pays or returns, or that were taken back.
  /** @param {Seen} before @param {Seen} seen */
  _paid(before, seen) {
    const paid = new Map();
    for (const [box, each] of Object.entries(before.view.round?.boxes ?? {})) {
      const lines = seen.view.results?.[Number(box)]?.lines ?? [];
      for (const key of Object.keys(each.wagers)) {
        const matching = lines.filter((line) => keyOf(line) === key);
        paid.set(`stack ${box} ${key}`, matching.length ? matching.some((line) => line.pays + line.returns > 0) : !seen.view.round?.boxes[Number(box)]?.left);
      }
    }
    for (const [box, stakes] of Object.entries(before.view.wagers ?? {})) {
      for (const key of Object.keys(stakes)) paid.set(`stack ${box} ${key}`, true); // taken back
    }
    return paid;
  }

  // The cards that make a hand: of the near seat, or of all where the dealer is near, and of the dealer.
  /** @param {Seen} seen */
  _raise({ view: { round } }) {
    for (const { kind, element, code = "", place, seat = 0 } of this.items.values()) {
      const box = place === "community" ? this.near : seat;
      const made = place === "dealer" ? round?.dealer_made : this.near && box !== this.near ? [] : round?.boxes[box]?.made;
      if (kind === "card") element.classList.toggle("made", Boolean(code && made?.includes(code)));
    }
  }

  // What a line has just paid comes from the inventory, over its wager, to the player.
  /** @param {Seen} before @param {Seen} seen */
  _winnings(before, seen) {
    const won = Object.entries(seen.view.results ?? {}).flatMap(([box, { seat, lines }]) => {
      const there = before.view.results?.[Number(box)]?.lines.length ?? 0;
      const fresh = seen.view.round ? lines.slice(before.view.round?.number === seen.view.round.number ? there : 0) : [];
      return fresh.filter((line) => line.pays > 0).map((line) => ({ box: Number(box), seat, line }));
    });
    won.forEach(({ box, seat, line }, n) => {
      const bet = this.bets.find((each) => each.seat === box && each.wagers.includes(keyOf(line)));
      const element = this.laid.appendChild(draw("g", { class: "leaving", "aria-hidden": "true" }, stackGroup(line.pays, { across: 44, label: false })));
      pay(element, this._thing("Table inventory"), bet ? this._at(bet.area, 0, -5) : this._purse(box), this._purse(seat), n, won.length);
    });
  }

  // A quiet celebration: brass lozenges rise from the near hand.
  celebrate() {
    const slots = this._slots("player", this.near);
    for (let n = 0; n < 14 && slots.length; n += 1) {
      const { x, y } = slots[n % slots.length];
      const from = { x: x + ((n * 53) % 90) - 45, y: y - 40, scale: 0.3 };
      const element = this.words.appendChild(draw("path", { class: "spark", d: "M0-13L8 0L0 13L-8 0Z", "aria-hidden": "true" }));
      pay(element, from, { ...from, y: from.y - 60, scale: 1 }, { x: from.x + ((n * 37) % 70) - 35, y: from.y - 130, scale: 0.2 }, n, 14);
    }
  }

  /** @param {Seen} seen */
  _live(seen) {
    this.rings.replaceChildren();
    const round = seen.view.round;
    for (const seat of new Set([...(round?.asked ?? []), ...(round?.to_settle ?? [])])) {
      const slots = this._slots("player", seat);
      const [first] = slots;
      const last = slots.at(-1);
      if (!last) continue;
      const { turn: turned, scale, wide } = first;
      const middle = { x: (first.x + last.x) / 2, y: (first.y + last.y) / 2, turn: turned, scale };
      const half = Math.hypot(last.x - first.x, last.y - first.y) / 2 / scale + wide / 2 + 7;
      const high = wide * 0.7 + 6;
      this.rings.append(draw("rect", { class: "turn", x: -half, y: -high, width: 2 * half, height: 2 * high, rx: 12, transform: attribute(middle) }));
    }
  }

  // Open betting areas

  /** @param {Seen} seen */
  _areas(seen) {
    const open = (seen.can ?? []).filter((choice) => choice.do === "place wager");
    for (const bet of this.bets) {
      bet.choices = open.filter(({ command }) => command.seat === bet.seat && bet.wagers.includes(command.wager));
      const pressable = { role: "button", tabindex: 0, "aria-label": this._areaLabel(bet, seen), "aria-hidden": null };
      const closed = { role: null, tabindex: null, "aria-label": null, "aria-hidden": "true" }; // the chips on it have their own label
      bet.area.classList.toggle("open", bet.choices.length > 0);
      setAttributes(bet.area, bet.choices.length ? pressable : closed);
    }
  }

  /** @param {Bet} bet @param {Seen} seen */
  _areaLabel({ name, seat, choices, wagers }, seen) {
    const laid = seen.view.wagers?.[seat] ?? {};
    const here = sum(wagers.map((key) => laid[key] ?? 0));
    const where = seat === this.near ? "" : `, box ${seat}`;
    const amount = here ? `, ${money(here)} on it` : "";
    return `${name}${where}${amount}${choices[0]?.cite ? ` (${choices[0].cite})` : ""}`;
  }

  /** @param {any} event */
  _press(event) {
    const area = event.target.closest(".area");
    const bet = area && this.bets.find((each) => each.area === area);
    if (bet?.choices.length) {
      return this._emit("wager", { seat: bet.seat, wager: bet.choices[0].command.wager, area: bet.name, choices: bet.choices });
    }
    if (bet && this._emit("shut", { seat: bet.seat, wager: bet.wagers[0] })) return false;
    const picked = this.picked && event.target.closest(".lies[data-index]");
    return picked ? this._emit("card", { seat: Number(picked.dataset.seat), index: Number(picked.dataset.index) }) : false;
  }

  /** @param {string} name @param {object} detail */
  _emit(name, detail) {
    this.element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
    return true;
  }
}

// The order of the deal: by the card's number, then seats from the dealer's left, the dealer last.
/** @param {Item} item */
const dealtAt = ({ index = 0, place, seat = 0 }) => index * 1000 + (place === "dealer" ? 500 : place === "community" ? 600 : seat);

// The key under which a line's wager lies.
/** @param {Line} line */
const keyOf = ({ wager, on }) => (on ? `${wager}: ${on}` : wager);

/** @param {number} gain */
const gainInWords = (gain) => (gain > 0 ? `wins ${money(gain)}` : gain < 0 ? `loses ${money(-gain)}` : "even");

/** @param {{x: number, y: number, turn?: number, scale?: number}} place */
const attribute = ({ x, y, turn: turned = 0, scale = 1 }) => `translate(${x} ${y}) rotate(${turned}) scale(${scale})`;

// The cards in a sentence, for the live region: "Your cards: ace of spades ... The dealer: 3 face-down cards."
/** @param {Seen} seen @param {number} seat */
export function cardsInWords(seen, seat) {
  const round = seen.view.round;
  if (!round) return "";
  const parts = [];
  const own = round.boxes[seat]?.cards ?? [];
  if (own.length) parts.push(`Your cards: ${namesOf(own)}.`);
  if (round.community.length) parts.push(`Community cards: ${namesOf(round.community)}.`);
  if (round.dealer.length) parts.push(`The dealer: ${withSuits(round.dealer_hand) || namesOf(round.dealer)}.`);
  return parts.join(" ");
}

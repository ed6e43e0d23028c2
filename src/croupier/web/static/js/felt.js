// The felt: what lies on a layout, drawn from a Seen. The layout is the inline SVG of printed/layout.layout(offer, near=seat);
// near=0 shows the dealer's side.
//
// const felt = new Felt(element)        element: <div class="felt"> with the SVG in it
// felt.show(seen)                       draw it; what differs from the Seen before is moved, not waited for
// felt.show(seen, {events})             with the events that led to it, as Live gives them: their `lines` (and `seat`, where told)
//                                       say what was paid and what was collected
// felt.view("auto"|"whole"|"focus")     focus: the near seat and the dealer's cards; auto: focus where there is little room
// felt.pick(true); felt.select([1, 4])  the cards of the near hand can be picked; these are, counted from 1 (setting a hand)
//
// Events of the element, all bubbling:
// "wager" {seat, wager, area, choices}  a betting area that accepts a wager now was clicked, tapped or pressed; `choices` are the
//                                       Choices of seen.can that belong to it (several where one area is for several wagers)
// "card"  {seat, index}                 a card of the near hand was clicked, counted from 1; only after felt.pick(true)

import { cardUse, nameOf, namesOf } from "./cards.js";
import { stackGroup } from "./chips.js";
import { money } from "./money.js";
import { net } from "./settlement.js";
import { leave, settleAll, travel, turn } from "./motion.js";

const SVG = "http://www.w3.org/2000/svg";
const NARROW = 640; // pixels, below which a felt shows the near seat and the dealer's cards

function node(name, attributes = {}, ...inside) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}

export class Felt {
  constructor(element) {
    this.element = element;
    this.svg = element.querySelector("svg");
    this.near = Number(this.svg.dataset.near ?? 0);
    this.whole = this.svg.getAttribute("viewBox");
    this.mode = "auto";
    this.items = new Map(); // what lies on the felt, by where it lies
    this.results = new Map(); // what a settled box won or lost, until the next round
    this.picked = new Set();
    this.picking = false;
    this._prepare();
    new ResizeObserver(() => this._resize()).observe(element);
    this._resize();
  }

  view(mode) {
    this.mode = mode;
    this._resize();
  }

  show(seen, { events = [] } = {}) {
    settleAll();
    const before = this.seen;
    const settled = settledBy(events);
    this.seen = seen;
    this._remember(before, seen, settled);
    this._areas(seen);
    this._lay(this._wanted(seen), before ? this._paid(before, seen, settled) : null);
    this._names(seen);
    this._live(seen);
  }

  pick(yes) {
    this.picking = yes;
    if (!yes) this.picked.clear();
    this._picks();
  }

  select(indices) {
    this.picked = new Set(indices);
    this._picks();
  }

  // The drawing

  _prepare() {
    this.svg.removeAttribute("width");
    this.svg.removeAttribute("height");
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", this.svg.querySelector(":scope > title")?.textContent ?? "Layout");
    this.svg.querySelector(":scope > title")?.remove(); // else it pops up over everything
    for (const each of this.svg.querySelectorAll(".seat-number, .inscriptions, .equipment")) each.setAttribute("aria-hidden", "true");
    this.bets = [...this.svg.querySelectorAll(".bet[data-wagers]")].map((area) => this._bet(area));
    this.rings = this.svg.appendChild(node("g", { class: "rings", "aria-hidden": "true" }));
    this.laid = this.svg.appendChild(node("g", { class: "laid" }));
    this.words = this.svg.appendChild(node("g", { class: "words" }));
    this.svg.addEventListener("click", (event) => this._press(event));
    this.svg.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      if (this._press(event)) event.preventDefault();
    });
  }

  _bet(area) {
    const edge = area.querySelector(".edge");
    for (const kind of ["hit", "ring"]) {
      const copy = edge.cloneNode();
      for (const name of ["fill", "stroke", "stroke-width"]) copy.removeAttribute(name);
      copy.setAttribute("class", kind);
      area.append(copy);
    }
    area.querySelector("title")?.remove();
    for (const words of area.querySelectorAll(":scope > text")) {
      if (words.getAttribute("x") === "0") words.classList.add("label"); // not a sign between two areas
    }
    return { area, seat: Number(area.dataset.seat), name: area.dataset.area, wagers: area.dataset.wagers.split("|"), choices: [] };
  }

  _resize() {
    const narrow = this.mode === "focus" || (this.mode === "auto" && this.element.clientWidth < NARROW);
    this.svg.setAttribute("viewBox", narrow ? (this.svg.dataset.focus ?? this.whole) : this.whole);
    this.element.dataset.view = narrow ? "focus" : "whole";
  }

  // Where something lies: the middle of an element's own coordinates (or a point of them) on the felt.
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

  _slots(place, seat) {
    const where = seat ? `[data-place="${place}"][data-seat="${seat}"]` : `[data-place="${place}"]:not([data-seat])`;
    return [...this.svg.querySelectorAll(where)].flatMap((area) =>
      [...area.querySelectorAll("rect.slot")].map((slot) => {
        const [x, y, wide, high] = ["x", "y", "width", "height"].map((name) => Number(slot.getAttribute(name)));
        return { ...this._at(area, x + wide / 2, y + high / 2), wide };
      }),
    );
  }

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

  // What is to lie there

  _wanted(seen) {
    const { round, wagers = {} } = seen.view;
    const wanted = new Map();
    for (const { area } of this.bets) area.classList.remove("covered");
    const boxes = round?.boxes ?? {};
    const stakes = round ? Object.fromEntries(Object.entries(boxes).map(([box, each]) => [box, stakesOf(each)])) : wagers;
    for (const [box, each] of Object.entries(stakes)) this._stacks(wanted, Number(box), each);
    if (round) {
      for (const [box, each] of Object.entries(boxes)) this._held(wanted, Number(box), each);
      this._cards(wanted, "dealer", 0, round.dealer);
      this._cards(wanted, "community", 0, round.community);
      this._rack(wanted, round.discarded);
    }
    return wanted;
  }

  _held(wanted, box, each) {
    let order = each.cards.map((_, n) => n);
    if (each.set.length) {
      const three = each.set.map((n) => n - 1);
      order = [...three, ...order.filter((n) => !three.includes(n))];
    }
    this._cards(wanted, "player", box, each.cards, order, each.folded);
    this._cards(wanted, "fourth", box, each.fourth);
  }

  _cards(wanted, place, seat, codes, order = codes.map((_, n) => n), faded = false) {
    const slots = this._slots(place, seat);
    if (!slots.length) return;
    codes.forEach((code, n) => {
      const slot = slots[order.indexOf(n)] ?? slots.at(-1);
      wanted.set(`card ${place} ${seat} ${n}`, { kind: "card", code, at: slot, wide: slot.wide, faded, seat, place, index: n + 1 });
    });
  }

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

  _rack(wanted, count) {
    if (!count || !this.svg.querySelector('[data-equipment="Discard rack"]')) return;
    const at = this._thing("Discard rack");
    wanted.set("rack", { kind: "rack", count, at: { ...at, scale: 1, y: at.y } });
  }

  // Lay it: what is new travels, what is gone leaves, what was turned turns

  _lay(wanted, paid) {
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
    if (paid === null) return; // the first Seen of a page is simply there
    const dealt = fresh.filter((item) => item.kind === "card");
    dealt.sort(this._inOrder.bind(this)).forEach((item, n) => travel(item.element, this._shoe(), item.at, n, dealt.length));
    for (const item of fresh.filter((each) => each.kind === "stack")) travel(item.element, this._purse(item.seat), item.at);
  }

  // One card to each place in turn, as they are dealt: by the card's number, then seats from the dealer's left, the dealer last.
  _inOrder(one, other) {
    const rank = ({ index, place, seat }) => index * 1000 + (place === "dealer" ? 500 : place === "community" ? 600 : seat);
    return rank(one) - rank(other);
  }

  _sort() {
    const rank = { rack: 0, stack: 1, card: 2 };
    const all = [...this.items.values()].sort((a, b) => rank[a.kind] - rank[b.kind] || a.at.x - b.at.x);
    const there = [...this.laid.children].filter((element) => !element.classList.contains("leaving"));
    if (all.every((item, n) => item.element === there[n])) return;
    this.laid.append(...all.map((item) => item.element));
  }

  _same(item, next) {
    const alike = ["kind", "code", "cents", "count", "faded", "across"].every((key) => item[key] === next[key]);
    return alike && item.at.x === next.at.x && item.at.y === next.at.y;
  }

  _change(old, next) {
    if (next.kind === "card" && old.code !== next.code) turn(next.element, next.at);
    else if (old.at.x !== next.at.x || old.at.y !== next.at.y) travel(next.element, old.at, next.at);
  }

  _remove(key, item, paid, n, of) {
    this.items.delete(key);
    item.element.classList.add("leaving");
    if (paid === null || item.kind === "rack") return item.element.remove();
    const to = item.kind === "card" ? this._thing("Discard rack") : paid.get(key) ? this._purse(item.seat) : this._thing("Table inventory");
    return leave(item.element, item.at, { ...to, scale: item.at.scale * 0.5 }, n, of);
  }

  _purse(seat) {
    const group = this.svg.querySelector(`#seat-${seat}`);
    const at = group ? this._at(group, 0, 0) : { x: 915, y: 1040, turn: 0, scale: 1 };
    return { ...at, scale: 0.5 };
  }

  _draw(item) {
    if (item.kind === "stack") return this._drawStack(item);
    if (item.kind === "rack") return this._drawRack(item);
    const own = item.wide / 50;
    const group = node("g", { class: item.faded ? "lies folded" : "lies", role: "img", "aria-label": nameOf(item.code) });
    group.append(cardUse(item.code, -25 * own, -35 * own, 50 * own));
    if (item.place === "player" && item.seat === this.near) {
      group.dataset.index = item.index;
      group.dataset.seat = item.seat;
    }
    return group;
  }

  _drawStack(item) {
    const name = `${item.key.replace(": ", ", on the ")} of seat ${item.seat}: ${money(item.cents)}`;
    const group = node("g", { class: "lies", role: "img", "aria-label": name });
    group.append(stackGroup(item.cents, { across: item.across, label: !item.small }));
    return group;
  }

  _drawRack(item) {
    const group = node("g", { class: "lies", role: "img", "aria-label": `${item.count} cards in the discard rack` });
    const backs = Math.min(4, Math.ceil(item.count / 4));
    for (let n = 0; n < backs; n += 1) group.append(cardUse("", -26 + n * 3, -44 - n * 3, 50));
    return group;
  }

  // Names, results, what is live

  _names(seen) {
    const { seats = {}, round, wagers = {} } = seen.view;
    this.words.replaceChildren();
    for (const group of this.svg.querySelectorAll("g.seat")) {
      const seat = Number(group.dataset.seat);
      const box = round?.boxes[seat];
      const player = seats[box?.seat ?? seat]?.player ?? seats[seat]?.player;
      const numeral = group.querySelector(".seat-number");
      numeral.classList.toggle("taken", Boolean(player));
      if (seat !== this.near && player) this._name(group, numeral, player, this._staked(box ? stakesOf(box) : wagers[seat]), round?.asked.includes(seat));
      if (this.results.has(seat)) this._result(group, seat);
    }
    if (round?.dealer_hand) this._dealerHand(round.dealer_hand);
  }

  _staked(stakes = {}) {
    return Object.values(stakes).reduce((sum, each) => sum + each, 0);
  }

  _name(group, numeral, player, staked, asked) {
    const text = node("text", { class: asked ? "name turn" : "name", "text-anchor": "middle", "font-size": 38 });
    text.setAttribute("transform", attribute(this._at(group, 0, Number(numeral.getAttribute("y")))));
    const short = player.length > 12 ? `${player.slice(0, 11)}…` : player;
    const lines = staked ? [short, money(staked)] : [short];
    lines.forEach((words, n) => {
      const line = node("tspan", { x: 0, y: (this.near ? n : n - lines.length + 1) * 40 });
      line.textContent = words;
      text.append(line);
    });
    this.words.append(text);
  }

  _result(group, seat) {
    const net = this.results.get(seat);
    const near = seat === this.near;
    const down = this.near === 0;
    const at = this._at(group, 0, down ? 132 : -132); // between the cards and the wagers, which are gone
    const words = net > 0 ? `wins ${money(net)}` : net < 0 ? `loses ${money(-net)}` : "stands off";
    this._plate(words, at, near ? 24 : 42, net > 0 ? "plate won" : "plate");
  }

  // Across the lower edge of the dealer's cards, so that it hides neither ranks nor suits.
  _dealerHand(words) {
    const slots = this._slots("dealer", 0);
    if (!slots.length) return;
    const first = slots[0];
    const [left, , width] = (this.svg.dataset.focus ?? this.whole).split(" ").map(Number);
    const half = plateWidth(words, 24) / 2;
    const x = Math.min(Math.max((first.x + slots.at(-1).x) / 2, left + half), left + width - half); // seen on a phone too
    this._plate(words, { x, y: first.y + first.wide * first.scale * 0.75, turn: 0, scale: 1 }, 24, "plate dealer-hand");
  }

  _plate(words, at, size, name) {
    const wide = plateWidth(words, size);
    const plate = node("g", { class: name, transform: attribute(at) });
    plate.append(node("rect", { x: -wide / 2, y: -size * 0.72, width: wide, height: size * 1.44, rx: size * 0.72 }));
    const text = node("text", { x: 0, y: size * 0.35, "font-size": size, "text-anchor": "middle" });
    text.textContent = words;
    plate.append(text);
    this.words.append(plate);
  }

  // What each box won or lost, until the next round.
  _remember(before, seen, settled) {
    const round = seen.view.round;
    const last = before?.view.round;
    if (!round || last?.number !== round.number) this.results.clear();
    if (!round) return;
    const fresh = Object.keys(round.boxes).filter((box) => round.boxes[box].settled && !last?.boxes[box]?.settled);
    for (const { seat, lines } of settled) {
      const box = seat || (fresh.length === 1 ? Number(fresh[0]) : 0); // a settlement that does not say whose it is
      if (box) this.results.set(box, net(lines));
    }
  }

  // Which stacks go back to their player: by the lines, or for want of them by the player's chips.
  _paid(before, seen, settled) {
    const paid = new Map();
    const boxes = before.view.round?.boxes ?? {};
    for (const [box, each] of Object.entries(boxes)) {
      const home = each.seat;
      const lines = settled.filter(({ seat }) => !seat || seat === Number(box)).flatMap((one) => one.lines);
      const richer = (seen.view.seats?.[home]?.chips ?? 0) > (before.view.seats?.[home]?.chips ?? 0);
      for (const key of Object.keys(stakesOf(each))) {
        const told = lines.filter((line) => key === line.wager || key === `${line.wager}: ${line.on}`);
        paid.set(`stack ${box} ${key}`, told.length ? told.some((line) => line.pays + line.returns > 0) : richer);
      }
    }
    for (const [box, stakes] of Object.entries(before.view.wagers ?? {})) {
      for (const key of Object.keys(stakes)) paid.set(`stack ${box} ${key}`, true); // taken back
    }
    return paid;
  }

  _live(seen) {
    this.rings.replaceChildren();
    const round = seen.view.round;
    for (const seat of new Set([...(round?.asked ?? []), ...(round?.to_settle ?? [])])) {
      const slots = this._slots("player", seat);
      if (!slots.length) continue;
      const { turn: turned, scale, wide } = slots[0];
      const middle = { x: (slots[0].x + slots.at(-1).x) / 2, y: (slots[0].y + slots.at(-1).y) / 2, turn: turned, scale };
      const half = Math.hypot(slots.at(-1).x - slots[0].x, slots.at(-1).y - slots[0].y) / 2 / scale + wide / 2 + 7;
      const high = wide * 0.7 + 6;
      this.rings.append(node("rect", { class: "turn", x: -half, y: -high, width: 2 * half, height: 2 * high, rx: 12, transform: attribute(middle) }));
    }
  }

  // Areas that accept a wager now

  _areas(seen) {
    const open = (seen.can ?? []).filter((choice) => choice.do === "place wager");
    for (const bet of this.bets) {
      bet.choices = open.filter(({ command }) => command.seat === bet.seat && bet.wagers.includes(command.wager));
      const { area } = bet;
      area.classList.toggle("open", bet.choices.length > 0);
      const told = this._told(bet, seen);
      if (bet.choices.length) {
        area.setAttribute("role", "button");
        area.setAttribute("tabindex", "0");
        area.setAttribute("aria-label", told);
        area.removeAttribute("aria-hidden");
      } else {
        for (const name of ["role", "tabindex", "aria-label"]) area.removeAttribute(name);
        area.setAttribute("aria-hidden", "true"); // what lies on it is told by itself
      }
    }
  }

  _told({ name, seat, choices, wagers }, seen) {
    const laid = seen.view.wagers?.[seat] ?? {};
    const sum = Object.entries(laid).reduce((all, [key, cents]) => all + (wagers.includes(key) ? cents : 0), 0);
    const where = seat === this.near ? "" : ` of box ${seat}`;
    const amount = sum ? `, ${money(sum)} lies there` : "";
    return `${name}${where}${amount}${choices[0]?.cite ? ` (${choices[0].cite})` : ""}`;
  }

  _press(event) {
    const area = event.target.closest(".area.open");
    if (area) {
      const bet = this.bets.find((each) => each.area === area);
      return this._tell("wager", { seat: bet.seat, wager: bet.choices[0].command.wager, area: bet.name, choices: bet.choices });
    }
    const picked = this.picking && event.target.closest(".lies[data-index]");
    return picked ? this._tell("card", { seat: Number(picked.dataset.seat), index: Number(picked.dataset.index) }) : false;
  }

  _tell(name, detail) {
    this.element.dispatchEvent(new CustomEvent(name, { detail, bubbles: true }));
    return true;
  }

  _picks() {
    for (const element of this.laid.querySelectorAll("[data-index]")) {
      const yes = this.picked.has(Number(element.dataset.index));
      element.classList.toggle("picked", this.picking && yes);
      element.classList.toggle("pickable", this.picking);
      element.setAttribute("role", this.picking ? "checkbox" : "img");
      if (this.picking) {
        element.setAttribute("tabindex", "0");
        element.setAttribute("aria-checked", String(yes));
      } else {
        element.removeAttribute("tabindex");
        element.removeAttribute("aria-checked");
      }
    }
  }
}

const settledBy = (events) => events.filter(({ lines }) => lines?.length).map(({ seat = 0, lines }) => ({ seat, lines }));

// What still lies on a box: a settled one is paid or collected.
const stakesOf = (box) => (box.settled ? {} : box.wagers);

const plateWidth = (words, size) => words.length * size * 0.6 + size * 1.1;

const attribute = ({ x, y, turn: turned = 0, scale = 1 }) => `translate(${x} ${y}) rotate(${turned}) scale(${scale})`;

// A table's cards in a sentence, for the live region: "Your cards: ace of spades ... The dealer: 3 cards face down."
export function told(seen, seat) {
  const round = seen.view.round;
  if (!round) return "";
  const parts = [];
  const own = round.boxes[seat]?.cards ?? [];
  if (own.length) parts.push(`Your cards: ${namesOf(own)}.`);
  if (round.community.length) parts.push(`Community cards: ${namesOf(round.community)}.`);
  if (round.dealer.length) parts.push(`The dealer: ${round.dealer_hand || namesOf(round.dealer)}.`);
  return parts.join(" ");
}

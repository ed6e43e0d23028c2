// A guided round: a coach mark beside what to do now, moved by what the table shows. Loaded only when it is asked for.
//
// The seat's page sends "shown" events {seen, mode, asked, seat, lines} and answers a "guide" event with one; “guide-again” takes
// another round. The words come from the chapter (/api/tables/…/guide), best play from the coach of a practice table.

import { explained, get, getComputed } from "../shared/api.js";
import { byId, make, one } from "../shared/build.js";
import { namesOf, withSuits } from "../shared/cards.js";
import { refuse } from "../shared/dialogs.js";
import { remember } from "../shared/memory.js";
import { signed } from "../shared/money.js";
import { clause, gainOf, resultInWords, sentence } from "../shared/settlement.js";
import { capitalized, shortWager } from "../shared/words.js";
/** @import { Advice, Guide, Line, Seen } from "../shared/types.js" */

/**
 * @typedef {{seen: Seen, mode: string, asked: number, seat: number, lines: Line[]}} Shown
 * @typedef {{title: string, says: (Node | null | undefined)[], target?: ArrayLike<Element>, tag?: string, ends?: boolean}} Step
 */

const page = byId("seat-page");
const { table, game, title, practice } = page.dataset;
const address = `/api/tables/${encodeURIComponent(table)}`;
const WIDE = matchMedia("(min-width: 60rem)"); // as in the style sheets: the panels are beside the table
const TOUCH = matchMedia("(pointer: coarse)").matches;
const PAD = 6; // pixels between a target and its ring

/** @param {string} words @param {string} [cite] */
const says = (words, cite = "") => make("p", {}, words, cite ? " " : "", cite ? clause(cite, table) : "");

class GuidedRound {
  /** @param {Guide} guide */
  constructor(guide) {
    this.guide = guide;
    /** @type {Advice | null} */
    this.advice = null;
    this.asked = ""; // the decision that the coach was asked about
    this.looks = "";
    this.round = 0; // the round that this player is or was in
    this.seenResult = false;
    /** @type {Shown | null} */
    this.shown = null;
    this.says = make("div", { class: "guide-says", "aria-live": "polite" });
    this.actions = make("div", { class: "guide-actions" });
    this.mark = make("section", { class: "guide", "aria-label": "Guided round", tabindex: "-1" }, this.says, this.actions);
    this.tag = make("span", { class: "guide-tag" });
    this.ring = make("div", { class: "guide-ring", "aria-hidden": "true" }, this.tag);
    /** @type {ArrayLike<Element>} */
    this.target = [];
    this.mark.addEventListener("keydown", (event) => event.key === "Escape" && this.end("skipped"));
    this.over = new AbortController(); // ends what it listens to
    const { signal } = this.over;
    page.addEventListener("shown", (/** @type {any} */ event) => this.show(event.detail), { signal });
    for (const each of ["resize", "scroll"]) addEventListener(each, () => this.place(), { passive: true, signal });
    const dock = () => one(WIDE.matches ? ".seat-page > .beside" : ".bar").prepend(this.mark);
    dock();
    WIDE.addEventListener("change", dock, { signal });
    document.body.append(this.ring);
    page.dispatchEvent(new CustomEvent("guide"));
    this.mark.focus({ preventScroll: true });
  }

  /** @param {Shown} shown */
  show(shown) {
    this.shown = shown;
    const { mode, seen, seat } = shown;
    if (["decide", "set", "play", "settled"].includes(mode)) this.round = seen.view.rounds;
    if (mode === "settled") this.seenResult = true;
    if (mode === "bet" && this.round && (this.seenResult || seen.view.wagers[seat])) {
      this.end("done"); // the player has gone on
      return;
    }
    if (["decide", "set"].includes(shown.mode)) this._ask(shown);
    this._draw();
  }

  _draw() {
    if (!this.shown) return;
    const { title: heading, says: words, target = [], tag = "", ends = false } = (STEPS[this.shown.mode] ?? STEPS.wait)(this, this.shown);
    const body = [make("h2", {}, heading), ...words].filter((each) => each instanceof Node);
    const looks = body.map((each) => each.textContent).join("\n");
    this.target = target;
    this.tag.textContent = tag;
    if (looks !== this.looks) { // unchanged words are not read again, and keep the focus
      this.looks = looks;
      this.says.replaceChildren(...body);
      this.actions.replaceChildren(...this._buttons(ends));
    }
    const moving = Array.from(target, (each) => each.getAnimations()).flat().filter((each) => !(each instanceof CSSTransition)); // cards being dealt
    this.ring.hidden = moving.length > 0;
    Promise.allSettled(moving.map(({ finished }) => finished)).then(() => requestAnimationFrame(() => this.place()));
  }

  /** @param {boolean} ends */
  _buttons(ends) {
    const trainer = /** @type {HTMLAnchorElement | null} */ (document.querySelector("#to-trainer"));
    if (!ends) return [make("button", { type: "button", class: "plain small", onclick: () => this.end("skipped") }, "Skip the guide")];
    return [
      make("button", { type: "button", onclick: () => this.end("done") }, "Finish"),
      ...(trainer ? [make("a", { class: "small", href: trainer.href }, "Practice hard hands")] : []),
      make("a", { class: "small", href: `/tables/${encodeURIComponent(table)}/rules` }, "Read the rules"),
    ];
  }

  // The ring goes around the target. The mark stays beside the table, or above the buttons of a phone, where it covers no card.
  place() {
    const around = Array.from(this.target, (each) => each.getBoundingClientRect()).filter(({ width }) => width > 0);
    this.ring.hidden = !around.length;
    const [left, top] = [Math.min(...around.map((each) => each.left)), Math.min(...around.map((each) => each.top))];
    const [right, bottom] = [Math.max(...around.map((each) => each.right)), Math.max(...around.map((each) => each.bottom))];
    Object.assign(this.ring.style, { left: `${left - PAD}px`, top: `${top - PAD}px`, width: `${right - left + 2 * PAD}px`, height: `${bottom - top + 2 * PAD}px` });
  }

  /** @param {Shown} shown */
  async _ask({ seen, asked }) {
    const key = `${seen.view.rounds} ${seen.view.round?.stage?.cite} ${asked}`;
    if (!practice || this.asked === key) return;
    this.asked = key;
    this.advice = null;
    const open = () => this.asked === key && ["decide", "set"].includes(this.shown?.mode ?? ""); // not decided yet
    this.advice = await getComputed(`${address}/coach`, open).catch(() => null); // without advice, the guide goes on
    if (this.advice) this._draw();
  }

  /** @param {string} how */
  end(how) {
    remember(`croupier.guide.${game}`, how);
    this.over.abort();
    const had = this.mark.contains(document.activeElement);
    this.mark.remove();
    this.ring.remove();
    if (had) /** @type {HTMLElement | null} */ (document.querySelector("#choices .primary, #choices button"))?.focus({ preventScroll: true });
  }
}

const primary = () => document.querySelectorAll("#choices .primary:not([aria-disabled])");
const choices = () => document.querySelectorAll("#choices .choice");
const ownCards = () => document.querySelectorAll("#felt .lies[data-index]");

/** @param {GuidedRound} round @param {Seen} seen */
function stageOf(round, seen) {
  const now = seen.view.round?.stage;
  return now ? round.guide.stages.find(({ act, cite }) => act === now.act && cite === now.cite) : undefined;
}

// The player's cards, and what a dealer would call them.
/** @param {GuidedRound} round @param {Seen} seen @param {number} box */
function yours({ advice }, seen, box) {
  const cards = seen.view.round?.boxes[box]?.cards ?? [];
  return make("p", {}, `Your cards: ${namesOf(cards)}.`, advice?.hand ? make("strong", {}, ` ${capitalized(advice.hand)}.`) : "");
}

// Best play; for a hand to set, its cards, or what to do with cards that cannot be set so.
/** @param {GuidedRound} round @param {Seen} seen */
function best({ advice }, seen) {
  if (!practice) return null;
  if (!advice) return make("p", { class: "thinking small" }, "Working out best play. You can decide without it.");
  const [first, second] = advice.choices;
  /** @param {{words: string, units: string}} each */
  const worth = ({ words, units }) => `${words}, worth ${Number(units) > 0 ? "+" : ""}${Number(units).toFixed(2).replace("-", "−")}`;
  if (seen.aim && !first.cards.length) return make("p", {}, make("strong", {}, seen.aim));
  const cards = first.cards.length ? ` Choose the ${namesOf(first.cards)}.` : "";
  return make("p", {}, make("strong", {}, `Best play: ${worth(first)}.${cards}`), second ? ` Next best: ${worth(second)}.` : "",
    make("span", { class: "quiet small" }, ` On average, in units of one ${shortWager(advice.unit)}.`));
}

// The next wager that is needed, then the deal.
/** @param {GuidedRound} round @param {Shown} shown @returns {Step} */
function betting({ guide }, { seen, seat }) {
  const places = seen.can.filter((each) => each.do === "place wager" && each.command.seat === seat);
  const needed = places.findIndex((each) => each.primary);
  if (needed >= 0) {
    const { wager } = places[needed].command;
    const about = guide.wagers.find((each) => each.wager === wager);
    const area = [...document.querySelectorAll("#felt .bet[data-wagers]")].find((each) => each instanceof SVGElement && each.dataset.seat === String(seat) && each.dataset.wagers?.split("|").includes(wager));
    return {
      title: `Put a chip on the ${about?.name ?? shortWager(wager)}`,
      says: [says(about?.words ?? "", about?.cite), says(TOUCH ? "Tap the marked area on the felt." : `Click the marked area on the felt, or press ${needed + 1}.`)],
      target: area?.querySelectorAll(".edge"), tag: "Put a chip here",
    };
  }
  if (seen.not_dealt) return { title: "Not dealt in yet", says: [says(explained(seen.not_dealt), seen.not_dealt.cite ?? "")] };
  const sides = guide.wagers.filter((each) => !each.needed);
  const list = make("details", {}, make("summary", {}, "Side wagers you can add"),
    make("ul", {}, sides.map(({ name, words, cite }) => make("li", {}, make("strong", {}, `${name}: `), words, " ", clause(cite, table)))));
  return { title: "Press Deal", says: [says("Your bet is placed."), ...(sides.length ? [list] : [])], target: primary() };
}

// What came of each wager, and why.
/** @param {GuidedRound} round @param {Shown} shown @returns {Step} */
function ended({ guide }, { seen, lines }) {
  const dealer = seen.view.round?.dealer_hand;
  const why = make("details", {}, make("summary", {}, "Who wins"),
    make("p", {}, guide.hands), make("ul", {}, guide.wins.map(({ words, cite }) => make("li", {}, words, " ", clause(cite, table)))));
  return {
    title: lines.length ? resultInWords(lines) : "The round is over",
    says: [
      dealer ? says(`The dealer: ${withSuits(dealer)}.`) : null,
      make("ul", {}, lines.map((line) => make("li", {}, `${sentence(line)} (${signed(gainOf(line))}) `, line.cite && clause(line.cite, table)))),
      says("That was one round. The next one starts with new bets."), why,
    ].filter((each) => each !== null),
    ends: true,
  };
}

/** @type {Record<string, (round: GuidedRound, shown: Shown) => Step>} */
const STEPS = {
  watch: () => ({ title: `A first round of ${title}`, says: [says("A real table with play chips. First, sit down.")], target: primary() }),
  buy: () => ({ title: "Buy chips", says: [says("They are play money: they cost nothing and are worth nothing.")], target: primary() }),
  bet: (round, shown) => (round.round ? ended : betting)(round, shown), // a quick dealer clears the table before a result is seen
  decide(round, { seen, asked }) {
    const stage = stageOf(round, seen);
    return { title: "Your decision", says: [yours(round, seen, asked), stage && says(stage.words, stage.cite), best(round, seen)], target: choices() };
  },
  set(round, { seen, asked }) {
    const stage = stageOf(round, seen);
    const sentences = stage ? [stage, ...stage.also] : [];
    return { title: "Set your hand", says: [yours(round, seen, asked), best(round, seen), ...sentences.map(({ words, cite }) => says(words, cite))], target: ownCards() };
  },
  play(round, { seen }) {
    const stage = stageOf(round, seen);
    return { title: byId("moment").textContent ?? "", says: stage ? [says(stage.words, stage.cite)] : [says("The cards are dealt.")] };
  },
  settled: ended,
  wait: () => ({ title: "One moment", says: [says(`${byId("moment").textContent}.`)] }),
};

async function start() {
  if (document.querySelector(".guide")) return;
  try {
    new GuidedRound(await get(`${address}/guide`));
  } catch (problem) {
    refuse(problem);
  }
}

page.addEventListener("guide-again", start);
start();

// Every amount that a seat shows, computed from the last Seen alone: nothing is remembered or counted along.
//
// held(seen, seat)      -> {chips, account}
// placed(seen)          -> [{seat, wager, amount, times}] for the next round; an amount is bet `times` over
// total(placed)         -> cents: "total" and "Repeat bets"
// onFelt(view)          -> {box: {wager: cents}}: what is on the layout, or in play
// linesOf(view, seat)   -> the lines of this player's boxes, what a fold lost among them, until the next round begins; with the box,
//                          if there are several
// lacking(seen, seat)   -> cents that the player would have to buy to play the hands they have wagered on
// leavesTooLittle(seen, seat, value)  -> the open wagers on which a chip of that value would leave too little to play

import { sum } from "./money.js";
/** @import { Seen, View } from "./types.js" */

/** @typedef {{seat: number, wager: string, amount: number, times: number}} Placed */

/** @param {Seen} seen @param {number} seat */
export function held(seen, seat) {
  const mine = seen.view.seats?.[seat];
  return { chips: mine?.chips ?? 0, account: mine?.game_account ?? 0 };
}

// What can be taken back is what lies there. A name that stands for several equal wagers has no amount of its own in the view.
/** @param {Seen} seen @returns {Placed[]} */
export function placed(seen) {
  return seen.can.filter((each) => each.do === "take back wager").map(({ command: { seat, wager } }) => {
    const one = seen.view.wagers[seat]?.[wager];
    if (one) return { seat, wager, amount: one, times: 1 };
    const several = seen.can.find((each) => each.do === "place wager" && each.command.seat === seat && each.command.wager === wager);
    return { seat, wager, amount: several?.asks[0]?.now ?? 0, times: several?.asks[0]?.times ?? 1 };
  });
}

/** @param {Placed[]} wagers */
export const total = (wagers) => sum(wagers.map(({ amount, times }) => amount * times));

/** @param {View} view */
export function onFelt({ round, wagers = {} }) {
  return round ? Object.fromEntries(Object.entries(round.boxes).map(([box, each]) => [box, each.wagers])) : wagers;
}

/** @param {View} view @param {number} seat */
export function linesOf({ results = {} }, seat) {
  const mine = Object.entries(results).filter(([, each]) => each.seat === seat);
  return mine.flatMap(([box, { lines }]) => (mine.length > 1 ? lines.map((line) => ({ ...line, box: Number(box) })) : lines));
}

/** @param {Seen} seen @param {number} seat */
export const lacking = (seen, seat) => Math.max(0, seen.keep - held(seen, seat).chips);

/** @param {Seen} seen @param {number} seat @param {number} value @returns {string[]} */
export function leavesTooLittle(seen, seat, value) {
  const open = seen.can.filter((each) => each.do === "place wager" && each.command.seat === seat);
  const short = open.filter(({ asks: [ask] }) => held(seen, seat).chips - value * (ask?.times ?? 1) < seen.keep + value * (ask?.keep ?? 0));
  return short.map((each) => each.command.wager);
}

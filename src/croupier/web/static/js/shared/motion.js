// Motion that explains: a card travels from the shoe to its place, a stack is collected or paid. Each ends within 250 ms,
// nothing waits for it, and there is none if the user prefers reduced motion.
//
// travel(element, from, to, nth) -> move from one place {x, y, turn, scale} to another; the nth of a batch starts a little later
// turn(element, at)             -> turn a card over in place
// leave(element, at, to, nth)   -> move to a place, then disappear
// pay(element, from, over, to)  -> chips come from one place over another to a third, then disappear
// settleAll()                   -> finish every motion now; so does any key or press

const LONGEST = 240; // milliseconds
const BATCH = 600; // milliseconds within which a whole deal has started
/** @type {Set<Animation>} */
const running = new Set();

const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

/**
 * @typedef {{x: number, y: number, turn?: number, scale?: number}} Place
 * @param {Place} place
 */
const transformOf = ({ x, y, turn = 0, scale = 1 }) => `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`;

/** @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} options */
function run(element, frames, options) {
  const animation = element.animate(frames, { duration: LONGEST, easing: "cubic-bezier(.2,.7,.3,1)", fill: "backwards", ...options });
  running.add(animation);
  animation.finished.catch(() => {}).then(() => running.delete(animation));
  return animation;
}

/** @param {number} nth @param {number} of */
const after = (nth, of) => nth * Math.min(70, BATCH / Math.max(1, of));

/** @param {Element} element @param {Place} from @param {Place} to */
export function travel(element, from, to, nth = 0, of = 1) {
  if (calm()) return;
  run(element, [{ transform: transformOf(from), opacity: 0.2 }, { transform: transformOf(to), opacity: 1 }], { delay: after(nth, of) });
}

/** @param {Element} element @param {Place} at */
export function turn(element, at) {
  if (calm()) return;
  const thin = `${transformOf(at)} scaleX(0.04)`;
  run(element, [{ transform: thin }, { transform: transformOf(at) }], { duration: LONGEST * 0.8 });
}

/** @param {Element} element @param {Place} at @param {Place} to */
export function leave(element, at, to, nth = 0, of = 1) {
  vanish(element, [{ transform: transformOf(at), opacity: 1 }, { transform: transformOf(to), opacity: 0.1 }], { delay: after(nth, of) });
}

/** @param {Element} element @param {Place} from @param {Place} over @param {Place} to */
export function pay(element, from, over, to, nth = 0, of = 1) {
  const [start, middle, end] = [from, over, to].map((place) => ({ transform: transformOf(place) }));
  const frames = [{ ...start, opacity: 0.3 }, { ...middle, opacity: 1 }, { ...end, opacity: 0.1 }];
  vanish(element, frames, { delay: after(nth, of), fill: "both" });
}

/** @param {Element} element @param {Keyframe[]} frames @param {KeyframeAnimationOptions} options */
function vanish(element, frames, options) {
  if (calm()) element.remove();
  else run(element, frames, options).finished.catch(() => {}).then(() => element.remove());
}

export function settleAll() {
  for (const animation of running) animation.finish();
}

for (const press of ["pointerdown", "keydown"]) addEventListener(press, settleAll, { capture: true, passive: true });

// Motion explains: a card travels from the shoe to its place, a stack is collected or paid. Each ends within 250 ms, none is
// waited for, and where a person prefers less motion there is none.
//
// calm()                        -> true where no motion is wanted
// travel(element, from, to, nth) -> from one place {x, y, turn, scale} to another, the nth of a batch a little later
// turn(element, at)             -> a card is turned over in its place
// leave(element, at, to, nth)   -> away to a place, then gone
// settleAll()                   -> everything that still moves is at its end

const LONGEST = 240; // milliseconds
const BATCH = 600; // in which a whole deal has started
const running = new Set();

export const calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

export const transformOf = ({ x, y, turn = 0, scale = 1 }) => `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${scale})`;

function run(element, frames, options) {
  const animation = element.animate(frames, { duration: LONGEST, easing: "cubic-bezier(.2,.7,.3,1)", fill: "backwards", ...options });
  running.add(animation);
  animation.finished.catch(() => {}).then(() => running.delete(animation));
  return animation;
}

const after = (nth, of) => nth * Math.min(70, BATCH / Math.max(1, of));

export function travel(element, from, to, nth = 0, of = 1) {
  if (calm()) return;
  run(element, [{ transform: transformOf(from), opacity: 0.2 }, { transform: transformOf(to), opacity: 1 }], { delay: after(nth, of) });
}

export function turn(element, at) {
  if (calm()) return;
  const thin = `${transformOf(at)} scaleX(0.04)`;
  run(element, [{ transform: thin }, { transform: transformOf(at) }], { duration: LONGEST * 0.8 });
}

export function leave(element, at, to, nth = 0, of = 1) {
  if (calm()) {
    element.remove();
    return;
  }
  const end = run(element, [{ transform: transformOf(at), opacity: 1 }, { transform: transformOf(to), opacity: 0.1 }], {
    delay: after(nth, of),
  });
  end.finished.catch(() => {}).then(() => element.remove());
}

export function settleAll() {
  for (const animation of running) animation.finish();
}

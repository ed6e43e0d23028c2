// Steps through the events of a round: the slider, buttons and keys of a replay page.
//
// const stepper = new Stepper()             the page has #at #play #back #on #count and #now
// stepper.start(frames, show, first)        show(n) draws the nth frame; `first` is where to begin
// stepper.step(by), stepper.place           -> move, stopping the play; the number of the frame shown

import { byId } from "./build.js";
import { withSuits } from "./cards.js";
import { Keys } from "./keys.js";
import { clause } from "./settlement.js";

const PACE = 900; // milliseconds per event

export class Stepper {
  constructor() {
    this.slider = byId("at");
    this.button = byId("play");
    this.back = byId("back");
    this.on = byId("on");
    this.now = byId("now");
    this.count = byId("count");
    /** @type {{says: string, cites: string[]}[]} */
    this.frames = [];
    this.place = -1;
    this.timer = 0;
    /** @type {(n: number) => void} */
    this.show = () => {};
    this.back.addEventListener("click", () => this.step(-1));
    this.on.addEventListener("click", () => this.step(1));
    this.button.addEventListener("click", () => this.toggle());
    this.slider.addEventListener("input", () => {
      this.pause();
      this.go(Number(this.slider.value));
    });
    this.keys = new Keys();
    this.keys.add(
      { key: "ArrowLeft", words: "Previous event", does: () => this.step(-1), element: this.back },
      { key: "ArrowRight", words: "Next event", does: () => this.step(1), element: this.on },
      { key: " ", words: "Play or pause", does: () => this.toggle(), element: this.button },
      { key: "Home", words: "First event", does: () => this.step(-this.frames.length) },
      { key: "End", words: "Last event", does: () => this.step(this.frames.length) },
    );
    this.slider.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== " ") return; // the slider handles the arrow keys
      event.preventDefault();
      this.toggle();
    });
  }

  /** @param {{says: string, cites: string[]}[]} frames @param {(n: number) => void} show */
  start(frames, show, first = 0) {
    this.frames = frames;
    this.show = show;
    this.slider.max = frames.length - 1;
    this.slider.disabled = this.button.disabled = false;
    this.go(Math.max(0, first));
  }

  /** @param {number} to */
  go(to) {
    const next = Math.max(0, Math.min(this.frames.length - 1, to));
    if (next === this.place) return;
    this.place = next;
    const { cites } = this.frames[next];
    const says = withSuits(this.frames[next].says);
    const last = next === this.frames.length - 1;
    this.now.replaceChildren(says, " ", ...cites.flatMap((cite) => [clause(cite), " "]));
    this.slider.value = next;
    this.slider.setAttribute("aria-valuetext", `${next + 1} of ${this.frames.length}: ${says}`);
    this.count.textContent = `${next + 1} of ${this.frames.length}`;
    this.back.disabled = next === 0;
    this.on.disabled = last;
    this.show(next);
    if (last) this.pause();
  }

  /** @param {number} by */
  step(by) {
    this.pause();
    this.go(this.place + by);
  }

  pause() {
    clearInterval(this.timer);
    this.timer = 0;
    this.button.firstChild.textContent = "Play";
  }

  toggle() {
    if (this.timer) {
      this.pause();
      return;
    }
    if (this.place === this.frames.length - 1) this.go(0);
    this.button.firstChild.textContent = "Pause";
    this.timer = setInterval(() => this.go(this.place + 1), PACE);
  }
}

// Sounds, made by the page itself; off unless the player wants them.
//
// sounds.box(checkbox)       the player's switch
// sound("card" | "chips" | "turn" | "win", count)

import { preference } from "../shared/preferences.js";

/** @type {AudioContext | null} */
let audio = null;

// A browser lets a page sound only after a press, so the first one opens it.
export const sounds = preference("sounds", (on) => {
  if (on && navigator.userActivation?.hasBeenActive) open();
  else if (on) addEventListener("pointerdown", open, { once: true });
  else audio?.suspend();
});

function open() {
  audio ??= new AudioContext();
  audio.resume();
  return audio;
}

/** @type {Record<string, (at: number) => void>} */
const MADE = {
  card: (at) => rustle(at, 0.07, 3200, 0.16),
  chips: (at) => {
    note(at, 3100, 0.03, 0.05);
    note(at + 0.035, 3900, 0.03, 0.04);
  },
  turn: (at) => note(at, 660, 0.28, 0.06),
  win: (at) => [523, 659, 784].forEach((pitch, n) => note(at + n * 0.09, pitch, 0.4, 0.06)),
};

/** @param {string} what */
export function sound(what, count = 1) {
  if (!sounds.on || !audio || audio.state !== "running" || document.hidden) return;
  for (let n = 0; n < Math.min(count, 8); n += 1) MADE[what](audio.currentTime + n * 0.07);
}

/** @param {number} at @param {number} pitch @param {number} lasts seconds @param {number} loud */
function note(at, pitch, lasts, loud) {
  if (!audio) return;
  const source = new OscillatorNode(audio, { type: "sine", frequency: pitch });
  source.connect(fading(at, lasts, loud));
  source.start(at);
  source.stop(at + lasts);
}

// Noise through a narrow band: a card on felt.
/** @param {number} at @param {number} lasts @param {number} pitch @param {number} loud */
function rustle(at, lasts, pitch, loud) {
  if (!audio) return;
  const noise = audio.createBuffer(1, Math.ceil(audio.sampleRate * lasts), audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let n = 0; n < samples.length; n += 1) samples[n] = Math.random() * 2 - 1;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  source.connect(new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 0.8 })).connect(fading(at, lasts, loud));
  source.start(at);
}

/** @param {number} at @param {number} lasts @param {number} loud */
function fading(at, lasts, loud) {
  const gain = new GainNode(/** @type {AudioContext} */ (audio), { gain: 0 });
  gain.gain.setValueAtTime(loud, at);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + lasts);
  gain.connect(/** @type {AudioContext} */ (audio).destination);
  return gain;
}

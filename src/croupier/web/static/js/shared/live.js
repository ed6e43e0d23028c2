// A live view over server-sent events. The browser resumes with Last-Event-ID, without gaps or repeats.
//
// const live = new Live("/api/tables/T1/live", {
//   seen: (seen, version, events) => …, the whole view, on connecting and with the newest event of a batch; `events` are the
//                                      ones since the last view
//   event: (event) => …,               {version, at, by, event, says, cites, cards, lines, seen?}, in order, once each
//   tables: (tables) => …,             those that have changed, of a stream of all tables
//   badge: element})                   <span class="badge link"> that shows the state of the connection
// live.version; live.close()

/** @import { LiveEvent, Seen } from "./types.js" */

const WORDS = { connecting: "connecting", live: "live", lost: "connection lost, reconnecting" };
const AGAIN = [1000, 2000, 5000, 10000];

/**
 * @typedef {object} Handlers
 * @property {(seen: Seen, version: number, events: LiveEvent[]) => void} [seen]
 * @property {(event: LiveEvent) => void} [event]
 * @property {(tables: any[]) => void} [tables]
 * @property {HTMLElement} badge
 */
export class Live {
  /** @param {string} address @param {Handlers} handlers */
  constructor(address, handlers) {
    this.address = address;
    this.handlers = handlers;
    this.state = "";
    this.closed = false;
    this.timer = 0;
    this.version = -1;
    this.failures = 0;
    /** @type {LiveEvent[]} */
    this.events = [];
    this.source = this._open();
    addEventListener("online", () => this._hurry());
    addEventListener("pageshow", () => this._hurry()); // the page returns from the back/forward cache
    addEventListener("pagehide", () => this.source.close());
  }

  _open() {
    this._link(this.failures ? "lost" : "connecting");
    const source = new EventSource(this.address);
    source.addEventListener("open", () => {
      this.failures = 0;
      this._link("live");
    });
    source.addEventListener("error", () => this._lost());
    source.addEventListener("seen", (message) => this._seen(message));
    source.addEventListener("event", (message) => this._event(message));
    source.addEventListener("tables", (message) => this.handlers.tables?.(JSON.parse(message.data)));
    return source;
  }

  // An interrupted source reconnects by itself; one that the server refused is opened again after a delay.
  _lost() {
    this._link("lost");
    if (this.closed || this.source.readyState !== EventSource.CLOSED) return;
    const wait = AGAIN[Math.min(this.failures, AGAIN.length - 1)];
    this.failures += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (this.source = this._open()), wait);
  }

  _hurry() {
    if (this.closed || this.source.readyState !== EventSource.CLOSED) return;
    clearTimeout(this.timer);
    this.source = this._open();
  }

  /** @param {MessageEvent} message */
  _seen(message) {
    const { version, seen } = JSON.parse(message.data);
    this.version = version;
    this.events = [];
    this._link("live");
    this.handlers.seen?.(seen, version, []);
  }

  /** @param {MessageEvent} message */
  _event(message) {
    const event = JSON.parse(message.data);
    if (event.version <= this.version) return; // already part of the view
    this.version = event.version;
    this.events.push(event);
    this.handlers.event?.(event);
    if (!event.seen) return;
    const events = this.events;
    this.events = [];
    this.handlers.seen?.(event.seen, event.version, events);
  }

  /** @param {keyof typeof WORDS} state */
  _link(state) {
    if (this.state === state) return;
    this.state = state;
    document.documentElement.dataset.link = state;
    this.handlers.badge.dataset.link = state;
    this.handlers.badge.textContent = WORDS[state];
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    this.source.close();
  }
}

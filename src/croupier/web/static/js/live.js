// A live view by server-sent events. The browser resumes with Last-Event-ID by itself, without gap or repeat.
//
// const live = new Live("/api/tables/T1/live", {
//   seen: (seen, version, events) => …, the whole view: on connecting, and with the newest event of a batch; `events` are those
//                                      since the view before, as felt.show(seen, {events}) takes them
//   event: (event) => …,               {version, at, by, event, says, cites, cards, lines, seen?}, in order, each once
//   link: (state, words) => …,         "connecting" | "live" | "lost", and what to say of it
//   badge: element,                    optional: <span class="badge link"> that says it
//   on: {floor: (data) => …}})         optional: other kinds of event of this stream
// live.state; live.version; live.close()

const WORDS = { connecting: "connecting", live: "live", lost: "connection lost, trying again" };
const AGAIN = [1000, 2000, 5000, 10000];

export class Live {
  constructor(address, { seen, event, link, badge, on = {} }) {
    Object.assign(this, { address, handlers: { seen, event, link }, badge, on });
    this.version = -1;
    this.failures = 0;
    this.events = [];
    this._open();
    this._wake = () => this._hurry();
    addEventListener("online", this._wake);
    addEventListener("pageshow", this._wake); // a page that comes back from the browser's memory
    addEventListener("pagehide", () => this.source.close());
  }

  _open() {
    this._link(this.failures ? "lost" : "connecting");
    this.source = new EventSource(this.address);
    this.source.addEventListener("open", () => {
      this.failures = 0;
      this._link("live");
    });
    this.source.addEventListener("error", () => this._lost());
    this.source.addEventListener("seen", (message) => this._seen(message));
    this.source.addEventListener("event", (message) => this._event(message));
    for (const [name, tell] of Object.entries(this.on)) {
      this.source.addEventListener(name, (message) => tell(JSON.parse(message.data), message.lastEventId));
    }
  }

  // A source that is only interrupted connects again by itself; one that the server refused is opened anew after a while.
  _lost() {
    this._link("lost");
    if (this.closed || this.source.readyState !== EventSource.CLOSED) return;
    const wait = AGAIN[Math.min(this.failures, AGAIN.length - 1)];
    this.failures += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this._open(), wait);
  }

  _hurry() {
    if (this.closed || this.source.readyState !== EventSource.CLOSED) return;
    clearTimeout(this.timer);
    this._open();
  }

  _seen(message) {
    const { version, seen } = JSON.parse(message.data);
    this.version = version;
    this.events = [];
    this._link("live");
    this.handlers.seen?.(seen, version, []);
  }

  _event(message) {
    const told = JSON.parse(message.data);
    if (told.version <= this.version) return; // it was in what was seen already
    this.version = told.version;
    this.events.push(told);
    this.handlers.event?.(told);
    if (!told.seen) return;
    const events = this.events;
    this.events = [];
    this.handlers.seen?.(told.seen, told.version, events);
  }

  _link(state) {
    if (this.state === state) return;
    this.state = state;
    document.documentElement.dataset.link = state;
    if (this.badge) {
      this.badge.dataset.link = state;
      this.badge.textContent = WORDS[state];
    }
    this.handlers.link?.(state, WORDS[state]);
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    removeEventListener("online", this._wake);
    removeEventListener("pageshow", this._wake);
    this.source.close();
  }
}

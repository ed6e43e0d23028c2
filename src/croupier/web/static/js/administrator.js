// What the administrator does: users, submissions, tables, prints, the audit, backup and restore.
//
// The pages come whole from the server; a deed that was granted reads its page anew, and says so there.

import { cell, row, signed } from "./back.js";
import { get, newKey, post } from "./api.js";
import { ask, busy, fill, make, modal, notify, refuse } from "./dialog.js";
import { cents, money } from "./money.js";
import { clause } from "./settlement.js";

const AFTER = "croupier.said";
const one = (selector) => document.querySelector(selector);
const pause = (time) => new Promise((done) => setTimeout(done, time));

// A word that outlives the page's reading anew.
function again(words, address = "") {
  sessionStorage.setItem(AFTER, words);
  if (address) location.assign(address);
  else location.reload();
}

const said = sessionStorage.getItem(AFTER);
if (said) {
  sessionStorage.removeItem(AFTER);
  notify(said);
}

function wrong(form, name, words) {
  const field = form.querySelector(name);
  const problem = field.closest(".field").querySelector(".problem");
  if (problem) problem.textContent = words;
  field.setAttribute("aria-invalid", String(Boolean(words)));
  if (words) field.focus();
  return Boolean(words);
}

function onSubmit(selector, does) {
  const form = one(selector);
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = event.submitter ?? form.querySelector("button");
    try {
      await busy(button, does(form));
    } catch (problem) {
      refuse(problem);
    }
  });
}

// Users

function showPassword({ name, password, until }) {
  const good = new Date(until).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
  const shut = make("button", { type: "button", class: "primary" }, "I have it");
  const copy = make("button", { type: "button" }, "Copy");
  const dialog = modal(
    `One-time password of ${name}`,
    make("p", {}, "It is shown now and never again. The user chooses another at the first login."),
    make("code", { class: "password", tabindex: "0" }, password),
    make("p", { class: "hint" }, `Good until ${good}.`),
    make("div", { class: "actions" }, copy, shut),
  );
  copy.addEventListener("click", () => navigator.clipboard?.writeText(password).then(() => copy.replaceChildren("Copied")));
  shut.addEventListener("click", () => dialog.close());
  return new Promise((done) => dialog.addEventListener("close", done, { once: true }));
}

onSubmit("#add-user", async (form) => {
  const name = form.elements.name.value.trim();
  if (wrong(form, "#name", name ? "" : "A name, please.")) return;
  const made = await post("/api/users", { name, role: form.elements.role.value });
  form.reset();
  await showPassword(made);
  again(`${made.name} was added.`);
});

const DEEDS = {
  async role(address, name, { role }) {
    const told = await fill({ title: `Another role for ${name}`, asks: [{ name: "role", kind: "one of", of: ["dealer", "floorperson", "surveillance", "administrator"], now: role }], confirm: "Change the role", body: "The user has to log in again." });
    if (!told) return "";
    await post(`${address}/role`, told);
    return `${name} is ${told.role} now.`;
  },
  async reset(address, name) {
    if (!(await ask({ title: `Reset the password of ${name}?`, body: "The user is logged out everywhere and gets a one-time password.", confirm: "Reset it" }))) return "";
    await showPassword(await post(`${address}/reset`));
    return `${name} has a one-time password.`;
  },
  async unlock(address, name) {
    await post(`${address}/unlock`);
    return `${name} is unlocked.`;
  },
  async disable(address, name) {
    if (!(await ask({ title: `Disable ${name}?`, body: "The user is logged out everywhere and is let in no more.", confirm: "Disable", danger: true }))) return "";
    await post(`${address}/disable`);
    return `${name} is disabled.`;
  },
  async enable(address, name) {
    await post(`${address}/enable`);
    return `${name} is enabled.`;
  },
};

one("#users")?.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-deed]");
  if (!button) return;
  const name = button.closest("tr").dataset.user;
  try {
    const words = await DEEDS[button.dataset.deed](`/api/users/${encodeURIComponent(name)}`, name, button.dataset);
    if (words) again(words);
  } catch (problem) {
    refuse(problem);
  }
});

// Submissions

const MOST = 64 * 1024;

one("#upload")?.addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  if (file.size > MOST) wrong(one("#file"), "#text", "A submission has at most 64 KiB.");
  else {
    one("#text").value = await file.text();
    wrong(one("#file"), "#text", "");
  }
});

onSubmit("#file", async (form) => {
  const text = one("#text").value;
  if (wrong(form, "#text", !text.trim() ? "A file or its text, please." : new Blob([text]).size > MOST ? "A submission has at most 64 KiB." : "")) return;
  const filed = await post("/api/submissions", { text });
  again(`The submission ${filed.id} is filed.`, `/administrator/submissions/${filed.id}`);
});

const id = one("#submission")?.dataset.id;

onSubmit("#approve", async () => {
  const filed = await post(`/api/submissions/${id}/approve`, { effective: one("#effective").value });
  again(`Approved, in effect from ${filed.effective}.`);
});

onSubmit("#withdraw", async (form) => {
  const why = one("#why").value.trim();
  if (wrong(form, "#why", why ? "" : "Please say why, in a few words.")) return;
  await post(`/api/submissions/${id}/withdraw`, { why });
  again("The submission is withdrawn.");
});

// Prints: asked for until they are made, then saved as a file

async function print(kind, form) {
  const status = one("#printing");
  for (;;) {
    const answer = await fetch(`/api/submissions/${id}/print/${kind}?format=${form}`, { headers: { accept: "*/*" }, credentials: "same-origin" });
    if (answer.status === 202) {
      status.textContent = (await answer.json()).says;
      await pause(2500);
      continue;
    }
    if (!answer.ok) throw (await answer.json().catch(() => ({}))).error ?? new Error("The document was not made.");
    const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? `${kind}.${form}`;
    save(await answer.blob(), name);
    status.textContent = `${name} is saved.`;
    return;
  }
}

function save(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

one("#documents")?.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-print]");
  if (!button) return;
  try {
    await busy(button, print(button.dataset.print, button.dataset.form));
  } catch (problem) {
    one("#printing").textContent = "It was not made.";
    refuse(problem);
  }
});

// Two submissions side by side

function changes(title, told) {
  const head = make("thead", {}, make("tr", {}, ...["What", "Before", "After", "Clause"].map((words) => make("th", { scope: "col" }, words))));
  const rows = told.map((each) => row(cell(each.what, { name: "th" }), cell(each.before, { label: "before" }), cell(each.after, { label: "after" }), cell(clause(each.cite), { label: "clause" })));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, make("table", { class: "data cards" }, make("caption", {}, title), head, make("tbody", {}, ...rows)));
}

function effects(told) {
  const heads = ["Wager", "Edge before", "Edge after", "Average bet", "Yearly win before", "Yearly win after", "Change"];
  const head = make("thead", {}, make("tr", {}, ...heads.map((words, n) => make("th", { scope: "col", class: n ? "number" : null }, words))));
  const whole = (sum) => Math.round(sum / 100) * 100;
  const rows = told.map((each) =>
    row(
      cell(each.wager, { name: "th" }),
      ...[each.edge_before, each.edge_after, money(each.average), money(whole(each.win_before)), money(whole(each.win_after)), signed(whole(each.win_after - each.win_before))].map((words, n) => cell(words, { number: true, label: heads[n + 1].toLowerCase() })),
    ),
  );
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Effects" }, make("table", { class: "data cards" }, make("caption", {}, "House edge, and win in a year of 4,000 hours at 240 hands an hour"), head, make("tbody", {}, ...rows)));
}

async function compare({ one: before, other: after }) {
  if (!before || !after) return;
  const into = one("#difference");
  into.replaceChildren(make("div", { class: "loading" }, "Comparing"));
  try {
    for (;;) {
      const found = await get(`/api/submissions/${before}/difference/${after}`);
      const parts = [];
      if (!found.choices.length && !found.payouts.length) parts.push(make("p", { class: "notice" }, "The two submissions choose the same."));
      if (found.choices.length) parts.push(changes("Choices", found.choices));
      if (found.payouts.length) parts.push(changes("Payouts", found.payouts));
      if (found.effects.length) parts.push(effects(found.effects));
      else parts.push(make("p", { class: "quiet", role: "status" }, "What it does to the edges is shown as soon as the odds of both are worked out; that takes some minutes."));
      into.replaceChildren(...parts);
      if (found.odds === "known") return;
      await pause(10_000);
    }
  } catch (problem) {
    into.replaceChildren(make("p", { class: "refusal" }, problem.reason ?? String(problem), " ", problem.cite ? clause(problem.cite) : ""));
  }
}

if (one("#compare")) compare(one("#compare").dataset);

// Tables

if (one("#filing")) {
  const asked = new URLSearchParams(location.search).get("filing");
  if (asked) one("#filing").value = asked;
}

let opening = newKey();

onSubmit("#open", async (form) => {
  const fields = form.elements;
  const table = fields.table.value.trim();
  if (wrong(form, "#table", /^[A-Za-z0-9][A-Za-z0-9-]{0,39}$/.test(table) ? "" : "A name of letters, digits and hyphens.")) return;
  const opener = cents(fields.opener.value);
  if (Number.isNaN(opener)) throw new Error("The inventory is an amount of dollars.");
  const body = { table, filing: fields.filing.value, opener, dealer: fields.dealer.value, practice: fields.practice.checked, betting_seconds: Number(fields.betting_seconds.value) };
  try {
    await post("/api/openings", body, { key: opening });
  } catch (problem) {
    opening = newKey(); // refused: the next wish is another one
    throw problem;
  }
  again(`${table} is open.`, "/administrator/tables");
});

one("#tables")?.addEventListener("click", async (event) => {
  const button = event.target.closest("button[data-deed=stand]");
  if (!button) return;
  const table = button.closest("tr").dataset.table;
  const { dealer, practice, seconds } = button.dataset;
  const asks = [
    { name: "dealer", kind: "one of", of: ["automatic", "person"], now: dealer },
    { name: "play", kind: "one of", of: ["for play", "for practice"], now: practice === "yes" ? "for practice" : "for play" },
    { name: "seconds_for_wagers", kind: "number", least: 0, most: 3600, now: Number(seconds) },
  ];
  const told = await fill({ title: `How ${table} is run`, asks, confirm: "Change it", body: "From now on. The time for decisions is the submission's." });
  if (!told) return;
  try {
    await post(`/api/tables/${encodeURIComponent(table)}/standing`, { dealer: told.dealer, practice: told.play === "for practice", betting_seconds: told.seconds_for_wagers });
    again(`${table} is run otherwise from now on.`);
  } catch (problem) {
    refuse(problem);
  }
});

// The audit

one("#filter")?.addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const line of document.querySelectorAll("#audit tbody tr")) {
    const text = line.textContent.toLowerCase();
    line.hidden = !words.every((word) => text.includes(word));
  }
});

// Restore: the file is sent as it is, and followed until there is a verdict

const STATES = { ready: ["live", "a copy waits"], damaged: ["bad", "not taken"], none: ["off", "no copy waits"] };

function restoring(now) {
  const [shape, words] = STATES[now.status] ?? ["warn", now.status];
  one("#restoring").replaceChildren(make("span", { class: "badge", "data-state": shape }, words));
  const counted = now.entries ? ` ${now.entries.toLocaleString("en-US")} entries, ${now.rounds.toLocaleString("en-US")} rounds.` : "";
  one("#says").textContent = now.says + counted;
  one("#discard").hidden = now.status !== "ready";
}

function send(file) {
  return new Promise((done, fail) => {
    const request = new XMLHttpRequest(); // it tells how much is sent
    request.open("POST", "/api/restore");
    request.setRequestHeader("x-csrftoken", decodeURIComponent(/(?:^|; )csrftoken=([^;]*)/.exec(document.cookie)?.[1] ?? ""));
    request.setRequestHeader("content-type", "application/vnd.sqlite3");
    request.responseType = "json";
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      one("#sent").value = total ? loaded / total : 0;
    });
    request.addEventListener("load", () => (request.status === 200 ? done(request.response) : fail(request.response?.error ?? new Error("It was not taken."))));
    request.addEventListener("error", () => fail(new Error("The server was not reached.")));
    request.send(file);
  });
}

onSubmit("#send-copy", async (form) => {
  const [file] = one("#copy").files;
  if (wrong(form, "#copy", file ? "" : "Choose a file, please.")) return;
  one("#sent").hidden = false;
  try {
    let now = await send(file);
    restoring(now);
    while (now.status === "verifying") {
      await pause(2000);
      now = await get("/api/restore");
      restoring(now);
    }
  } finally {
    one("#sent").hidden = true;
  }
});

one("#discard")?.addEventListener("click", async () => {
  if (!(await ask({ title: "Discard the copy that waits?", confirm: "Discard it", danger: true }))) return;
  try {
    restoring(await post("/api/restore", {}, { method: "DELETE" }));
  } catch (problem) {
    refuse(problem);
  }
});

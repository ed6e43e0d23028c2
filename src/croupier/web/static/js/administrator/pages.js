// The administrator's pages: users, submissions, documents, tables, the audit.
//
// The server renders the pages. After an action the page reloads and shows a message.

import { get, newKey, pause, post } from "../shared/api.js";
import { make } from "../shared/build.js";
import { toMinute } from "../shared/dates.js";
import { ask, busy, closed, copied, modal, notify, refuse } from "../shared/dialogs.js";
import { form as filled } from "../shared/form.js";
import { cents, money, signed } from "../shared/money.js";
import { clause } from "../shared/settlement.js";
import { cell, dataTable, row } from "../staff/rows.js";

const MESSAGE = "croupier.said";
/** @param {string} selector @returns {any} null on a page without it */
const one = (selector) => document.querySelector(selector);

// Reload, or open a page, and show a message there.
/** @param {string} words */
function reloadWith(words, address = "") {
  sessionStorage.setItem(MESSAGE, words);
  if (address) location.assign(address);
  else location.reload();
}

const message = sessionStorage.getItem(MESSAGE);
if (message) {
  sessionStorage.removeItem(MESSAGE);
  notify(message);
}

/** @param {HTMLFormElement} form @param {string} name @param {string} words */
function showProblem(form, name, words) {
  /** @type {any} */
  const field = form.querySelector(name);
  const problem = field.closest(".field").querySelector(".problem");
  if (problem) problem.textContent = words;
  field.setAttribute("aria-invalid", String(Boolean(words)));
  if (words) field.focus();
  return Boolean(words);
}

/** @param {string} selector @param {(form: any) => Promise<void>} handler */
function onForm(selector, handler) {
  const form = one(selector);
  form?.addEventListener("submit", async (/** @type {any} */ event) => {
    event.preventDefault();
    const button = event.submitter ?? form.querySelector("button");
    try {
      await busy(button, handler(form));
    } catch (problem) {
      refuse(problem);
    }
  });
}

/** @param {string} holder @param {string} selector @param {(button: any) => Promise<void>} handler */
function onButton(holder, selector, handler) {
  one(holder)?.addEventListener("click", (/** @type {any} */ event) => {
    const button = event.target.closest(selector);
    if (button) handler(button).catch(refuse);
  });
}

// Users

/** @param {{name: string, password: string, until: number}} made */
function showPassword({ name, password, until }) {
  const shut = make("button", { type: "button", class: "primary", onclick: () => dialog.close() }, "Done");
  const copy = make("button", { type: "button", onclick: async () => copy.replaceChildren(await copied(password, code)) }, "Copy");
  const code = make("code", { class: "password", tabindex: "0" }, password);
  const dialog = modal(
    `One-time password for ${name}`,
    make("p", {}, "It is shown only once. The user chooses a new password at the first login."),
    code,
    make("p", { class: "hint" }, `Valid until ${toMinute(until)}.`),
    make("div", { class: "actions" }, copy, shut),
  );
  return closed(dialog);
}

onForm("#add-user", async (form) => {
  const name = form.elements.name.value.trim();
  if (showProblem(form, "#name", name ? "" : "Enter a name.")) return;
  const made = await post("/api/users", { name, role: form.elements.role.value });
  form.reset();
  await showPassword(made);
  reloadWith(`${made.name} was added.`);
});

/** @type {Record<string, (address: string, name: string, data: DOMStringMap) => Promise<string>>} */
const ACTIONS = {
  async role(address, name, { role }) {
    const values = await filled({ title: `Change the role of ${name}`, asks: [{ name: "role", kind: "one of", of: ["dealer", "floorperson", "surveillance", "administrator"], now: role }], confirm: "Change role", body: "The user must log in again." });
    if (!values) return "";
    await post(`${address}/role`, values);
    return `${name} now has the role ${values.role}.`;
  },
  async reset(address, name) {
    if (!(await ask({ title: `Reset the password of ${name}?`, body: "The user is logged out everywhere and gets a one-time password.", confirm: "Reset" }))) return "";
    await showPassword(await post(`${address}/reset`));
    return `${name} has a one-time password.`;
  },
  async unlock(address, name) {
    await post(`${address}/unlock`);
    return `${name} is unlocked.`;
  },
  async disable(address, name) {
    if (!(await ask({ title: `Disable ${name}?`, body: "The user is logged out everywhere and can no longer log in.", confirm: "Disable", danger: true }))) return "";
    await post(`${address}/disable`);
    return `${name} is disabled.`;
  },
  async enable(address, name) {
    await post(`${address}/enable`);
    return `${name} is enabled.`;
  },
};

onButton("#users", "button[data-deed]", async (button) => {
  const name = button.closest("tr").dataset.user;
  const words = await ACTIONS[button.dataset.deed](`/api/users/${encodeURIComponent(name)}`, name, button.dataset);
  if (words) reloadWith(words);
});

// Submissions

const MOST = 64 * 1024;

one("#upload")?.addEventListener("change", async (/** @type {any} */ event) => {
  const [file] = event.target.files;
  if (!file) return;
  if (file.size > MOST) showProblem(one("#file"), "#text", "A submission can be at most 64 KiB.");
  else {
    one("#text").value = await file.text();
    showProblem(one("#file"), "#text", "");
  }
});

onForm("#file", async (form) => {
  const text = one("#text").value;
  if (showProblem(form, "#text", !text.trim() ? "Choose a file or paste its text." : new Blob([text]).size > MOST ? "A submission can be at most 64 KiB." : "")) return;
  const filed = await post("/api/submissions", { text });
  reloadWith(`Submission ${filed.id} is filed.`, `/administrator/submissions/${filed.id}`);
});

const id = one("#submission")?.dataset.id;

onForm("#approve", async () => {
  const filed = await post(`/api/submissions/${id}/approve`, { effective: one("#effective").value });
  reloadWith(`Approved, in effect from ${filed.effective}.`);
});

onForm("#withdraw", async (form) => {
  const why = one("#why").value.trim();
  if (showProblem(form, "#why", why ? "" : "Enter a reason.")) return;
  await post(`/api/submissions/${id}/withdraw`, { why });
  reloadWith("The submission is withdrawn.");
});

// Documents: polled until they are ready, then saved as a file

/** @param {string} kind @param {string} form */
async function print(kind, form) {
  const status = one("#printing");
  for (;;) {
    const answer = await fetch(`/api/submissions/${id}/print/${kind}?format=${form}`, { headers: { accept: "*/*" }, credentials: "same-origin" });
    if (answer.status === 202) {
      status.textContent = (await answer.json()).says;
      await pause(2500);
      continue;
    }
    if (!answer.ok) throw (await answer.json().catch(() => ({}))).error ?? new Error("The document could not be created.");
    const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1] ?? `${kind}.${form}`;
    save(await answer.blob(), name);
    status.textContent = `${name} has been saved.`;
    return;
  }
}

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const link = make("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

onButton("#documents", "button[data-print]", async (button) => {
  try {
    await busy(button, print(button.dataset.print, button.dataset.form));
  } catch (problem) {
    one("#printing").textContent = "The document could not be created.";
    throw problem;
  }
});

// Two submissions side by side

/** @param {string} title @param {{what: string, before: string, after: string, cite: string}[]} items */
function changes(title, items) {
  const rows = items.map((each) => row(cell(each.what, { name: "th" }), cell(each.before, { label: "before" }), cell(each.after, { label: "after" }), cell(clause(each.cite), { label: "clause" })));
  return dataTable(title, ["What", "Before", "After", "Clause"].map((words) => [words, false]), rows, { caption: title });
}

/** @param {any[]} items */
function effects(items) {
  const heads = ["Wager", "Edge before", "Edge after", "Average bet", "Yearly win before", "Yearly win after", "Change"];
  /** @param {number} sum */
  const whole = (sum) => Math.round(sum / 100) * 100;
  const rows = items.map((each) =>
    row(
      cell(each.wager, { name: "th" }),
      ...[each.edge_before, each.edge_after, money(each.average), money(whole(each.win_before)), money(whole(each.win_after)), signed(whole(each.win_after - each.win_before))].map((words, n) => cell(words, { number: true, label: heads[n + 1].toLowerCase() })),
    ),
  );
  return dataTable("Effects", heads.map((words, n) => [words, n > 0]), rows, { caption: "House edge and yearly win (4,000 hours at 240 hands an hour)" });
}

/** @param {DOMStringMap} ids */
async function compare({ one: before, other: after }) {
  if (!before || !after) return;
  const into = one("#difference");
  into.replaceChildren(make("div", { class: "loading" }, "Comparing"));
  try {
    for (;;) {
      const found = await get(`/api/submissions/${before}/difference/${after}`);
      const parts = [];
      if (!found.choices.length && !found.payouts.length) parts.push(make("p", { class: "notice" }, "The two submissions make the same choices."));
      if (found.choices.length) parts.push(changes("Choices", found.choices));
      if (found.payouts.length) parts.push(changes("Payouts", found.payouts));
      if (found.effects.length) parts.push(effects(found.effects));
      else parts.push(make("p", { class: "quiet", role: "status" }, "The effect on the house edges appears once the odds of both are computed, which takes a few minutes."));
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

onForm("#open", async (form) => {
  const fields = form.elements;
  const table = fields.table.value.trim();
  if (showProblem(form, "#table", /^[A-Za-z0-9][A-Za-z0-9-]{0,39}$/.test(table) ? "" : "Use letters, digits and hyphens.")) return;
  const opener = cents(fields.opener.value);
  if (Number.isNaN(opener)) throw new Error("Enter the inventory in dollars.");
  const body = { table, filing: fields.filing.value, opener, dealer: fields.dealer.value, practice: fields.practice.checked, betting_seconds: Number(fields.betting_seconds.value) };
  try {
    await post("/api/openings", body, { key: opening });
  } catch (problem) {
    opening = newKey(); // refused: the next attempt is a new one
    throw problem;
  }
  reloadWith(`${table} is open.`, "/administrator/tables");
});

onButton("#tables", "button[data-deed=stand]", async (button) => {
  const table = button.closest("tr").dataset.table;
  const { dealer, practice, seconds } = button.dataset;
  const asks = [
    { name: "dealer", kind: "one of", of: ["automatic", "person"], now: dealer },
    { name: "kind", kind: "one of", of: ["play", "practice"], now: practice === "yes" ? "practice" : "play" },
    { name: "betting_time_in_seconds", kind: "number", least: 0, most: 3600, now: Number(seconds) },
  ];
  const values = await filled({ title: `Change ${table}`, asks, confirm: "Change", body: "Takes effect now. The submission sets the decision time." });
  if (!values) return;
  await post(`/api/tables/${encodeURIComponent(table)}/standing`, { dealer: values.dealer, practice: values.kind === "practice", betting_seconds: values.betting_time_in_seconds });
  reloadWith(`${table} has been changed.`);
});

// The audit

one("#filter")?.addEventListener("input", (/** @type {any} */ event) => {
  const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
  /** @type {NodeListOf<HTMLElement>} */
  const lines = document.querySelectorAll("#audit tbody tr");
  for (const line of lines) {
    const text = line.textContent?.toLowerCase() ?? "";
    line.hidden = !words.every((/** @type {string} */ word) => text.includes(word));
  }
});

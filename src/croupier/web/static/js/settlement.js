// A settlement told line by line: "Pair Plus: straight, 6 to 1, pays $30 (649a.12(d))".
//
// settlement(lines, {table})  -> <ul class="settlement">, the sum last; clauses are linked to the rule sheet of that table
// sentence(line)              -> the words of one line without the clause
// clause("649a.12(d)", table) -> <a class="cite"> to the rule sheet, or a <span> where no table is given
// told(lines)                 -> one sentence for the live region: "You win $30." or "You lose $10."

import { money } from "./money.js";

const short = (name) => name.replace(/ Wager$/, "").replace(/ Payout$/, "");

const lower = (words) => (words ? words[0].toLowerCase() + words.slice(1) : "");

const gainOf = (line) => line.pays + line.returns - line.stake;

export const net = (lines) => lines.reduce((sum, line) => sum + gainOf(line), 0);

export function sentence(line) {
  const wager = short(line.wager) + (line.on ? ` on the ${line.on}'s hand` : "");
  const parts = [lower(line.hand), line.odds].filter((words) => words && words.toLowerCase() !== "push"); // it goes back
  return `${wager}: ${[...parts, outcome(line)].join(", ")}`;
}

function outcome(line) {
  if (line.pays > 0) return `pays ${money(line.pays)}${line.source === "meter" ? " from the meter" : ""}`;
  if (line.stake && line.returns === line.stake) return `${money(line.stake)} goes back`;
  if (line.returns > 0) return `${money(line.returns)} goes back`;
  return line.stake ? `${money(line.stake)} is lost` : "pays nothing";
}

export function clause(cite, table = "") {
  const element = document.createElement(table ? "a" : "span");
  element.className = "cite";
  element.textContent = cite;
  if (table) element.href = `/tables/${encodeURIComponent(table)}/rules#${encodeURI(cite)}`;
  return element;
}

function item(line, table) {
  const element = document.createElement("li");
  const gain = gainOf(line);
  element.className = gain > 0 ? "won" : gain < 0 ? "lost" : "stood";
  const what = document.createElement("span");
  what.className = "what";
  what.append(sentence(line), " ");
  if (line.cite) what.append(clause(line.cite, table));
  element.append(what, amount(gain));
  return element;
}

function amount(gain) {
  const element = document.createElement("span");
  element.className = "amount money";
  element.textContent = gain > 0 ? `+${money(gain)}` : gain < 0 ? `−${money(-gain)}` : money(0);
  return element;
}

export function settlement(lines, { table = "" } = {}) {
  const list = document.createElement("ul");
  list.className = "settlement";
  list.append(...lines.map((line) => item(line, table)));
  if (lines.length) {
    const sum = document.createElement("li");
    const all = net(lines);
    sum.className = `net ${all > 0 ? "won" : all < 0 ? "lost" : "stood"}`;
    const words = document.createElement("span");
    words.textContent = all > 0 ? "You win" : all < 0 ? "You lose" : "Even";
    sum.append(words, amount(all));
    list.append(sum);
  }
  return list;
}

export function told(lines) {
  const all = net(lines);
  return all > 0 ? `You win ${money(all)}.` : all < 0 ? `You lose ${money(-all)}.` : "You neither win nor lose.";
}

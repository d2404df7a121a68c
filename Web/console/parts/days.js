// Lists that are long in time, in groups by day.

import { h, keyed } from "../dom.js";
import { language, t } from "../language.js";

/** The day of a time, as "Today, Wednesday, 25 November 2026", or the date alone. @param {number} seconds  since 1970 @param {Date} [today] */
function dayName(seconds, today = new Date()) {
  const then = new Date(seconds * 1000);
  const yesterday = new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1);
  const date = then.toLocaleDateString(language(), { weekday: "long", day: "numeric", month: "long", year: "numeric" });
  if (then.toDateString() === today.toDateString()) return t("Today, {date}", { date });
  if (then.toDateString() === yesterday.toDateString()) return t("Yesterday, {date}", { date });
  return date;
}

/**
 * Draws entries under the name of their day. Entries with a known key stay, and are renewed.
 * @template {{time: number}} T
 * @param {Element} box
 * @param {T[]} entries  newest first
 * @param {(entry: T) => string} key
 * @param {(entry: T) => HTMLElement} make
 * @param {(row: HTMLElement, entry: T) => void} renew
 */
export function drawDays(box, entries, key, make, renew) {
  /** @type {Map<string, T[]>} */
  const days = new Map();
  for (const entry of entries) {
    const name = dayName(entry.time);
    const found = days.get(name);
    if (found) found.push(entry);
    else days.set(name, [entry]);
  }
  keyed(
    box,
    [...days.keys()],
    (name) => name,
    (name) => day(name, days.get(name) ?? [], key, make),
    (section, name) => keyed(/** @type {Element} */ (section.lastElementChild), days.get(name) ?? [], key, make, renew),
  );
}

/** @template T @param {string} name @param {T[]} entries @param {(entry: T) => string} key @param {(entry: T) => HTMLElement} make */
function day(name, entries, key, make) {
  const list = h("ul", { class: "rows" });
  keyed(list, entries, key, make);
  return h("section", { class: "day" }, h("h2", { class: "day-name" }, name), list);
}

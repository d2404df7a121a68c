// The changes of a list or a profile.

import { h } from "../dom.js";
import { counted, shortKey } from "../words.js";

/** Names shown before the rest is collapsed. */
const FEW = 6;

/** @param {any} part  of type list-diff */
export function listDiff(part) {
  const added = part.added ?? [], removed = part.removed ?? [];
  const gains = part.added_count ?? added.length, losses = part.removed_count ?? removed.length;
  if (part.baseline === false) {
    return h(
      "div",
      { class: "diff" },
      h("p", { class: "diff-sum" }, `The new list holds ${counted(gains + (part.kept ?? 0), "entry", "entries")}.`),
      people("In it", "", added, gains),
    );
  }
  return h(
    "div",
    { class: "diff" },
    h(
      "p",
      { class: "diff-sum" },
      h("span", { class: losses ? "loss" : "" }, `${losses.toLocaleString()} removed`),
      ", ",
      h("span", { class: gains ? "gain" : "" }, `${gains.toLocaleString()} added`),
      `, ${(part.kept ?? 0).toLocaleString()} kept`,
    ),
    people("Removed", "loss", removed, losses),
    people("Added", "gain", added, gains),
  );
}

/** @param {string} title @param {string} look @param {any[]} list @param {number} count */
function people(title, look, list, count) {
  if (!count) return null;
  const rows = list.map((one) =>
    h("li", { class: look }, h("code", { class: "key", title: one.npub ?? one.text }, one.npub ? shortKey(one.npub) : one.text))
  );
  const rest = count - list.length;
  const tail = rest > 0 && h("li", { class: "help" }, `and ${counted(rest, "more", "more")}, listed in the raw request`);
  if (rows.length <= FEW) return h("ul", { class: "people", "aria-label": title }, rows, tail);
  return h(
    "div",
    {},
    h("ul", { class: "people", "aria-label": title }, rows.slice(0, FEW)),
    h(
      "details",
      { class: "more" },
      h("summary", {}, `${title}: all ${count.toLocaleString()}`),
      h("ul", { class: "people" }, rows.slice(FEW), tail),
    ),
  );
}

/** @param {any} part  of type field-diff */
export function fieldDiff(part) {
  const fields = part.fields ?? [];
  if (!fields.length) return h("p", {}, "Nothing would change.");
  return h(
    "table",
    { class: "fields" },
    h("thead", {}, h("tr", {}, ["Field", "Before", "After"].map((title) => h("th", { scope: "col" }, title)))),
    h(
      "tbody",
      {},
      fields.map((/** @type {any} */ one) =>
        h(
          "tr",
          {},
          h("th", { scope: "row", dir: "auto" }, one.name),
          h("td", { dir: "auto", class: one.before ? "loss" : "help" }, one.before ?? "not set"),
          h("td", { dir: "auto", class: one.after ? "gain" : "help" }, one.after ?? "taken out"),
        )
      ),
    ),
  );
}

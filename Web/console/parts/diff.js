// The changes of a list or a profile.

import { h } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { icon } from "./icons.js";
import { person } from "./people.js";

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
      h("p", { class: "diff-sum" }, tn(gains + (part.kept ?? 0), "The new list holds {count} entry.", "The new list holds {count} entries.")),
      people(t("In it"), "", added, gains),
    );
  }
  return h(
    "div",
    { class: "diff" },
    h(
      "p",
      { class: "diff-sum" },
      rich("{removed}, {added}, {kept}", {
        removed: h("span", { class: losses ? "loss" : "" }, tn(losses, "{count} removed", "{count} removed")),
        added: h("span", { class: gains ? "gain" : "" }, tn(gains, "{count} added", "{count} added")),
        kept: tn(part.kept ?? 0, "{count} kept", "{count} kept"),
      }),
    ),
    people(t("Removed"), "loss", removed, losses),
    people(t("Added"), "gain", added, gains),
  );
}

/** @param {string} title @param {string} look @param {any[]} list @param {number} count */
function people(title, look, list, count) {
  if (!count) return null;
  const rows = list.map((one) =>
    h("li", { class: look }, one.npub ? person(one) : h("code", { class: "key", title: one.text }, one.text))
  );
  const rest = count - list.length;
  const tail = rest > 0 && h("li", { class: "help" }, tn(rest, "and {count} more, listed in the raw request", "and {count} more, listed in the raw request"));
  if (rows.length <= FEW) return h("ul", { class: "people", "aria-label": title }, rows, tail);
  return h(
    "div",
    {},
    h("ul", { class: "people", "aria-label": title }, rows.slice(0, FEW)),
    h(
      "details",
      { class: "more" },
      h("summary", {}, t("{title}: all {count}", { title, count: count.toLocaleString() })),
      h("ul", { class: "people" }, rows.slice(FEW), tail),
    ),
  );
}

/** @param {any} part  of type field-diff */
export function fieldDiff(part) {
  const fields = changesOf(part);
  const known = part.baseline !== false;
  const titles = known ? [t("Field"), t("Before"), t("After")] : [t("Field"), t("Would become")];
  return h(
    "table",
    { class: "fields" },
    h("thead", {}, h("tr", {}, titles.map((title) => h("th", { scope: "col" }, title)))),
    h("tbody", {}, fields.map((/** @type {any} */ one) => fieldRow(one, known))),
  );
}

/** The changes, with those first that can cost something. @param {any} part  of type field-diff @returns {any[]} */
export function changesOf({ fields = [] }) {
  return [...fields.filter((/** @type {any} */ one) => one.warning), ...fields.filter((/** @type {any} */ one) => !one.warning)];
}

/** The longest value that is shown whole anyway, and how much is shown of what two values share, in UTF-16 units. */
const WHOLE = 60, SHARED = 12, CONTEXT = 12;

/**
 * Two values in few letters, with all that differs in both. Only what they share is cut.
 * @param {string} before @param {string} after @returns {[string, string]}
 */
export function apart(before, after) {
  if (Math.max(before.length, after.length) <= WHOLE) return [before, after];
  const one = [...before], other = [...after];
  let head = 0, tail = 0;
  while (head < one.length && head < other.length && one[head] === other[head]) head += 1;
  while (tail < one.length - head && tail < other.length - head && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail += 1;
  return [cut(one, head, tail), cut(other, head, tail)];
}

/** @param {string[]} letters @param {number} head  how many at the beginning are shared @param {number} tail  and at the end */
function cut(letters, head, tail) {
  const from = head > SHARED + CONTEXT ? head - CONTEXT : 0, to = tail > SHARED + CONTEXT ? letters.length - tail + CONTEXT : letters.length;
  return [from ? [...letters.slice(0, SHARED), "…"] : [], letters.slice(from, to), to < letters.length ? ["…", ...letters.slice(-SHARED)] : []].flat().join("");
}

/** One changed field in a line: its name, what it was and what it would become. @param {any} one */
export function changeLine({ name, before, after }) {
  const now = after ?? t("taken out");
  if (!before) return `${fieldName(name)}: ${now}`;
  const [was, becomes] = after ? apart(before, after) : [before, now];
  return t("{field}: {before} → {after}", { field: fieldName(name), before: was, after: becomes });
}

/** Fields of a profile as people call them. @type {Record<string, string>} */
const FIELDS = {
  name: t("Name"),
  display_name: t("Display name"),
  about: t("About you"),
  picture: t("Picture"),
  banner: t("Banner"),
  website: t("Website"),
  nip05: t("Nostr address (nip05)"),
  lud16: t("Lightning address (lud16)"),
  lud06: t("Lightning payment code (lud06)"),
};

/** @param {string} name */
export function fieldName(name) {
  return Object.hasOwn(FIELDS, name) ? FIELDS[name] : name;
}

/** A change that can cost something is never shown as a gain. @param {any} one @param {boolean} known */
function fieldRow(one, known) {
  const look = one.warning ? "loss" : known ? "gain" : "";
  return h(
    "tr",
    { class: one.warning ? "costly" : "" },
    h("th", { scope: "row", dir: "auto" }, fieldName(one.name)),
    known && h("td", { dir: "auto", class: one.before ? "" : "help", data: { label: t("Before") } }, one.before ?? t("not set")),
    h(
      "td",
      { data: { label: known ? t("After") : t("Would become") } },
      h("span", { dir: "auto", class: one.after ? look : "help" }, one.after ?? t("taken out")),
      one.warning && h("span", { class: "row-warning" }, icon("warning"), " ", one.warning),
    ),
  );
}

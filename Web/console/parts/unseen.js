// What a picture shows, as a table for people who cannot see it.

import { h } from "../dom.js";

/** @typedef {import("../dom.js").Child} Child */

/**
 * @param {string} caption
 * @param {Child[]} head  of the columns
 * @param {Child[][]} rows  each begins with its own head
 */
export function unseenTable(caption, head, rows) {
  const table = h(
    "table",
    {},
    h("caption", {}, caption),
    h("thead", {}, h("tr", {}, head.map((words) => h("th", { scope: "col" }, words)))),
    h("tbody", {}, rows.map(([first, ...cells]) => h("tr", {}, h("th", { scope: "row" }, first), cells.map((cell) => h("td", {}, cell))))),
  );
  // A table is as wide as its words, so a box around it takes it out of sight.
  return h("div", { class: "unseen" }, table);
}

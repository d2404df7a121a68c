// The heading of a card: an icon, its words, and what stands across from it.

import { h } from "../dom.js";
import { icon } from "./icons.js";

/** @param {string} sign  an icon's name @param {import("../dom.js").Child} words @param {...import("../dom.js").Child} across */
export function heading(sign, words, ...across) {
  return h("div", { class: "head" }, h("h2", {}, icon(sign), h("span", {}, words)), ...across);
}

/** What a card shows until its data is here. @param {number} [lines] */
export function waitingFor(lines = 3) {
  return h("div", { class: "skeleton", "aria-hidden": "true" }, Array.from({ length: lines }, () => h("span", {})));
}

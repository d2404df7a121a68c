// A card that a person opens when they need it. Its heading says what holds now, so that most need not.

import { fill, h } from "../dom.js";

/** A closed one; `fillFold` gives it what it shows. @returns {HTMLElement} */
export function fold() {
  return h("details", { class: "card fold" });
}

/** @param {HTMLElement} box @param {string} title @param {string} state  what holds now, in a few words @param {...import("../dom.js").Child} body */
export function fillFold(box, title, state, ...body) {
  fill(box, h("summary", { data: { focus: title } }, h("h2", {}, title), h("span", { class: "help" }, state)), ...body);
}

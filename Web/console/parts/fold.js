// A card that a person opens when they need it. Its heading says what holds now, so that most need not.

import { fill, h } from "../dom.js";

/** Where a page is one long column, as on a phone: the width at which styles/apps.css lays it out for that. */
const phone = matchMedia("(max-width: 560px)");

/** Whether what is rarely used is closed at first. */
export function isShort() {
  return phone.matches;
}

/** A closed one; `fillFold` gives it what it shows. @param {boolean} [open]  at first @returns {HTMLElement} */
export function fold(open = false) {
  return h("details", { class: "card fold", open });
}

/** @param {HTMLElement} box @param {string} title @param {string} state  what holds now, in a few words @param {...import("../dom.js").Child} body */
export function fillFold(box, title, state, ...body) {
  fill(box, h("summary", { data: { focus: title } }, h("h2", {}, title), h("span", { class: "help" }, state)), ...body);
}

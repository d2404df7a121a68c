// A public key as every page shows it: its beginning and its end, a button that copies it, and all of it when it is pressed.

import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { shortKey } from "../words.js";
import { copyText } from "./common.js";
import { icon } from "./icons.js";

/** How long the tick stands in the place of the copy sign, in milliseconds. */
const DONE = 2000;

/**
 * @param {string} key  an npub or hex digits
 * @param {{copies?: boolean, onPaper?: boolean, isEvent?: boolean}} [options]  whether it can be copied before it is opened, as everywhere but in long
 *   lists; whether a printed page has all of it; whether it is the id of an event and no key
 */
export function keyText(key, { copies = true, onPaper = false, isEvent = false } = {}) {
  const code = h("code", { class: "key" }, shortKey(key));
  const copying = copyKey(key, isEvent ? t("Copy the id") : t("Copy the key"));
  copying.hidden = !copies;
  let isWhole = false;
  const opener = h("button", {
    type: "button",
    class: "key-opener",
    title: isEvent ? t("Show the whole id") : t("Show the whole key"),
    "aria-expanded": "false",
    onclick: () => {
      isWhole = !isWhole;
      code.textContent = isWhole ? key : shortKey(key);
      code.classList.toggle("whole", isWhole);
      opener.setAttribute("aria-expanded", String(isWhole));
      copying.hidden = !copies && !isWhole;
    },
  }, code);
  return h("span", { class: "key-text" }, opener, copying, onPaper && h("code", { class: "paper whole" }, key));
}

/** @param {string} key @param {string} title */
function copyKey(key, title) {
  const made = h("button", {
    type: "button",
    class: "key-copy",
    title,
    "aria-label": title,
    onclick: async () => {
      if (!await copyText(key)) return;
      fill(made, icon("check"));
      setTimeout(() => fill(made, icon("copies")), DONE);
    },
  }, icon("copies"));
  return made;
}

// The steps of something that is done one after the other: which there are, which one is open, which are done.

import { h } from "../dom.js";
import { t } from "../language.js";

/**
 * @param {string[]} names
 * @param {number} open  the place of the open one, from 0; as many as there are when all are done
 * @param {object} [more]  properties of the list
 */
export function steps(names, open, more = {}) {
  return h("ol", { class: "steps", "aria-label": t("Steps"), ...more }, names.map((name, place) => stepOf(name, place, open)));
}

/** Goes to the beginning of a step that was just drawn: the focus to its heading, the page to its top. @param {Element} box */
export function beginStep(box) {
  const heading = box.querySelector("h2");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** @param {string} name @param {number} place @param {number} open */
function stepOf(name, place, open) {
  return h(
    "li",
    { class: place < open ? "done" : "", "aria-current": place === open ? "step" : null },
    h("span", { class: "step-number", "aria-hidden": "true" }, place + 1),
    name,
  );
}

/** The steps to a recovery kit: the dialog, the sheets, and the test of them. @param {number} open  as above */
export function kitSteps(open) {
  return steps([t("Choose"), t("Write down"), t("Test")], open, { class: "steps kit-steps screen" });
}

// The choice of one of three trust levels: with a description of each, or in one line with that of the present one.

import { h } from "../dom.js";
import { t } from "../language.js";
import { TRUST } from "../words.js";

/** The level for an app that nobody has checked: the one that asks. */
export const UNCHECKED = "low";

/** @param {string} name  of the group @param {string} [chosen] @param {(level: string) => void} [changed] */
export function trustChoice(name, chosen = UNCHECKED, changed = () => {}) {
  const box = h(
    "fieldset",
    { class: "levels" },
    h("legend", {}, t("How much may it do without asking you?")),
    Object.entries(TRUST).map(([level, [title, words]]) =>
      h(
        "label",
        { class: "level" },
        h("input", { type: "radio", name, value: level, checked: level === chosen, data: { focus: `${name}-${level}` }, onchange: () => changed(level) }),
        h("span", {}, h("strong", {}, title), h("span", { class: "help" }, words)),
      )
    ),
  );
  return { box, value: () => /** @type {HTMLInputElement | null} */ (box.querySelector("input:checked"))?.value ?? chosen };
}

/** The same in one line. @param {string} name  of the group @param {string} chosen @param {(level: string) => void} changed @returns {HTMLElement} */
export function trustSwitch(name, chosen, changed) {
  const says = `${name}-says`;
  return h(
    "fieldset",
    { class: "switch", "aria-describedby": says },
    h("legend", { class: "unseen" }, t("Trust")),
    h(
      "div",
      { class: "switch-line" },
      Object.entries(TRUST).map(([level, [title]]) =>
        h(
          "label",
          {},
          h("input", { type: "radio", name, value: level, checked: level === chosen, data: { focus: `${name}-${level}` }, onchange: () => changed(level) }),
          title,
        )
      ),
    ),
    h("p", { id: says, class: "help" }, TRUST[chosen]?.[1] ?? chosen),
  );
}

// The choice of one of three trust levels, with descriptions.

import { h } from "../dom.js";
import { t } from "../language.js";
import { TRUST } from "../words.js";

/** @param {string} name  of the group @param {string} [chosen] @param {(level: string) => void} [changed] */
export function trustChoice(name, chosen = "medium", changed = () => {}) {
  const box = h(
    "fieldset",
    { class: "levels" },
    h("legend", {}, t("How much may it do without asking you?")),
    Object.entries(TRUST).map(([level, [title, words]]) =>
      h(
        "label",
        { class: "level" },
        h("input", { type: "radio", name, value: level, checked: level === chosen, onchange: () => changed(level) }),
        h("span", {}, h("strong", {}, title), h("span", { class: "help" }, words)),
      )
    ),
  );
  return { box, value: () => /** @type {HTMLInputElement | null} */ (box.querySelector("input:checked"))?.value ?? chosen };
}

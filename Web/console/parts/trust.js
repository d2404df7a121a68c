// The choice of one of three trust levels, with descriptions.

import { h } from "../dom.js";
import { t } from "../language.js";
import { TRUST } from "../words.js";

/** @param {string} name  of the group @param {string} [chosen] @param {(level: string) => void} [changed] @param {Element} [legend] */
export function trustChoice(name, chosen = "medium", changed = () => {}, legend = h("legend", {}, t("How much may it do without asking you?"))) {
  const box = h(
    "fieldset",
    { class: "levels" },
    legend,
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

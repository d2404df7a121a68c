// Dark or light: as the system's setting, until the person chooses.

import { fill } from "../dom.js";
import { t } from "../language.js";
import { choice } from "./common.js";
import { icon } from "./icons.js";

const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
}

/** Shows what the theme button does; made by `startTheme`. */
let label = () => {};

/** Keeps the choice in this browser. @param {string} theme  "" for as the system says */
function take(theme) {
  if (theme) {
    root.dataset.theme = theme;
    localStorage.setItem("theme", theme);
  } else {
    delete root.dataset.theme;
    localStorage.removeItem("theme");
  }
  label();
}

/** The choice of the colours, for Settings. */
export function themeChoice() {
  const { box, select } = choice(t("Colours"), [["", t("As the system says")], ["light", t("Light")], ["dark", t("Dark")]], root.dataset.theme ?? "");
  select.addEventListener("change", () => take(select.value));
  return box;
}

/** Connects the theme button. */
export function startTheme() {
  const button = /** @type {HTMLButtonElement} */ (document.getElementById("theme"));
  label = () => {
    const words = isDark() ? t("Use light colours") : t("Use dark colours");
    fill(button, icon(isDark() ? "light" : "dark"));
    button.setAttribute("aria-label", words);
    button.title = words;
  };
  button.addEventListener("click", () => take(isDark() ? "light" : "dark"));
  dark.addEventListener("change", () => label());
  label();
}

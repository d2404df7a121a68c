// Dark or light: as the system's setting, until the person chooses.

import { fill } from "../dom.js";
import { t } from "../language.js";
import { icon } from "./icons.js";

const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
}

/** Connects the theme button. */
export function startTheme() {
  const button = /** @type {HTMLButtonElement} */ (document.getElementById("theme"));
  const label = () => {
    const words = isDark() ? t("Use light colours") : t("Use dark colours");
    fill(button, icon(isDark() ? "light" : "dark"));
    button.setAttribute("aria-label", words);
    button.title = words;
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
    label();
  });
  dark.addEventListener("change", label);
  label();
}

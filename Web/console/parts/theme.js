// Dark or light: as the system's setting, until the person chooses.

import { t } from "../language.js";

const root = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  return root.dataset.theme ? root.dataset.theme === "dark" : dark.matches;
}

/** Connects the theme button. */
export function startTheme() {
  const button = /** @type {HTMLButtonElement} */ (document.getElementById("theme"));
  const label = () => {
    button.textContent = isDark() ? t("Light") : t("Dark");
    button.setAttribute("aria-label", isDark() ? t("Use light colours") : t("Use dark colours"));
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    localStorage.setItem("theme", root.dataset.theme);
    label();
  });
  dark.addEventListener("change", label);
  label();
}

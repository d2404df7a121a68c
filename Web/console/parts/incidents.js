// Incidents: a notice on whatever page is open, and a line that stays until the owner has checked them.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { fromSigner, language, t, tn } from "../language.js";
import { live } from "../live.js";
import { refresh } from "../store.js";
import { button } from "./common.js";

export function hearIncidents() {
  live.addEventListener("hint", (/** @type {any} */ event) => {
    const { type, text } = event.detail;
    if (type === "incident" && text) notice(fromSigner(text), { bad: true, link: [t("See security"), "#/security"] });
  });
}

/** How many there are to check, in words. @param {number} count */
function counted(count) {
  return tn(count, "{count} incident to check.", "{count} incidents to check.");
}

/** The incidents that nobody has checked; nothing without any. @param {{new_incidents?: number}} status */
export function incidentLine({ new_incidents: count = 0 }) {
  return count > 0 &&
    h(
      "p",
      { class: "warning" },
      counted(count),
      " ",
      h("a", { href: "#/activity?decision=incidents" }, t("See what happened")),
      " ",
      button(t("I have checked it"), checked, { class: "quiet" }),
    );
}

async function checked() {
  try {
    await call("incidents/checked");
    refresh("status");
  } catch (failure) {
    notice(/** @type {Error} */ (failure).message, { bad: true });
  }
}

/** The number beside “Security” in the menu. @param {{new_incidents?: number}} status */
export function markIncidents({ new_incidents: count = 0 }) {
  for (const badge of document.querySelectorAll(".badge.incidents")) {
    badge.toggleAttribute("hidden", count === 0);
    fill(badge, count > 0 && h("span", { "aria-hidden": "true" }, count.toLocaleString(language())), count > 0 && h("span", { class: "unseen" }, counted(count)));
  }
}

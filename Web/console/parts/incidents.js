// Shows incidents on whatever page is open.

import { notice } from "../dom.js";
import { t } from "../language.js";
import { live } from "../live.js";

export function hearIncidents() {
  live.addEventListener("hint", (/** @type {any} */ event) => {
    const { type, text, severity } = event.detail;
    if (type === "incident" && text) notice(text, { bad: severity === "critical", link: [t("See security"), "#/security"] });
  });
}

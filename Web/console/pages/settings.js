// How this console looks and speaks, what it says of people, and how it tells its owner that something waits.

import { h } from "../dom.js";
import { t } from "../language.js";
import { heading, waitingFor } from "../parts/heading.js";
import { languageChoice } from "../parts/languages.js";
import { drawNames } from "../parts/names.js";
import { notifications } from "../parts/notifications.js";
import { optional } from "../parts/optional.js";
import { themeChoice } from "../parts/theme.js";

/** @param {import("../view.js").View} view */
export function settings(view) {
  const card = () => h("section", { class: "card" }, waitingFor()), push = card(), names = card();
  view.draw(
    t("Settings"),
    h("section", { class: "card" }, heading("settings", t("This browser")), h("div", { class: "inline stacks" }, languageChoice(), themeChoice())),
    push,
    names,
    h("p", { class: "help" }, h("a", { href: "#/security/console" }, t("Browsers and passkeys are under Security.")), " ", h("a", { href: "#/relays" }, t("Relays have a page of their own."))),
  );
  notifications(view, push);
  optional(view, names, [], () => drawNames(names));
}

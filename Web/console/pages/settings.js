// How this console looks and speaks, what it says of people, and how it tells its owner that something waits.

import { h } from "../dom.js";
import { t } from "../language.js";
import { elsewhere } from "../parts/elsewhere.js";
import { heading, waitingFor } from "../parts/heading.js";
import { languageChoice } from "../parts/languages.js";
import { drawNames } from "../parts/names.js";
import { notifications } from "../parts/notifications.js";
import { optional } from "../parts/optional.js";
import { themeChoice } from "../parts/theme.js";

/** @param {import("../view.js").View} view */
export function settings(view) {
  const card = () => h("section", { class: "card" }, waitingFor()), push = card(), names = card(), others = card();
  view.draw(
    t("Settings"),
    h("section", { class: "card" }, heading("settings", t("This browser")), h("div", { class: "inline stacks" }, languageChoice(), themeChoice())),
    push,
    names,
    others,
  );
  notifications(view, push);
  optional(view, names, [], () => drawNames(names));
  view.keep(["lock", "status", "sessions"], () => elsewhere(view, others));
}

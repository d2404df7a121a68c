// What to do after something new opens the vault: earlier backups do not open with it.

import { h } from "../dom.js";
import { t } from "../language.js";

/** @param {string} why  in a sentence */
export function backupWanted(why) {
  return h("div", { class: "backup-wanted screen" }, h("p", { class: "warning" }, why), h("div", { class: "buttons" }, h("a", { class: "button primary", href: "#/backup" }, t("Make a backup"))));
}

// Links to all pages of the console, for screens whose menu bar is too small.

import { h } from "../dom.js";
import { languageChoice } from "../parts/languages.js";

/** @type {[string, string, string][]} */
const PAGES = [
  ["#/keys", "Keys", "identities, their copies and receipts"],
  ["#/pair", "Pair an app", "connect an app to this signer"],
  ["#/recovery", "Recovery", "kits and guardians, in case this machine is lost"],
  ["#/backup", "Backup", "encrypted backups of everything"],
  ["#/security/vault", "Vault", "the ways to unlock, and when it locks"],
  ["#/security", "Security", "locking, browsers, passkeys, notifications, the log"],
  ["#/activity", "Activity", "what was decided and why"],
];

/** @param {import("../view.js").View} view */
export function more(view) {
  view.draw(
    "More",
    h(
      "section",
      { class: "card" },
      h(
        "ul",
        { class: "rows" },
        PAGES.map(([href, title, words]) => h("li", {}, h("a", { class: "row", href }, h("span", { class: "row-words" }, h("strong", {}, title), h("span", {}, words))))),
      ),
    ),
    h("section", { class: "card" }, languageChoice()),
  );
}

// The parts of Security: one tab each, on every page of it. Each fact is on one of them.

import { h } from "../dom.js";
import { t } from "../language.js";
import { icon } from "./icons.js";

/** Each part: its address, its icon, its name, and what it is for. @type {[string, string, string, string][]} */
export const SECTIONS = [
  ["#/security", "security", t("Overview"), t("lock it, see what opens your keys, check the log")],
  ["#/security/vault", "vault", t("Ways in"), t("passphrase, passkeys, tokens: add, test, remove")],
  ["#/recovery", "recovery", t("Recovery kits"), t("sheets and guardians, if you lose the other ways in")],
  ["#/backup", "backup", t("Backups"), t("encrypted copies, if you lose this machine")],
  ["#/security/console", "browser", t("Console"), t("signed-in browsers, passkeys, your phone")],
];

/** The tabs. @param {import("../view.js").View} view */
export function sections({ route: { name, parts } }) {
  const here = `#/${[name, ...parts].join("/")}`;
  return h(
    "nav",
    { class: "tabs screen", "aria-label": t("Parts of Security") },
    SECTIONS.map(([href, sign, words]) => h("a", { href, "aria-current": href === here ? "page" : null }, icon(sign), words)),
  );
}

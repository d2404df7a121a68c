// The frame around the pages: the menu, and the words that it has before a person has signed in.

import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { icon } from "./icons.js";

/**
 * A page of the menu. `route`: its address, if that is not its name; `where`: only on wide or only on narrow screens.
 * @typedef {{page: string, words: string, route?: string, where?: "wide" | "narrow"}} Item
 */

/** @type {Item[]} */
const ITEMS = [
  { page: "home", words: t("Home"), route: "" },
  { page: "approvals", words: t("Approvals") },
  { page: "apps", words: t("Apps") },
  { page: "pair", words: t("Pair an app"), where: "wide" },
  { page: "keys", words: t("Keys"), where: "wide" },
  { page: "recovery", words: t("Recovery"), where: "wide" },
  { page: "backup", words: t("Backup"), where: "wide" },
  { page: "activity", words: t("Activity") },
  { page: "security", words: t("Security"), where: "wide" },
  { page: "vault", words: t("Vault"), route: "security/vault", where: "wide" },
  { page: "more", words: t("More"), where: "narrow" },
];

/** Pages that a narrow screen shows under "More". */
const BEHIND_MORE = new Set(["keys", "pair", "recovery", "backup", "security", "vault"]);

/** Draws the menu. @param {HTMLElement} menu */
export function drawMenu(menu) {
  menu.setAttribute("aria-label", t("Pages"));
  fill(
    menu,
    ITEMS.map(({ page, words, route = page, where }) =>
      h(
        "a",
        { href: `#/${route}`, class: where, data: { page } },
        icon(page),
        words,
        page === "approvals" && [" ", h("span", { id: "waiting", class: "badge", hidden: true })],
      )
    ),
  );
}

/** Marks the open page. @param {HTMLElement} menu @param {import("../router.js").Route} route */
export function markPage(menu, { name: first, parts }) {
  const name = ITEMS.find(({ route }) => route === [first, ...parts].join("/"))?.page ?? first;
  for (const link of menu.querySelectorAll("a")) {
    if (link.dataset.page === name || (link.dataset.page === "more" && BEHIND_MORE.has(name))) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

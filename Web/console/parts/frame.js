// The frame around the pages: the menu, and the words that it has before a person has signed in.

import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { icon } from "./icons.js";
import { signOutButton } from "./signout.js";

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
  { page: "activity", words: t("Activity") },
  { page: "security", words: t("Security"), where: "wide" },
  { page: "relays", words: t("Relays"), where: "wide" },
  { page: "settings", words: t("Settings"), where: "wide" },
  { page: "more", words: t("More"), where: "narrow" },
];

/** Pages that a narrow screen shows under "More". */
const BEHIND_MORE = new Set(["keys", "pair", "security", "relays", "settings"]);

/** The places that show how many incidents are to be checked. */
const WITH_INCIDENTS = new Set(["security", "more"]);

/** Pages that are parts of another one. @type {Record<string, string>} */
const PART_OF = { recovery: "security", backup: "security", restore: "security", identities: "keys", phone: "security" };

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
        WITH_INCIDENTS.has(page) && [" ", h("span", { class: "badge incidents", hidden: true })],
      )
    ),
    signOutButton({ class: "quiet sign-out" }),
  );
}

/** Marks the open page. @param {HTMLElement} menu @param {import("../router.js").Route} route */
export function markPage(menu, { name: first }) {
  const name = PART_OF[first] ?? first;
  for (const link of menu.querySelectorAll("a")) {
    if (link.dataset.page === name || (link.dataset.page === "more" && BEHIND_MORE.has(name))) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

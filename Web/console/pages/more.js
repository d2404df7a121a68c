// Links to all pages of the console, for screens whose menu bar is too small.

import { h } from "../dom.js";
import { t } from "../language.js";
import { icon } from "../parts/icons.js";
import { SECTIONS } from "../parts/sections.js";
import { signOutButton } from "../parts/signout.js";

/** Each page: address, icon, name, and what it is for. @type {[string, string, string, string][]} */
const PAGES = [
  ["#/keys", "keys", t("Keys"), t("identities, their copies and receipts")],
  ["#/pair", "pair", t("Pair an app"), t("connect an app to this signer")],
  ["#/relays", "relays", t("Relays"), t("where apps and the signer meet: see, add, remove")],
  ["#/settings", "settings", t("Settings"), t("language, colours, notifications, names of people")],
];

/** @param {import("../view.js").View} view */
export function more(view) {
  view.draw(
    t("More"),
    h("section", { class: "card" }, h("ul", { class: "rows" }, PAGES.map(row))),
    h("section", { class: "card" }, h("h2", {}, t("Security")), h("ul", { class: "rows" }, SECTIONS.map(row))),
    h("div", { class: "buttons" }, signOutButton()),
  );
}

/** @param {[string, string, string, string]} page */
function row([href, sign, title, words]) {
  const said = h("span", { class: "row-words" }, h("strong", {}, title), h("span", {}, words));
  return h("li", {}, h("a", { class: "row", href }, h("span", { class: "symbol" }, icon(sign)), said, icon("next")));
}

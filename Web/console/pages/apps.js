// The paired apps.

import { fill, h } from "../dom.js";
import { field, nothing } from "../parts/common.js";
import { appRow } from "./home.js";

/** With this many apps or more, a search field is shown. */
const MANY = 8;

/** @param {import("../view.js").View} view */
export function apps(view) {
  const search = field("Find an app", { type: "search" });
  const list = h("section", { class: "card" });
  let clients = /** @type {any[]} */ ([]);
  view.draw(
    "Apps",
    h("div", { class: "buttons spaced" }, h("a", { class: "button primary", href: "#/pair" }, "Pair an app")),
    search.box,
    list,
  );
  search.box.hidden = true;
  const show = () => {
    const wanted = search.input.value.toLowerCase();
    const found = clients.filter(({ name, identity }) => `${name} ${identity}`.toLowerCase().includes(wanted));
    if (!clients.length) {
      fill(
        list,
        nothing("No app is paired yet", h("p", {}, "A paired app asks this signer for signatures. It never gets your key.")),
      );
    } else if (!found.length) fill(list, nothing("No app has that name"));
    else fill(list, h("ul", { class: "rows" }, found.map(appRow)));
  };
  search.input.addEventListener("input", show);
  view.watch("clients", (value) => {
    clients = [...value].sort((a, b) => a.name.localeCompare(b.name));
    search.box.hidden = clients.length < MANY;
    show();
  });
}

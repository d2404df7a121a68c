// One app in a list.

import { h } from "../dom.js";
import { rich, t } from "../language.js";
import { appRoute } from "../router.js";
import { TRUST } from "../words.js";
import { avatar, when } from "./common.js";
import { icon } from "./icons.js";

/** @param {any} client @param {import("../dom.js").Child} [picture]  how busy it was */
export function appRow(client, picture) {
  const row = h("li", { class: "app-row" });
  renewAppRow(row, client, picture);
  return row;
}

/** Draws the row again if what it shows has changed. @param {HTMLElement} row @param {any} client @param {import("../dom.js").Child} [picture] */
export function renewAppRow(row, client, picture) {
  const shown = JSON.stringify([client.name, client.identity, client.trust, client.suspended, client.last_seen]);
  if (row.dataset.shown === shown) return;
  row.dataset.shown = shown;
  row.classList.toggle("paused", Boolean(client.suspended));
  row.replaceChildren(link(client, picture));
}

/** @param {any} client @param {import("../dom.js").Child} picture */
function link(client, picture) {
  return h(
    "a",
    { class: "row", href: appRoute(client) },
    avatar(client.name, client.pubkey),
    h(
      "span",
      { class: "row-words" },
      h("strong", { dir: "auto" }, client.name),
      h(
        "span",
        {},
        client.suspended
          ? t("asks you for everything")
          : rich("as {identity} · {trust} trust", {
            identity: h("span", { dir: "auto" }, client.identity),
            trust: TRUST[client.trust]?.[0] ?? client.trust,
          }),
      ),
    ),
    h(
      "span",
      { class: "row-end" },
      picture,
      client.suspended && h("span", { class: "tag bad" }, icon("paused"), " ", t("paused")),
      h("span", { class: "row-time" }, client.last_seen ? when(client.last_seen) : t("never seen")),
    ),
  );
}

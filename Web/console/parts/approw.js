// One app in a list.

import { h } from "../dom.js";
import { rich, t, tn } from "../language.js";
import { appRoute } from "../router.js";
import { TRUST } from "../words.js";
import { appsNamed, toldApart } from "./alike.js";
import { avatar, when } from "./common.js";
import { haltOf } from "./halt.js";
import { icon } from "./icons.js";
import { machineTag, unmetTag } from "./program.js";

/** @typedef {import("./account.js").Account} Account */

/** @param {any} client @param {import("../dom.js").Child} [picture]  how busy it was @param {Account[]} [waiting]  what waits of it */
export function appRow(client, picture, waiting = []) {
  const row = h("li", { class: "app-row" });
  renewAppRow(row, client, picture, waiting);
  return row;
}

/** Draws the row again if what it shows has changed. @param {HTMLElement} row @param {any} client @param {import("../dom.js").Child} [picture] @param {Account[]} [waiting] */
export function renewAppRow(row, client, picture, waiting = []) {
  const halt = haltOf(client);
  const shown = JSON.stringify([client.name, client.identity, client.trust, halt, client.last_seen, client.first_use, appsNamed(client.name).length, waitingWords(waiting)]);
  if (row.dataset.shown === shown) return;
  row.dataset.shown = shown;
  row.classList.toggle("paused", halt !== null);
  row.replaceChildren(link(client, halt, picture));
  if (waiting.length) row.append(h("a", { class: "row-waiting", href: `#/approvals?app=${encodeURIComponent(client.signer)}` }, waitingWords(waiting)));
}

/** How much waits of an app, and how much of it is serious. @param {Account[]} waiting */
function waitingWords(waiting) {
  const serious = waiting.filter(({ risk }) => risk === "grave").length, count = waiting.length;
  if (!serious) return tn(count, "{count} request waits", "{count} requests wait");
  return count === serious ? tn(count, "{count} serious request waits", "{count} serious requests wait") : t("{count} requests wait, {serious} of them serious", { count, serious });
}

/** @param {any} client @param {import("./halt.js").Halt | null} halt @param {import("../dom.js").Child} picture */
function link(client, halt, picture) {
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
        halt
          ? halt.words
          : rich("as {identity} · {trust} trust", {
            identity: h("span", { dir: "auto" }, client.identity),
            trust: TRUST[client.trust]?.[0] ?? client.trust,
          }),
      ),
      toldApart(client),
    ),
    h(
      "span",
      { class: "row-end" },
      picture,
      halt && h("span", { class: "tag bad" }, icon("paused"), " ", halt.tag),
      machineTag(client),
      unmetTag(client),
      h("span", { class: "row-time" }, client.last_seen ? when(client.last_seen) : t("never seen")),
    ),
  );
}

// What protects a key, and who can use it: the first card of its page, with a way to each page that changes it.

import { fill, h } from "../dom.js";
import { t, tn } from "../language.js";
import { known } from "../store.js";
import { classTitle, classWords, HERE_ONLY_WORDS, isHereOnly } from "./classes.js";
import { heading } from "./heading.js";
import { icon } from "./icons.js";
import { keyRoute } from "./identity.js";
import { isRisk, openerNames, rebuilderNames } from "./receipts.js";

/**
 * @param {Element} box
 * @param {any} identity
 * @param {any} receipt  null where it cannot be read, as while the signer is locked
 * @param {import("../dom.js").Child} change  the button that changes when the key can be used
 */
export function keyGuard(box, identity, receipt, change) {
  fill(
    box,
    heading("security", t("What protects it, and who can use it")),
    receipt && verdict(receipt.claims ?? []),
    h("ul", { class: "rows" }, identity.class && use(identity, change), receipt && [openers(receipt.opens ?? []), rebuilders(receipt.rebuild ?? [])], apps(identity)),
    h("div", { class: "buttons" }, h("a", { class: "button primary", href: keyRoute(identity, "/receipt") }, t("Receipt"))),
  );
}

/** @param {any[]} claims */
function verdict(claims) {
  const risks = claims.filter(isRisk).length;
  return risks
    ? h("p", { class: "verdict fair" }, icon("warning"), h("span", {}, tn(risks, "{count} risk is open: its receipt says which, and what to do.", "{count} risks are open: its receipt says which, and what to do.")))
    : h("p", { class: "verdict good" }, icon("done"), h("span", {}, t("Nothing is left to do.")));
}

/** @param {string} sign @param {string} title @param {import("../dom.js").Child} words @param {import("../dom.js").Child} [across] */
function row(sign, title, words, across) {
  return h("li", { class: "row" }, icon(sign), h("span", { class: "row-words" }, h("strong", {}, title), h("span", { class: "whole" }, words)), across);
}

/** @param {any} identity @param {import("../dom.js").Child} change */
function use(identity, change) {
  const words = [t("{title}. {words}", { title: classTitle(identity.class), words: classWords(identity.class) }), isHereOnly(identity.class) && [" ", h("span", { class: "row-warning" }, HERE_ONLY_WORDS)]];
  return row("keys", t("When it can be used"), words, change);
}

/** @param {any[]} opens */
function openers(opens) {
  return row("unlocked", t("What opens it"), openerNames(opens).join(", ") || t("Nothing opens it."), link("#/security/vault", t("Ways in")));
}

/** @param {any[]} rebuild */
function rebuilders(rebuild) {
  const names = rebuilderNames(rebuild);
  const words = names.length ? names.join(", ") : h("span", { class: "row-warning" }, t("Nothing that Holdfast knows of brings the key back."));
  return row("backup", t("If this machine is lost"), words, link("#/backup", t("Backups")));
}

/** The most apps that are named. */
const MOST = 5;

/** @param {any} identity */
function apps(identity) {
  const names = (known("clients") ?? []).filter((/** @type {any} */ one) => one.identity === identity.name).map((/** @type {any} */ one) => one.name);
  const more = names.length - MOST;
  const words = names.length
    ? [names.slice(0, MOST).flatMap((/** @type {string} */ name, /** @type {number} */ at) => [at > 0 && ", ", h("bdi", {}, name)]), more > 0 && [" ", t("and {count} more", { count: more })]]
    : t("No app is paired with it.");
  return row("apps", t("Apps that sign with it"), words, link("#/apps", t("Apps")));
}

/** @param {string} href @param {string} words */
function link(href, words) {
  return h("a", { href }, words);
}

// Incidents: a notice on whatever page is open, and a line that stays until the owner has checked them.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { fromSigner, language, t, tn } from "../language.js";
import { live } from "../live.js";
import { refresh } from "../store.js";
import { capital } from "../words.js";
import { button, when } from "./common.js";
import { reason } from "./entries.js";
import { learnBrowsers, whence } from "./origin.js";

export function hearIncidents() {
  live.addEventListener("hint", (/** @type {any} */ event) => {
    const { type, text } = event.detail;
    if (type === "incident" && text) notice(fromSigner(text), { bad: true, link: [t("See security"), "#/security"] });
  });
}

/** How many there are to check, in words. @param {number} count */
function counted(count) {
  return tn(count, "{count} incident to check.", "{count} incidents to check.");
}

/** What the owner may have done, by the words of the signer's log. @type {Record<string, string>} */
const MAY_BE_OWN = {
  "wrong passphrase": t("A wrong passphrase was typed several times."),
  "a spent link tried again": t("A pairing link that was used already was tried again. Nothing was paired."),
  "a sign-in link that was used already": t("A sign-in link that was used already was opened again. It signed nobody in."),
  "a failed sign-in": t("A sign-in to this console failed."),
};

/** What happened, by the words of the signer's log. @type {Record<string, string>} */
const HAPPENED = {
  ...MAY_BE_OWN,
  "the record was changed": t("The log is not as it was written: somebody changed it, or the disk is failing."),
  "another user on the control socket": t("A program of another user of this machine tried to command the signer."),
  "an answered request sent again on this machine": t("A request that was answered long ago was sent again by a program on this machine. It got no answer."),
  "an answered request sent again": t("A request that was answered long ago was sent again. It got no answer."),
  "a forged event": t("Somebody forged a message in the name of one of your apps. It got no answer."),
  "too many events from one author": t("One sender sent more messages than a sender may. The rest was dropped."),
  "a passkey's counter went back": t("A passkey was used whose counter went back: there may be a copy of it."),
  "a page of another program in a browser, at the signer's address": t("Another program had left a page in a browser at the signer's address. It could act as this console."),
  "backups fail": t("Scheduled backups failed several times in a row."),
  "an older vault was put back": t("The vault was replaced by an older copy of it."),
};

/** How many are told in words; of more, the number says so. */
const TOLD = 3;

/** What the log says of an incident, without where it came from. @param {{rule?: string, reason?: string}} entry */
function whatOf({ reason, rule }) {
  const said = reason ?? rule ?? "";
  return Object.keys(HAPPENED).find((one) => said === one || said.startsWith(`${one}, from `)) ?? said;
}

/** @param {any} entry */
function told(entry) {
  const what = whatOf(entry);
  return h("li", {}, h("strong", {}, HAPPENED[what] ?? reason(entry) ?? fromSigner(entry.text)), " ", h("span", { class: "help" }, HAPPENED[what] && place(entry), " ", when(entry.time)));
}

/** Where it came from, if the log says so. @param {any} entry */
function place(entry) {
  const words = whence(entry.reason ?? entry.rule ?? "");
  return words ? `${capital(words)} ·` : "";
}

/** The newest incidents, which nobody has checked. @param {number} count */
async function unchecked(count) {
  await learnBrowsers();
  const lists = await Promise.all(["incidentMinor", "incidentCritical"].map((entry) => call("log/show", { entry, limit: count })));
  return lists.flatMap(({ entries }) => entries).sort((/** @type {any} */ a, /** @type {any} */ b) => b.sequence - a.sequence).slice(0, count);
}

/** The incidents that nobody has checked; nothing without any. @param {{new_incidents?: number, locked?: boolean}} status */
export function incidentLine({ new_incidents: count = 0, locked = false }) {
  if (count === 0) return false;
  const list = h("ul", { class: "incidents-told" }), mine = h("span", {});
  const box = h(
    "div",
    { class: "fields-box" },
    h("p", { class: "warning" }, counted(count)),
    list,
    h(
      "div",
      { class: "buttons" },
      mine,
      button(t("I have checked it"), () => checked()),
      h("a", { href: "#/activity?decision=incidents" }, t("See what happened")),
    ),
  );
  // While the signer is locked, nobody reads its log.
  if (!locked) {
    unchecked(count).then((entries) => {
      fill(list, entries.slice(0, TOLD).map(told));
      const isOwn = entries.length > 0 && entries.every((one) => Object.hasOwn(MAY_BE_OWN, whatOf(one)));
      if (isOwn) fill(mine, button(t("That was me"), () => checked(t("Marked as checked: it was you."))));
    }).catch(() => {/* The number alone is shown. */});
  }
  return box;
}

/** @param {string} [said] */
async function checked(said = "") {
  try {
    await call("incidents/checked");
    if (said) notice(said);
    refresh("status");
  } catch (failure) {
    notice(/** @type {Error} */ (failure).message, { bad: true });
  }
}

/** The number beside “Security” in the menu. @param {{new_incidents?: number}} status */
export function markIncidents({ new_incidents: count = 0 }) {
  for (const badge of document.querySelectorAll(".badge.incidents")) {
    badge.toggleAttribute("hidden", count === 0);
    fill(badge, count > 0 && h("span", { "aria-hidden": "true" }, count.toLocaleString(language())), count > 0 && h("span", { class: "unseen" }, counted(count)));
  }
}

// What a new owner does first: said on Home until an app is paired, or what guards against a loss is done.

import { h } from "../dom.js";
import { t } from "../language.js";
import { neededSteps, remedyOf } from "./custody.js";
import { heading } from "./heading.js";
import { icon } from "./icons.js";

/**
 * @param {{clients: any[] | null, identities: any[] | null, custody: import("./custody.js").Custody | null, isTrial: boolean}} seen  null for what is not known yet
 * @returns {HTMLElement | null}
 */
export function firstSteps({ clients, identities, custody, isTrial }) {
  if (!clients || !identities || !custody || clients.length) return null;
  const { open, all } = neededSteps(custody);
  if (!isTrial && !open.length) return null;
  const [identity] = identities;
  return h(
    "section",
    { class: "card lively" },
    heading("info", t("Welcome to Holdfast")),
    h("p", {}, t("Holdfast keeps your Nostr key and signs for your apps, so no app ever has it.")),
    h(
      "ol",
      { class: "rows" },
      step(
        identity !== undefined,
        t("1. Make or import an identity"),
        identity ? t("You have “{name}”. You can still import the key that you use already.", { name: identity.name }) : t("It is a key: who you are on Nostr."),
        "#/welcome",
      ),
      step(false, t("2. Connect an app"), t("Give the app a link, or scan its code. From then on it asks here for signatures."), "#/pair"),
      isTrial
        ? step(false, t("3. Be safe from losing it"), t("This is a trial: all of it is gone when the signer stops. Keep it to choose a passphrase."), "#/recovery")
        : step(false, t("3. Be safe from losing it"), t("{done} of {all} done", { done: all - open.length, all }), remedyOf(open[0].remedy)?.href ?? "#/security"),
    ),
  );
}

/** @param {boolean} isDone @param {string} title @param {string} words @param {string} href */
function step(isDone, title, words, href) {
  const sign = icon(isDone ? "done" : "empty", isDone ? "good" : "fair");
  return h("li", {}, h("a", { class: "row", href }, sign, h("span", { class: "row-words" }, h("strong", {}, title), h("span", { class: "whole" }, words)), icon("next")));
}

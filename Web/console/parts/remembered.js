// What an answer is remembered for, said exactly: which app, as whom, what kind, and with whom or where.

import { h } from "../dom.js";
import { rich, t } from "../language.js";
import { DURATIONS, permissionWords, placeWords } from "../words.js";
import { keyText } from "./keytext.js";
import { personWords } from "./people.js";

/** @typedef {import("./account.js").Account} Account */

/** The parts of a permission: `sign_event:1`, and behind the @ a person or a place. @param {Account} request */
function parted({ remember }) {
  const [what, ...scope] = (remember?.permission ?? "").split("@");
  return { what, scope: scope.join("@") };
}

/** The person that a rule is about, as the request shows it; nothing for a place. @param {Account} request @param {string} scope */
function personOf({ parts, identity }, scope) {
  if (!/^[0-9a-f]{64}$/.test(scope)) return null;
  if (scope === identity.pubkey) return { npub: identity.npub, pubkey: scope, self: true };
  return parts.find(({ pubkey }) => pubkey === scope) ?? { npub: scope, pubkey: scope };
}

/** "sign notes (kind 1)". @param {string} what */
function kindWords(what) {
  const kind = /^sign_event:(\d+)$/.exec(what)?.[1];
  return kind === undefined ? permissionWords(what) : t("{what} (kind {kind})", { what: permissionWords(what), kind });
}

/** What is remembered, as one text. @param {Account} request */
export function ruleText(request) {
  const { what, scope } = parted(request), one = personOf(request, scope);
  if (!scope) return kindWords(what);
  const who = one ? (one.self ? t("yourself") : personWords(one)) : scope;
  return one ? t("{words}, with {who}", { words: kindWords(what), who }) : t("{words}: {place}", { words: kindWords(what), place: placeWords(scope) });
}

/** An address as it is; what a file server login is for in words. @param {string} scope */
function placeOf(scope) {
  const words = placeWords(scope);
  return words === scope ? h("code", { class: "whole" }, scope) : words;
}

/** The same with a key that can be opened and copied. @param {Account} request */
export function ruleWords(request) {
  const { what, scope } = parted(request), one = personOf(request, scope);
  if (!scope) return kindWords(what);
  if (!one) return rich("{words}: {place}", { words: kindWords(what), place: placeOf(scope) });
  const who = one.self ? t("yourself") : h("span", {}, keyText(String(one.npub), { copies: false }), one.name && ` (“${one.name}”)`);
  return rich("{words}, with {who}", { words: kindWords(what), who });
}

/** What the chosen answer is remembered for; "" for an answer that is not. @param {Account} request @param {string} remember */
export function rememberedLine(request, remember) {
  if (remember === "once" || !request.remember) return "";
  return rich("Your answer then holds {time}, for {app} as {identity}: {what}.", {
    time: DURATIONS[remember],
    app: h("strong", { dir: "auto" }, request.client.name),
    identity: h("strong", { dir: "auto" }, request.identity.name),
    what: ruleWords(request),
  });
}

/** The same after an answer. @param {Account} request @param {string} remember */
export function rememberedText(request, remember) {
  return t("The same answer holds {time} for {app}: {what}.", { time: DURATIONS[remember], app: request.client.name, what: ruleText(request) });
}

/** Whom or what a request is about: what one compares before a rule is made of it. @param {Account} request */
export function objects({ parts }) {
  /** @type {[string, any][]} */
  const found = parts.flatMap((part) => {
    if (part.type === "peer" && !part.self) return [[part.label ?? t("To"), keyText(String(part.npub))]];
    if (part.type === "url" || part.type === "relay") return [[part.label ?? t("Address"), h("code", { class: "whole" }, part.url)]];
    return [];
  });
  return found.length > 0 && h("dl", { class: "facts" }, found.map(([label, what]) => [h("dt", {}, label), h("dd", {}, what)]));
}

// The readable description of a request: what would be signed, part by part, in reading order. Any text in it may be untrusted.

import { h } from "../dom.js";
import { fromSigner, rich, t, tn } from "../language.js";
import { capital, fullTime } from "../words.js";
import { toldApart } from "./alike.js";
import { changeLine, changesOf, fieldDiff, listDiff } from "./diff.js";
import { earlierWarning } from "./earlier.js";
import { rawOf, said } from "./exact.js";
import { kindMeaning } from "./meanings.js";
import { person, personWords } from "./people.js";
import { reference } from "./reference.js";

/**
 * @typedef {{type: string, label?: string, [member: string]: any}} Part
 * @typedef {{id: string, event?: string, client: {pubkey: string, signer: string, name: string, isUnnamed?: boolean, url?: string | null},
 *   identity: {name: string, npub: string, pubkey: string}, method: string, kind: number | null, kind_name?: string, title: string,
 *   rule: string, reason: string, risk?: string, risk_reason?: string | null, concerns?: string[], received: number, expires?: number | null, repeats?: number, batch?: string | null,
 *   batch_title?: string | null, parts: Part[], raw?: string, offers?: string[], presence?: string | null, deletes?: boolean, empties?: boolean, pays_elsewhere?: boolean,
 *   is_program?: boolean, hidden?: boolean, remember?: {permission: string, label: string} | null}} Account
 */

/** @type {Record<string, (part: Part, account?: Account) => any>} */
const SHOWN = {
  text: (part, account) =>
    labelled(
      part,
      ...said(part, account),
    ),
  peer: (part) =>
    labelled(
      part,
      part.self
        ? h("p", {}, t("yourself"))
        : h("p", {}, person(part, { isOne: true })),
    ),
  url: (part) =>
    labelled(
      part,
      h(
        "p",
        { class: "address" },
        part.method && [h("span", { class: "tag" }, part.method), " "],
        h("strong", {}, part.host),
        h("span", { class: "whole" }, part.url),
      ),
    ),
  relay: (part) => labelled(part, h("p", { class: "address" }, h("strong", {}, part.url))),
  "list-diff": (part) => labelled(part, listDiff(part)),
  "field-diff": (part) => labelled(part, fieldDiff(part)),
  reference: (part) => labelled(part, reference(part)),
  date: (part) => labelled(part, h("p", {}, fullTime(part.time))),
  fact: (part) => labelled(part, h("p", { dir: "auto" }, String(part.value))),
  warning: (part) => part.lacksEarlier ? earlierWarning(part.text, part.lacksEarlier.identity, part.lacksEarlier.kind) : h("p", { class: "warning" }, part.text),
};

/** @param {Part} part @param {...any} children */
function labelled(part, ...children) {
  return h(
    "div",
    { class: `part part-${part.type}` },
    part.label && h("p", { class: "part-label" }, capital(part.label)),
    ...children,
  );
}

/** What stands in the place of what a request says, while the signer is locked. */
export function hiddenWords() {
  return t("What it says is hidden while the signer is locked.");
}

/** The parts of a request. A part of an unknown type is still shown by its label and value. @param {Account} account */
export function parts(account) {
  if (account.hidden) return h("p", { class: "help" }, hiddenWords());
  return h(
    "div",
    { class: "parts" },
    kindMeaning(account.kind) && h("p", { class: "help" }, kindMeaning(account.kind)),
    (account.parts ?? []).filter(({ isUsual, isVoid }) => !isUsual && !isVoid).map((
      part,
    ) => (Object.hasOwn(SHOWN, part.type)
      ? SHOWN[part.type](part, account)
      : labelled(part, h("p", { dir: "auto" }, String(part.value ?? part.text ?? ""))))
    ),
  );
}

/** The app that sent the request: the owner's name for it, and the app's own claims, marked as claims. @param {Account} account */
export function asker({ client, is_program: isProgram }) {
  return h(
    "div",
    { class: "who" },
    h("strong", { class: "app-name", dir: "auto" }, client.name),
    isProgram && h("span", {}, " · ", t("on this machine")),
    toldApart(client),
    client.url && h("span", { class: "claim" }, rich("says it is {address}", { address: h("span", { dir: "ltr" }, client.url) })),
  );
}

/** The longest excerpt in a row, in UTF-16 units. */
const EXCERPT = 140;

/** The request in one line of its own words, for a row: what it says, where it goes, or what it changes. @param {Account} request */
export function gist({ parts: all = [], reason, hidden }) {
  if (hidden) return t("hidden while locked");
  const first = all.find(({ type }) => Object.hasOwn(GISTS, type)), text = all.find(({ type }) => type === "text");
  const amount = all.find(({ isAmount }) => isAmount)?.value, title = all.find(({ isTitle }) => isTitle)?.value;
  // What is lost says more than why, which the app says; and a title more than where the picture of an article is.
  const lost = first?.isReason && all.find(({ isLoss }) => isLoss)?.text;
  const shown = title && text ? text : first;
  const own = lost || (shown ? GISTS[shown.type](shown) : !title && capital(reason));
  const words = [title && String(title), amount && fromSigner(amount), own].filter(Boolean).join(" · ");
  // What could cost something is first, and is never cut.
  const longest = Math.max(EXCERPT, costLine(first)?.length ?? 0);
  return words.length > longest ? `${words.slice(0, longest)}…` : words;
}

/** What a change can cost, in a line; nothing where it costs nothing. @param {Part | undefined} part */
function costLine(part) {
  const costly = part?.type === "field-diff" ? changesOf(/** @type {any} */ (part)).filter(({ warning }) => warning) : [];
  return costly.length ? costly.map(changeLine).join(" · ") : undefined;
}

/** Whether the line of a request is wrapped, and not cut at its end: somebody decides by its last letters. @param {Account} request */
export function isShownWhole({ parts: all = [] }) {
  return all.some((part) => costLine(part) !== undefined);
}

/** What a request says of itself, for the list of what was decided: the reason stands there anyway; "" for nothing. @param {Account} request */
export function ownWords(request) {
  return (request.parts ?? []).some(({ type }) => Object.hasOwn(GISTS, type)) ? gist(request) : "";
}

/** The warnings of a request beside those of its changes, as its card shows them. @param {Account} request */
export function warnings({ parts: all }) {
  return all.filter(({ type }) => type === "warning").map((part) => part.lacksEarlier ? earlierWarning(part.text, part.lacksEarlier.identity, null) : SHOWN.warning(part));
}

/** The ids that a deletion names, and why they are to go, as its card shows them. @param {Account} request */
export function deleted({ parts: all }) {
  const named = all.filter(({ isDeleted }) => isDeleted);
  return named.length > 0 && h("div", { class: "parts" }, [...named, ...all.filter(({ isReason }) => isReason)].map((part) => SHOWN[part.type](part)));
}

/** What a request changes in a list or a profile, as its card shows it. @param {Account} request */
export function changes({ parts: all }) {
  return all.filter(({ type, isVoid }) => ["field-diff", "list-diff"].includes(type) && !isVoid).map((part) => SHOWN[part.type](part));
}

/** @type {Record<string, (part: Part) => string>} */
const GISTS = {
  text: ({ text, isReason }) => (isReason ? t("reason: {text}", { text: String(text) }) : String(text)),
  url: (part) => String(part.host || part.url),
  relay: (part) => String(part.url),
  peer: (part) => `${capital(part.label ?? "")}: ${part.self ? t("yourself") : personWords(part)}`,
  "list-diff": ({ baseline, removed_count: removed = 0, added_count: added = 0 }) =>
    baseline === false
      ? t("{count} in the new list, the earlier list is not known", { count: added })
      : t("{removed} removed, {added} added", { removed, added }),
  "field-diff": (part) => changesOf(part).map(changeLine).join(" · ") || t("Nothing would change."),
};

/** The raw JSON, fetched when the person opens it. @param {Account} account */
export function raw(account) {
  if (account.hidden) return null;
  const text = h("pre", { class: "raw", tabindex: "0" }, account.raw ?? t("Loading…"));
  const box = h(
    "details",
    {
      class: "more",
      ontoggle: async () => {
        if (!box.open) return;
        try {
          text.textContent = await rawOf(account) || t("There is nothing more.");
        } catch (failure) {
          text.textContent = /** @type {Error} */ (failure).message;
        }
      },
    },
    h("summary", {}, t("The exact request (raw)")),
    (account.parts ?? []).filter(({ isUsual }) => isUsual).map(({ label, value }) => h("p", { class: "help" }, t("{label}: {value}", { label: capital(label ?? ""), value }))),
    text,
  );
  return box;
}

/** The number of repeats: an app that asks again while its first request waits does not cause another card. @param {Account} account */
export function repeats({ repeats: count }) {
  return count ? h("span", { class: "tag" }, tn(count, "asked again {count} time", "asked again {count} times")) : null;
}

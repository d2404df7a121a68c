// The sheet for a link that an app brings: what it names and asks for, before anything is stored.

import { call, Failure } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { rich, t } from "../language.js";
import { go } from "../router.js";
import { appName } from "../signer.js";
import { refresh } from "../store.js";
import { capital, permissionWords, VERDICTS } from "../words.js";
import { appsNamed } from "./alike.js";
import { avatar, when } from "./common.js";
import { dialog } from "./dialog.js";
import { keyText } from "./keytext.js";
import { trustChoice, UNCHECKED } from "./trust.js";

/** @typedef {{permission: string, full: string, medium: string, low: string, allowable: boolean}} Wanted */

/** @type {Record<string, string>} */
const NOW = { allow: t("without asking"), ask: t("asks you"), deny: t("denied") };

/** How a call ends whose parameters are wrong. */
const WRONG = 2;

/** Reads the link and asks. @param {string} uri @param {string | undefined} identity */
export async function openSheet(uri, identity) {
  const link = await call("pair/preview", { uri, ...(identity ? { identity } : {}) }).catch((failure) => {
    // The signer's hint is for a command line, where a link stands in quotes.
    if (failure instanceof Failure && failure.exit === WRONG) failure.hint = t("Copy the whole link from the app.");
    throw failure;
  });
  const choices = wishes(link);
  // An app that is paired already has the trust that the owner gave it.
  const level = link.paired_as ? link.trust : UNCHECKED;
  const trust = trustChoice("take-trust", level, choices.renew);
  choices.renew(level);
  const inside = link.relays.some((/** @type {any} */ relay) => relay.inside && !relay.known);
  const local = h("input", { type: "checkbox" });
  const asking = h("div", { hidden: !inside }, insideQuestion(local));
  /** @type {any} */
  let accepted = null;
  await dialog(link.name ? t("Pair “{name}”?", { name: link.name }) : t("Pair this app?"), [
    who(link),
    choices.box,
    trust.box,
    relayList(link.relays),
    asking,
  ], {
    confirm: t("Pair this app"),
    act: async () => {
      try {
        accepted = await call("pair/accept", {
          uri,
          trust: trust.value(),
          identity: link.identity,
          local_relays: local.checked,
          rules: choices.rules(),
        });
      } catch (failure) {
        // A relay of the link is in the local network, so the signer refused it. The owner is asked after the address was read.
        if (failure instanceof Failure && failure.status === 200 && failure.exit === 4) asking.hidden = false;
        throw failure;
      }
    },
  });
  if (accepted) await paired(accepted);
}

/** @param {any} link */
function who(link) {
  return h(
    "div",
    { class: "row link-who" },
    avatar(link.name ?? "?", link.client),
    h(
      "span",
      { class: "row-words" },
      h("strong", { dir: "auto" }, appName(link.name ?? "", link.client), " ", keyText(link.client)),
      h("span", { class: "whole" }, link.url ? rich("says it is {address}; nobody has checked this", { address: h("span", { dir: "ltr" }, link.url) }) : t("gives no address")),
      h("span", {}, rich("signs as {identity}", { identity: h("strong", { dir: "auto" }, link.identity) })),
      !link.paired_as && namesakes(link.name),
      link.revoked_at && h("span", { class: "row-warning" }, rich("You revoked this app {time}.", { time: when(link.revoked_at) })),
      link.paired_as && h("span", {}, rich("paired already as {name}; its rules stay", { name: h("span", { dir: "auto" }, appName(link.paired_as, link.client)) })),
    ),
  );
}

/** Says that another app has this name already. @param {string | undefined} name */
function namesakes(name) {
  const [first] = name ? appsNamed(name) : [];
  return first && h("span", { class: "row-warning" }, rich("You have an app of this name already, paired {time}. This is another one.", { time: when(first.paired) }));
}

/** @param {any[]} relays */
function relayList(relays) {
  return h(
    "div",
    {},
    h("p", { class: "label" }, t("Relays it brings")),
    h(
      "ul",
      { class: "link-relays" },
      relays.map(({ url, known, inside }) =>
        h(
          "li",
          {},
          h("code", { class: "whole" }, url),
          " ",
          h("span", { class: inside && !known ? "tag bad" : "tag" }, known ? t("yours") : inside ? t("in your network") : t("new")),
        )
      ),
    ),
  );
}

/** @param {HTMLInputElement} local */
function insideQuestion(local) {
  return h(
    "label",
    { class: "level" },
    local,
    h(
      "span",
      {},
      h("strong", {}, t("I know this relay")),
      h("span", { class: "help" }, t("The signer may connect to it, even if a name in the link leads into my own network.")),
    ),
  );
}

/** A choice for each thing that the app asks for. @param {any} link */
function wishes(link) {
  const body = h("tbody", {});
  /** @type {Map<string, HTMLSelectElement>} */
  const selects = new Map();
  const renew = (/** @type {string} */ trust) =>
    fill(body, link.permissions.map((/** @type {Wanted} */ wanted) => wish(wanted, trust, selects)));
  const box = h(
    "div",
    {},
    h("p", { class: "label" }, t("What it asks for")),
    link.permissions.length
      ? h("table", { class: "wishes" }, body)
      : h("p", { class: "help" }, t("Nothing in particular. Trust decides, and you can change that on the app's page.")),
  );
  const rules = () =>
    [...selects].filter(([, { value }]) => value !== "trust").map(([permission, { value }]) => `${value}=${permission}`);
  return { box, renew, rules };
}

/** @param {Wanted} wanted @param {string} trust @param {Map<string, HTMLSelectElement>} selects */
function wish(wanted, trust, selects) {
  const words = capital(permissionWords(wanted.permission));
  const verdict = /** @type {any} */ (wanted)[trust];
  const chosen = selects.get(wanted.permission)?.value ?? "trust";
  const options = [
    ["trust", t("Trust: {verdict}", { verdict: NOW[verdict] ?? verdict })],
    ...Object.entries(VERDICTS).filter(([name]) => name !== "allow" || wanted.allowable),
  ];
  const select = h(
    "select",
    { "aria-label": words },
    /** @type {string[][]} */ (options).map(([value, title]) => h("option", { value, selected: value === chosen }, title)),
  );
  selects.set(wanted.permission, select);
  return h("tr", {}, h("th", { scope: "row", class: "whole" }, words), h("td", {}, select));
}

/** @param {any} accepted */
async function paired(accepted) {
  notice(t("{name} is paired.", { name: appName(accepted.name, accepted.client) }));
  refresh("clients");
  const { clients } = await call("client/list");
  const client = clients.find((/** @type {any} */ one) => one.pubkey === accepted.client && one.identity === accepted.identity);
  go(client ? `/apps/${client.signer}` : "/apps");
}

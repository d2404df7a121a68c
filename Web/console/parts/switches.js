// An app's permissions, one switch for each kind: as its trust level says, or allow, ask, deny, always or for a time.

import { fill, h } from "../dom.js";
import { language } from "../language.js";
import { capital, permissionWords, relativeTime } from "../words.js";
import { change } from "./change.js";
import { button, field } from "./common.js";

/** Everyday permissions, offered even if this app has not requested them. */
const USUAL = [
  "sign_event:1",
  "sign_event:7",
  "sign_event:6",
  "sign_event:1111",
  "sign_event:30023",
  "sign_event:0",
  "sign_event:3",
  "sign_event:10002",
  "sign_event:5",
  "sign_event:30078",
  "nip44_encrypt",
  "nip44_decrypt",
  "nip04_encrypt",
  "nip04_decrypt",
  "sign_event",
];
/** What every paired app may do, without a switch. */
const FREE = new Set(["connect", "ping", "get_public_key", "get_relays", "switch_relays", "logout", "disconnect"]);
/** @type {[string, string][]} */
const TIMES = [["always", "until you change it"], ["1h", "for 1 hour"], ["1d", "for 1 day"], ["1w", "for 1 week"], [
  "5m",
  "for 5 minutes",
]];
/** @type {Record<string, string>} */
const VERDICTS = { allow: "allowed", ask: "asks you", deny: "denied" };

let lasting = "always";

/** @param {Element} box @param {any} client */
export function switches(box, client) {
  const rules = new Map((client.rules ?? older(client)).map((/** @type {any} */ rule) => [rule.permission, rule]));
  const wishes = new Map(
    (client.requested ?? []).map((
      /** @type {any} */ wish,
    ) => (typeof wish === "string" ? [wish, { permission: wish }] : [wish.permission, wish])),
  );
  const first = [...new Set([...rules.keys(), ...wishes.keys()])].filter((permission) => !FREE.has(permission));
  const others = USUAL.filter((permission) => !first.includes(permission));
  const row = (/** @type {string} */ permission) => oneSwitch(client, permission, rules.get(permission), wishes.get(permission));
  fill(
    box,
    h("h2", {}, "What it may do"),
    h("p", { class: "help" }, "A switch here overrides trust. Spending always asks you, whatever you set."),
    first.length > 0 && h("ul", { class: "switches" }, first.map(row)),
    h(
      "details",
      {
        class: "more",
        open: first.length === 0 ||
          others.some((permission) =>
            document.activeElement instanceof HTMLElement && document.activeElement.dataset.focus?.startsWith(`${permission} `)
          ),
      },
      h("summary", {}, first.length ? "Other things apps do" : "Things apps do"),
      h("ul", { class: "switches" }, others.map(row)),
      otherKind(client),
    ),
    h(
      "label",
      { class: "lasting" },
      h("span", {}, "A new setting lasts"),
      h("select", {
        data: { focus: "lasting" },
        onchange: (/** @type {any} */ event) => {
          lasting = event.target.value;
        },
      }, TIMES.map(([value, words]) => h("option", { value, selected: value === lasting }, words))),
    ),
  );
}

/** The two lists of a signer that has no timed rules. @param {any} client */
function older(client) {
  return [
    ...(client.allowed ?? []).map((/** @type {string} */ permission) => ({ permission, verdict: "allow", expires: null })),
    ...(client.denied ?? []).map((/** @type {string} */ permission) => ({ permission, verdict: "deny", expires: null })),
  ];
}

/** @param {any} client @param {string} permission @param {any} rule @param {any} wish */
function oneSwitch(client, permission, rule, wish) {
  const words = capital(permissionWords(permission));
  const name = `switch ${permission}`;
  const options = [["trust", "As trust says"], ["allow", "Allow"], ["ask", "Ask"], ["deny", "Deny"]].filter(([value]) =>
    client.rules || value !== "ask"
  );
  const chosen = rule?.verdict ?? "trust";
  return h(
    "li",
    { class: "switch" },
    h("div", { class: "switch-words" }, h("strong", { class: "whole" }, words), h("span", { class: "help" }, state(rule, wish))),
    h(
      "fieldset",
      { class: "segments" },
      h("legend", { class: "unseen" }, words),
      options.map(([value, title]) =>
        h(
          "label",
          { class: `segment ${value}` },
          h("input", {
            type: "radio",
            name,
            value,
            checked: value === chosen,
            data: { focus: `${permission} ${value}` },
            onchange: () => set(client, permission, value),
          }),
          h("span", {}, title),
        )
      ),
    ),
  );
}

/** @param {any} rule @param {any} wish */
function state(rule, wish) {
  const said = [];
  if (rule?.expires) {
    said.push(
      `until ${new Date(rule.expires * 1000).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short" })} (${
        relativeTime(rule.expires)
      })`,
    );
  }
  if (!rule && wish?.verdict) said.push(`now ${VERDICTS[wish.verdict]}: ${wish.reason}`);
  if (wish) said.push("asked for when it paired");
  return said.join(" · ");
}

/** @param {any} client @param {string} permission @param {string} value */
function set(client, permission, value) {
  const words = permissionWords(permission);
  const to = { client: client.signer, permission };
  if (value === "trust") return change("client/forget", to, `Its trust now decides: ${words}.`);
  const time = lasting === "always" ? {} : { for: lasting };
  const said = { allow: `It may ${words}`, ask: `It asks before it may ${words}`, deny: `It may not ${words}` }[value];
  return change(
    `client/${value}`,
    { ...to, ...time },
    `${said}${lasting === "always" ? "" : `, ${TIMES.find(([one]) => one === lasting)?.[1]}`}.`,
  );
}

/** @param {any} client */
function otherKind(client) {
  const kind = field("Another kind of event, by its number", {
    inputmode: "numeric",
    pattern: "[0-9]{1,5}",
    maxlength: "5",
    data: { focus: "other-kind" },
  });
  const go = (/** @type {string} */ value) => {
    if (/^\d{1,5}$/.test(kind.input.value)) set(client, `sign_event:${kind.input.value}`, value);
    else kind.input.focus();
  };
  return h(
    "div",
    { class: "inline" },
    kind.box,
    h("div", { class: "buttons small" }, button("Allow", () => go("allow")), button("Deny", () => go("deny"))),
  );
}

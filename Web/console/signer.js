// What the signer says about a request, in the person's language. It speaks English. An app's own words stay as
// they are: only the members that the signer writes itself are looked up.

import { fromSigner, language, phrase, t } from "./language.js";
import { kindName, kindNames, NAMED_KINDS, placeWords } from "./words.js";

/** Facts whose value is a phrase of the signer, by their English label. An app cannot choose a label. */
const OWN_VALUES = new Set(["Also sends", "Compared with", "Contains", "Content", "Dated", "Encryption", "If you approve", "It may", "Kind", "Private entries", "Profile", "Size", "Then", "To", "Valid at", "Valid for", "Who can see", "Written by"]);

/** What the signer calls requests that it counts together, besides the names of kinds. */
const THINGS = new Map([
  ["like", t("like")],
  ["likes", t("likes")],
  ["encryption", t("encryption")],
  ["encryptions", t("encryptions")],
  ["decryption", t("decryption")],
  ["decryptions", t("decryptions")],
  ["profile changes", t("profile changes")],
  ["request", t("request")],
  ["requests", t("requests")],
]);

/** The rule in the log by which a request is refused when too many wait. */
export const QUEUE_FULL = "too many requests are waiting for you";

/** @typedef {import("./parts/account.js").Account} Account */

/** The rule of a program's requests until the owner lets it in, which the approval of one does. */
export const FIRST_USE = "first-use";

/** The owner's name for an app. One that gave none is told from others by its key. @param {string} name @param {string} pubkey */
export function appName(name, pubkey) {
  return isUnnamed(name, pubkey) ? t("Unnamed app · {key}", { key: pubkey.slice(0, 8) }) : name;
}

/** Whether neither the owner nor the app gave it a name. @param {string} name @param {string} pubkey */
function isUnnamed(name, pubkey) {
  const key = pubkey.slice(0, 8);
  return !name || name === key || name === `app ${key}`;
}

/** @template {{name: string, pubkey: string}} Client @param {Client} client */
export function spokenClient(client) {
  return { ...client, name: appName(client.name, client.pubkey), isUnnamed: isUnnamed(client.name, client.pubkey) };
}

/** A waiting request. @param {Account} request @returns {Account} */
export function spokenRequest(request) {
  return {
    ...request,
    title: fromSigner(request.title),
    kind_name: request.kind_name && kindWords(request.kind_name, request.kind),
    client: { ...request.client, name: appName(request.client.name, request.client.pubkey), isUnnamed: isUnnamed(request.client.name, request.client.pubkey) },
    reason: fromSigner(request.reason),
    risk_reason: request.risk_reason && fromSigner(request.risk_reason),
    batch_title: request.batch_title && counted(request.batch_title),
    remember: request.remember && { ...request.remember, label: remembered(request.remember.label, request.kind) },
    parts: (request.parts ?? []).map((one) => part(one, request)),
    is_program: (request.parts ?? []).some(({ type, label }) => type === "fact" && ["Program", "Site", "The answer goes to"].includes(label)),
    deletes: (request.parts ?? []).some(({ about }) => about === "deletes-files"),
    empties: has(request, "emptied-list"),
    pays_elsewhere: has(request, "payee"),
  };
}

/** Whether the signer names this among what makes a request serious. @param {Account} request @param {string} concern */
function has({ concerns = [] }, concern) {
  return concerns.includes(concern);
}

/** The label of the reason for a deletion. */
const REASON = "Its reason, as the app gives it";
/** What warnings are about that say what is gone when a deletion names a profile or a list. */
const LOSSES = ["lost-profile", "lost-follows", "lost-list"];
/** The label of the kind that an app gives to what it wants deleted. */
const KIND_SAID = "Of kind, as the app says";
/** A date that the page shows with the exact request only, by the signer's English words. */
const USUAL_DATE = /^(?:now, or )?when you approve it/;
/** References that the owner decides by: what is deleted, and what is paid for. Of files, also where. */
const DELETED = "Deletes", FILES = ["Server", "Valid at", "File", "Valid for"], SOUGHT = [DELETED, "For the post"];

/** @param {import("./parts/account.js").Part} one @param {Account} request */
function part(one, request) {
  const { identity, kind } = request;
  return {
    ...one,
    ...(one.type === "reference" ? { isSought: SOUGHT.includes(one.label ?? "") } : {}),
    ...(one.label === DELETED || (FILES.includes(one.label ?? "") && has(request, "file-deletion")) ? { isDeleted: true } : {}),
    ...(one.type === "text" ? { isReason: one.label === REASON } : {}),
    ...(one.about === "no-earlier" ? { lacksEarlier: { identity, kind } } : {}),
    ...(one.type === "fact" && one.label === "Amount" ? { isAmount: true } : {}),
    ...(one.type === "fact" && one.label === "Title" ? { isTitle: true } : {}),
    ...(LOSSES.includes(one.about) ? { isLoss: true } : {}),
    ...(one.type === "fact" && one.label === "Dated" ? { isUsual: USUAL_DATE.test(one.value) } : {}),
    label: one.label && fromSigner(one.label),
    ...(one.type === "warning" ? { text: fromSigner(one.text) } : {}),
    ...(one.type === "field-diff"
      ? { isVoid: !one.fields?.length, fields: one.fields?.map((/** @type {any} */ field) => field.warning ? { ...field, warning: fromSigner(field.warning) } : field) }
      : {}),
    ...(one.type === "fact" && one.label === KIND_SAID && /^\d{1,5}$/.test(one.value)
      ? { label: t("What it is, as the app says"), value: t("{what} (kind {kind})", { what: kindName(Number(one.value)), kind: one.value }) }
      : {}),
    ...(one.type === "fact" && OWN_VALUES.has(one.label ?? "") ? { value: fromSigner(String(one.value)) } : {}),
  };
}

/** The name of a kind of event. Rare kinds are called by their number in other languages. @param {string} name @param {number | null} kind */
function kindWords(name, kind) {
  const words = phrase(name);
  if (language() === "en" || words !== name || kind === null) return words;
  return NAMED_KINDS.includes(kind) ? kindName(kind) : t("kind {kind}", { kind });
}

/**
 * What an answer is remembered for: "notes from this app". Rare kinds have no plural in other languages.
 * @param {string} label @param {number | null} kind
 */
function remembered(label, kind) {
  const [, verb, server = ""] = /^file server logins to (\w+)(?: at (.+))?$/.exec(label) ?? [];
  if (verb) return t("{words}: {place}", { words: t("file server logins"), place: placeWords(`${verb} ${server}`.trim()) });
  const things = /^(.+) from this app$/.exec(label)?.[1];
  if (language() === "en" || things === undefined || THINGS.has(things) || phrase(things) !== things) return fromSigner(label);
  if (kind !== null && NAMED_KINDS.includes(kind)) return t("{things} from this app", { things: kindNames(kind) });
  return t("requests like this from this app");
}

/** "12 likes". @param {string} text */
function counted(text) {
  const [, count, things] = /^(\d+) (.+)$/.exec(text) ?? [];
  return things === undefined ? text : t("{count} {things}", { count, things: THINGS.get(things) ?? phrase(things) });
}

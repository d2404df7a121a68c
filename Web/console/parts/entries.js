// Entries of the log in words. A request's intent and outcome share one line; each can be proved.

import { h } from "../dom.js";
import { capital, fullTime, requestWords, spaced } from "../words.js";
import { classTitle } from "./classes.js";
import { avatar, keyText, when } from "./common.js";
import { proofOf } from "./proof.js";

/** @typedef {{sequence: number, time: number, entry: string, client?: string, identity?: string, method?: string, kind?: number,
 *   decision?: string, rule?: string, reason?: string, request?: string, signed?: string, error?: any, amount?: number, channel?: string,
 *   outcome?: Entry, [more: string]: any}} Entry */

/** Newest first. The outcome of a request is shown with its intent. @param {Entry[]} entries @returns {Entry[]} */
export function merged(entries) {
  const newest = [...entries].sort((a, b) => b.sequence - a.sequence);
  /** @type {Map<string, Entry>} */
  const outcomes = new Map();
  /** @type {Entry[]} */
  const kept = [];
  for (const entry of newest) {
    const key = entry.request && `${entry.client} ${entry.request}`;
    if (entry.entry === "requestDone" && key && !outcomes.has(key)) {
      outcomes.set(key, entry);
      kept.push(entry);
    } else if (entry.entry === "requestDecided" && key && outcomes.has(key) && entry.decision !== "ask") {
      const outcome = /** @type {Entry} */ (outcomes.get(key));
      outcomes.delete(key);
      kept[kept.indexOf(outcome)] = { ...entry, outcome };
    } else kept.push(entry);
  }
  return kept;
}

/** Descriptions of entries by type. @type {Record<string, string>} */
const WORDS = {
  paired: "was paired",
  unpaired: "was revoked or left",
  linkMade: "A pairing link was made",
  grantChanged: "What it may do was changed",
  identityCreated: "An identity was made",
  identityImported: "An identity was imported",
  identityRenamed: "An identity was renamed",
  identityDeleted: "An identity was deleted",
  identityDefaultChanged: "Another identity is the default",
  keyExported: "A key was exported",
  vaultOpened: "The vault was opened",
  vaultOpenFailed: "The vault was not opened",
  daemonStarted: "The signer started",
  daemonStopped: "The signer stopped",
  replayRefused: "A repeated request was refused",
  floodRefused: "A flood of requests was refused",
  recovered: "An unfinished record was cut off",
  unlocked: "The signer was unlocked",
  locked: "The signer was locked",
  settingChanged: "A setting was changed",
  signedIn: "Somebody signed in to the console",
  signInFailed: "A sign-in failed",
  sessionEnded: "A console session ended",
  passkeyAdded: "A passkey was added",
  passkeyRemoved: "A passkey was removed",
  incidentMinor: "Something suspicious",
  incidentCritical: "Something critical: the signer was locked down",
  incidentEnded: "A lockdown ended",
  requestDropped: "A request was dropped",
  requestsGathered: "More requests that use no key within a minute",
  loginsGathered: "More logins at a relay for guardians’ messages within an hour",
  linkRefused: "A spent or wrong link was refused",
  notificationSubscribed: "Notifications were turned on for a device",
  notificationUnsubscribed: "Notifications were turned off for a device",
  entriesRedacted: "The content of old entries was deleted",
  slotAdded: "A way to unlock was added",
  slotRemoved: "A way to unlock was removed",
  slotTested: "A way to unlock was tested, and works",
  passphraseChanged: "The passphrase was changed",
  biometryChanged: "Fingers on this machine changed: keys for the earlier ones were closed",
  classKeysRotated: "The vault’s class keys were renewed",
  recoveryCreated: "A recovery kit was made",
  recoveryTested: "A recovery kit was tested, and works",
  recoveryRestored: "Something was restored from a recovery kit",
  backupMade: "A backup was made",
  backupVerified: "A backup was checked",
  backupRestored: "A backup was restored",
  identityChanged: "An identity was changed",
  identityRotated: "A new key replaced an identity",
  successionSigned: "A statement about a key’s succession was signed",
  guardianAdded: "A guardian was given a share",
  guardianAsked: "Somebody asked for a share that you keep",
  guardianReleased: "A share was given back",
  guardianAllowed: "You agreed to give a share back",
  shareKept: "You keep a share for somebody",
  requestCodeChanged: "A recovery kit has a new request code",
  guardianCancelled: "A request for a share was stopped",
  guardianRemoved: "A guardian, or a share that you kept, was removed",
  vaultAccepted: "You accepted an older vault",
};
/** @type {Record<number, string>} */
const ERRORS = {
  1: "it was malformed",
  2: "it is not supported here",
  3: "the app is not paired",
  4: "a rule denied it",
  5: "you denied it",
  6: "it was too old",
  7: "the signer was locked",
  8: "the message did not open",
  9: "no relay accepted the answer",
  10: "wrong passphrase",
  11: "too many attempts",
  12: "the disk could not be written",
  13: "an internal error",
};
/** The tag for each decision. @type {Record<string, [string, string]>} */
const TAGS = { allow: ["allowed", "good"], ask: ["asked you", "fair"], deny: ["denied", "bad"] };

/** The title of an entry. @param {Entry} entry */
export function title(entry) {
  if (entry.entry === "requestDecided" || entry.entry === "requestDone") return capital(requestWords(entry)) || "A request";
  if (entry.entry === "grantChanged" && reason(entry) === "renamed") return "You gave it another name";
  return WORDS[entry.entry] ?? spaced(entry.entry);
}

/** @param {Entry} entry */
export function reason(entry) {
  const given = entry.reason ?? entry.rule ?? "";
  return entry.entry === "identityChanged" && given.startsWith("class ") ? `now: ${classTitle(given.slice(6))}` : given;
}

/** @param {Entry} entry  @returns {[string, string] | undefined} */
function tag(entry) {
  const failed = entry.outcome?.error ?? (entry.entry === "requestDone" ? entry.error : undefined);
  if (failed !== undefined && entry.decision !== "deny") return ["failed", "bad"];
  if (entry.entry === "requestDone") return ["done", "good"];
  return entry.decision ? TAGS[entry.decision] : undefined;
}

/** The owner's name for an entry's app. @param {Entry} entry @param {any[]} clients */
export function nameOf(entry, clients) {
  if (!entry.client) return "";
  return clients.find((one) => one.pubkey === entry.client)?.name ?? entry.client_name ?? "An app that is gone";
}

/** @param {Entry} entry @param {any[] | null} clients  to name the app; null when the page is about one */
export function rowOf(entry, clients) {
  const name = clients && nameOf(entry, clients);
  const look = tag(entry);
  const why = reason(entry);
  const box = h(
    "details",
    {
      class: "entry",
      ontoggle: () => {
        if (box.open && box.children.length === 1) box.append(details(entry));
      },
    },
    h(
      "summary",
      { class: "row" },
      name && entry.client && avatar(name, entry.client),
      h(
        "span",
        { class: "row-words" },
        h("strong", {}, name && [h("span", { dir: "auto" }, name), entry.entry.startsWith("request") ? ": " : " "], title(entry)),
        h("span", {}, entry.identity && ["as ", h("span", { dir: "auto" }, entry.identity), why && " · "], why),
      ),
      look && h("span", { class: `tag ${look[1]}` }, look[0]),
      when(entry.time),
    ),
  );
  return h("li", { data: { sequence: String(entry.sequence) } }, box);
}

/** @param {Entry} entry */
function details(entry) {
  const { outcome } = entry;
  const signed = outcome?.signed ?? entry.signed, error = outcome?.error ?? entry.error;
  const rows = /** @type {[string, import("../dom.js").Child][]} */ ([
    ["When", fullTime(entry.time)],
    ["What", [title(entry), typeof entry.kind === "number" && ` (kind ${entry.kind})`]],
    ["Why", reason(entry)],
    ["Rule", entry.rule && entry.reason ? entry.rule : ""],
    [
      "App",
      entry.client && [keyText(entry.client), " ", h("a", { href: `#/activity?client=${entry.client}` }, "all of its activity")],
    ],
    ["Identity", entry.identity],
    ["Answered by", entry.channel],
    ["Signed event", signed && h("code", { class: "key whole" }, signed)],
    ["Request event", entry.request && h("code", { class: "key whole" }, entry.request)],
    ["Not done", error !== undefined && (ERRORS[error] ?? String(error))],
    ["How many", entry.amount],
    ["Entry", `number ${entry.sequence}${outcome ? `, its outcome number ${outcome.sequence}` : ""}`],
  ]);
  return h(
    "div",
    { class: "entry-more" },
    h(
      "dl",
      { class: "facts" },
      rows.filter(([, value]) => value !== undefined && value !== "" && value !== false).map((
        [name, value],
      ) => [h("dt", {}, name), h("dd", {}, value)]),
    ),
    proofOf(entry.sequence),
  );
}

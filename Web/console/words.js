// The names of things, the same everywhere.

import { language, region, t } from "./language.js";

/** Common event kinds, by number: one of them, and several. @type {Record<number, [string, string]>} */
const KINDS = {
  0: [t("profile"), t("profiles")],
  1: [t("note"), t("notes")],
  3: [t("follow list"), t("follow lists")],
  4: [t("direct message (old)"), t("direct messages (old)")],
  5: [t("deletion"), t("deletions")],
  6: [t("repost"), t("reposts")],
  7: [t("reaction"), t("reactions")],
  13: [t("sealed message"), t("sealed messages")],
  14: [t("direct message"), t("direct messages")],
  62: [t("request to vanish"), t("requests to vanish")],
  1059: [t("wrapped message"), t("wrapped messages")],
  1111: [t("comment"), t("comments")],
  1984: [t("report"), t("reports")],
  7375: [t("cashu tokens"), t("cashu tokens")],
  9321: [t("nutzap"), t("nutzaps")],
  9734: [t("zap request"), t("zap requests")],
  9735: [t("zap receipt"), t("zap receipts")],
  10000: [t("mute list"), t("mute lists")],
  10002: [t("relay list"), t("relay lists")],
  17375: [t("cashu wallet"), t("cashu wallets")],
  21000: [t("wallet order"), t("wallet orders")],
  22242: [t("relay login"), t("relay logins")],
  23194: [t("wallet request"), t("wallet requests")],
  24242: [t("file server login"), t("file server logins")],
  27235: [t("web login"), t("web logins")],
  30023: [t("article"), t("articles")],
  30078: [t("app settings"), t("app settings")],
  30315: [t("status"), t("statuses")],
};

/** The kinds that have a name here. */
export const NAMED_KINDS = Object.keys(KINDS).map(Number);

/** @param {number} kind */
export function kindName(kind) {
  return KINDS[kind]?.[0] ?? t("events of kind {kind}", { kind });
}

/** "notes" for 1. @param {number} kind */
export function kindNames(kind) {
  return KINDS[kind]?.[1] ?? t("events of kind {kind}", { kind });
}

/** @type {Record<string, string>} */
const METHODS = {
  sign_event: t("sign"),
  nip44_encrypt: t("encrypt messages"),
  nip44_decrypt: t("read encrypted messages"),
  nip04_encrypt: t("encrypt messages (old way)"),
  nip04_decrypt: t("read encrypted messages (old way)"),
  get_public_key: t("learn the public key"),
  connect: t("connect"),
  ping: t("check that the signer is there"),
  switch_relays: t("ask for other relays"),
  get_relays: t("ask for relays"),
  logout: t("log out"),
  disconnect: t("disconnect"),
};

/** What a method does, such as "sign" or "read encrypted messages". @param {string} method */
export function methodWords(method) {
  return METHODS[method] ?? method;
}

/** "sign notes" for `sign_event:1`. A scope is shown as it is. @param {string} permission */
export function permissionWords(permission) {
  const [what, ...scope] = permission.split("@");
  const [method, kind] = what.split(":");
  const words = kind !== undefined
    ? t("sign {what}", { what: kindNames(Number(kind)) })
    : method === "sign_event"
    ? t("sign other everyday kinds")
    : methodWords(method);
  return scope.length ? t("{words} (only {scope})", { words, scope: shortScope(scope.join("@")) }) : words;
}

/** What a file server login is for, as a permission names it. @type {Record<string, string>} */
const FILE_LOGINS = { get: t("read a file"), upload: t("upload a file"), list: t("list your files"), delete: t("delete a file"), media: t("change a file") };

/** The place that a rule is for. That of a file server login begins with what the login is for: "upload a file · files.example". @param {string} scope */
export function placeWords(scope) {
  const [verb, ...server] = scope.split(" ");
  return Object.hasOwn(FILE_LOGINS, verb) ? [FILE_LOGINS[verb], ...server].join(" · ") : scope;
}

/** @param {string} scope */
function shortScope(scope) {
  if (scope === "self") return t("with {who}", { who: t("yourself") });
  // The log keeps the beginning of a person's key only.
  if (/^npub1[0-9a-z]{1,50}$/.test(scope)) return t("with {who}", { who: `${scope}…` });
  return /^[0-9a-f]{64}$/.test(scope) || scope.startsWith("npub1") ? t("with {who}", { who: shortKey(scope) }) : placeWords(scope);
}

export const DURATIONS = /** @type {Record<string, string>} */ ({
  once: t("just this once"),
  "5m": t("for 5 minutes"),
  "1h": t("for 1 hour"),
  "1d": t("for 1 day"),
  "1w": t("for 1 week"),
  always: t("always"),
});

/** @type {Record<string, string>} */
const UNITS = { s: "second", m: "minute", h: "hour", d: "day", w: "week" };

/** "for 1 hour", "for 90 minutes", "always". @param {string} time  as the signer writes it: 1h, 90m, always */
export function durationWords(time) {
  const [, count, unit] = /^(\d+)([smhdw])$/.exec(time) ?? [];
  return DURATIONS[time] ?? (unit ? t("for {time}", { time: units(Number(count), UNITS[unit]) }) : time);
}

/** The periods of a budget. @type {Record<string, string>} */
export const PERIODS = { "1h": t("an hour"), "1d": t("a day"), "1w": t("a week") };

export const TRUST = /** @type {Record<string, [string, string]>} */ ({
  low: [t("Low"), t("Asks you before every signature and every message.")],
  medium: [
    t("Medium"),
    t("Signs everyday events and reads and writes your private messages without asking, and asks before it changes your profile, follows, relays or app settings, deletes, logs in or spends."),
  ],
  full: [t("Full"), t("Does everything without asking, private messages too, and asks only before it spends, changes where payments to you go, logs in to a website, removes many of your follows, erases what you published, or signs for another key of yours.")],
});

/** How many letters of a key are shown at its beginning and at its end. Nobody can search for a key that has 16 letters of another. */
const SHOWN_LETTERS = 8;

/** The first and last letters of a key: npub1abcdefgh…stuvwxyz. @param {string} key */
export function shortKey(key) {
  const ahead = SHOWN_LETTERS + (key.startsWith("npub1") ? "npub1".length : 0);
  return key.length > ahead + SHOWN_LETTERS + 1 ? `${key.slice(0, ahead)}…${key.slice(-SHOWN_LETTERS)}` : key;
}

/** What the owner may say about a kind of request. @type {Record<string, string>} */
export const VERDICTS = { allow: t("Allow"), ask: t("Ask me"), deny: t("Deny") };

/** @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const STEPS = /** @type {[number, string][]} */ ([[60, "second"], [60, "minute"], [24, "hour"], [30, "day"], [12, "month"], [
  Infinity,
  "year",
]]);

/** "3 minutes ago", "in 2 hours". @param {number} seconds  since 1970 @param {number} [now] */
export function relativeTime(seconds, now = Date.now() / 1000) {
  let distance = seconds - now;
  if (Math.abs(distance) < 5) return t("just now");
  for (const [size, unit] of STEPS) {
    if (Math.abs(distance) < size) {
      return new Intl.RelativeTimeFormat(language(), { numeric: "auto" }).format(Math.round(distance), /** @type {any} */ (unit));
    }
    distance /= size;
  }
  return "";
}

/** @param {number} seconds  since 1970 */
export function fullTime(seconds) {
  return new Date(seconds * 1000).toLocaleString(region(), { dateStyle: "medium", timeStyle: "medium" });
}

/** @param {number} seconds  of a stretch of time */
export function stretch(seconds) {
  if (seconds < 90) return units(Math.round(seconds), "second");
  if (seconds < 5400) return units(Math.round(seconds / 60), "minute");
  if (seconds < 129_600) return units(Math.round(seconds / 3600), "hour");
  return units(Math.round(seconds / 86_400), "day");
}

/** "1 hour", "12 hours". @param {number} count @param {string} unit  "minute", "hour" … */
export function units(count, unit) {
  return new Intl.NumberFormat(language(), { style: "unit", unit, unitDisplay: "long" }).format(count);
}

/** "15:59" or "3:59 PM", "tomorrow 15:59", "Nov 23, 15:59". @param {number} seconds  since 1970 @param {Date} [today] */
export function clock(seconds, today = new Date()) {
  const then = new Date(seconds * 1000);
  const time = then.toLocaleTimeString(region(), { timeStyle: "short" });
  const tomorrow = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1);
  if (then.toDateString() === today.toDateString()) return time;
  if (then.toDateString() === tomorrow.toDateString()) return t("tomorrow {time}", { time });
  return `${then.toLocaleDateString(region(), { month: "short", day: "numeric" })}, ${time}`;
}

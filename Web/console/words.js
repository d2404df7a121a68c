// The names of things, the same everywhere.

import { language } from "./language.js";

/** Common event kinds, by number. @type {Record<number, string>} */
const KINDS = {
  0: "profile",
  1: "note",
  3: "follow list",
  4: "direct message (old)",
  5: "deletion",
  6: "repost",
  7: "reaction",
  13: "sealed message",
  14: "direct message",
  1059: "wrapped message",
  1111: "comment",
  1984: "report",
  7375: "cashu tokens",
  9734: "zap request",
  9735: "zap receipt",
  10000: "mute list",
  10002: "relay list",
  17375: "cashu wallet",
  22242: "relay login",
  24242: "file upload login",
  27235: "web login",
  30023: "article",
  30078: "app data",
  30315: "status",
};
const PLURALS =
  /** @type {Record<string, string>} */ ({ "cashu tokens": "cashu tokens", "app data": "app data", status: "statuses" });

/** @param {number} kind */
export function kindName(kind) {
  return KINDS[kind] ?? `events of kind ${kind}`;
}

/** @param {number} kind */
export function kindNames(kind) {
  const name = KINDS[kind];
  if (!name) return `events of kind ${kind}`;
  return PLURALS[name] ?? (name.endsWith("(old)") ? name.replace("message", "messages") : name.replace(/y$/, "ie") + "s");
}

/** @type {Record<string, string>} */
const METHODS = {
  sign_event: "sign",
  nip44_encrypt: "encrypt messages",
  nip44_decrypt: "read encrypted messages",
  nip04_encrypt: "encrypt messages (old way)",
  nip04_decrypt: "read encrypted messages (old way)",
  get_public_key: "learn the public key",
  connect: "connect",
  ping: "check that the signer is there",
  switch_relays: "ask for other relays",
  get_relays: "ask for relays",
  logout: "log out",
  disconnect: "disconnect",
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
    ? `sign ${kindNames(Number(kind))}`
    : method === "sign_event"
    ? "sign anything else"
    : methodWords(method);
  return scope.length ? `${words} (only ${shortScope(scope.join("@"))})` : words;
}

/** @param {string} scope */
function shortScope(scope) {
  return /^[0-9a-f]{64}$/.test(scope) ? `with ${shortKey(scope)}` : scope;
}

export const DURATIONS = /** @type {Record<string, string>} */ ({
  once: "just this once",
  "5m": "for 5 minutes",
  "1h": "for 1 hour",
  "1d": "for 1 day",
  "1w": "for 1 week",
  always: "always",
});

export const TRUST = /** @type {Record<string, [string, string]>} */ ({
  low: ["Low", "Asks you before every signature and every message."],
  medium: [
    "Medium",
    "Signs everyday events, and reads and writes your private messages, without asking. Asks before it changes your profile, follows, relays or app data, deletes, logs in or spends.",
  ],
  full: ["Full", "Does everything else without asking, private messages too. Asks only before it spends, logs in to a website, or removes many of your follows. For apps that you wrote or know well."],
});

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString(language())} ${count === 1 ? one : many}`;
}

/** The first and last letters of a key. @param {string} key */
export function shortKey(key) {
  return key.length > 20 ? `${key.slice(0, 10)}…${key.slice(-6)}` : key;
}

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
  if (Math.abs(distance) < 5) return "just now";
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
  return new Date(seconds * 1000).toLocaleString(language(), { dateStyle: "medium", timeStyle: "medium" });
}

/** @param {number} seconds  of a stretch of time */
export function stretch(seconds) {
  if (seconds < 90) return counted(Math.round(seconds), "second");
  if (seconds < 5400) return counted(Math.round(seconds / 60), "minute");
  if (seconds < 129_600) return counted(Math.round(seconds / 3600), "hour");
  return counted(Math.round(seconds / 86_400), "day");
}

/** "15:59", "tomorrow 15:59", "Nov 23, 15:59". @param {number} seconds  since 1970 @param {Date} [today] */
export function clock(seconds, today = new Date()) {
  const then = new Date(seconds * 1000);
  const time = then.toLocaleTimeString(language(), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const tomorrow = new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1);
  if (then.toDateString() === today.toDateString()) return time;
  if (then.toDateString() === tomorrow.toDateString()) return `tomorrow ${time}`;
  return `${then.toLocaleDateString(language(), { month: "short", day: "numeric" })}, ${time}`;
}

// Data that several pages show. It is fetched when it is shown, and again when a hint says that it changed.

import { call } from "./api.js";
import { unpressed } from "./pointer.js";
import { spokenClient, spokenRequest } from "./signer.js";

/** @type {Record<string, () => Promise<any>>} */
const SOURCES = {
  status: () => call("status"),
  requests: async () => (await call("request/list")).requests.map(spokenRequest),
  clients: async () => (await call("client/list")).clients.map(spokenClient),
  custody: () => call("custody/overview"),
  identities: async () => (await call("identity/list")).identities,
};

/** The data that a hint concerns. @type {Record<string, string[]>} */
const TOUCHED = {
  requests: ["requests", "status"],
  clients: ["clients", "status", "requests"],
  identities: ["identities", "status", "custody"],
  status: ["status"],
  lock: ["status", "requests", "clients", "custody"],
  incident: ["status"],
  log: [],
  sessions: [],
};

/** @typedef {{value: any, listeners: Set<(value: any) => void>, running: boolean, again: boolean, forced: boolean}} Entry */
/** @type {Map<string, Entry>} */
const entries = new Map();
/** How often everything was forgotten. A response to an earlier call is dropped. */
let forgotten = 0;

/** @param {string} name @returns {Entry} */
function entry(name) {
  let found = entries.get(name);
  if (!found) entries.set(name, found = { value: undefined, listeners: new Set(), running: false, again: false, forced: false });
  return found;
}

/** The last value known. @param {string} name */
export function known(name) {
  return entry(name).value;
}

/**
 * Calls back with the value now, if it is known, and after every fetch that changed it.
 * @param {string} name
 * @param {(value: any) => void} listener
 * @returns {() => void} ends it
 */
export function watch(name, listener) {
  const found = entry(name);
  found.listeners.add(listener);
  if (found.value !== undefined) listener(found.value);
  fetchAgain(name);
  return () => {
    found.listeners.delete(listener);
  };
}

/**
 * Fetches again after an action, and calls back even if nothing changed, because the action may have been refused.
 * @param {string} name
 */
export function refresh(name) {
  entry(name).forced = true;
  return fetchAgain(name);
}

/**
 * Fetches again. Calls during a fetch cause one more fetch after it.
 * @param {string} name
 */
async function fetchAgain(name) {
  const found = entry(name);
  if (found.running) {
    found.again = true;
    return;
  }
  found.running = true;
  try {
    do {
      const [isForced, before] = [found.forced, forgotten];
      found.again = found.forced = false;
      const value = await SOURCES[name]();
      // A list that is redrawn without need takes the focus, or a click, from the person using it.
      if (!isForced && JSON.stringify(value) === JSON.stringify(found.value)) continue;
      await unpressed();
      if (before !== forgotten) continue;
      found.value = value;
      for (const listener of [...found.listeners]) listener(found.value);
    } while (found.again);
  } catch {
    // The signer is unreachable, or the session has ended. The banner or the sign-in page says so; known data stays on the page.
  } finally {
    found.running = false;
  }
}

/** @param {string} type  of a hint */
export function touch(type) {
  for (const name of TOUCHED[type] ?? []) if (entry(name).listeners.size) fetchAgain(name);
}

/** Fetches everything that is shown again. */
export function refreshAll() {
  for (const [name, { listeners }] of entries) if (listeners.size) fetchAgain(name);
}

/** After a sign-out, nothing stays in memory. */
export function forget() {
  forgotten += 1;
  for (const found of entries.values()) found.value = undefined;
}

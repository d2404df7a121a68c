// Calls to the signer: one POST for each operation. Secrets are sent as bytes after the JSON line and are wiped here.

import { adviceFromSigner, fromSigner, t } from "./language.js";
import "./instead.js";

/** Why a call failed. */
export class Failure extends Error {
  /**
   * @param {string} message  for people
   * @param {{status?: number, exit?: number, hint?: string, unlock?: (() => Promise<boolean>) | null}} [more]  status 0: the signer did not answer;
   *   `unlock` asks the person to unlock the signer, where that is what the call needs
   */
  constructor(message, { status = 0, exit = 1, hint = "", unlock = null } = {}) {
    super(fromSigner(message));
    /** The message as the signer says it, in English. */
    this.said = message;
    this.status = status;
    this.exit = exit;
    this.hint = adviceFromSigner(hint);
    this.unlock = unlock;
    /** The signer does not know this operation: it is older, or lacks that part. */
    this.isUnknown = status === 404 || (exit === 2 && /no operation of that name/.test(message));
  }

  get isLocked() {
    return this.status === 200 && this.exit === 3;
  }
  get isUnreachable() {
    return this.status === 0;
  }
  get isSignedOut() {
    return this.status === 401;
  }
}

/** Calls that are made even when the page is being closed. */
const LASTING = new Set(["request/deny"]);

/** Calls that sign in. When they are refused, this says nothing about a session. */
const SIGN_INS = new Set(["session/open", "passkey/sign-in", "passphrase/sign-in"]);

// The page's own token. It is stored by origin. The cookie is sent to every port of this host and is not enough alone.
const KEPT = "holdfast-session";
/** @type {() => Promise<boolean>} */
let askForProof = async () => false;

/** Reports that a call found no session, or could not reach the signer. */
export const heard = new EventTarget();

/** The token of the sign-in, or "" without one. */
export function token() {
  return localStorage.getItem(KEPT) ?? "";
}

/** @param {string} given  "" to forget it */
export function useToken(given) {
  if (given) localStorage.setItem(KEPT, given);
  else localStorage.removeItem(KEPT);
}

/** Sets the function that asks the person for proof when an operation requires a recent sign-in. @param {() => Promise<boolean>} ask */
export function proveBy(ask) {
  askForProof = ask;
}

/** Asks for a proof that a call will want, before anything is typed for it. @returns {Promise<boolean>} whether to go on */
export async function proveFirst() {
  const { proven } = await call("session/state");
  return proven !== false || askForProof();
}

/** @type {() => Promise<boolean | null>} */
let askToOpen = async () => null;
/** @type {() => Promise<boolean>} */
let open = async () => false;

/**
 * Sets the functions that ask the person to unlock the signer.
 * @param {() => Promise<boolean | null>} ask  for a change that is refused only because it is locked: whether it is unlocked now; null if nobody
 *   was asked
 * @param {() => Promise<boolean>} later  when the person comes back to it
 */
export function unlockBy(ask, later) {
  [askToOpen, open] = [ask, later];
}

/** What a page holds back is sent before a call that may let a waiting request through. @type {(operation: string) => Promise<unknown>} */
let settle = async () => {};

/** Sets the function that sends what is held back. @param {(operation: string) => Promise<unknown>} before  gets the operation that follows */
export function settleBy(before) {
  settle = before;
}

/**
 * Calls one operation.
 * @param {string} operation  noun/verb
 * @param {object} [parameters]
 * @param {Record<string, Uint8Array>} [secrets]  wiped before the response is awaited
 * @returns {Promise<any>} the result
 */
export async function call(operation, parameters = {}, secrets = {}) {
  const body = framed(parameters, secrets);
  wipe(secrets);
  try {
    await settle(operation);
    let reply = await send(operation, body);
    if (reply.status === 401 && !SIGN_INS.has(operation)) {
      if (await isSignedIn()) reply = await send(operation, body);
      else heard.dispatchEvent(new Event("signed-out"));
    }
    if (reply.status === 403 && reply.value?.wants === "proof" && (await askForProof())) reply = await send(operation, body);
    if (reply.value?.wants === "unlock") {
      const isOpen = await askToOpen();
      if (isOpen) reply = await send(operation, body);
      // The person was asked and did not. What they type in a terminal instead is nothing for them here.
      else if (isOpen === false) throw new Failure(t("Unlock the signer to do this."), { status: reply.status, exit: reply.value.exit, unlock: open });
    }
    return resultOf(reply);
  } finally {
    body.fill(0);
  }
}

/**
 * Asks the signer whether this browser is signed in. A refused call does not tell: it may have begun in an earlier session, and the person
 * may have opened a new sign-in link since.
 */
async function isSignedIn() {
  const { value } = await send("session/state", framed({}, {}));
  return value?.result?.signed_in === true;
}

/** @param {Record<string, Uint8Array>} secrets */
function wipe(secrets) {
  for (const secret of Object.values(secrets)) secret.fill(0);
}

/**
 * @param {string} operation
 * @param {Uint8Array<ArrayBuffer>} body
 * @returns {Promise<{status: number, value: any}>} no value when the response was not JSON
 */
async function send(operation, body) {
  let response;
  try {
    response = await fetch(`/api/v1/${operation}`, {
      method: "POST",
      body,
      cache: "no-store",
      credentials: "same-origin",
      redirect: "error",
      keepalive: LASTING.has(operation),
      headers: { "content-type": "application/octet-stream", ...(token() ? { "x-csrf-token": token() } : {}) },
    });
  } catch {
    heard.dispatchEvent(new Event("unreachable"));
    throw new Failure(t("The signer does not answer."), { hint: t("It may be restarting. Nothing was done.") });
  }
  return { status: response.status, value: await response.json().catch(() => undefined) };
}

/** @param {{status: number, value: any}} reply */
function resultOf({ status, value }) {
  if (status === 200 && value?.ok) return value.result;
  const { error = t("The signer answered with {status}.", { status }), exit, hint = "" } = value ?? {};
  throw new Failure(error, { status, exit, hint });
}

/**
 * @param {object} parameters
 * @param {Record<string, Uint8Array>} secrets
 * @returns {Uint8Array<ArrayBuffer>}
 */
function framed(parameters, secrets) {
  const names = Object.keys(secrets).sort();
  const members = names.length ? { ...parameters, secrets: names.map((name) => [name, secrets[name].length]) } : parameters;
  const line = new TextEncoder().encode(JSON.stringify(members) + (names.length ? "\n" : ""));
  const body = new Uint8Array(line.length + names.reduce((sum, name) => sum + secrets[name].length, 0));
  body.set(line);
  let at = line.length;
  for (const name of names) {
    body.set(secrets[name], at);
    at += secrets[name].length;
  }
  return body;
}

/**
 * Takes the bytes that were typed, and empties the field at once.
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 */
export function taken(field) {
  const bytes = new TextEncoder().encode(field.value);
  field.value = "";
  return bytes;
}

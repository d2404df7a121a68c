// WebAuthn: converts the signer's options from JSON to the browser's form, and the browser's answer to JSON. The output of a
// passkey's PRF opens the keys. It is sent to the signer as bytes and overwritten here in every case.

import { call, useToken } from "../api.js";
import { t } from "../language.js";
import { base64url } from "./base64url.js";

/** The public id of the passkey that last unlocked in this browser. With it the signer can offer to sign in and unlock with one touch. */
const LAST = "holdfast-passkey";

/** Whether this page can use passkeys: only on localhost, or with TLS under a host name. */
export function passkeysWork() {
  return isSecureContext && "credentials" in navigator && typeof PublicKeyCredential === "function" &&
    !/^[\d.:[\]]+$/.test(location.hostname);
}

/** @param {string} text  base64url */
function bytes(text) {
  const raw = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(raw, (letter) => letter.charCodeAt(0));
}

/** @param {any[]} [list] */
function descriptors(list) {
  return list?.map((one) => ({ ...one, id: bytes(one.id) }));
}

/** The PRF inputs, as bytes. @param {any} extensions */
function extended(extensions) {
  const prf = extensions?.prf;
  if (!prf) return undefined;
  const inputs = (/** @type {Record<string, string>} */ one) =>
    Object.fromEntries(Object.entries(one).map(([name, text]) => [name, bytes(text)]));
  return {
    prf: {
      ...(prf.eval ? { eval: inputs(prf.eval) } : {}),
      ...(prf.evalByCredential
        ? { evalByCredential: Object.fromEntries(Object.entries(prf.evalByCredential).map(([id, one]) => [id, inputs(one)])) }
        : {}),
    },
  };
}

/** @param {any} credential */
function asJSON(credential) {
  const { response } = credential;
  return {
    id: credential.id,
    rawId: base64url(credential.rawId),
    type: credential.type,
    authenticatorAttachment: credential.authenticatorAttachment ?? null,
    clientExtensionResults: {},
    response: {
      clientDataJSON: base64url(response.clientDataJSON),
      attestationObject: base64url(response.attestationObject),
      authenticatorData: base64url(response.authenticatorData),
      signature: base64url(response.signature),
      userHandle: base64url(response.userHandle),
      transports: response.getTransports?.(),
    },
  };
}

/** The PRF outputs. They share the browser's own memory, so overwriting them overwrites that. @param {any} credential */
function outputs(credential) {
  const { prf } = credential.getClientExtensionResults();
  const prfOutputs = /** @type {Record<string, Uint8Array>} */ ({});
  if (prf?.results?.first) prfOutputs.prf = new Uint8Array(prf.results.first);
  if (prf?.results?.second) prfOutputs.prf_next = new Uint8Array(prf.results.second);
  return { prfOutputs, isThere: Boolean(prf?.enabled ?? prf?.results) };
}

/** @param {Record<string, Uint8Array>} secrets */
function wipe(secrets) {
  for (const secret of Object.values(secrets)) secret.fill(0);
}

/** Asks the browser for a passkey's signature. @param {any} publicKey  the signer's options @returns {Promise<any>} */
function shown(publicKey) {
  return asked(() =>
    navigator.credentials.get({
      publicKey: {
        ...publicKey,
        challenge: bytes(publicKey.challenge),
        allowCredentials: descriptors(publicKey.allowCredentials),
        extensions: extended(publicKey.extensions),
      },
    })
  );
}

/** Whether a passkey has unlocked the keys in this browser before. */
export function unlockedHere() {
  return localStorage.getItem(LAST) !== null;
}

/**
 * @param {{unlocking?: boolean}} [options]  whether the same touch is to unlock the keys
 * @returns {Promise<{unlocked?: boolean, why_locked?: string}>}
 */
export async function signInWithPasskey({ unlocking = false } = {}) {
  const last = unlocking ? localStorage.getItem(LAST) : null;
  const { publicKey } = await call("passkey/challenge", last ? { credential: last } : {});
  const credential = await shown(publicKey);
  const { prfOutputs } = outputs(credential);
  try {
    const answer = await call("passkey/sign-in", { credential: asJSON(credential) }, unlocking ? prfOutputs : {});
    useToken(answer.csrf);
    return answer;
  } finally {
    wipe(prfOutputs);
  }
}

/** @param {string} name  the owner's word for it @returns {Promise<any>} the passkey, and `canUnlock`: whether its device has a PRF */
export async function addPasskey(name) {
  const { publicKey } = await call("passkey/begin");
  const credential = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        ...publicKey,
        challenge: bytes(publicKey.challenge),
        user: { ...publicKey.user, id: bytes(publicKey.user.id) },
        excludeCredentials: descriptors(publicKey.excludeCredentials),
        extensions: extended(publicKey.extensions),
      },
    })
  );
  // There may already be an output. It belongs to a made-up input and opens nothing.
  const { prfOutputs, isThere } = outputs(credential);
  wipe(prfOutputs);
  return { ...(await call("passkey/add", { credential: asJSON(credential), name })), canUnlock: isThere };
}

export const NO_PRF =
  t("This passkey can sign you in but not unlock: its device or this browser lacks the PRF extension. No way to unlock was added.");

/**
 * Lets a passkey open the keys from now on.
 * @param {{id: string, name: string}} passkey
 * @param {import("./owner.js").ShownCredential} other  of another way to unlock
 * @param {object} [accepted]  that something may be lost
 */
export async function letUnlock(passkey, other, accepted = {}) {
  try {
    const { publicKey } = await call("slot/passkey-options", { passkey: passkey.id });
    const credential = await shown(publicKey);
    const { prfOutputs } = outputs(credential);
    if (!prfOutputs.prf) throw new Error(NO_PRF);
    const secrets = { ...other.secrets, new_prf: prfOutputs.prf };
    const made = await call("slot/passkey-add", { ...other.parameters, ...accepted, passkey: asJSON(credential), label: passkey.name }, secrets);
    localStorage.setItem(LAST, credential.id);
    return made;
  } finally {
    wipe(other.secrets);
  }
}

/** The slots whose passkeys can be used at this address. @returns {Promise<any[]>} */
export async function passkeySlots() {
  if (!passkeysWork()) return [];
  return (await call("slot/unlock-options").catch(() => ({ slots: [] }))).slots ?? [];
}

/**
 * Calls an operation with a passkey as the proof.
 * @param {string} operation
 * @param {object} [parameters]
 * @param {Record<string, Uint8Array>} [secrets]
 */
export async function callByPasskey(operation, parameters = {}, secrets = {}) {
  try {
    const { publicKey } = await call("slot/unlock-options");
    if (!publicKey) throw new Error(t("No passkey unlocks the keys here. Use another way."));
    const credential = await shown(publicKey);
    const { prfOutputs } = outputs(credential);
    if (!prfOutputs.prf) throw new Error(NO_PRF);
    if (operation !== "unlock") {
      prfOutputs.prf_next?.fill(0);
      delete prfOutputs.prf_next;
    }
    const answer = await call(operation, { ...parameters, credential: asJSON(credential) }, { ...secrets, ...prfOutputs });
    localStorage.setItem(LAST, credential.id);
    return answer;
  } finally {
    wipe(secrets);
  }
}

/** Replaces the browser's error texts, which are written for programmers. @param {() => Promise<Credential | null>} ask */
async function asked(ask) {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    if (name === "NotAllowedError") throw new Error(t("The passkey was not used: it was cancelled, or took too long."));
    if (name === "InvalidStateError") throw new Error(t("This device has a passkey for this signer already."));
    throw new Error(t("This browser could not use a passkey here."));
  }
}

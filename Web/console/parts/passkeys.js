// WebAuthn: the signer's options as JSON to the browser's form, and the browser's answer back to JSON.

import { call, useToken } from "../api.js";

/** Whether this page may use passkeys at all: only on localhost, or over TLS by a name. */
export function passkeysWork() {
  return isSecureContext && "credentials" in navigator && typeof PublicKeyCredential === "function" &&
    !/^[\d.:[\]]+$/.test(location.hostname);
}

/** @param {string} text  base64url */
function bytes(text) {
  const raw = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return Uint8Array.from(raw, (letter) => letter.charCodeAt(0));
}

/** @param {ArrayBuffer | null | undefined} buffer */
function base64url(buffer) {
  if (!buffer) return undefined;
  let raw = "";
  for (const byte of new Uint8Array(buffer)) raw += String.fromCharCode(byte);
  return btoa(raw).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** @param {any[]} [list] */
function descriptors(list) {
  return list?.map((one) => ({ ...one, id: bytes(one.id) }));
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

export async function signInWithPasskey() {
  const { publicKey } = await call("passkey/challenge");
  const credential = await asked(() =>
    navigator.credentials.get({
      publicKey: {
        ...publicKey,
        challenge: bytes(publicKey.challenge),
        allowCredentials: descriptors(publicKey.allowCredentials),
      },
    })
  );
  useToken((await call("passkey/sign-in", { credential: asJSON(credential) })).csrf);
}

/** @param {string} name  the owner's word for it */
export async function addPasskey(name) {
  const { publicKey } = await call("passkey/begin");
  const credential = await asked(() =>
    navigator.credentials.create({
      publicKey: {
        ...publicKey,
        challenge: bytes(publicKey.challenge),
        user: { ...publicKey.user, id: bytes(publicKey.user.id) },
        excludeCredentials: descriptors(publicKey.excludeCredentials),
      },
    })
  );
  return call("passkey/add", { credential: asJSON(credential), name });
}

/** The browser's own words are for programmers. @param {() => Promise<Credential | null>} ask */
async function asked(ask) {
  try {
    return await ask();
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    if (name === "NotAllowedError") throw new Error("The passkey was not used: it was cancelled, or took too long.");
    if (name === "InvalidStateError") throw new Error("This device has a passkey for this signer already.");
    throw new Error("This browser could not use a passkey here.");
  }
}

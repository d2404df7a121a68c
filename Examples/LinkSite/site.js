// Asks a signer for a signature by a link, and shows the signed event. This site holds no key.

import { KIND } from "./answer.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("form"));
const text = /** @type {HTMLInputElement} */ (document.getElementById("text"));
const signer = /** @type {HTMLInputElement} */ (document.getElementById("signer"));
const state = /** @type {HTMLElement} */ (document.getElementById("state"));
const shown = /** @type {HTMLElement} */ (document.getElementById("event"));

/** What was asked last. @type {{draft: {kind: number, content: string, tags: string[][], created_at: number}, nonce: string, opened: Window | null} | null} */
let asked = null;

/** @param {Uint8Array} bytes */
function base64url(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

form.addEventListener("submit", (submission) => {
  submission.preventDefault();
  const draft = { kind: 1, content: text.value, tags: [], created_at: Math.floor(Date.now() / 1000) };
  const nonce = base64url(crypto.getRandomValues(new Uint8Array(16)));
  const link = new URL("/app/sign", signer.value);
  link.searchParams.set("payload", base64url(new TextEncoder().encode(JSON.stringify(draft))));
  link.searchParams.set("cb", new URL("signed.html", location.href).href);
  link.searchParams.set("origin", location.origin);
  link.searchParams.set("nonce", nonce);
  shown.textContent = "";
  state.textContent = "The signer asks its owner.";
  // Without “noopener”: the callback page needs window.opener.
  asked = { draft, nonce, opened: window.open(link, "signer", "popup,width=480,height=640") };
});

addEventListener("message", async ({ origin, source, data }) => {
  // Other pages can send messages, too.
  if (origin !== location.origin || !asked || source !== asked.opened || data?.kind !== KIND || data.nonce !== asked.nonce) return;
  const { draft } = asked;
  asked = null;
  if (!data.ok) {
    state.textContent = `Not signed: ${data.code}`;
    return;
  }
  const event = { id: data.id, pubkey: data.pubkey, ...draft, sig: data.sig };
  const isWhatWasAsked = (await eventID(event)) === event.id;
  // A real site verifies the signature now, with its Nostr library: verifyEvent(event).
  state.textContent = isWhatWasAsked ? "Signed." : "The signer signed something else.";
  if (isWhatWasAsked) shown.textContent = JSON.stringify(event, null, 2);
});

/**
 * The id of NIP-01. JSON.stringify escapes as it wants for every text that can be typed here.
 * @param {{pubkey: string, created_at: number, kind: number, tags: string[][], content: string}} event
 */
async function eventID({ pubkey, created_at, kind, tags, content }) {
  const bytes = new TextEncoder().encode(JSON.stringify([0, pubkey, created_at, kind, tags, content]));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

// Bytes as text, for calls.

/** Without padding. Nothing stays nothing. @param {ArrayBuffer | null | undefined} buffer */
export function base64url(buffer) {
  if (!buffer) return undefined;
  let raw = "";
  for (const byte of new Uint8Array(buffer)) raw += String.fromCharCode(byte);
  return btoa(raw).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** The bytes of a text in either alphabet. @param {string} text */
export function unbase64(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
}

// Bytes as text, for calls.

/** Without padding. Nothing stays nothing. @param {ArrayBuffer | null | undefined} buffer */
export function base64url(buffer) {
  if (!buffer) return undefined;
  let raw = "";
  for (const byte of new Uint8Array(buffer)) raw += String.fromCharCode(byte);
  return btoa(raw).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

// The ways to unlock, in words.

/** @type {Record<string, [string, string]>} */
const TYPES = {
  passphrase: ["Passphrase", "something you know"],
  passkey: ["Passkey", "your finger, face or the PIN of its device"],
  token: ["Token", "a security chip or card, and its PIN"],
  keyring: ["Desktop keyring", "your login to this desktop; opens only what is always ready"],
  recovery: ["Recovery kit", "enough of its shares"],
};

/** @param {string} type */
export function slotTypeWords(type) {
  return TYPES[type]?.[0] ?? type;
}

/** @param {string} type */
export function slotTypeHelp(type) {
  return TYPES[type]?.[1] ?? "";
}

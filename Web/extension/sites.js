// What the owner chose for each site. It is kept in the extension's storage: names of sites and public keys, no secret.

const key = (origin) => `site ${origin}`;

/**
 * @param {string} origin
 * @returns {Promise<{identity?: string, use?: boolean}>}  `identity`: a public key; `use`: whether Holdfast takes another extension's place
 */
export async function choiceFor(origin) {
  return (await chrome.storage.local.get(key(origin)))[key(origin)] ?? {};
}

/** Changes some of a site's choices. */
export async function choose(origin, change) {
  await chrome.storage.local.set({ [key(origin)]: { ...(await choiceFor(origin)), ...change } });
}

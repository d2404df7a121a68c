// The part of the address after # names the page: #/apps/KEY?from=home

/** @typedef {{name: string, parts: string[], query: URLSearchParams}} Route */

/** @returns {Route} */
export function route() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [name = "", ...parts] = path.split("/").map(decoded);
  return { name: name || "home", parts, query: new URLSearchParams(query) };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** @param {string} path  as "/apps" */
export function go(path) {
  if (location.hash === `#${path}`) dispatchEvent(new HashChangeEvent("hashchange"));
  else location.hash = path;
}

/** Goes on to a page that takes the place of this one in the browser's history. @param {string} path  as "/apps" */
export function goInstead(path) {
  history.replaceState(null, "", `#${path}`);
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** The address of an app's page. @param {{signer: string}} client */
export function appRoute(client) {
  return `#/apps/${encodeURIComponent(client.signer)}`;
}

/**
 * Removes a sign-in token from the address, so that it is in no history and no bookmark.
 * @returns {string | null}
 */
export function takeToken() {
  const found = /^#signin=([\w.~-]{1,256})(\/[a-z]{1,32})?$/.exec(location.hash);
  if (!location.hash.startsWith("#signin=")) return null;
  history.replaceState(null, "", location.pathname + "#" + (found?.[2] ?? "/"));
  return found ? found[1] : "";
}

// Which page a message comes from. Only what the browser says counts, never what the page says.

/**
 * The origin of the document at the other end.
 * @param {any} sender  as the browser gives it with a message or a connection
 * @returns {string | null}  null for a document that may ask nothing: one without an origin of its own, such as a sandboxed frame
 */
export function originOf(sender) {
  if (sender?.id !== chrome.runtime.id || !sender.tab || typeof sender.url !== "string") return null;
  const address = parsed(sender.url);
  if (!address || (address.protocol !== "https:" && address.protocol !== "http:")) return null;
  return sender.origin === address.origin ? address.origin : null;
}

/** Whether a message comes from this extension's toolbar page. */
export function isToolbar(sender) {
  if (sender?.id !== chrome.runtime.id || typeof sender.url !== "string") return false;
  return sender.url.split("?", 1)[0] === chrome.runtime.getURL("toolbar.html");
}

function parsed(text) {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

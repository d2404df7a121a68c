// The connection to the signer's helper, `holdfast native-host`, which the browser starts and ends.

const NAME = "org.holdfast.signer";
/** How long the helper is kept without anything to do, in milliseconds. */
const IDLE = 30_000;
const BROWSER = chrome.runtime.getURL("").startsWith("moz-") ? "firefox" : "chromium";
const NOT_INSTALLED = {
  code: "unavailable",
  message: `The browser cannot start Holdfast. Install it once more: holdfast extension install --browser ${BROWSER}`,
};

/** @type {any} */
let port = null;
/** @type {Map<string, (answer: any) => void>} who waits for an answer, by the id of the request */
const waiting = new Map();
let count = 0;
let idle = 0;

/**
 * Asks the helper.
 * @param {any} message  without an id
 * @returns {Promise<any>}  `{result}` or `{error: {code, message}}`; it never fails
 */
export function ask(message) {
  return new Promise((resolve) => {
    count += 1;
    const id = String(count);
    waiting.set(id, resolve);
    send({ ...message, id });
  });
}

/** Whether a request is without an answer. */
export function isAsking() {
  return waiting.size > 0;
}

/** Says that nobody waits for the answers of a document any more. */
export function closeChannel(channel) {
  if (port) port.postMessage({ closed: channel });
  restAfterAWhile();
}

function send(message) {
  clearTimeout(idle);
  try {
    connected().postMessage(message);
  } catch {
    answer({ id: message.id, error: NOT_INSTALLED });
  }
}

function connected() {
  if (port) return port;
  port = chrome.runtime.connectNative(NAME);
  port.onMessage.addListener(answer);
  port.onDisconnect.addListener(ended);
  return port;
}

function answer(message) {
  const resolve = waiting.get(message?.id);
  if (!resolve) return;
  waiting.delete(message.id);
  resolve(message.error ? { error: message.error } : { result: message.result });
  restAfterAWhile();
}

function ended(closed) {
  // Reading it says that it was seen: browsers report errors that nobody looked at.
  void chrome.runtime.lastError;
  if (closed !== port) return;
  port = null;
  for (const id of [...waiting.keys()]) answer({ id, error: NOT_INSTALLED });
}

function restAfterAWhile() {
  clearTimeout(idle);
  if (waiting.size > 0 || !port) return;
  idle = setTimeout(() => {
    if (waiting.size > 0 || !port) return;
    port.disconnect();
    port = null;
  }, IDLE);
}

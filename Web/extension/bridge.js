// Carries requests between page.js and the extension. It runs in a world of its own: the page sees none of its variables. It decides
// nothing: the background asks the browser which page this is.
(() => {
  "use strict";

  const HELLO = "holdfast-bridge-ready";
  const PORT = "holdfast-page-port";
  const METHODS = new Set([
    "getPublicKey",
    "signEvent",
    "nip04.encrypt",
    "nip04.decrypt",
    "nip44.encrypt",
    "nip44.decrypt",
  ]);
  /** The most requests without an answer. */
  const MOST_PENDING = 64;
  /** The most characters of a request. */
  const LONGEST_REQUEST = 900_000;
  /** The first and the longest pause before the background is called again, in milliseconds. */
  const [FIRST_PAUSE, LONGEST_PAUSE] = [50, 5_000];

  /** @type {Map<string, any>} the requests without an answer, by their ids */
  const pending = new Map();
  /** @type {MessagePort | null} */
  let page = null;
  /** @type {any} */
  let background = null;
  let pause = FIRST_PAUSE;
  let hasAsked = false;
  let hasOther = false;

  function tell(message) {
    page?.postMessage(JSON.stringify(message));
  }

  function refuse(id, code, message) {
    tell({ id, error: { code, message } });
  }

  /** A message of page.js, or of a page that found a way to its port: it is checked as if it were the latter. */
  function take(text) {
    if (typeof text !== "string" || text.length > LONGEST_REQUEST) return tooLarge(text);
    const message = parsed(text);
    if (message === null) return;
    if (typeof message.other === "boolean") hasOther = message.other;
    else if (typeof message.used === "boolean") hasOther = !message.used;
    else if (isRequest(message)) ask(message);
    if (hasOther && window === window.top && message.other) report();
  }

  function parsed(text) {
    try {
      const value = JSON.parse(text);
      return value !== null && typeof value === "object" ? value : null;
    } catch {
      return null;
    }
  }

  function tooLarge(text) {
    const id = typeof text === "string" ? /^\{"id":"([0-9a-f]{32})"/.exec(text.slice(0, 64))?.[1] : null;
    if (id) refuse(id, "too-large", "The request is longer than what a browser's extension takes.");
  }

  function isRequest(message) {
    return typeof message.id === "string" && /^[0-9a-f]{32}$/.test(message.id) && METHODS.has(message.method);
  }

  function ask(message) {
    if (pending.has(message.id)) return;
    if (pending.size >= MOST_PENDING) {
      refuse(message.id, "rate-limited", `At most ${MOST_PENDING} requests of one page are under way at once.`);
      return;
    }
    hasAsked = true;
    const request = { id: message.id, method: message.method, params: message.params };
    pending.set(request.id, request);
    if (background) background.postMessage(request);
    else connect();
  }

  /** Calls the background, and asks it everything that has no answer yet: the browser may have stopped it meanwhile. */
  function connect() {
    if (document.prerendering) {
      document.addEventListener("prerenderingchange", connect, { once: true });
      return;
    }
    if (background || pending.size === 0) return;
    try {
      background = chrome.runtime.connect({ name: "page" });
    } catch {
      fail();
      return;
    }
    background.onMessage.addListener(answered);
    background.onDisconnect.addListener(stopped);
    for (const request of pending.values()) background.postMessage(request);
  }

  function answered(message) {
    pause = FIRST_PAUSE;
    if (typeof message.id === "string" && !pending.delete(message.id)) return;
    tell(message);
  }

  function stopped() {
    background = null;
    if (pending.size === 0) return;
    setTimeout(connect, pause);
    pause = Math.min(2 * pause, LONGEST_PAUSE);
  }

  /** The extension was removed or updated: this page's half of it can do nothing any more. */
  function fail() {
    for (const id of pending.keys()) refuse(id, "unavailable", "Holdfast's extension was updated or removed. Reload the page.");
    pending.clear();
  }

  /** Tells the extension that another one provides window.nostr in this page. */
  function report() {
    try {
      chrome.runtime.sendMessage({ about: "other" }).then(
        (answer) => {
          if (answer?.use === true) tell({ event: "use" });
        },
        () => {},
      );
    } catch {
      // The extension was removed.
    }
  }

  /** What the extension says to this document. A page's message does not get here. */
  function hear(message, sender) {
    if (sender.id !== chrome.runtime.id) return;
    // All documents hear it, because a tab may show another site by now. It is for those of the site that asked.
    if (message.event === "accountChanged" && hasAsked && message.origin === globalThis.origin) tell({ event: "accountChanged" });
    if (message.event === "use" && hasOther) tell(message);
    // The toolbar page asks which site this is. The browser tells it, as the sender of the answer.
    if (message.event === "who") chrome.runtime.sendMessage({ about: "here", other: hasOther }).catch(() => {});
  }

  function takePort(event) {
    if (page || !(event.ports?.[0] instanceof MessagePort)) return;
    window.removeEventListener(PORT, takePort);
    page = event.ports[0];
    page.addEventListener("message", (received) => take(received.data));
    page.start();
  }

  // The page of another site or a frame without an origin gets nothing: see the background, which knows.
  window.addEventListener(PORT, takePort);
  window.dispatchEvent(new Event(HELLO));
  chrome.runtime.onMessage.addListener(hear);
})();

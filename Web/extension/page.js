// window.nostr (NIP-07). Runs in the page's own world before any script of the page, and trusts nothing there afterwards: what it uses of
// the language and the browser is taken now. The page can call it and can make it fail, and can do nothing else with it.
(() => {
  "use strict";

  const { apply } = Reflect;
  const { create, defineProperty, freeze, getOwnPropertyDescriptor, setPrototypeOf } = Object;
  const { isArray } = Array;
  const { parse, stringify } = JSON;
  const PagePromise = Promise;
  const PageError = Error;
  const PageTypeError = TypeError;
  const PageEvent = Event;
  const PageMessageEvent = MessageEvent;
  const Bytes = Uint8Array;
  const random = crypto;
  const { getRandomValues } = random;
  const { postMessage } = MessagePort.prototype;
  const { addEventListener, dispatchEvent, removeEventListener } = EventTarget.prototype;
  const { isWellFormed } = String.prototype;
  const dataOf = getOwnPropertyDescriptor(MessageEvent.prototype, "data").get;
  const page = window;

  const HELLO = "holdfast-bridge-ready";
  const PORT = "holdfast-page-port";
  const HEX = "0123456789abcdef";
  const EVENT_MEMBERS = freeze(["kind", "content", "tags", "created_at", "pubkey"]);

  const channel = new MessageChannel();
  const port = channel.port1;
  const pending = create(null);
  const listeners = setPrototypeOf([], null);

  /** 128 random bits as 32 hex digits. */
  function freshID() {
    const bytes = new Bytes(16);
    apply(getRandomValues, random, [bytes]);
    let id = "";
    for (let index = 0; index < 16; index += 1) id += HEX[bytes[index] >> 4] + HEX[bytes[index] & 15];
    return id;
  }

  /** @param {any} message */
  function send(message) {
    apply(postMessage, port, [stringify(message)]);
  }

  /**
   * @param {string} method
   * @param {() => any} parameters  makes an object without a prototype, so that no toJSON() of the page is found
   * @returns {Promise<any>}
   */
  function ask(method, parameters) {
    return new PagePromise((resolve, reject) => {
      const message = create(null);
      message.id = freshID();
      message.method = method;
      message.params = parameters();
      pending[message.id] = { resolve, reject };
      send(message);
    });
  }

  /** @param {any} value */
  function text(value, name) {
    if (typeof value !== "string") throw new PageTypeError(`${name} must be a text`);
    if (!apply(isWellFormed, value, [])) throw new PageTypeError(`${name} must be a text without half of a character`);
    return value;
  }

  /** Strings and numbers as they are, arrays and objects as nothing that has a prototype. */
  function copyOfTags(value) {
    if (!isArray(value)) throw new PageTypeError("tags must be a list of lists");
    const copy = setPrototypeOf([], null);
    for (let index = 0; index < value.length; index += 1) copy[index] = copyOfTag(value[index]);
    return copy;
  }

  function copyOfTag(value) {
    if (!isArray(value)) throw new PageTypeError("tags must be a list of lists");
    const copy = setPrototypeOf([], null);
    for (let index = 0; index < value.length; index += 1) copy[index] = text(value[index], "each part of a tag");
    return copy;
  }

  function copyOfEvent(event) {
    if (event === null || typeof event !== "object") throw new PageTypeError("signEvent() takes an event");
    const copy = create(null);
    for (let index = 0; index < EVENT_MEMBERS.length; index += 1) {
      const name = EVENT_MEMBERS[index];
      const value = event[name];
      if (value === undefined) continue;
      if (name === "tags") copy.tags = copyOfTags(value);
      else if (name === "kind" || name === "created_at") copy[name] = number(value, name);
      else copy[name] = text(value, name);
    }
    return copy;
  }

  function number(value, name) {
    if (typeof value !== "number") throw new PageTypeError(`${name} must be a number`);
    return value;
  }

  /** The parameters of a method that encrypts or decrypts. */
  function withPeer(pubkey, name, value) {
    const parameters = create(null);
    parameters.pubkey = text(pubkey, "the public key");
    parameters[name] = text(value, `the ${name}`);
    return parameters;
  }

  /** @param {string} version */
  function cipher(version) {
    return freeze({
      encrypt: freeze((pubkey, plaintext) => ask(`${version}.encrypt`, () => withPeer(pubkey, "plaintext", plaintext))),
      decrypt: freeze((pubkey, ciphertext) => ask(`${version}.decrypt`, () => withPeer(pubkey, "ciphertext", ciphertext))),
    });
  }

  function nothing() {
    return create(null);
  }

  const nostr = freeze({
    getPublicKey: freeze(() => ask("getPublicKey", nothing)),
    signEvent: freeze((event) =>
      ask("signEvent", () => {
        const parameters = create(null);
        parameters.event = copyOfEvent(event);
        return parameters;
      }),
    ),
    getRelays: freeze(() => new PagePromise((resolve) => resolve({}))),
    nip04: cipher("nip04"),
    nip44: cipher("nip44"),
    on: freeze((name, listener) => {
      if (name === "accountChanged" && typeof listener === "function") listeners[listeners.length] = listener;
    }),
    off: freeze((name, listener) => {
      for (let index = 0; name === "accountChanged" && index < listeners.length; index += 1) {
        if (listeners[index] === listener) listeners[index] = null;
      }
    }),
  });

  function answer(message) {
    const waiting = pending[message.id];
    if (!waiting) return;
    delete pending[message.id];
    if (!message.error) {
      waiting.resolve(message.result);
      return;
    }
    const error = new PageError(message.error.message);
    defineProperty(error, "code", { value: message.error.code, enumerable: true, configurable: true, writable: true });
    waiting.reject(error);
  }

  function accountChanged() {
    for (let index = 0; index < listeners.length; index += 1) {
      try {
        if (listeners[index]) apply(listeners[index], undefined, []);
      } catch {
        // It is the page's own listener, and the others are to hear of it, too.
      }
    }
    apply(dispatchEvent, page, [new PageEvent("nostr:accountChanged")]);
  }

  /** Takes the place of another extension's window.nostr, which the owner asked for. */
  function takePlace() {
    try {
      defineProperty(page, "nostr", { value: nostr, writable: false, configurable: false, enumerable: true });
    } catch {
      // The other extension keeps its place.
    }
    const message = create(null);
    message.used = page.nostr === nostr;
    send(message);
  }

  apply(addEventListener, port, [
    "message",
    (event) => {
      const message = parse(apply(dataOf, event, []));
      if (message.event === "accountChanged") accountChanged();
      else if (message.event === "use") takePlace();
      else answer(message);
    },
  ]);
  port.start();

  // The other half, bridge.js, is in a world of its own and runs before the page's scripts as well. Both events are delivered at once, to
  // listeners of these two halves only: no other script has run yet. Afterwards the port is the only way, and no page can get at it.
  const offer = () => {
    apply(dispatchEvent, page, [new PageMessageEvent(PORT, { ports: [channel.port2] })]);
  };
  const heard = () => {
    apply(removeEventListener, page, [HELLO, heard]);
    offer();
  };
  apply(addEventListener, page, [HELLO, heard]);
  offer();

  const isThere = "nostr" in page;
  if (!isThere) defineProperty(page, "nostr", { value: nostr, writable: false, configurable: false, enumerable: true });
  const found = create(null);
  found.other = isThere;
  send(found);
})();

// A request of a page, checked, in the words of the apps' socket. Whatever else the page sent is left behind.

const METHODS = {
  getPublicKey: "getPublicKey",
  signEvent: "sign",
  "nip04.encrypt": "nip04Encrypt",
  "nip04.decrypt": "nip04Decrypt",
  "nip44.encrypt": "nip44Encrypt",
  "nip44.decrypt": "nip44Decrypt",
};
const EVENT_MEMBERS = ["kind", "content", "tags", "created_at", "pubkey"];
/** The most bytes of a request, with what the extension adds to it: the most that the signer's helper takes. */
export const LONGEST_REQUEST = 1_000_000;

/** How deep lists and objects may be nested: parameters, event, tags, tag, text. */
const MOST_NESTED = 5;

/** Whether the signer can read a value: the halves of a character cannot be written in UTF-8. */
function isReadable(value, depth) {
  if (typeof value === "string") return value.isWellFormed();
  if (value === null || typeof value !== "object") return true;
  return depth > 0 && Object.entries(value).every(([name, part]) => name.isWellFormed() && isReadable(part, depth - 1));
}

/**
 * @param {any} message  as the page's half sent it
 * @returns {{method: string, params: any} | null}  null for what is no request
 */
export function checked(message) {
  if (!Object.hasOwn(METHODS, message?.method) || !isReadable(message.params, MOST_NESTED)) return null;
  const method = METHODS[message.method];
  const given = message.params ?? {};
  if (method === "getPublicKey") return { method, params: {} };
  if (method === "sign") return { method, params: { event: eventOf(given.event) } };
  const name = method.endsWith("Encrypt") ? "plaintext" : "ciphertext";
  return { method, params: { pubkey: given.pubkey, [name]: given[name] } };
}

function eventOf(given) {
  const event = {};
  for (const name of EVENT_MEMBERS) {
    if (given?.[name] !== undefined) event[name] = given[name];
  }
  event.content ??= "";
  event.tags ??= [];
  return event;
}

/** @param {any} message */
export function isTooLong(message) {
  return new TextEncoder().encode(JSON.stringify(message)).length > LONGEST_REQUEST;
}

// The answer to a signing link: what the signer appended to the callback's address (docs/LINKS.md).

/** Marks the message from the callback page to the page that asked. */
export const KIND = "holdfast-link-answer";

const HEX_32 = /^[0-9a-f]{64}$/;
const HEX_64 = /^[0-9a-f]{128}$/;

/**
 * Reads the answer. The signer writes its parameters behind those that the callback had, so the last one of a name is the signer's.
 *
 * Anybody can open the callback with parameters of their own: whoever uses the answer compares the nonce, then verifies the event.
 * @param {string} query what follows the question mark
 * @returns {{ok: true, id?: string, sig?: string, pubkey: string, nonce: string} | {ok: false, code: string, msg: string, nonce: string}}
 */
export function readAnswer(query) {
  const parameters = new URLSearchParams(query);
  const last = (/** @type {string} */ name) => parameters.getAll(name).at(-1) ?? "";
  const nonce = last("nonce");
  if (last("ok") !== "1") return { ok: false, code: last("code") || "invalid", msg: last("msg"), nonce };
  const [id, sig, pubkey] = [last("id"), last("sig"), last("pubkey")];
  const isSignature = HEX_32.test(id) && HEX_64.test(sig);
  if (!HEX_32.test(pubkey) || !(isSignature || (id === "" && sig === ""))) {
    return { ok: false, code: "invalid", msg: "This is not the answer of a signer.", nonce };
  }
  return isSignature ? { ok: true, id, sig, pubkey, nonce } : { ok: true, pubkey, nonce };
}

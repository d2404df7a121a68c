// The fields to import a key. What is typed travels as a secret and is gone from the page before the answer comes.

import { call, taken } from "../api.js";
import { h } from "../dom.js";
import { field } from "./common.js";

/** @param {string} [suggested]  name */
export function importFields(suggested = "") {
  const name = field("Name", { required: true, maxlength: "64", value: suggested, placeholder: "me" }, "Only you see it.");
  const key = field(
    "Key",
    { type: "password", required: true, autocomplete: "off" },
    "nsec1…, ncryptsec1…, 64 hex digits, or 12 to 24 words.",
  );
  const password = field("Password of this ncryptsec", { type: "password", autocomplete: "off" });
  password.box.hidden = true;
  key.input.addEventListener("input", () => {
    password.box.hidden = !key.input.value.trim().startsWith("ncryptsec1");
  });
  const send = () => {
    const secrets = /** @type {Record<string, Uint8Array>} */ ({ key: trimmed(taken(key.input)) });
    if (!password.box.hidden) secrets.password = taken(password.input);
    return call("identity/import", { name: name.input.value }, secrets);
  };
  return { box: h("div", { class: "fields-box" }, name.box, key.box, password.box), send };
}

/** @param {Uint8Array} bytes  spaces around a pasted key are nobody's intent; the untrimmed bytes are wiped */
function trimmed(bytes) {
  let start = 0, end = bytes.length;
  while (start < end && bytes[start] <= 0x20) start += 1;
  while (end > start && bytes[end - 1] <= 0x20) end -= 1;
  const kept = bytes.slice(start, end);
  bytes.fill(0);
  return kept;
}

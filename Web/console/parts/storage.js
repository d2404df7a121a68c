// Where scheduled backups go, and what that place asks for: a folder nothing, a server or a bucket its own credentials.

import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { field } from "./common.js";

/** @typedef {"folder" | "server" | "bucket"} Place */

/** @param {string} address @returns {Place} */
function placeOf(address) {
  if (/^s3:\/\//i.test(address)) return "bucket";
  return /^https?:\/\//i.test(address) ? "server" : "folder";
}

/** @param {string} user @param {string} password  labels */
function pair(user, password) {
  return [field(user, { autocomplete: "off" }), field(password, { type: "password", autocomplete: "off" })];
}

/** Fields for a place; what it needs appears as its address is typed. @param {string} address  the place so far */
export function storageFields(address) {
  const to = field(t("Where"), { required: true, value: address, placeholder: "/media/usb/holdfast", autofocus: true }, t("A folder on the signer’s machine, a WebDAV address such as {webdav}, or a bucket such as {bucket}", { webdav: "https" + "://cloud.example.com/dav/holdfast", bucket: "s3" + "://my-backups/holdfast?endpoint=https" + "://s3.eu-central-1.amazonaws.com" }));
  const pairs = {
    folder: [],
    server: pair(t("User name at that server, if it needs one"), t("Password at that server")),
    bucket: pair(t("Access key of that bucket"), t("Secret key of that bucket")),
  };
  const more = h("div", { class: "fields-box" });
  const here = () => placeOf(to.input.value.trim());
  let shown = /** @type {Place | null} */ (null);
  const show = () => {
    if (shown === here()) return;
    shown = here();
    more.hidden = shown === "folder";
    fill(more, pairs[shown].map(({ box }) => box));
  };
  to.input.addEventListener("input", show);
  show();
  return {
    to: to.box,
    more,
    address: () => to.input.value.trim(),
    /** What was typed for this place. @returns {Record<string, Uint8Array>} */
    secrets: () => {
      const [user, password] = pairs[here()];
      const typed = /** @type {Record<string, Uint8Array>} */ ({});
      if (user?.input.value) typed.user = new TextEncoder().encode(user.input.value);
      if (password?.input.value) typed.password = new TextEncoder().encode(password.input.value);
      return typed;
    },
    /** Takes the passwords out of the page. */
    clear: () => {
      for (const [, password] of [pairs.server, pairs.bucket]) password.input.value = "";
    },
  };
}

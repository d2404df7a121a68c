// Sends a file to the signer in parts, since the signer takes short requests only.

import { call } from "../api.js";
import { t } from "../language.js";
import { base64url } from "./base64url.js";

/** Somebody stopped it. */
export class Stopped extends Error {}

/**
 * Sends a backup file. Only one part at a time is in the page's memory, and it is overwritten once it was sent.
 * @param {File} file
 * @param {{begun: (upload: string) => void, sent: (bytes: number) => void, isStopped: () => boolean}} hears
 */
export async function send(file, { begun, sent, isStopped }) {
  const { upload, longest_part: most } = await call("backup/upload-begin", { length: file.size });
  begun(upload);
  for (let offset = 0; offset < file.size;) {
    if (isStopped()) throw new Stopped();
    const part = await read(file, offset, most);
    const data = base64url(part);
    new Uint8Array(part).fill(0);
    ({ received: offset } = await call("backup/upload-part", { upload, offset, data }));
    sent(offset);
  }
}

/** @param {File} file @param {number} offset @param {number} most */
async function read(file, offset, most) {
  try {
    return await file.slice(offset, offset + most).arrayBuffer();
  } catch {
    throw new Error(t("The browser cannot read this file. Choose it again."));
  }
}

/** Has the signer remove what was sent. @param {string} upload */
export function forget(upload) {
  return call("backup/upload-cancel", { upload }).catch(() => {});
}

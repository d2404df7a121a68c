// Why an app's rules do not decide: the owner paused it, or the signer is locked down, which concerns all apps and says more.

import { t } from "../language.js";
import { known } from "../store.js";

/** @typedef {{tag: string, words: string, isLockdown: boolean}} Halt  `tag` is one or two words, `words` begin in small letters */

/** Of an app; null while its rules decide. @param {{suspended?: boolean}} client @returns {Halt | null} */
export function haltOf(client) {
  const status = known("status") ?? {};
  if (status.suspended) {
    return status.locked
      ? { tag: t("stopped"), words: t("stopped by the lockdown, gets no answer"), isLockdown: true }
      : { tag: t("locked down"), words: t("asks you for everything until the lockdown ends"), isLockdown: true };
  }
  return client.suspended ? { tag: t("paused"), words: t("asks you for everything"), isLockdown: false } : null;
}

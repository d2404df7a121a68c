// Why an app's rules do not decide: the owner paused it, or the signer is locked down, which concerns all apps and says more.

import { t } from "../language.js";
import { known } from "../store.js";

/** @typedef {{tag: string, words: string, isLockdown: boolean}} Halt  `tag` is one or two words, `words` begin in small letters */

/** What is said in the place of the ways to pair an app, during a lockdown. */
export function noPairing() {
  return t("Resume the signer before you pair an app.");
}

/** Of an app; null while its rules decide. @param {{suspended?: boolean}} client @returns {Halt | null} */
export function haltOf(client) {
  const status = known("status") ?? {};
  if (status.suspended) {
    return status.locked
      ? { tag: t("stopped"), words: t("stopped by the lockdown, gets no answer"), isLockdown: true }
      : { tag: t("locked down"), words: t("asks you for everything until the lockdown ends"), isLockdown: true };
  }
  if (!client.suspended) return null;
  return {
    tag: t("paused"),
    words: known("clients")?.length === 1 ? t("the only app is paused; what it asks for waits quietly") : t("what it asks for waits quietly"),
    isLockdown: false,
  };
}

// What kinds of events are that a newcomer has no word for.

import { t } from "../language.js";

const ECASH = t("Cashu is electronic cash: whoever has its tokens has the money.");
/** @type {Record<number, string>} */
const MEANINGS = {
  7374: ECASH,
  7375: ECASH,
  7376: ECASH,
  9321: t("A nutzap pays somebody in Cashu, which is electronic cash."),
  9734: t("A zap pays somebody over Lightning, a network for small Bitcoin payments."),
  9735: t("A zap pays somebody over Lightning, a network for small Bitcoin payments."),
  10019: t("A nutzap pays somebody in Cashu, which is electronic cash."),
  17375: ECASH,
  37375: ECASH,
  38172: t("A mint issues Cashu, which is electronic cash, and pays it out again."),
};

/** In a sentence; "" for a kind that needs none. @param {number | null | undefined} kind */
export function kindMeaning(kind) {
  return MEANINGS[kind ?? -1] ?? "";
}

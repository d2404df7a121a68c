// The mark of a request that is not an everyday one.

import { h } from "../dom.js";
import { t } from "../language.js";

/** How closely to look at it, and the reason; nothing for an everyday request. @param {{risk?: string, risk_reason?: string | null}} request */
export function risk({ risk: mark = "", risk_reason: why }) {
  const words = MARKS[mark];
  return words && h("span", { class: `tag risk ${mark}`, title: RISK_MEANINGS[mark] }, why ? words.because(why) : words.alone);
}

/** An everyday request has no mark. @type {Record<string, {alone: string, because: (why: string) => string}>} */
const MARKS = {
  careful: { alone: t("check it"), because: (why) => t("check it: {why}", { why }) },
  grave: { alone: t("serious"), because: (why) => t("serious: {why}", { why }) },
};

/** What the marks mean. @type {Record<string, string>} */
export const RISK_MEANINGS = {
  careful: t("It reveals something, lets the app do more, or is hard to take back."),
  grave: t("It can cost money or your name, cannot be undone, or is of a kind that the signer does not know. It is answered alone."),
};

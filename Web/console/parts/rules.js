// What a field asks of the text in it: that there is one, and what its own rule says.

import { t } from "../language.js";

/** @typedef {(text: string) => string} Rule  hears the text without spaces around it, and says what is wrong; "" for nothing */

/** @type {WeakMap<Element, Rule>} */
const RULES = new WeakMap();
/** What a required field says when it is empty. @type {WeakMap<Element, string>} */
const MISSING = new WeakMap();

/** @param {Element} input @param {{rule?: Rule, missing?: string}} given */
export function ruled(input, { rule, missing }) {
  if (rule) RULES.set(input, rule);
  if (missing) MISSING.set(input, missing);
}

/** What is wrong with the text in a field; "" for nothing. @param {HTMLInputElement | HTMLTextAreaElement} input */
export function mistakeIn(input) {
  const text = input.value.trim();
  if (text) return RULES.get(input)?.(text) ?? "";
  return input.required ? MISSING.get(input) ?? t("Fill this in.") : "";
}

/** A rule for a whole number. @param {number} least @param {number} most @returns {Rule} */
export function wholeNumber(least, most) {
  return (text) =>
    /^\d{1,12}$/.test(text) && Number(text) >= least && Number(text) <= most ? "" : t("Give a whole number from {least} to {most}.", { least, most });
}

/** The rule for the kind of an event. */
export const KIND = wholeNumber(0, 65_535);
/** The rule for an account of words. */
export const ACCOUNT = wholeNumber(0, 2_147_483_647);

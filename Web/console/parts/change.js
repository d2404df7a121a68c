// One change of an app, asked of the signer.

import { call } from "../api.js";
import { notice } from "../dom.js";
import { refresh } from "../store.js";
import { undoNotice } from "./held.js";

/**
 * Does one change; the page follows by itself.
 * @param {string} operation
 * @param {object} parameters
 * @param {string} said
 * @param {{undo?: {says?: string, act: () => unknown} | null, other?: {label: string, act: () => unknown}}} [offers]  `undo` takes it back, and says what
 *   holds then; the notice offers both for ten seconds
 */
export async function change(operation, parameters, said, { undo = null, other } = {}) {
  try {
    await changeBy(operation, parameters, said, { undo, other });
  } catch (failure) {
    const { message, hint } = /** @type {any} */ (failure);
    notice([message, hint].filter(Boolean).join(" "), { bad: true });
    refresh("clients");
  }
}

/**
 * The same for a form, which says itself what failed.
 * @param {string} operation
 * @param {object} parameters
 * @param {string} said
 * @param {{undo?: {says?: string, act: () => unknown} | null, other?: {label: string, act: () => unknown}}} [offers]
 */
export async function changeBy(operation, parameters, said, { undo = null, other } = {}) {
  await call(operation, parameters);
  if (undo || other) undoNotice([said, undo?.says].filter(Boolean).join(" "), undo?.act ?? null, undefined, other);
  else notice(said);
  refresh("clients");
}

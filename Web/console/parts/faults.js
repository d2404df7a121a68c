// What is wrong with a form, said where it is: below the field that it is about, which gets the focus, or else at the form's end.

import { t } from "../language.js";
import { fault } from "./common.js";
import { mistakeIn } from "./rules.js";

/** A mistake in one field, found before anything is sent. */
export class FieldFault extends Error {
  /** @param {string} message @param {HTMLElement} input */
  constructor(message, input) {
    super(message);
    this.input = input;
  }
}

/** What the signer says of a proof, in English. */
const OF_PROOF = /\b(?:passphrase|PIN|shares?|recovery code)\b/;
/** What the signer says of something that is not the proof. */
const OF_ANOTHER = /\b(?:new passphrase|words|kits?)\b/i;
/** Fields that a person types in. */
const TYPED = 'input:not([type="checkbox"], [type="radio"], [type="color"]), textarea';

let count = 0;

/** Throws for the first field in sight that lacks its text, or whose text it cannot take. @param {Element} form */
export function checkFields(form) {
  for (const input of /** @type {NodeListOf<HTMLInputElement | HTMLTextAreaElement>} */ (form.querySelectorAll(TYPED))) {
    const mistake = input.checkVisibility() ? mistakeIn(input) : "";
    if (mistake) throw new FieldFault(mistake, input);
  }
}

/**
 * Does the work of a form once its fields are filled in, and shows what fails where it belongs.
 * @param {Element} form @param {Element} rest  where it stands if it belongs to no field @param {() => unknown} work
 * @returns {Promise<boolean>} whether it was done
 */
export async function attempt(form, rest, work) {
  clearFaults(form, rest);
  try {
    checkFields(form);
    await work();
    return true;
  } catch (failure) {
    showFault(form, rest, failure);
    return false;
  }
}

/**
 * Shows a failure at its field, or in `rest`, and moves the focus there.
 * @param {Element} form @param {Element} rest @param {any} failure
 */
export function showFault(form, rest, failure) {
  clearFaults(form, rest);
  const words = fault(failure), input = fieldOf(form, failure);
  // What was wrong with the text before says nothing of the new one.
  form.addEventListener("input", () => clearFaults(form, rest), { once: true });
  if (!input) return rest.append(words);
  words.id = `fault-${count += 1}`;
  words.classList.add("at-field");
  const row = input.closest(".inline");
  if (row) row.append(words);
  else (input.closest(".field") ?? input).after(words);
  input.setAttribute("aria-invalid", "true");
  input.setAttribute("aria-describedby", words.id);
  input.focus();
}

/** @param {Element} form @param {Element} rest */
export function clearFaults(form, rest) {
  rest.replaceChildren();
  for (const one of form.querySelectorAll(".fault.at-field")) one.remove();
  for (const one of form.querySelectorAll("[aria-invalid]")) {
    one.removeAttribute("aria-invalid");
    one.removeAttribute("aria-describedby");
  }
}

/** The field that a failure is about: the one it names, the proof, or the only one there is. @param {Element} form @param {any} failure @returns {HTMLElement | null} */
function fieldOf(form, failure) {
  if (failure instanceof FieldFault) return failure.input;
  // What the browser or the connection did, or the lock, is no mistake in a field.
  if (failure.status !== 200 || failure.unlock) return null;
  const typed = [.../** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(TYPED))].filter((one) => one.checkVisibility());
  const proofs = typed.filter((one) => one.dataset.proof), others = typed.filter((one) => !one.dataset.proof);
  const said = String(failure.said ?? "");
  if (proofs.length && OF_PROOF.test(said) && !OF_ANOTHER.test(said)) return proofs[0];
  return others.length === 1 ? others[0] : null;
}

/** A proof that was not given. @param {HTMLElement} input  the first field for one @param {string} [words]  where it is the only one */
export function missingProof(input, words = t("Fill in one of the ways to prove that it is you.")) {
  return new FieldFault(words, input);
}

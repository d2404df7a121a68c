// The exact request, as the app sent it: its raw JSON, and the whole of a text of which a card shows the beginning.

import { call } from "../api.js";
import { h } from "../dom.js";
import { t } from "../language.js";
import { button } from "./common.js";

/** @typedef {import("./account.js").Account} Account */

/** The raw JSON, fetched once. @param {Account} account @returns {Promise<string>} */
export async function rawOf(account) {
  account.raw ??= (await call("request/show", { id: account.id })).raw ?? "";
  return account.raw ?? "";
}

/**
 * A stranger's text as the signer shows one: without characters that nobody sees or that turn the direction of writing, with at most five
 * marks on a letter and three line breaks in a row.
 * @param {string} text
 */
function shownLines(text) {
  return text
    .replace(/[\u2028\u2029]/g, "\n")
    .replace(/[\t\u2800]/g, " ")
    .replace(/(?<!(?!\u200c|\u200d)\P{ASCII})(?:\u200c|\u200d)/gu, "")
    .replace(/(?!\n|\u200c|\u200d|\ufe0e|\ufe0f)(?:\p{C}|\p{Default_Ignorable_Code_Point})/gu, "")
    .replace(/(?<=^|[ \n])(?:\p{Mn}|\p{Me})+/gu, "")
    .replace(/((?:\p{Mn}|\p{Me}){5})(?:\p{Mn}|\p{Me})+/gu, "$1")
    .replace(/\n{4,}/g, "\n\n\n");
}

/** What is read of a request: an event's JSON, or the list of what a method is given. @param {string} raw @returns {any} */
function parsed(raw) {
  try {
    return JSON.parse(raw);
  } catch {
    return null;
  }
}

/** The texts that a card may show the beginning of: what is written, and the text of an event inside it. @param {any} exact @returns {string[]} */
function textsOf(exact) {
  const own = Array.isArray(exact) ? exact : [exact?.content];
  return own.filter((one) => typeof one === "string").flatMap((one) => [one, parsed(one)?.content]).filter((one) => typeof one === "string");
}

/** The whole text that begins as the shown one; undefined where there is none. @param {Account} account @param {string} shown */
async function wholeOf(account, shown) {
  return textsOf(parsed(await rawOf(account))).map(shownLines).find((one) => one.startsWith(shown));
}

/** A text of the app. Of a long one the beginning is shown, and the rest on demand. @param {import("./account.js").Part} part @param {Account} [account] */
export function said(part, account) {
  const box = h("blockquote", { class: "said", dir: "auto" }, part.text);
  if (!part.truncated) return [box];
  box.classList.add("cut");
  const words = h("p", { class: "help", role: "status" }, t("This is shortened: it is only the beginning of the text."));
  const more = account && button(t("Show the whole text"), async () => {
    try {
      const whole = await wholeOf(account, part.text);
      if (whole === undefined) {
        words.textContent = t("The whole text cannot be shown here. It is in the exact request below.");
      } else {
        box.textContent = whole;
        box.classList.remove("cut");
        words.textContent = t("This is the whole text, as it will be signed.");
      }
      more.remove();
    } catch (failure) {
      words.textContent = /** @type {Error} */ (failure).message;
    }
  }, { class: "small" });
  return [box, h("div", { class: "rest" }, words, more)];
}

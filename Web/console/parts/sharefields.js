// Fields for the words of a recovery kit's sheets: one field a sheet, in any order. Another field appears once all are filled in, and pasted
// sheets, one a line, go to a field each.

import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { missingProof } from "./faults.js";
import { SECRET } from "./typed.js";

/** The fewest fields, and the most sheets that a kit can need. */
const LEAST = 2, MOST = 16;
/** The fewest words of a sheet: a shorter line is a part of one. */
const SHORTEST = 20;

/** The words of a text, with one space between them. @param {string} text */
function tidy(text) {
  return text.trim().split(/\s+/).join(" ");
}

/** The sheets in a text that has a whole one on each line; the text itself where it has not. @param {string} text @returns {string[]} */
function sheetsIn(text) {
  const lines = text.split("\n").map(tidy).filter(Boolean);
  return lines.length > 1 && lines.every((line) => line.split(" ").length >= SHORTEST) ? lines : [text];
}

/** @param {string} words  what they are for @param {{isProof?: boolean}} [options]  whether the signer's answer about a proof is shown there */
export function shareFields(words, { isProof = false } = {}) {
  /** @type {HTMLTextAreaElement[]} */
  const fields = [];
  const list = h("div", { class: "fields-box" });
  const box = h("fieldset", { class: "shares" }, h("legend", {}, words), h("p", { class: "help" }, t("One sheet in each field, in any order. Pasted sheets, one on each line, go to a field each.")), list);
  const add = () => {
    const data = { secret: SECRET, ...(isProof ? { proof: "yes" } : {}) };
    const field = h("textarea", { rows: "2", spellcheck: "false", autocapitalize: "none", autocomplete: "off", data, oninput: () => spread(field) });
    fields.push(field);
    list.append(h("label", { class: "field" }, h("span", { class: "label" }, t("Sheet {number}", { number: fields.length })), field));
    return field;
  };
  const grow = () => {
    while (fields.length < LEAST || (fields.length < MOST && fields.every(({ value }) => value.trim()))) add();
  };
  /** @param {string} sheet */
  const put = (sheet) => {
    const free = fields.find(({ value }) => !value.trim()) ?? fields[fields.length - 1];
    free.value = [free.value.trim(), sheet].filter(Boolean).join("\n");
    grow();
  };
  /** @param {HTMLTextAreaElement} field */
  const spread = (field) => {
    const [first, ...more] = sheetsIn(field.value);
    if (more.length) field.value = first;
    grow();
    more.forEach(put);
  };
  const clear = () => {
    fields.length = 0;
    fill(list);
    grow();
  };
  const isEmpty = () => fields.every(({ value }) => !value.trim());
  /** One sheet a line, as the signer reads them; the fields keep them. */
  const bytes = () => new TextEncoder().encode(fields.flatMap(({ value }) => sheetsIn(value)).map(tidy).filter(Boolean).join("\n"));
  grow();
  return {
    box,
    put,
    clear,
    isEmpty,
    bytes,
    /** Says where the words are missing. */
    check: () => {
      if (isEmpty()) throw missingProof(fields[0], t("Type the words of the sheets."));
    },
    /** The same, and the fields are emptied at once. */
    taken: () => {
      const found = bytes();
      clear();
      return found;
    },
  };
}

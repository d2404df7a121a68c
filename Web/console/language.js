// The words of the console in the person's language. English stands in the code; the other languages are in `languages/`, with the
// English text as the key. A text that a language lacks is shown in English.

/** The languages that have a file in `languages/`. @type {string[]} */
const LANGUAGES = [];

/** Scripts that are written from right to left, by language. */
const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur"]);

/** @typedef {Record<string, string>} Forms  plural forms by their CLDR names: `one`, `other` … */

/** @type {Record<string, string | Forms>} */
let catalogue = {};
let locale = "en";
let plurals = new Intl.PluralRules("en");

/** The language in use, as a BCP 47 tag: for dates and numbers. */
export function language() {
  return locale;
}

/** The first of the person's languages that this console speaks. @param {readonly string[]} [wanted] */
export function chosen(wanted = navigator.languages ?? []) {
  for (const tag of wanted) {
    const [name] = tag.toLowerCase().split("-");
    if (name === "en" || LANGUAGES.includes(name)) return name;
  }
  return "en";
}

/** Loads the words of a language. The console stays in English if they cannot be had. @param {string} [name] */
export async function speak(name = chosen()) {
  if (name !== "en") {
    try {
      const response = await fetch(`/languages/${name}.json`);
      if (!response.ok) return;
      useLanguage(name, await response.json());
    } catch {
      return;
    }
  }
}

/** @param {string} name @param {Record<string, string | Forms>} words */
export function useLanguage(name, words) {
  catalogue = words;
  locale = name;
  plurals = new Intl.PluralRules(name);
  document.documentElement.lang = name;
  document.documentElement.dir = RIGHT_TO_LEFT.has(name) ? "rtl" : "ltr";
}

/**
 * A text: `t("Paired {when}", { when: "today" })`.
 * @param {string} english
 * @param {Record<string, string | number>} [values]  for what stands in braces
 */
export function t(english, values) {
  const found = catalogue[english];
  return filled(typeof found === "string" ? found : english, values);
}

/**
 * A text about a number: `tn(3, "{count} request waits", "{count} requests wait")`. The key in the catalogues is the second form.
 * @param {number} count
 * @param {string} one
 * @param {string} other
 * @param {Record<string, string | number>} [values]
 */
export function tn(count, one, other, values) {
  const found = catalogue[other];
  const form = plurals.select(count);
  const text = typeof found === "object" ? found[form] ?? found.other : count === 1 ? one : other;
  return filled(text, { count: count.toLocaleString(locale), ...values });
}

/**
 * A sentence with elements in it: `rich("Signs as {name}.", { name: h("strong", {}, name) })`. The elements go where the language
 * wants them.
 * @param {string} english
 * @param {Record<string, import("./dom.js").Child>} values
 * @returns {import("./dom.js").Child[]}
 */
export function rich(english, values) {
  const found = catalogue[english];
  return (typeof found === "string" ? found : english).split(/(\{\w+\})/).map((part) => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    return name !== undefined && name in values ? values[name] : part;
  });
}

/** @param {string} text @param {Record<string, string | number>} [values] */
function filled(text, values) {
  return values ? text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole)) : text;
}

// The modules that use this one wait here, so that their tables of words may call t() as they load.
await speak();

// The words of the console in the person's language. English stands in the code; the other languages are in `languages/`, with the
// English text as the key. A text that a language lacks is shown in English.

/** The languages that have a file in `languages/`, by what they call themselves. @type {Record<string, string>} */
export const LANGUAGES = { de: "Deutsch", es: "Español", ja: "日本語", pt: "Português" };

/** Where this browser keeps the language that the person chose. */
const CHOICE = "language";

/** Scripts that are written from right to left, by language. */
const RIGHT_TO_LEFT = new Set(["ar", "fa", "he", "ur"]);

/** @typedef {Record<string, string>} Forms  plural forms by their CLDR names: `one`, `other` … */

/** @typedef {{console: Record<string, string | Forms>, signer?: Record<string, string>}} Words  of one language */

/** @type {Record<string, string | Forms>} */
let catalogue = {};
let locale = "en";
let plurals = new Intl.PluralRules("en");

/** The language in use, as a BCP 47 tag: for dates and numbers. */
export function language() {
  return locale;
}

/** The language with the person's region, if the browser names one: "en-GB" writes times in another way than "en-US". */
export function region() {
  return navigator.languages?.find((tag) => tag.split("-")[0].toLowerCase() === locale) ?? locale;
}

/** The language that the person chose here, or "" for what the browser says. */
export function choice() {
  return localStorage.getItem(CHOICE) ?? "";
}

/** @param {string} name  "" for what the browser says */
export function choose(name) {
  if (name) localStorage.setItem(CHOICE, name);
  else localStorage.removeItem(CHOICE);
}

/** The first of the person's languages that this console speaks. @param {readonly string[]} [wanted] */
export function chosen(wanted = [choice(), ...(navigator.languages ?? [])]) {
  for (const tag of wanted) {
    const [name] = tag.toLowerCase().split("-");
    if (name === "en" || Object.hasOwn(LANGUAGES, name)) return name;
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

/** @param {string} name @param {Words} words */
export function useLanguage(name, words) {
  catalogue = words.console;
  learn(words.signer ?? {});
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

/**
 * Translates the words of the page's frame, which stand in index.html: the text of what is marked `data-t`, and its tooltip and label.
 */
export function translateFrame() {
  for (const one of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-t]"))) {
    if (!one.childElementCount && one.textContent) one.textContent = t(one.textContent);
    for (const name of ["title", "aria-label"]) if (one.hasAttribute(name)) one.setAttribute(name, t(one.getAttribute(name) ?? ""));
  }
}

/** @param {string} text @param {Record<string, string | number>} [values] */
function filled(text, values) {
  return values ? text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole)) : text;
}

// What the signer says. It speaks English, with names and numbers filled in.

/** The longest sentence of the signer that is looked up. */
const LONGEST = 600;
/** What these fill in is a phrase of the signer's own, and never an app's word. */
const PHRASES = new Set(["thing", "things", "what", "why", "missing"]);

/** @type {Map<string, string>} */
let sentences = new Map();
/** @typedef {{start: string, shape: RegExp, names: string[], text: string}} Pattern */
/** @type {Pattern[]} */
let patterns = [];

/** @param {Record<string, string>} words */
function learn(words) {
  const all = Object.entries(words);
  sentences = new Map(all.filter(([english]) => !english.includes("{")));
  // A sentence with more words of its own says more exactly what is meant.
  patterns = all.filter(([english]) => english.includes("{")).map(pattern).sort((a, b) => b.shape.source.length - a.shape.source.length);
}

/** @param {[string, string]} entry @returns {Pattern} */
function pattern([english, text]) {
  const parts = english.split(/\{(\w+)\}/);
  const shape = parts.map((part, at) => (at % 2 ? "(.+?)" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))).join("");
  return { start: parts[0], shape: new RegExp(`^${shape}$`), names: parts.filter((_, at) => at % 2), text };
}

/** What the pages say in the place of sentences with a command in them. @type {Pattern[]} */
let instead = [];
/** Sentences whose command no page has a button for. @type {Pattern[]} */
let kept = [];

/** @param {Record<string, string>} words  by the signer's sentence, "" for nothing @param {string[]} commands  that are shown as they are */
export function sayInstead(words, commands) {
  instead = Object.entries(words).map(pattern);
  kept = commands.map((one) => pattern([one, one]));
}

/**
 * What the signer says, in the person's language: a title, a reason, a warning, an error. It is compared with the signer's own sentences,
 * and shown in English if it is none of them. Names in it stay as they are. Never give it a text that an app may choose as a whole.
 * @param {string} english
 */
export function fromSigner(english) {
  if (typeof english !== "string" || english.length > LONGEST) return english;
  const whole = matched(instead, english) ?? sentence(english);
  if (whole !== undefined) return whole;
  const parts = parted(english), own = parts.map((one) => matched(instead, one));
  const several = parts.map((one, at) => own[at] ?? sentence(one));
  const isKnown = !several.includes(undefined);
  const shown = isKnown ? several : parts.map((one, at) => own[at] ?? one);
  return shown.filter(Boolean).join(locale === "ja" && isKnown ? "" : " ");
}

/** Something to type: a command of the signer's, or an option of one. */
const COMMAND = /\bholdfast [a-z]|(?:^|[ (])--[a-z]/;

/** What the signer advises. A command that no page speaks of is left out: who reads this has the page. @param {string} english */
export function adviceFromSigner(english) {
  if (typeof english !== "string" || isKnownAdvice(english)) return fromSigner(english);
  return fromSigner(parted(english).filter((one) => !COMMAND.test(one) || isKnownAdvice(one)).join(" "));
}

/** @param {string} english */
function isKnownAdvice(english) {
  return (matched(instead, english) ?? matched(kept, english)) !== undefined;
}

/** The sentences of a text. @param {string} english */
function parted(english) {
  return english.split(/(?<=[.?!]) (?=[A-Z“])/);
}

/** @param {string} english @returns {string | undefined} */
function sentence(english) {
  const exact = sentences.get(english);
  if (exact !== undefined) return exact;
  return matched(patterns, english);
}

/** The words of the first pattern that a sentence has. @param {Pattern[]} list @param {string} english @returns {string | undefined} */
function matched(list, english) {
  for (const { start, shape, names, text } of list) {
    const found = english.startsWith(start) && shape.exec(english);
    if (found) return filled(text, Object.fromEntries(names.map((name, at) => [name, PHRASES.has(name) ? phrase(found[at + 1]) : found[at + 1]])));
  }
  return undefined;
}

/** A name of the signer's for a thing, such as a kind of event. @param {string} english */
export function phrase(english) {
  const exact = sentences.get(english) ?? (Object.hasOwn(catalogue, english) ? catalogue[english] : undefined);
  const found = exact ?? fromSomewhere(english) ?? byNumber(english) ?? matched(patterns, english) ?? english;
  return typeof found === "string" ? found : english;
}

/** A kind of event that no table names. @param {string} english @returns {string | undefined} nothing for another phrase */
function byNumber(english) {
  const [, many, kind] = /^(events of )?kind (\d{1,5})$/.exec(english) ?? [];
  return kind && (many ? t("events of kind {kind}", { kind }) : t("kind {kind}", { kind }));
}

/** What happened and where it came from: "a failed sign-in, from 192.0.2.7". @param {string} english @returns {string | undefined} nothing for another phrase */
function fromSomewhere(english) {
  const [, what, place] = /^(.+?), (from .+)$/.exec(english) ?? [];
  return place && `${sentences.get(what) ?? what}, ${sentence(place) ?? place}`;
}

// The modules that use this one wait here, so that their tables of words may call t() as they load.
await speak();

// Small pieces that many pages use.

import { announce, h, notice } from "../dom.js";
import { t } from "../language.js";
import { inWords } from "./classes.js";
import { ruled } from "./rules.js";
import { SECRET } from "./typed.js";
import { fullTime, relativeTime } from "../words.js";

/** The latest time that a Date can represent, in seconds since 1970. */
const LAST = 8_640_000_000_000;

/** A relative time, with the exact time on hover. @param {number} seconds */
export function when(seconds) {
  if (!(Math.abs(seconds) <= LAST)) return h("span", {}, t("at an unknown time"));
  renewSoon();
  return h("time", { datetime: new Date(seconds * 1000).toISOString(), title: fullTime(seconds) }, relativeTime(seconds));
}

/** Keeps every relative time on the page up to date. A browser lets the clock of a page that is out of sight stand still. */
export function startClock() {
  setInterval(renewTimes, 10_000);
  document.addEventListener("visibilitychange", renewTimes);
}

let isRenewing = false;

/** Rows that came at one time show one age, also if one of them was drawn earlier. */
function renewSoon() {
  if (isRenewing) return;
  isRenewing = true;
  requestAnimationFrame(() => {
    isRenewing = false;
    renewTimes();
  });
}

function renewTimes() {
  for (const one of document.querySelectorAll("time")) {
    const words = relativeTime(Date.parse(one.dateTime) / 1000);
    if (one.textContent !== words) one.textContent = words;
  }
}

/** The first letter of a name on a colour derived from a key, so that an app always has the same colour. @param {string} name @param {string} key */
export function avatar(name, key) {
  const hue = parseInt(key.slice(0, 4), 16) % 12 || 0;
  return h("span", { class: `avatar hue-${hue}`, "aria-hidden": "true" }, [...name.trim()][0]?.toUpperCase() ?? "?");
}

/** A button that cannot be pressed again while its action runs. @param {import("../dom.js").Child} label @param {(button: HTMLButtonElement) => unknown} act @param {object} [more] */
export function button(label, act, more = {}) {
  const made = h("button", { type: "button", ...more, onclick: () => busy(made, () => act(made)) }, label);
  return made;
}

/** @param {HTMLButtonElement} pressed @param {() => unknown} work */
export async function busy(pressed, work) {
  if (pressed.getAttribute("aria-busy") === "true") return;
  pressed.setAttribute("aria-busy", "true");
  try {
    await work();
  } finally {
    pressed.removeAttribute("aria-busy");
  }
}

/**
 * A text field with its label.
 * @param {string} label
 * @param {{[attribute: string]: any, rule?: import("./rules.js").Rule, missing?: string}} properties  `rule`: what it asks of its text; `missing`:
 *   what it says when it is required and empty
 * @param {string} [help]
 */
export function field(label, { rule, missing, ...properties }, help) {
  const input = h("input", { type: "text", autocomplete: "off", spellcheck: "false", autocapitalize: "none", ...properties });
  // It stays a secret while it is shown.
  if (properties.type === "password") input.dataset.secret = SECRET;
  ruled(input, { rule, missing });
  const box = h(
    "label",
    { class: "field" },
    h("span", { class: "label" }, label),
    input,
    help && h("span", { class: "help" }, help),
  );
  return { box, input: /** @type {HTMLInputElement} */ (input) };
}

/**
 * A button that shows and hides what is typed in secret fields.
 * @param {HTMLInputElement[]} inputs @param {object} [more]  properties of the button @param {(isShown: boolean) => void} [changed]
 */
export function showButton(inputs, more = {}, changed = () => {}) {
  const pressed = h("button", { type: "button", class: "quiet", ...more, "aria-pressed": "false", onclick: () => show(inputs[0].type === "password") }, t("Show"));
  const show = (/** @type {boolean} */ isShown) => {
    for (const input of inputs) input.type = isShown ? "text" : "password";
    pressed.textContent = isShown ? t("Hide") : t("Show");
    pressed.setAttribute("aria-pressed", String(isShown));
    changed(isShown);
  };
  return { button: pressed, show };
}

/** A choice from a list. @param {string} label @param {[string, string][]} options  value and words @param {string} chosen @param {object} [properties] */
export function choice(label, options, chosen, properties = {}) {
  const select = h(
    "select",
    properties,
    options.map(([value, words]) => h("option", { value, selected: value === chosen }, words)),
  );
  const box = h("label", { class: "field" }, h("span", { class: "label" }, label), select);
  return { box, select: /** @type {HTMLSelectElement} */ (select) };
}

/** What a page shows when there is nothing to list. @param {string} title @param {...import("../dom.js").Child} more */
export function nothing(title, ...more) {
  return h("div", { class: "nothing" }, h("p", { class: "nothing-title" }, title), ...more);
}

/** A failure, shown next to its form. One that comes from a locked signer has a button that unlocks it. @param {any} failure */
export function fault(failure) {
  const box = h("p", { class: "fault", role: "alert" }, inWords(failure.message), failure.hint && h("span", { class: "help" }, inWords(failure.hint)));
  if (failure.unlock) box.append(" ", unlockButton(failure.unlock, box));
  return box;
}

/** @param {() => Promise<boolean>} unlock @param {HTMLElement} box  goes once the signer is unlocked */
function unlockButton(unlock, box) {
  return button(t("Unlock…"), async () => {
    if (await unlock()) box.remove();
  }, { class: "small" });
}

/** Copies a text, and says so to screen readers. @param {string} text @returns {Promise<boolean>} whether the browser allowed it */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    notice(t("The browser does not allow copying here. Select the text instead."), { bad: true });
    return false;
  }
  announce(t("Copied"));
  return true;
}

/** A button that copies a text and confirms it on its label. @param {string} text @param {string} label @param {() => void} [done] */
export function copyButton(text, label = t("Copy"), done = undefined) {
  return button(label, async (pressed) => {
    if (!await copyText(text)) return;
    done?.();
    pressed.textContent = t("Copied");
    setTimeout(() => {
      pressed.textContent = label;
    }, 2000);
  }, { class: "small" });
}

// Makes elements from names and texts only. Nothing in this console turns a text into markup, and no link leads to another site.
// Whatever an app says about itself is shown as plain text.

const SVG = "http://www.w3.org/2000/svg";

/** The allowed attributes. Any other one is a programming error and is found at once. */
const ALLOWED = new Set([
  "class",
  "id",
  "type",
  "name",
  "value",
  "for",
  "rows",
  "cols",
  "min",
  "max",
  "step",
  "placeholder",
  "autocomplete",
  "spellcheck",
  "inputmode",
  "maxlength",
  "tabindex",
  "role",
  "title",
  "dir",
  "lang",
  "datetime",
  "scope",
  "download",
  "open",
  "disabled",
  "checked",
  "selected",
  "required",
  "novalidate",
  "readonly",
  "hidden",
  "autocapitalize",
  "colspan",
  "pattern",
  "autofocus",
  "playsinline",
  "muted",
]);

/**
 * @typedef {any} Child  a node, a text, a number, nothing (null, undefined, false), or a list of these
 * @typedef {Record<string, any>} Properties  attributes; `on…` functions are listeners; `data` becomes data attributes
 */

/**
 * One element.
 * @param {string} tag
 * @param {Properties | null} [properties]
 * @param {...Child} children  texts become text nodes
 * @returns {any}
 */
export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) set(element, name, value);
  append(element, children);
  return element;
}

/**
 * One SVG element. Its attributes come from our own numbers only.
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 * @param {...Child} children
 * @returns {any}
 */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (/^(on|href|xlink|style)/i.test(name)) throw new Error(`not an attribute to draw with: ${name}`);
    element.setAttribute(name, String(value));
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {string} name
 * @param {any} value
 */
function set(element, name, value) {
  if (value === undefined || value === null || value === false) return;
  if (name.startsWith("on")) {
    element.addEventListener(name.slice(2), value);
  } else if (name === "data") {
    Object.assign(/** @type {HTMLElement} */ (element).dataset, value);
  } else if (name === "href") {
    if (!String(value).startsWith("#")) throw new Error("a link stays in the console");
    element.setAttribute("href", value);
  } else if (ALLOWED.has(name) || name.startsWith("aria-")) {
    element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
  } else {
    throw new Error(`not an attribute to set: ${name}`);
  }
}

/**
 * @param {Element} element
 * @param {Child[]} children
 */
function append(element, children) {
  for (const child of children) {
    if (Array.isArray(child)) append(element, child);
    else if (child instanceof Node) element.append(child);
    else if (child !== null && child !== undefined && child !== false) element.append(String(child));
  }
}

/**
 * Replaces the contents of an element. The focus stays on the control with the same `data-focus` name.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  const active = document.activeElement;
  const name = active instanceof HTMLElement && element.contains(active) ? active.dataset.focus : undefined;
  element.replaceChildren();
  append(element, children);
  if (name) /** @type {HTMLElement | null} */ (element.querySelector(`[data-focus="${CSS.escape(name)}"]`))?.focus();
}

/**
 * Updates the elements of a list. Elements with a known key stay, so that nothing is rebuilt while a person reads it or types in it.
 * @template T
 * @param {Element} container
 * @param {T[]} items
 * @param {(item: T) => string} key
 * @param {(item: T) => HTMLElement} make
 * @param {(element: HTMLElement, item: T) => void} [renew]
 */
export function keyed(container, items, key, make, renew) {
  /** @type {Map<string, HTMLElement>} */
  const known = new Map();
  for (const child of container.children) {
    if (child instanceof HTMLElement && child.dataset.key !== undefined) known.set(child.dataset.key, child);
  }
  /** @type {HTMLElement[]} */
  const wanted = items.map((item) => {
    const name = key(item);
    const found = known.get(name);
    if (found) {
      renew?.(found, item);
      return found;
    }
    const made = make(item);
    made.dataset.key = name;
    return made;
  });
  const keep = new Set(wanted);
  for (const child of [...container.children]) if (!keep.has(/** @type {HTMLElement} */ (child))) child.remove();
  wanted.forEach((element, index) => {
    if (container.children[index] !== element) container.insertBefore(element, container.children[index] ?? null);
  });
}

/** How long what was announced stays in the page, in milliseconds. What is still there when a dialog closes may be read once more. */
const ANNOUNCED = 5_000;
/** @type {number | undefined} */
let announced;

/** Announces a text to screen readers. @param {string} text */
export function announce(text) {
  const announcer = document.getElementById("announcer");
  if (!announcer) return;
  clearTimeout(announced);
  announcer.textContent = text;
  if (text) announced = setTimeout(() => announcer.replaceChildren(), ANNOUNCED);
}

/** The most notices at once; an older one makes room. */
const MOST_NOTICES = 2;

/** In a narrow window a dialog may need all of it, so it hides notices: styles/narrow.css. */
const narrow = matchMedia("(max-width: 860px)");

/** Removes a notice after a time, in milliseconds; not while a dialog hides it. @param {HTMLElement} box @param {number} time */
function passAfter(box, time) {
  setTimeout(() => narrow.matches && document.querySelector("dialog[open]") ? passAfter(box, 3_000) : box.remove(), time);
}

/**
 * A notice that disappears automatically, or when it is pressed. It has a place of its own, beside the page, and is in the browser's top
 * layer: it covers nothing, and no dialog covers it.
 * @param {string} text
 * @param {{bad?: boolean, link?: [string, string], isFarewell?: boolean}} [options]  link: label and route. `isFarewell`: it says why the session
 *   ends, so it stays until somebody signs in
 * @returns {HTMLElement} it; remove it when what it says is over
 */
export function notice(text, { bad = false, link, isFarewell = false } = {}) {
  const notices = document.getElementById("notices");
  const box = h("p", { class: bad ? "notice bad" : "notice" }, h("span", {}, text, link && [" ", h("a", { href: link[1] }, link[0])]));
  box.addEventListener("click", () => box.remove());
  box.classList.toggle("farewell", isFarewell);
  notices?.append(box);
  // Those that can be taken back stay.
  const passing = notices?.querySelectorAll(".notice:not(.undo)") ?? [];
  for (const old of [...passing].slice(0, -MOST_NOTICES)) old.remove();
  raiseNotices();
  if (!isFarewell) passAfter(box, bad ? 10_000 : 6_000);
  return box;
}

/**
 * Removes the notices: what they say belongs to a session, or a signer, that has ended.
 * @param {{butHeld?: boolean, butFarewell?: boolean}} [options]  keeps those of answers that are held back, or those that say why the session ended
 */
export function clearNotices({ butHeld = false, butFarewell = false } = {}) {
  const kept = (butHeld ? ":not(.undo:not(.done))" : "") + (butFarewell ? ":not(.farewell)" : "");
  for (const one of document.querySelectorAll(`#notices .notice${kept}`)) one.remove();
}

/** Between a notice and what is below it, in pixels. */
const GAP = 8;
/** What a notice does not cover: the answers of a card, and the line that leads to its warning. */
const BARS = ".request:not(.closed) > .answers, .onward:not([hidden]) > button";

/** In a narrow window notices are above the menu, and above the answers of a card where those are. */
function placeNotices() {
  const notices = document.getElementById("notices"), menu = document.getElementById("menu");
  if (!notices) return;
  if (!narrow.matches) {
    notices.style.bottom = "";
    return;
  }
  const end = menu && !menu.hidden ? menu.getBoundingClientRect().top : innerHeight;
  const bars = [...document.querySelectorAll(BARS)].map((bar) => bar.getBoundingClientRect());
  const covered = bars.filter(({ top, bottom }) => top < end && bottom > end - GAP - notices.offsetHeight).map(({ top }) => top);
  notices.style.bottom = `${innerHeight - Math.min(end, ...covered) + GAP}px`;
}

/** Once the page has been laid out: the answers of a card may have moved. */
function placeSoon() {
  if (document.getElementById("notices")?.childElementCount) requestAnimationFrame(placeNotices);
}

addEventListener("scroll", placeSoon, { passive: true });
addEventListener("resize", placeSoon);
new ResizeObserver(placeSoon).observe(document.body);

/** Puts the notices above what was opened since. */
export function raiseNotices() {
  const notices = document.getElementById("notices");
  if (!notices?.showPopover || !notices.childElementCount) return;
  placeNotices();
  if (notices.matches(":popover-open")) notices.hidePopover();
  notices.showPopover();
}

// The answers of a card stay in reach at the bottom of the window, but not over a warning, and not before it was in sight. Where a whole
// bar would cover one, only its buttons float; where these would, too, a line says that a warning is further down.

import { h } from "../dom.js";
import { t } from "../language.js";
import { icon } from "./icons.js";

/** Where the page ends that one can see, in pixels from the window's top: on a phone the menu covers the rest. */
export function bottomInSight() {
  const menu = document.getElementById("menu");
  const isAtBottom = menu && !menu.hidden && getComputedStyle(menu).position === "fixed";
  return isAtBottom ? menu.getBoundingClientRect().top : innerHeight;
}

/** Keeps the bars of the cards right while the page is scrolled or changes. @param {HTMLElement} list @returns {() => void} ends it */
export function keepBars(list) {
  const settle = () => {
    const bottom = bottomInSight();
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (list.querySelectorAll(".request:not(.closed)"))) settleBar(card, bottom);
  };
  const sizes = new ResizeObserver(settle);
  sizes.observe(list);
  addEventListener("scroll", settle, { passive: true });
  addEventListener("resize", settle);
  return () => {
    sizes.disconnect();
    removeEventListener("scroll", settle);
    removeEventListener("resize", settle);
  };
}

/** A line above the answers that leads to the next warning. It takes no room. */
export function onward() {
  const line = h("div", { class: "onward", hidden: true }, h("button", { type: "button", onclick: () => toWarning(line) }, t("A warning is further down"), " ", icon("down")));
  return line;
}

/** @param {HTMLElement} line */
function toWarning(line) {
  const card = line.closest(".request");
  const next = card && warningsOf(card).find((one) => one.getBoundingClientRect().bottom > bottomInSight());
  next?.scrollIntoView({ block: "center" });
}

/** Those that are shown. @param {Element} card */
function warningsOf(card) {
  return [...card.querySelectorAll(".warning, .row-warning")].filter((one) => one.checkVisibility());
}

/** The bar floats once every warning is above it. It takes the same room either way, so nothing moves. @param {HTMLElement} card @param {number} bottom */
function settleBar(card, bottom) {
  const bar = /** @type {HTMLElement | null} */ (card.querySelector(".answers")), line = /** @type {HTMLElement | null} */ (card.querySelector(".onward"));
  if (!bar) return;
  const boxes = warningsOf(card).map((one) => one.getBoundingClientRect());
  const whole = bar.getBoundingClientRect().height;
  const height = [whole, heightOfButtons(bar)].find((one) => boxes.every((box) => box.bottom <= bottom - one));
  card.classList.toggle("floats", height !== undefined);
  bar.style.setProperty("--out-of-sight", `${whole - (height ?? whole)}px`);
  if (line) settleLine(line, boxes, height === undefined && bar.getBoundingClientRect().top >= bottom, bottom);
}

/** The height of the line about a warning, in pixels. */
const ONWARD = 52;

/**
 * The line ends what is in sight of the card, as the answers do, while a warning is below it and none is under it.
 * @param {HTMLElement} line @param {DOMRect[]} boxes  of the warnings @param {boolean} isWanted @param {number} bottom
 */
function settleLine(line, boxes, isWanted, bottom) {
  const isFurtherDown = boxes.some((box) => box.bottom > bottom), isOver = boxes.some((box) => box.bottom > bottom - ONWARD && box.top < bottom);
  line.toggleAttribute("hidden", !isWanted || !isFurtherDown || isOver);
  line.style.bottom = `${innerHeight - bottom}px`;
}

/** How high the bar is down to its buttons, in pixels. @param {HTMLElement} bar */
function heightOfButtons(bar) {
  const buttons = bar.querySelector(".buttons")?.getBoundingClientRect(), { top, height } = bar.getBoundingClientRect();
  return buttons ? Math.min(height, buttons.bottom - top + (buttons.top - top)) : height;
}

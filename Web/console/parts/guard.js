// A click is meant for what was under the pointer when the person decided. A card that has just appeared, moved or changed is
// therefore deaf for a moment, and so is each one when the window has just come to the front.

const MOMENT = 700;
const deafUntil = new WeakMap();

/** @param {HTMLElement} card */
export function hush(card) {
  const until = performance.now() + MOMENT;
  deafUntil.set(card, until);
  card.classList.add("settling");
  setTimeout(() => {
    if (deafUntil.get(card) === until) card.classList.remove("settling");
  }, MOMENT);
}

// A window that comes to the front may have stood under the pointer all the time, behind another page's window that went away between two
// clicks: what was under the pointer when the person decided was that page.
addEventListener("focus", () => {
  for (const card of document.querySelectorAll(".request")) hush(/** @type {HTMLElement} */ (card));
});

/** @param {HTMLElement} card */
export function isDeaf(card) {
  return performance.now() < (deafUntil.get(card) ?? 0);
}

/** Runs a change of the list and hushes every card that is new or stands elsewhere after it. @param {HTMLElement} list @param {() => void} change */
export function hushingWhatMoves(list, change) {
  const before = new Map([...list.children].map((card) => [card, card.getBoundingClientRect().top]));
  change();
  for (const card of list.children) {
    const top = before.get(card);
    if (top === undefined || Math.abs(top - card.getBoundingClientRect().top) > 2) hush(/** @type {HTMLElement} */ (card));
  }
}

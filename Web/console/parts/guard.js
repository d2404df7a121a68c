// A click is meant for what was under the pointer when the person decided. Therefore a card that has just appeared, moved or
// changed ignores clicks for a moment. So does every card when the window has just come to the front.

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

// A window that comes to the front may have been under the pointer all the time, behind a window that closed between two clicks.
// The person then decided on what that other window showed.
addEventListener("focus", () => {
  for (const card of document.querySelectorAll(".request")) hush(/** @type {HTMLElement} */ (card));
});

/** @param {HTMLElement} card */
export function isDeaf(card) {
  return performance.now() < (deafUntil.get(card) ?? 0);
}

/** Changes the list, and makes every card that is new or has moved ignore clicks for a moment. @param {HTMLElement} list @param {() => void} change */
export function hushingWhatMoves(list, change) {
  const before = new Map([...list.children].map((card) => [card, card.getBoundingClientRect().top]));
  change();
  for (const card of list.children) {
    const top = before.get(card);
    if (top === undefined || Math.abs(top - card.getBoundingClientRect().top) > 2) hush(/** @type {HTMLElement} */ (card));
  }
}

// The answers of a card stay in reach at the bottom of the window, but not over a warning, and not before it was in sight.

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

/** The bar floats once every warning is above it. It takes the same room either way, so nothing moves. @param {HTMLElement} card @param {number} bottom */
function settleBar(card, bottom) {
  const bar = card.querySelector(".answers");
  const warnings = [...card.querySelectorAll(".warning, .row-warning")].filter((one) => one.checkVisibility());
  const top = bottom - (bar?.getBoundingClientRect().height ?? 0);
  card.classList.toggle("floats", warnings.every((one) => one.getBoundingClientRect().bottom <= top));
}

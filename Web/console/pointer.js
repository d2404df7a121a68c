// When the page may be redrawn: not between the press and the release of a click, which would then be lost.

/** Milliseconds after which a press counts as ended: a release outside the window may not be reported. */
const LONGEST = 1000;

let isDown = false;
/** @type {(() => void)[]} */
const waiting = [];

function released() {
  isDown = false;
  for (const go of waiting.splice(0)) go();
}

addEventListener("pointerdown", () => {
  isDown = true;
}, true);
// The click event follows directly after the release.
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(released), true);
addEventListener("blur", released);

/** Resolves when no button or finger is pressed. @returns {Promise<void>} */
export function unpressed() {
  if (!isDown) return Promise.resolve();
  return new Promise((go) => {
    waiting.push(go);
    setTimeout(go, LONGEST);
  });
}

// When the page may be drawn anew: not between the press and the release of a click, which would go to nothing.

/** Milliseconds after which a press counts as over: a release outside the window may not be heard. */
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
// The click itself comes right behind the release.
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(released), true);
addEventListener("blur", released);

/** Ends when no button or finger is down. @returns {Promise<void>} */
export function unpressed() {
  if (!isDown) return Promise.resolve();
  return new Promise((go) => {
    waiting.push(go);
    setTimeout(go, LONGEST);
  });
}

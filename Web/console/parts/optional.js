// What is there only where the signer has that part.

/** A section that is there only where the signer has that part. @param {import("../view.js").View} view @param {HTMLElement} box @param {string[]} hints @param {() => Promise<void>} draw */
export function optional(view, box, hints, draw) {
  box.hidden = true;
  view.keep(hints, async () => {
    try {
      await draw();
      box.hidden = false;
    } catch (failure) {
      if (!(/** @type {any} */ (failure).isUnknown)) throw failure;
    }
  });
}

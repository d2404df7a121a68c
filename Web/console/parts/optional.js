// Sections that exist only if the signer supports them.

/** A section that is shown only if the signer supports it. @param {import("../view.js").View} view @param {HTMLElement} box @param {string[]} hints @param {() => Promise<void>} draw */
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

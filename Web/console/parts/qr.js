// A QR code, drawn from modules that the signer computed.

import { call } from "../api.js";
import { h, svg } from "../dom.js";

/** Light modules around the code, as the standard requires. */
const QUIET = 4;

/**
 * @param {string} text
 * @param {string} label
 * @param {{secret?: boolean}} [options]  a secret is sent beside the JSON
 * @returns {Promise<any>} empty when the signer cannot make one
 */
export async function qrCode(text, label, { secret = false } = {}) {
  try {
    const { size, modules } = await (secret
      ? call("pair/qr", {}, { text: new TextEncoder().encode(text) })
      : call("pair/qr", { text }));
    return drawn(size, modules, label);
  } catch {
    return h("span", { hidden: true });
  }
}

/** @param {number} size  modules on a side @param {string} modules  "0" and "1", row after row @param {string} label */
function drawn(size, modules, label) {
  const side = size + 2 * QUIET;
  let path = "";
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      if (modules[row * size + column] === "1") path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
    }
  }
  return svg(
    "svg",
    { viewBox: `0 0 ${side} ${side}`, class: "qr", role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
    svg("rect", { width: side, height: side, fill: "#fff" }),
    svg("path", { d: path, fill: "#000" }),
  );
}

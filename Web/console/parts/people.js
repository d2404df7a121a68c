// People by their public keys: a picture drawn from the key, the key, and what they call themselves if the owner wants to see it.

import { h } from "../dom.js";
import { rich, t } from "../language.js";
import { shortKey } from "../words.js";
import { keyText } from "./keytext.js";

const SVG = "http://www.w3.org/2000/svg";
/** Cells on a side of a picture. Its left half is mirrored. */
const CELLS = 5;
/** Hues that the two colours of a picture are chosen from, in degrees. */
const HUES = 360;

/**
 * A picture drawn from a public key, the same each time. Two keys that begin and end alike look different. Nothing is fetched for it.
 * @param {string} pubkey  64 hex digits
 */
export function keyPicture(pubkey) {
  const bytes = (pubkey.match(/../g) ?? []).map((pair) => parseInt(pair, 16));
  const mixed = (/** @type {number} */ from) => bytes.reduce((sum, byte, at) => (sum * 31 + byte * (at + from + 1)) >>> 0, from);
  const picture = document.createElementNS(SVG, "svg");
  for (const [name, value] of [["viewBox", `0 0 ${CELLS} ${CELLS}`], ["class", "key-picture"], ["aria-hidden", "true"]]) picture.setAttribute(name, value);
  const hue = mixed(1) % HUES, bits = mixed(2);
  picture.append(cell(0, 0, CELLS, `hsl(${hue} 45% 88%)`));
  const half = Math.ceil(CELLS / 2);
  for (let at = 0; at < half * CELLS; at += 1) {
    if (!(bits >>> at & 1)) continue;
    const [column, row] = [at % half, Math.floor(at / half)];
    for (const x of new Set([column, CELLS - 1 - column])) picture.append(cell(x, row, 1, `hsl(${(hue + (bits >>> 16)) % HUES} 60% 38%)`));
  }
  return picture;
}

/** @param {number} x @param {number} y @param {number} side @param {string} colour */
function cell(x, y, side, colour) {
  const square = document.createElementNS(SVG, "rect");
  for (const [name, value] of Object.entries({ x, y, width: side, height: side, fill: colour })) square.setAttribute(name, String(value));
  return square;
}

/**
 * A person in a request.
 * @param {{npub?: string, pubkey?: string, name?: string, name_shared?: boolean}} one
 * @param {{isOne?: boolean}} [options]  whether it is the only one in its place, and not one of many
 */
export function person(one, { isOne = false } = {}) {
  const key = one.npub ?? one.pubkey ?? "";
  return h(
    "span",
    { class: "person" },
    one.pubkey && keyPicture(one.pubkey),
    keyText(key, { copies: isOne }),
    one.name && h(
      "span",
      { class: "claim" },
      rich("says to be {name}", { name: h("bdi", {}, one.name) }),
      one.name_shared && h("strong", { class: "row-warning" }, " ", t("Another key uses this name, too.")),
    ),
  );
}

/** A person in a line of text. @param {{npub?: string, pubkey?: string, name?: string}} one */
export function personWords(one) {
  const key = shortKey(String(one.npub ?? one.pubkey));
  return one.name ? `${key} (“${one.name}”)` : key;
}

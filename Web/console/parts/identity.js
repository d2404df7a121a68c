// The appearance of an identity: its colour and emoji, its tags, and where it came from.

import { h, svg } from "../dom.js";
import { t } from "../language.js";
import { shortKey } from "../words.js";
import { avatar } from "./common.js";
import { classTitle, isHereOnly } from "./classes.js";

/** A time in seconds or milliseconds since 1970, as seconds. @param {number} time */
export function seconds(time) {
  return time > 1e11 ? time / 1000 : time;
}

/** The identity's colour and emoji. Without them, a letter as for apps. @param {any} identity */
export function face(identity) {
  const colour = /^#[0-9a-f]{6}$/i.test(identity.colour ?? "") ? identity.colour : "";
  if (!colour && !identity.emoji) return avatar(identity.name, identity.pubkey);
  return svg(
    "svg",
    { class: "face", viewBox: "0 0 38 38", "aria-hidden": "true" },
    svg("rect", { width: 38, height: 38, rx: 11, fill: colour || "#8a9490" }),
    svg(
      "text",
      { x: 19, y: 20, "text-anchor": "middle", "dominant-baseline": "central", "font-size": 20, fill: isLight(colour) ? "#10201c" : "#fff" },
      identity.emoji || ([...identity.name.trim()][0]?.toUpperCase() ?? "?"),
    ),
  );
}

/** Whether dark text is more readable on the colour. @param {string} colour */
function isLight(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) || 0);
  return red * 0.299 + green * 0.587 + blue * 0.114 > 150;
}

/** @param {any} identity */
export function tags(identity) {
  return [
    identity.default && h("span", { class: "tag" }, t("default")),
    identity.retired && h("span", { class: "tag bad" }, t("retired")),
    identity.class && h("span", { class: "tag" }, classTitle(identity.class)),
    isHereOnly(identity.class) && h("span", { class: "tag fair" }, t("this device only")),
  ].filter(Boolean).flatMap((tag) => [" ", tag]);
}

/** @type {Record<string, string>} */
const ORIGINS = {
  created: t("made in this signer"),
  derived: t("another account of words that are here"),
  vanity: t("found by a search in this signer"),
  rotated: t("took the place of another key"),
  "imported-nsec": t("imported from an unencrypted key"),
  "imported-hex": t("imported from an unencrypted key"),
  "imported-ncryptsec": t("imported from an encrypted key"),
  "imported-mnemonic": t("imported from words"),
  "imported-key-file": t("imported from a key file"),
  "imported-amber": t("imported from Amber"),
  "imported-nos2x-fox": t("imported from nos2x-fox"),
  "imported-nsecbunker": t("imported from nsecBunker"),
  "imported-keep": t("imported from Keep"),
};

/** Where a key came from, in words; nothing for a code that is not known here. @param {string} origin @returns {string | undefined} */
export function originName(origin) {
  return Object.hasOwn(ORIGINS, origin) ? ORIGINS[origin] : undefined;
}

/** @param {any} identity */
export function originWords(identity) {
  const words = originName(identity.origin) ?? identity.origin ?? "";
  // The first account of words that were made here is the usual one, and not worth a number.
  const least = identity.origin === "created" ? 1 : 0;
  const isAccount = Number.isInteger(identity.account) && identity.account >= least;
  return isAccount ? t("{origin}, account {number}", { origin: words, number: identity.account }) : words;
}

/**
 * A link to each identity's page.
 * @param {any[]} identities @param {{ origin?: boolean }} shown whether it is said where the key came from
 */
export function identityRows(identities, { origin = false } = {}) {
  return h(
    "ul",
    { class: "rows" },
    identities.map((one) =>
      h(
        "li",
        {},
        h(
          "a",
          { class: "row wraps", href: keyRoute(one) },
          face(one),
          h(
            "span",
            { class: "row-words" },
            h("strong", { dir: "auto" }, one.name),
            origin && h("span", {}, originWords(one)),
            h("code", { class: "key" }, shortKey(one.npub)),
          ),
          h("span", { class: "tags" }, tags(one)),
        ),
      )
    ),
  );
}

/** The address of an identity's page. @param {{name: string}} identity @param {string} [more] */
export function keyRoute(identity, more = "") {
  return `#/keys/${encodeURIComponent(identity.name)}${more}`;
}

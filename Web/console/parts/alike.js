// Apps whose names look alike, told apart by what an app cannot choose: when it was paired, and a picture of its key.

import { h } from "../dom.js";
import { rich } from "../language.js";
import { known } from "../store.js";
import { shortKey } from "../words.js";
import { when } from "./common.js";
import { keyPicture } from "./people.js";

/** A name as the eye takes it: without case, accents of width, and more than one space. @param {string} name */
function asSeen(name) {
  return name.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase();
}

/** The paired apps of such a name. @param {string} name @returns {any[]} */
export function appsNamed(name) {
  return (known("clients") ?? []).filter((/** @type {any} */ one) => asSeen(one.name) === asSeen(name));
}

/** What tells an app from others of its name; nothing where there is no other. @param {{pubkey: string, signer?: string, name: string}} app */
export function toldApart(app) {
  const namesakes = appsNamed(app.name);
  if (namesakes.length < 2) return null;
  const paired = namesakes.find((one) => (app.signer ? one.signer === app.signer : one.pubkey === app.pubkey))?.paired;
  return h(
    "span",
    { class: "told-apart" },
    keyPicture(app.pubkey),
    " ",
    h("span", {}, paired ? rich("paired {time}, key {key}", { time: when(paired), key: h("code", { class: "key" }, shortKey(app.pubkey)) }) : h("code", { class: "key" }, shortKey(app.pubkey))),
  );
}

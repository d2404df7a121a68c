// Relays for a new link, where the signer's own are on this machine only: a short list that the person edits and tries.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { fromSigner, t, tn } from "../language.js";
import { button, field } from "./common.js";
import { thisMachine } from "./thismachine.js";

/** How many relays are suggested at first. */
const FEW = 2;

/** The part of the form, and the relays that the link shall name. Empty for the signer's own. */
export function otherRelays() {
  const box = h("div", { class: "other-relays" });
  /** @type {string[]} */
  let chosen = [];
  call("relay/list").then((answer) => {
    if (answer.this_machine_only) {
      offer(box, answer.suggested, (urls) => {
        chosen = urls;
      });
    }
  }).catch(() => {/* An older signer: the link names its own relays. */});
  return { box, value: () => chosen };
}

/** @param {HTMLElement} box @param {string[]} suggested @param {(urls: string[]) => void} choose */
function offer(box, suggested, choose) {
  fill(
    box,
    h("p", { class: "warning" }, t("Works for apps on this machine. A phone cannot reach the signer's own relay.")),
    h(
      "div",
      { class: "buttons small" },
      button(t("Add a relay"), () => edit(box, suggested.slice(0, FEW), choose), { data: { focus: "add-relay" } }),
      button(t("This machine in your network…"), () => thisMachine((url) => edit(box, [url], choose))),
    ),
  );
}

/** @param {HTMLElement} box @param {string[]} urls @param {(urls: string[]) => void} choose */
function edit(box, urls, choose) {
  const list = h("ul", { class: "rows" });
  const another = field(t("Another relay"), { placeholder: "wss" + "://…", maxlength: "400", inputmode: "url" });
  const tell = () => choose([...list.children].map((row) => /** @type {HTMLElement} */ (row).dataset.url ?? ""));
  const add = (/** @type {string} */ url) => {
    if (!url || [...list.children].some((row) => /** @type {HTMLElement} */ (row).dataset.url === url)) return;
    list.append(oneRelay(url, tell));
    tell();
  };
  fill(
    box,
    h("p", { class: "label" }, t("Relays of the link")),
    h("p", { class: "help" }, t("Apps and the signer exchange encrypted messages there. A relay sees when, and how much, but not what.")),
    list,
    h(
      "div",
      { class: "inline" },
      another.box,
      button(t("Add"), () => {
        add(another.input.value.trim());
        another.input.value = "";
      }),
    ),
  );
  urls.forEach(add);
}

/** @param {string} url @param {() => void} removed */
function oneRelay(url, removed) {
  const state = h("span", { role: "status" }, t("Trying it…"));
  const row = h(
    "li",
    { class: "row", data: { url } },
    h("span", { class: "row-words" }, h("strong", { class: "whole" }, url), state),
    button(t("Remove"), () => {
      row.remove();
      removed();
    }, { class: "quiet", "aria-label": t("Remove {relay}", { relay: url }) }),
  );
  call("relay/try", { url }).then((answer) => fill(state, words(answer)), (failure) => fill(state, failure.message));
  return row;
}

/** @param {any} answer */
function words({ delivers, milliseconds, why, name, longest_message: longest, login, payment }) {
  const said = [
    delivers ? t("works, {count} ms", { count: milliseconds }) : t("does not work: {why}", { why: fromSigner(why) }),
    name && t("calls itself “{name}”", { name }),
    longest && tn(longest, "messages up to {count} byte", "messages up to {count} bytes"),
    login && t("wants a login"),
    payment && t("wants to be paid"),
  ];
  return h("span", { class: delivers ? "well" : "loss", dir: "auto" }, said.filter(Boolean).join(" · "));
}

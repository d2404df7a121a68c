// Relays for a new link, where the signer's own are on this machine only: a short list that the person edits and tries.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { fromSigner, t, tn } from "../language.js";
import { button, field } from "./common.js";
import { attempt, FieldFault } from "./faults.js";
import { bareWords, relayAddress, relayRule, SCHEME } from "./relayaddress.js";
import { thisMachine } from "./thismachine.js";

/** The part of the form, the relays that the link shall name (empty for the signer's own), and whether none of them works. */
export function otherRelays() {
  const box = h("div", { class: "other-relays" });
  /** @type {HTMLElement} */
  let list = h("ul", { class: "rows" });
  call("relay/list").then((answer) => {
    if (answer.this_machine_only) list = offer(box, answer.suggested);
  }).catch(() => {/* An older signer: the link names its own relays. */});
  const rows = () => /** @type {HTMLElement[]} */ ([...list.children]);
  return {
    box,
    value: () => rows().map((row) => row.dataset.url ?? ""),
    isDead: () => rows().length > 0 && rows().every((row) => row.dataset.works === "no"),
  };
}

/** @param {HTMLElement} box @param {string[]} suggested @returns {HTMLElement} the list of the relays that were chosen */
function offer(box, suggested) {
  const list = h("ul", { class: "rows" });
  const only = h("p", { class: "warning" }, t("Works for apps on this machine. A phone cannot reach the signer's own relay."));
  const editor = h("div", { class: "other-relays", hidden: true }), buttons = h("div", { class: "buttons small" });
  const add = (/** @type {string} */ url) => {
    if (!url || [...list.children].some((row) => /** @type {HTMLElement} */ (row).dataset.url === url)) return;
    list.append(oneRelay(url, () => {
      renew();
      goOn(editor);
    }));
    renew();
    goOn(editor);
  };
  const renew = () => {
    only.hidden = list.childElementCount > 0;
    for (const one of /** @type {NodeListOf<HTMLElement>} */ (editor.querySelectorAll(".suggested button"))) {
      one.hidden = [...list.children].some((row) => /** @type {HTMLElement} */ (row).dataset.url === one.dataset.url);
    }
  };
  const open = () => {
    buttons.hidden = true;
    editor.hidden = false;
    fill(editor, ...edit(list, suggested, add));
    renew();
    goOn(editor);
  };
  fill(
    buttons,
    button(t("Add a relay"), open, { data: { focus: "add-relay" } }),
    button(t("This machine in your network…"), () => thisMachine((url) => {
      open();
      add(url);
    })),
  );
  fill(box, only, buttons, editor);
  return list;
}

/** The button that was pressed is gone: the focus goes to what can be chosen next. @param {HTMLElement} editor */
function goOn(editor) {
  /** @type {HTMLElement | null} */ (editor.querySelector(".suggested button:not([hidden])") ?? editor.querySelector("input"))?.focus({ preventScroll: true });
}

/** @param {HTMLElement} list @param {string[]} suggested @param {(url: string) => void} add */
function edit(list, suggested, add) {
  const another = field(t("Another relay"), { placeholder: "relay.example.com", maxlength: "400", inputmode: "url", rule: relayRule }, bareWords());
  const choose = (/** @type {string} */ url) =>
    button(url.replace(SCHEME, ""), () => add(url), { "aria-label": t("Add {relay}", { relay: url }), data: { url } });
  const addTyped = () => {
    if (!another.input.value.trim()) throw new FieldFault(t("Type the address of a relay."), another.input);
    add(relayAddress(another.input.value));
    another.input.value = "";
    another.input.focus();
  };
  const row = h("div", { class: "inline below-label" }, another.box, button(t("Add"), () => attempt(row, h("div", {}), addTyped)));
  return [
    h("p", { class: "label" }, t("Relays of the link")),
    h("p", { class: "help" }, t("Apps and the signer exchange encrypted messages there. A relay sees when, and how much, but not what.")),
    list,
    suggested.length > 0 && h("p", { class: "help" }, t("Public relays to choose from. One is enough; a second one helps when the first is away.")),
    h("div", { class: "buttons small suggested" }, suggested.map(choose)),
    row,
  ];
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
  call("relay/try", { url }).then((answer) => {
    row.dataset.works = answer.delivers ? "yes" : "no";
    fill(state, words(answer));
  }, (failure) => fill(state, failure.message));
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

// A short list of relays that the person edits: each is tried as soon as it is in the list.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { fromSigner, t, tn } from "../language.js";
import { button, field } from "./common.js";
import { attempt, FieldFault } from "./faults.js";
import { bareWords, relayAddress, relayRule, SCHEME } from "./relayaddress.js";

/**
 * `value`: the relays in the list; `isDead`: whether there are some and none works; `goOn`: moves the focus to what can be chosen next.
 * @typedef {{box: HTMLElement, input: HTMLInputElement, value: () => string[], isDead: () => boolean,
 *   add: (url: string, how?: {takesFocus?: boolean}) => void, goOn: () => void}} Picker
 */

/** @param {string[]} suggested  public relays to choose from @param {() => void} [changed] @returns {Picker} */
export function relayPicker(suggested, changed = () => {}) {
  const list = h("ul", { class: "rows", hidden: true }), box = h("div", { class: "other-relays" });
  const another = field(t("Another relay"), { placeholder: "relay.example.com", maxlength: "400", inputmode: "url", rule: relayRule }, bareWords());
  const rows = () => /** @type {HTMLElement[]} */ ([...list.children]);
  const value = () => rows().map((row) => row.dataset.url ?? "");
  const renew = () => {
    list.hidden = rows().length === 0;
    for (const one of /** @type {NodeListOf<HTMLElement>} */ (box.querySelectorAll(".suggested button"))) {
      one.hidden = value().includes(one.dataset.url ?? "");
    }
    changed();
  };
  // The button that was pressed is gone: the focus goes to what can be chosen next.
  const goOn = () => /** @type {HTMLElement} */ (box.querySelector(".suggested button:not([hidden])") ?? another.input).focus({ preventScroll: true });
  const add = (/** @type {string} */ url, { takesFocus = true } = {}) => {
    if (!url || value().includes(url)) return;
    list.append(oneRelay(url, () => {
      renew();
      goOn();
    }));
    renew();
    if (takesFocus) goOn();
  };
  fill(box, list, ...choices(suggested, add), typed(another, add));
  return { box, input: another.input, value, isDead: () => rows().length > 0 && rows().every((row) => row.dataset.works === "no"), add, goOn };
}

/** @param {string[]} suggested @param {(url: string) => void} add */
function choices(suggested, add) {
  const choose = (/** @type {string} */ url) =>
    button(url.replace(SCHEME, ""), () => add(url), { "aria-label": t("Add {relay}", { relay: url }), data: { url } });
  return [
    suggested.length > 0 && h("p", { class: "help" }, t("Public relays to choose from. One is enough; a second one helps when the first is away.")),
    h("div", { class: "buttons small suggested" }, suggested.map(choose)),
  ];
}

/** @param {{box: HTMLElement, input: HTMLInputElement}} another @param {(url: string) => void} add */
function typed(another, add) {
  const addTyped = () => {
    if (!another.input.value.trim()) throw new FieldFault(t("Type the address of a relay."), another.input);
    add(relayAddress(another.input.value));
    another.input.value = "";
    another.input.focus();
  };
  const press = () => attempt(row, h("div", {}), addTyped);
  another.input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    press();
  });
  const row = h("div", { class: "inline below-label" }, another.box, button(t("Add"), press));
  return row;
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

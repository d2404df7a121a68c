// Why there is no button for passkeys at this address, and the way to an address where there is one.

import { h } from "../dom.js";
import { t } from "../language.js";
import { button } from "./common.js";

/** This machine by its number: the same signer answers at localhost. */
const BY_NUMBER = /^(?:127(?:\.\d+){3}|\[::1\])$/;

export function noPasskeysHere() {
  if (!BY_NUMBER.test(location.hostname)) {
    return h("p", { class: "help" }, t("Browsers allow passkeys only at localhost or over HTTPS at a host name, not at this address."));
  }
  return h(
    "div",
    { class: "fields-box" },
    h("p", { class: "help" }, t("Browsers allow passkeys at a name only, not at a number such as {address}. At localhost this console has them.", { address: location.hostname })),
    h("div", { class: "buttons small" }, button(t("Open it at localhost"), () => {
      location.hostname = "localhost";
    })),
  );
}

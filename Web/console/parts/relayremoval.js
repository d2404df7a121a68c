// Leaving a relay: the signer uses it as long as an app or an unused link names it, so those end.

import { call } from "../api.js";
import { h, notice } from "../dom.js";
import { t, tn } from "../language.js";
import { refresh } from "../store.js";
import { dialog } from "./dialog.js";

/**
 * Asks, and leaves the relay.
 * @param {{url: string, apps: any[], links: string[]}} relay  the apps and the keys of the links that name it
 * @param {import("../pages/relays.js").Use[]} used  who names each relay
 */
export async function leaveRelay({ url, apps, links }, used) {
  const elsewhere = new Set(used.filter((one) => one.url !== url).flatMap((one) => one.apps));
  const cutOff = apps.filter(({ signer }) => !elsewhere.has(signer)), others = apps.filter(({ signer }) => elsewhere.has(signer));
  const done = await dialog(t("Remove {relay}?", { relay: url }), [
    h("p", {}, t("The signer uses a relay as long as an app or a link names it. An app keeps the relays that it was paired with.")),
    listed(t("These apps reach the signer through this relay only. They are revoked:"), cutOff),
    listed(t("These apps have another relay, but keep asking at this one, too. They are revoked:"), others),
    apps.length > 0 && h("p", { class: "warning" }, t("A revoked app cannot come back by itself. To go on with it, pair it again through another relay.")),
    links.length > 0 && h("p", {}, tn(links.length, "{count} link that no app has used is cancelled.", "{count} links that no app has used are cancelled.")),
  ], {
    confirm: apps.length ? tn(apps.length, "Revoke {count} app and remove the relay", "Revoke {count} apps and remove the relay") : t("Remove the relay"),
    dangerous: true,
    isCareful: apps.length > 0,
    act: async () => {
      for (const link of links) await call("pair/cancel", { link });
      for (const { signer } of apps) await call("client/revoke", { client: signer });
    },
  });
  refresh("clients");
  refresh("status");
  if (done) notice(t("No app and no link names that relay any more."));
}

/** @param {string} words @param {any[]} apps */
function listed(words, apps) {
  return apps.length > 0 && [h("p", {}, words), h("ul", {}, apps.map(({ name }) => h("li", { dir: "auto" }, name)))];
}

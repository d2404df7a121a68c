// The bar above the waiting requests: filters by app and kind, and “Deny all” for the requests that are shown.

import { fill, h } from "../dom.js";
import { t, tn } from "../language.js";
import { capital, methodWords } from "../words.js";
import { button, choice } from "./common.js";

/** @typedef {import("./account.js").Account} Account */
/** @typedef {import("./card.js").Group} Group */

/** What kind of request it is, for the filter. @param {Account} request */
function kindOf(request) {
  return request.kind_name ?? methodWords(request.method);
}

/**
 * @param {{changed: () => void, denyAll: (requests: Account[]) => unknown, pause: (request: Account) => unknown,
 *   isPaused: (request: Account) => boolean, ofApp?: string | null}} acts  `ofApp`: the signer's key for the app that is chosen at first
 */
export function sieve({ changed, denyAll, pause, isPaused, ofApp }) {
  const app = choice(t("App"), [], "", { onchange: changed, data: { focus: "filter-app" } });
  const kind = choice(t("Kind"), [], "", { onchange: changed, data: { focus: "filter-kind" } });
  const alike = h("p", { class: "help alike" }, t("Everyday requests of one kind from one app share a row and are approved together there. All others are approved one by one."));
  const sum = h("p", { class: "help", role: "status" }), buttons = h("div", { class: "buttons small" });
  const box = h("section", { class: "sieve", "aria-label": t("Filters"), hidden: true }, app.box, kind.box, sum, buttons, alike);

  /** @param {Group} group */
  const shows = ({ requests: [first] }) =>
    (!app.select.value || first.client.signer === app.select.value) && (!kind.select.value || kindOf(first) === kind.select.value);

  /** @param {Account[]} requests @param {Group[]} groups */
  const renew = (requests, groups) => {
    options(app.select, t("All apps"), requests.map(({ client }) => [client.signer, client.name]));
    if (ofApp && requests.length) [app.select.value, ofApp] = [requests.some(({ client }) => client.signer === ofApp) ? ofApp : "", null];
    options(kind.select, t("All kinds"), requests.map((request) => [kindOf(request), capital(kindOf(request))]));
    const shown = groups.filter(shows).flatMap(({ requests: members }) => members);
    box.hidden = groups.length < 2 && !app.select.value && !kind.select.value;
    sum.textContent = shown.length === requests.length
      ? tn(shown.length, "{count} request waits", "{count} requests wait")
      : t("{shown} of {all} requests shown", { shown: shown.length, all: requests.length });
    const only = app.select.value && shown[0];
    fill(
      buttons,
      shown.length > 1 &&
        button(t("Deny all {count}", { count: shown.length }), () => denyAll(shown), { data: { focus: "deny-all" } }),
      only && !isPaused(only) && button(t("Pause this app"), () => pause(only), { data: { focus: "pause" } }),
    );
  };
  return { box, shows, renew };
}

/**
 * Renews what can be chosen, if it changed. A choice that is gone becomes "all".
 * @param {HTMLSelectElement} select
 * @param {string} all
 * @param {[string, string][]} pairs  value and words, each possibly several times
 */
function options(select, all, pairs) {
  const wanted = [["", all], ...[...new Map(pairs)].sort((a, b) => a[1].localeCompare(b[1]))];
  const names = JSON.stringify(wanted);
  if (select.dataset.names === names) return;
  select.dataset.names = names;
  const chosen = select.value;
  fill(select, wanted.map(([value, words]) => h("option", { value, selected: value === chosen }, words)));
}

// Who names a relay that cannot be reached, and so how to be rid of it: the signer keeps trying as long as somebody does.

import { call } from "../api.js";
import { h, notice } from "../dom.js";
import { t } from "../language.js";
import { appRoute } from "../router.js";
import { known, refresh } from "../store.js";
import { button } from "./common.js";

/** @param {{at_start?: boolean, users?: string[]}} relay  from an older signer without the two */
export function usersOf({ at_start: isNamedAtStart, users }) {
  const clients = known("clients");
  if (!users || !clients) return null;
  const apps = clients.filter((/** @type {any} */ one) => users.includes(one.signer));
  const links = users.filter((key) => !apps.some((/** @type {any} */ one) => one.signer === key));
  return userLines(apps, links, isNamedAtStart, !isNamedAtStart && !users.length);
}

/** @param {any[]} apps @param {string[]} links @param {boolean | undefined} isNamedAtStart @param {boolean} isFormer  nobody names it any more */
export function userLines(apps, links, isNamedAtStart, isFormer) {
  return h(
    "span",
    { class: "relay-users" },
    isNamedAtStart && h("span", {}, t("Named when the signer was started. To leave it, start the signer without it.")),
    apps.length > 0 && h("span", {}, t("Used by:"), " ", apps.map(appLink)),
    links.map(linkLine),
    isFormer && h("span", {}, t("Kept for a day for an app that is no longer paired.")),
  );
}

/** @param {any} app @param {number} index */
function appLink(app, index) {
  return [index > 0 && ", ", h("a", { href: appRoute(app), dir: "auto" }, app.name)];
}

/** @param {string} key */
function linkLine(key) {
  const digits = key.slice(0, 8);
  return h(
    "span",
    {},
    t("A pairing link that no app has used names it."),
    " ",
    button(t("Cancel the link"), async () => {
      try {
        await call("pair/cancel", { link: key });
        notice(t("No app can use that link any more."));
      } catch (failure) {
        notice(/** @type {Error} */ (failure).message, { bad: true });
      }
      refresh("status");
    }, { class: "quiet", "aria-label": t("Cancel the link {digits}", { digits }), data: { focus: `unused-${digits}` } }),
  );
}

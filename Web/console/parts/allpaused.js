// All apps are paused, as after a restore: said on Home until the owner has resumed them or chosen. Of an only app its row says so.

import { call } from "../api.js";
import { h, notice } from "../dom.js";
import { t } from "../language.js";
import { refresh } from "../store.js";
import { button } from "./common.js";
import { dialog } from "./dialog.js";
import { heading } from "./heading.js";

/** Whether there are several apps and each is paused. @param {{suspended?: boolean}[]} clients */
function areAllPaused(clients) {
  return clients.length > 1 && clients.every(({ suspended }) => suspended === true);
}

/** @param {any[]} clients @returns {HTMLElement | null} */
export function allPaused(clients) {
  if (!areAllPaused(clients)) return null;
  return h(
    "section",
    { class: "card careful" },
    heading("paused", t("All apps are paused, as after a restore")),
    h("p", {}, t("What they ask for waits quietly. Resume those that you still use, and revoke the others. If the old machine still runs, stop its signer first.")),
    h(
      "div",
      { class: "buttons" },
      button(t("Resume all…"), () => resumeAll(clients), { class: "primary" }),
      h("a", { class: "button", href: "#/apps" }, t("Choose")),
    ),
  );
}

/** @param {any[]} clients */
async function resumeAll(clients) {
  const names = h("ul", {}, clients.map(({ name }) => h("li", { dir: "auto" }, name)));
  const done = await dialog(t("Resume all apps?"), [h("p", {}, t("Their rules apply again. What they asked for meanwhile still waits for you.")), names], {
    confirm: t("Resume all"),
    act: async () => {
      for (const { signer } of clients) await call("client/resume", { client: signer });
    },
  });
  refresh("clients");
  refresh("requests");
  if (done) notice(t("All apps are resumed."));
}

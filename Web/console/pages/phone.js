// The phone: its apps reach the signer through a relay, and its browser reaches this console.

import { h } from "../dom.js";
import { t } from "../language.js";
import { heading, waitingFor } from "../parts/heading.js";
import { drawConsoleThere } from "../parts/onphone.js";
import { whileLocked } from "../parts/whilelocked.js";
import { drawGive, lockedDown } from "./pair.js";

/** @param {import("../view.js").View} view */
export function phone(view) {
  const card = () => h("section", { class: "card" }, waitingFor()), apps = card(), there = card();
  const stopped = h("section", { class: "card careful", hidden: true }, lockedDown());
  const locked = whileLocked(view, t("To give an app access, unlock the signer. Pausing and revoking apps works while it is locked."));
  view.draw(
    t("On your phone"),
    h("p", { class: "lead" }, t("Your keys stay on this machine. Apps on the phone ask it for signatures, and you can answer them in this console, on the phone, too.")),
    locked,
    stopped,
    apps,
    there,
  );
  let isDrawn = false;
  view.watch("status", (status) => {
    stopped.hidden = status.suspended !== true;
    locked.hidden = apps.hidden = status.suspended === true;
    if (!isDrawn) drawConsoleThere(there, status);
    isDrawn = true;
  });
  let isOffered = false;
  view.watch("identities", (identities) => {
    if (isOffered && identities.length) return;
    isOffered = identities.length > 0;
    drawGive(view, apps, identities, {
      isForPhone: true,
      title: heading("apps", t("Apps on the phone")),
      help: t("Choose a relay that the phone reaches. Then scan the code with the app: it logs in with a remote signer or “bunker”."),
    });
  });
}

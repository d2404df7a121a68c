// Starts the service worker. It and the page "not connected" run without the console's catalogue, so their words are kept in the
// browser's cache, in the person's language.

import { language, t, tn } from "../language.js";

const KEPT = "holdfast-words";
/** A notification names at most this many requests. */
const MOST = 50;

/** The console works without it, but has no notifications then. */
export async function startWorker() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("/sw.js");
    await (await caches.open(KEPT)).put("/words", Response.json(words()));
  } catch { /* As above. */ }
}

function words() {
  return {
    language: language(),
    direction: document.documentElement.dir,
    incident: [t("Something is wrong with your signer"), t("Open Holdfast to see what happened.")],
    share: [
      t("A share of a recovery kit is asked for"),
      t("Open Holdfast to see who asks, and stop it if it is not you."),
    ],
    waiting: [
      t("Something waits for you"),
      ...Array.from({ length: MOST }, (_, before) => tn(before + 1, "{count} request waits for you", "{count} requests wait for you")),
      t("More than {count} requests wait for you", { count: MOST }),
    ],
    open: t("Open Holdfast to see and answer."),
    offline: [
      t("Not connected"),
      t("The signer does not answer. It may be stopped, restarting, or out of reach of this device."),
      t("This page keeps trying. On the machine where the signer runs, this shows its state: holdfast status"),
      t("Try now"),
    ],
  };
}

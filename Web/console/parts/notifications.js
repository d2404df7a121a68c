// Web Push on this device: the signer wakes the browser, which shows that something waits, and nothing else.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { fromSigner, rich, t } from "../language.js";
import { heading } from "./heading.js";
import { optional } from "./optional.js";
import { button, when } from "./common.js";

/** @param {import("../view.js").View} view @param {HTMLElement} box */
export function notifications(view, box) {
  optional(view, box, ["sessions"], async () => {
    const [{ key }, { subscriptions }] = await Promise.all([call("push/key"), call("push/list")]);
    const here = await current();
    fill(
      box,
      heading("bell", t("Notifications")),
      h(
        "p",
        { class: "help" },
        t("A phone or browser notifies you when something waits, even when this page is closed. The notification says nothing about the request."),
      ),
      subscriptions.length > 0 &&
        h("ul", { class: "rows" }, subscriptions.map((/** @type {any} */ one) => row(one, here, () => notifications(view, box)))),
      await offer(key, here, subscriptions, () => notifications(view, box)),
    );
  });
}

/** @param {any} one @param {PushSubscription | null} here @param {() => void} again */
function row(one, here, again) {
  return h(
    "li",
    { class: "row" },
    h(
      "span",
      { class: "row-words" },
      h("strong", { dir: "auto" }, one.label),
      h(
        "span",
        {},
        rich("by {host}, added {when}", { host: one.host, when: when(one.made) }),
        one.last_error && [" · ", h("span", { class: "loss", dir: "auto" }, t("failed: {why}", { why: fromSigner(one.last_error) }))],
      ),
    ),
    button(t("Test"), async () => {
      await told(() => call("push/test", { id: one.id }), t("Sent. It should appear within seconds."));
      again();
    }, { class: "quiet" }),
    button(t("Remove"), async () => {
      await told(async () => {
        await call("push/remove", { id: one.id });
        if (one.id === localStorage.getItem("push-id")) await here?.unsubscribe();
      }, t("Removed."));
      again();
    }, { class: "quiet plain-danger" }),
  );
}

/** @returns {Promise<PushSubscription | null>} */
async function current() {
  if (!canPush()) return null;
  const worker = await navigator.serviceWorker.getRegistration();
  return (await worker?.pushManager?.getSubscription()) ?? null;
}

function canPush() {
  return isSecureContext && "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis;
}

/** @param {string} key @param {PushSubscription | null} here @param {any[]} subscriptions @param {() => void} again */
async function offer(key, here, subscriptions, again) {
  if (!canPush()) {
    return h(
      "p",
      { class: "help" },
      t("This browser cannot be notified at this address. It needs localhost or HTTPS. On an iPhone, add the console to the home screen first."),
    );
  }
  if (Notification.permission === "denied") {
    return h("p", { class: "help" }, t("The browser’s settings block notifications for this page."));
  }
  if (here && subscriptions.some(({ id }) => id === localStorage.getItem("push-id"))) {
    return h("p", { class: "help" }, t("This browser is on the list."));
  }
  return h(
    "div",
    { class: "buttons" },
    button(t("Notify this browser"), async () => {
      await told(() => subscribe(key), t("This browser will notify you."));
      again();
    }),
  );
}

/** @param {string} key  base64url */
async function subscribe(key) {
  if ((await Notification.requestPermission()) !== "granted") throw new Error(t("The browser did not allow notifications."));
  const worker = await navigator.serviceWorker.ready;
  let subscription;
  try {
    subscription = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  } catch {
    throw new Error(t("The browser could not reach its push service."));
  }
  const { endpoint, keys } = subscription.toJSON();
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(navigator.userAgent)?.[1] ?? "";
  const { id } = await call("push/subscribe", {
    endpoint,
    p256dh: keys?.p256dh,
    auth: keys?.auth,
    label: system ? t("Browser on {system}", { system }) : t("Browser on this device"),
  });
  localStorage.setItem("push-id", id);
}

/** @param {() => Promise<unknown>} work @param {string} said */
async function told(work, said) {
  try {
    await work();
    notice(said);
  } catch (failure) {
    notice(/** @type {Error} */ (failure).message, { bad: true });
  }
}

// Shows the signer's push messages, opens the approvals, and shows "not connected" when the signer cannot be reached. It caches
// no page and no response of the signer, so the code that runs is always what the signer serves.

const SHELL = "holdfast-shell-1";
const OFFLINE = ["/offline.html", "/styles/base.css", "/styles/frame.css", "/styles/cards.css", "/styles/controls.css", "/theme.js", "/offline.js", "/icons/icon.svg"];

self.addEventListener("install", (event) => {
  // Calls go to the signer directly. One that is made while its page is closed would not survive the way through here.
  event.addRoutes?.({ condition: { requestMethod: "POST" }, source: "network" })?.catch(() => {});
  event.waitUntil(caches.open(SHELL).then((cache) => cache.addAll(OFFLINE)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((names) => Promise.all(names.filter((name) => name !== SHELL).map((name) => caches.delete(name)))).then(
      () => self.clients.claim(),
    ),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin) return;
  if (event.request.mode === "navigate") {
    event.respondWith(fetch(event.request).catch(() => caches.match("/offline.html")));
  } else if (OFFLINE.includes(url.pathname)) {
    event.respondWith(fetch(event.request).catch(() => caches.match(event.request)));
  }
});

self.addEventListener("push", (event) => {
  let message = {};
  try {
    message = event.data?.json() ?? {};
  } catch { /* An unreadable push message still means that something waits. */ }
  const count = Number.isSafeInteger(message.count) ? message.count : 0;
  const [title, body] = message.type === "incident"
    ? ["Something is wrong with your signer", "Open Holdfast to see what happened."]
    : message.type === "share"
    ? ["Somebody asks for a share of a recovery kit", "Open Holdfast to see who asks, and stop it if it is not you."]
    : [
      count === 1 ? "One request waits for you" : count > 1 ? `${count} requests wait for you` : "Something waits for you",
      "Open Holdfast to see and answer.",
    ];
  event.waitUntil(
    self.registration.showNotification(title, {
      body,
      tag: message.type ?? "waiting",
      icon: "/icons/icon-192.png",
      badge: "/icons/icon-192.png",
      renotify: true,
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil((async () => {
    const target = { incident: "/#/security", share: "/#/recovery" }[event.notification.tag] ?? "/#/approvals";
    const [open] = await self.clients.matchAll({ type: "window" });
    if (open) {
      await open.focus();
      await open.navigate(target).catch(() => {});
    } else await self.clients.openWindow(target);
  })());
});

// Takes the place of a service worker that is not the console's, and removes it: see Sources/Console/Serving/ForeignWorker.swift.

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => event.waitUntil(leave()));

async function leave() {
  await self.registration.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
  for (const page of await self.clients.matchAll({ type: "window", includeUncontrolled: true })) {
    await page.navigate("/").catch(() => {});
  }
}

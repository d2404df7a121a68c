// For the page "not connected": reloads as soon as the signer answers. It is a classic script, and takes its words from what the console
// kept in the browser's cache (parts/worker.js).
(() => {
  const speak = async () => {
    const words = await (await caches.match("/words"))?.json();
    if (!words) return;
    document.documentElement.lang = words.language;
    document.documentElement.dir = words.direction;
    document.querySelectorAll("[data-words]").forEach((one, place) => {
      one.textContent = words.offline[place];
    });
  };
  speak().catch(() => {});
  const attempt = () => {
    const headers = { "content-type": "application/json" };
    fetch("/api/v1/session/state", { method: "POST", body: "{}", cache: "no-store", headers }).then((answer) => {
      if (answer.ok) location.reload();
    }, () => {});
  };
  document.getElementById("again").addEventListener("click", attempt);
  setInterval(attempt, 3000);
})();

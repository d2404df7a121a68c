// The requests that were announced to screen readers in this tab. One that was announced is not new again after a lock, a sign-out or a
// reload. Only their ids are kept.

const KEPT = "holdfast-announced";
/** How many ids are kept: more than can wait at once. */
const MOST = 1000;

/** @returns {string[]} in the order of their announcement */
function kept() {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

/** Those of the requests that were not announced before; from now on all of them were. @template {{id: string}} Request @param {Request[]} requests @returns {Request[]} */
export function notAnnounced(requests) {
  const before = kept(), known = new Set(before);
  const fresh = requests.filter(({ id }) => !known.has(id));
  if (fresh.length) sessionStorage.setItem(KEPT, JSON.stringify([...before, ...fresh.map(({ id }) => id)].slice(-MOST)));
  return fresh;
}

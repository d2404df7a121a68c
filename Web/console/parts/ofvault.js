// What this browser keeps of one vault. Another vault at the same address, such as a trial before it, has its own.

import { call } from "../api.js";
import { known } from "../store.js";

/** @param {string} name */
async function place(name) {
  const { vault = "" } = known("status") ?? await call("status").catch(() => ({}));
  return `${name} ${vault}`;
}

/** @param {string} name @returns {Promise<string | null>} */
export async function recall(name) {
  return localStorage.getItem(await place(name));
}

/** @param {string} name @param {string | null} value  null forgets it */
export async function remember(name, value) {
  const where = await place(name);
  if (value === null) localStorage.removeItem(where);
  else localStorage.setItem(where, value);
}

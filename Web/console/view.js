// What a page receives: an element to draw in, and subscriptions that end when the page is left.

import { call } from "./api.js";
import { fill, h } from "./dom.js";
import { live } from "./live.js";
import { unpressed } from "./pointer.js";
import { watch } from "./store.js";

/** Milliseconds between two checks of the log's length. */
const LOG_LOOK = 1500;

let named = "Holdfast", waiting = 0;

/** @param {string} title  what the browser's tab says, with how many requests wait before it */
export function nameTab(title) {
  named = `${title} · Holdfast`;
  countInTab(waiting);
}

/** @param {number} count */
export function countInTab(count) {
  waiting = count;
  document.title = (count ? `(${count}) ` : "") + named;
}

/** One visit to one page. */
export class View {
  /** @type {(() => void)[]} */
  #ends = [];
  /** The failure that is shown, and the loading that failed; null for another. @type {{box: HTMLElement, by: unknown} | null} */
  #fault = null;
  /** Whether the person is still on it. */
  isOpen = true;
  /** Asks before the person leaves the page, while something on it would be lost. @type {(() => Promise<boolean>) | null} */
  #farewell = null;

  /** @param {HTMLElement} root  @param {import("./router.js").Route} route */
  constructor(root, route) {
    this.root = root;
    this.route = route;
  }

  /**
   * Draws the page's frame.
   * @param {string} title
   * @param {...import("./dom.js").Child} children
   */
  draw(title, ...children) {
    if (!this.isOpen) return;
    nameTab(title);
    fill(this.root, h("h1", { tabindex: "-1" }, title), ...children);
  }

  /** Passes on a value of the store, now and after each change. @param {string} name @param {(value: any) => unknown} hear */
  watch(name, hear) {
    this.#ends.push(watch(name, async (value) => {
      if (!this.isOpen) return;
      try {
        await hear(value);
        if (this.#fault?.by === hear) this.#worked(hear);
      } catch (failure) {
        this.failed(failure, hear);
      }
    }));
  }

  /**
   * Runs now, on each hint of these types, and after a reconnect. What is asked for meanwhile follows, so that an older answer never replaces
   * a newer one.
   * @param {string[]} types @param {() => unknown} load
   */
  keep(types, load) {
    const once = async () => {
      try {
        await unpressed();
        if (!this.isOpen) return;
        await load();
        this.#worked(load);
      } catch (failure) {
        this.failed(failure, load);
      }
    };
    let isRunning = false, isAsked = false;
    const run = async () => {
      isAsked = true;
      if (isRunning) return;
      isRunning = true;
      while (isAsked && this.isOpen) {
        isAsked = false;
        await once();
      }
      isRunning = false;
    };
    /** @param {any} event */
    const hint = (event) => {
      if (types.includes(event.detail.type)) run();
    };
    live.addEventListener("hint", hint);
    live.addEventListener("connected", run);
    this.#ends.push(() => {
      live.removeEventListener("hint", hint);
      live.removeEventListener("connected", run);
    });
    return run();
  }

  /**
   * Like `keep`, for pages that show the log. It grows with every request without a hint, so its length is checked regularly.
   * @param {string[]} types
   * @param {() => unknown} load
   */
  keepWithLog(types, load) {
    let length = -1;
    const look = async () => {
      const before = length;
      ({ log_entries: length } = await call("status").catch(() => ({ log_entries: before })));
      if (before < 0 || before === length || !this.isOpen) return;
      await Promise.resolve(load()).then(() => this.#worked(load), (failure) => this.failed(failure, load));
    };
    look();
    const timer = setInterval(() => document.hidden || look(), LOG_LOOK);
    this.atEnd(() => clearInterval(timer));
    return this.keep(["log", ...types], load);
  }

  /** @param {() => void} end */
  atEnd(end) {
    this.#ends.push(end);
  }

  /**
   * Asks before the person goes to another page, until this is called with null. The browser asks, too, before it closes the tab.
   * @param {(() => Promise<boolean>) | null} ask  resolves to whether to leave
   */
  askBeforeLeaving(ask) {
    if (ask && !this.#farewell) addEventListener("beforeunload", warn);
    if (!ask) removeEventListener("beforeunload", warn);
    this.#farewell = ask;
  }

  /** @returns {Promise<boolean>} whether the person may leave now */
  async mayLeave() {
    return !this.#farewell || await this.#farewell();
  }

  /** Whether leaving has to be asked about. */
  get isHeld() {
    return this.#farewell !== null;
  }

  /** Shows why the page could not be loaded. @param {any} failure @param {unknown} [by]  the loading that failed */
  failed(failure, by = null) {
    if (!this.isOpen || failure.isSignedOut || failure.isUnreachable) return;
    // oxlint-disable-next-line no-console -- a mistake in these pages, for who mends it; it carries nothing of the vault.
    if (!failure.status) console.error(failure);
    if (this.root.querySelector(".fault")) return;
    const box = h("p", { class: "fault", role: "alert" }, failure.message, failure.hint && [" ", failure.hint]);
    this.#fault = { box, by };
    this.root.append(box);
  }

  /** Takes away the failure that was shown, because what failed works now. @param {unknown} load */
  #worked(load) {
    if (this.#fault?.by !== load && this.#fault?.by !== null) return;
    this.#fault?.box.remove();
    this.#fault = null;
  }

  close() {
    this.isOpen = false;
    this.askBeforeLeaving(null);
    for (const end of this.#ends.splice(0)) end();
  }
}

/** @param {BeforeUnloadEvent} event */
function warn(event) {
  event.preventDefault();
}

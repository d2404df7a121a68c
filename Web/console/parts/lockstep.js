// A step of the first run: when the signer locks by itself, which is right in one way for a server and in another for a laptop.

import { call } from "../api.js";
import { fill, h } from "../dom.js";
import { t } from "../language.js";
import { button } from "./common.js";
import { attempt } from "./faults.js";
import { chosen as isChosen } from "./locking.js";
import { beginStep } from "./steps.js";

/** What suits each machine, as `session/set` takes it; a time in seconds. @type {Record<string, {title: string, words?: string, set: object}>} */
const MACHINES = {
  server: {
    title: t("On a server that is always on"),
    words: t("It stays unlocked until you lock it, so that apps are answered while you are away."),
    set: { lock_after: null, lock_on_suspend: false, lock_on_desktop_lock: false },
  },
  laptop: {
    title: t("On a laptop or desktop"),
    set: { lock_after: 900, lock_on_suspend: true, lock_on_desktop_lock: true },
  },
};

/** What locks it on a laptop: what this machine does not report locks nothing. @param {{hears_suspend?: boolean, hears_desktop_lock?: boolean}} state */
function laptopWords({ hears_suspend: suspend, hears_desktop_lock: desktop }) {
  if (suspend !== false && desktop !== false) return t("It locks after 15 minutes without you, when the machine goes to sleep, and with the desktop. Then apps wait.");
  if (suspend !== false) return t("It locks after 15 minutes without you, and when the machine goes to sleep. Then apps wait. No desktop here reports when it is locked.");
  if (desktop !== false) return t("It locks after 15 minutes without you, and with the desktop. Then apps wait. This machine does not report when it goes to sleep.");
  return t("It locks after 15 minutes without you. Then apps wait. Nothing else locks it: this machine reports neither sleep nor a locked desktop.");
}

/** @param {Element} box @param {() => void} next */
export async function lockStep(box, next) {
  const laptop = laptopWords(await call("session/show").catch(() => ({})));
  let chosen = "";
  const faults = h("div", {});
  const choose = (/** @type {string} */ name) => {
    chosen = name;
    going.textContent = t("Next");
    going.className = "primary";
  };
  const going = button(t("Skip for now"), () =>
    attempt(box, faults, async () => {
      if (chosen) {
        await call("session/set", MACHINES[chosen].set);
        isChosen();
      }
      next();
    }), { class: "quiet" });
  fill(
    box,
    h("h2", {}, t("When shall it lock by itself?")),
    h("p", {}, t("While the signer is locked, keys are out of memory, and nobody at this machine can use them.")),
    h(
      "fieldset",
      { class: "levels" },
      h("legend", {}, t("Where does it run?")),
      Object.entries(MACHINES).map(([name, { title, words = laptop }]) =>
        h(
          "label",
          { class: "level" },
          h("input", { type: "radio", name: "machine", value: name, onchange: () => choose(name) }),
          h("span", {}, h("strong", {}, title), h("span", { class: "help" }, words)),
        )),
    ),
    faults,
    h("div", { class: "buttons" }, going),
    h("p", { class: "help" }, t("Later, you find this under Security.")),
  );
  beginStep(box);
}

// When the signer locks automatically.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { t } from "../language.js";
import { button, choice } from "./common.js";
import { attempt } from "./faults.js";
import { heading } from "./heading.js";
import { chosen } from "./locking.js";

/** @type {[string, string][]} */
const TIMES = [["60", t("after a minute")], ["300", t("after 5 minutes")], ["900", t("after 15 minutes")], ["3600", t("after an hour")], ["28800", t("after 8 hours")], ["never", t("never")]];

/** A tick that promises nothing where the machine reports nothing. @param {boolean} isOn @param {boolean} isHeard */
function ticked(isOn, isHeard) {
  return h("input", { type: "checkbox", checked: isOn === true && isHeard !== false, disabled: isHeard === false });
}

/** @param {Element} box @param {any} state  what `session/show` says */
export function drawAutomaticLock(box, state) {
  const now = state.lock_after === null ? "never" : String(state.lock_after);
  const times = TIMES.some(([value]) => value === now) ? TIMES : [.../** @type {[string, string][]} */ ([[now, t("after {count} seconds", { count: now })]]), ...TIMES];
  const after = choice(t("If unused, it locks"), times, now);
  const suspend = ticked(state.lock_on_suspend, state.hears_suspend);
  const desktop = ticked(state.lock_on_desktop_lock, state.hears_desktop_lock);
  const faults = h("div", {});
  fill(
    box,
    heading("clock", t("When it locks automatically")),
    h("p", { class: "help" }, t("Keys that are “always ready” stay open when it locks.")),
    after.box,
    h("p", { class: "help" }, t("As long as it never locks, apps are answered while you are away. With a time, they then wait until you unlock. Only what you do counts as use, not what apps ask.")),
    h("label", { class: "level" }, suspend, h("span", {}, h("strong", {}, t("When the machine goes to sleep")))),
    state.hears_suspend === false && h("p", { class: "help" }, t("This machine does not report when it goes to sleep, so this does nothing here.")),
    h("label", { class: "level" }, desktop, h("span", {}, h("strong", {}, t("When the desktop is locked")))),
    state.hears_desktop_lock === false && h("p", { class: "help" }, t("No desktop here reports when it is locked, so this does nothing here.")),
    faults,
    h(
      "div",
      { class: "buttons" },
      button(t("Save"), () =>
        attempt(box, faults, async () => {
          await call("session/set", {
            lock_after: after.select.value === "never" ? null : Number(after.select.value),
            // What nobody can tick here stays as it is.
            lock_on_suspend: suspend.disabled ? undefined : suspend.checked,
            lock_on_desktop_lock: desktop.disabled ? undefined : desktop.checked,
          });
          chosen();
          notice(t("Saved."));
        }), { class: "primary" }),
    ),
  );
}

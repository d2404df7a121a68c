// Backups: one encrypted file with everything that is allowed to leave this machine.

import { call } from "../api.js";
import { fill, h, notice } from "../dom.js";
import { button, choice, fault, field, nothing, when } from "../parts/common.js";
import { verdicts } from "../parts/custody.js";
import { seconds } from "../parts/identity.js";
import { ownerDialog } from "../parts/owner.js";
import { save } from "../parts/save.js";

/** @param {import("../view.js").View} view */
export function backup(view) {
  const now = h("section", { class: "card" }), plan = h("section", { class: "card" }), list = h("section", { class: "card" }), missing = h("div", {});
  view.draw(
    "Backup",
    h(
      "p",
      { class: "lead" },
      "A backup is one encrypted file with your keys, rules and settings. It opens with your passphrase or a recovery kit, on any machine with Holdfast. It leaves out keys marked “this device only”.",
    ),
    verdicts(view, "backup-fresh"),
    now,
    plan,
    list,
    missing,
  );
  for (const box of [now, plan, list]) box.hidden = true;
  const draw = async () => {
    const [{ plan: planned }, { backups = [], error }] = await Promise.all([call("backup/plan"), call("backup/list")]);
    if (!view.isOpen) return;
    drawNow(now, planned, backups, draw);
    drawPlan(plan, planned, draw);
    drawList(list, backups, error);
    for (const box of [now, plan, list]) box.hidden = false;
  };
  view.keep(["status"], async () => {
    try {
      await draw();
    } catch (failure) {
      if (!(/** @type {any} */ (failure).isUnknown)) throw failure;
      fill(missing, nothing("Backups are not available in this signer"));
    }
  });
}

/** @param {any} one */
function made(one) {
  return seconds(one.made ?? one.time ?? 0);
}

/** @param {Element} box @param {any} plan @param {any[]} backups @param {() => unknown} redraw */
function drawNow(box, plan, backups, redraw) {
  const last = Math.max(plan?.last ?? 0, ...backups.map(made));
  const faults = h("div", {});
  fill(
    box,
    h("h2", {}, "Now"),
    last > 0 ? h("p", {}, "The last one was made ", when(last), ".") : h("p", { class: "warning" }, "Holdfast knows of no backup."),
    faults,
    h(
      "div",
      { class: "buttons" },
      button("Make a backup and download it", async () => {
        fill(faults);
        try {
          const file = await call("backup/create");
          save(unbase64(file.data ?? file.file ?? ""), file.name ?? "holdfast.backup");
          notice("The backup is made. Keep it on another machine or medium.");
          redraw();
        } catch (failure) {
          fill(faults, fault(failure));
        }
      }, { class: "primary" }),
    ),
  );
}

/** @param {string} text */
function unbase64(text) {
  return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
}

/** @param {Element} box @param {any} plan @param {() => unknown} redraw */
function drawPlan(box, plan, redraw) {
  const faults = h("div", {});
  fill(
    box,
    h("h2", {}, "Scheduled backups"),
    plan
      ? h("p", {}, "Every ", h("strong", {}, period(String(plan.every))), " to ", h("code", { class: "whole" }, plan.to), `, keeping ${plan.keep}. `, plan.last ? ["The last one was made ", when(plan.last), "."] : "No backup was made yet.")
      : h("p", { class: "help" }, "No backups are scheduled."),
    plan?.failures > 0 && h("p", { class: "fault" }, "The last attempt failed: ", plan.last_error ?? "the reason is unknown", "."),
    faults,
    h(
      "div",
      { class: "buttons" },
      plan && button("Run it now", async () => {
        fill(faults);
        try {
          await call("backup/run");
          notice("Done.");
        } catch (failure) {
          fill(faults, fault(failure));
        }
        redraw();
      }),
      button(plan ? "Change it…" : "Set it up…", () => schedule(plan, redraw)),
      plan && button("Stop it", async () => {
        try {
          await call("backup/schedule", { off: true });
        } catch (failure) {
          notice(/** @type {Error} */ (failure).message, { bad: true });
        }
        redraw();
      }, { class: "quiet" }),
    ),
  );
}

/** A place in one line, as a person types it. @param {any} plan */
function address({ to, endpoint, region }) {
  const more = [endpoint && `endpoint=${endpoint}`, region && `region=${region}`].filter(Boolean);
  return more.length ? `${to}?${more.join("&")}` : to;
}

/** "day" for "1d", "12 hours" for "12h". @param {string} text */
function period(text) {
  const [, count, unit] = /^(\d+)([mhdw])$/.exec(text) ?? [];
  const name = /** @type {Record<string, string>} */ ({ m: "minute", h: "hour", d: "day", w: "week" })[unit ?? ""];
  return name ? (count === "1" ? name : `${count} ${name}s`) : text;
}

/** @param {any} plan @param {() => unknown} redraw */
async function schedule(plan, redraw) {
  const to = field("Where", { required: true, value: plan ? address(plan) : "", placeholder: "/media/backup, https://…, s3://…", autofocus: true }, "A folder on the signer's machine, a WebDAV address, or s3://bucket/prefix?endpoint=…");
  const usual = ["1h", "12h", "1d", "1w"], now = String(plan?.every ?? "1d");
  const every = choice("How often", [...new Set([...usual, now])].map((one) => [one, `every ${period(one)}`]), now);
  const keep = field("How many to keep", { inputmode: "numeric", pattern: "[0-9]{1,3}", value: String(plan?.keep ?? 10) });
  const user = field("User or access key, if needed", { value: "" });
  const password = field("Password or secret key", { type: "password", autocomplete: "off" });
  const done = await ownerDialog("Schedule backups", [to.box, h("div", { class: "inline" }, every.box, keep.box), user.box, password.box], {
    confirm: "Save",
    act: async (perform) => {
      const secrets = /** @type {Record<string, Uint8Array>} */ ({});
      if (user.input.value) secrets.user = new TextEncoder().encode(user.input.value);
      if (password.input.value) secrets.password = new TextEncoder().encode(password.input.value);
      await perform("backup/schedule", { to: to.input.value.trim(), every: every.select.value, keep: Number(keep.input.value) }, secrets);
      password.input.value = "";
    },
  });
  if (done) notice("Saved. To test it, run it now.");
  redraw();
}

/** @param {Element} box @param {any[]} backups @param {string} [error]  why they cannot be listed now */
function drawList(box, backups, error) {
  fill(
    box,
    h("h2", {}, "Backups of the schedule"),
    error && h("p", { class: "fault" }, error),
    backups.length
      ? h(
        "ul",
        { class: "rows" },
        [...backups].sort((a, b) => made(b) - made(a)).map((one) =>
          h(
            "li",
            { class: "row" },
            h("span", { class: "row-words" }, h("strong", { class: "whole" }, one.name ?? one.to ?? "A backup"), one.to && one.name && h("span", { class: "whole" }, one.to)),
            one.verified && h("span", { class: "tag good" }, "checked"),
            one.error && h("span", { class: "tag bad" }, "failed"),
            h("span", { class: "row-time" }, when(made(one))),
          )
        ),
      )
      : nothing("None yet"),
    h("p", { class: "help" }, "To check a whole backup: holdfast backup verify FILE. To restore it on another machine: holdfast backup restore FILE."),
  );
}
